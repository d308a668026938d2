# SPDX-License-Identifier: MIT
# Finds GDAL without its CMake package, because Debian 12 ships that without the parts that plugins need. Defines a
# function that makes plugin targets.

find_path(GDAL_INCLUDE_DIR gdal_priv.h PATH_SUFFIXES gdal)
find_library(GDAL_LIBRARY gdal)
mark_as_advanced(GDAL_INCLUDE_DIR GDAL_LIBRARY)
if(NOT GDAL_INCLUDE_DIR OR NOT GDAL_LIBRARY)
  message(FATAL_ERROR "GDAL was not found. Install its development files (libgdal-dev), name them with "
                      "-DGDAL_INCLUDE_DIR=... -DGDAL_LIBRARY=..., or leave the driver out with -DZARR_BUILD_DRIVER=OFF")
endif()

file(STRINGS ${GDAL_INCLUDE_DIR}/gdal_version.h gdal_version_lines REGEX "define GDAL_VERSION_(MAJOR|MINOR|REV) ")
string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*REV +([0-9]+).*" "\\1.\\2.\\3" GDAL_VERSION
       "${gdal_version_lines}")
if(GDAL_VERSION VERSION_LESS 3.6)
  message(FATAL_ERROR "GDAL 3.6 or later is needed, ${GDAL_INCLUDE_DIR} has ${GDAL_VERSION}")
endif()

add_library(gdal_for_plugins INTERFACE)
target_include_directories(gdal_for_plugins SYSTEM INTERFACE ${GDAL_INCLUDE_DIR})
target_link_libraries(gdal_for_plugins INTERFACE ${GDAL_LIBRARY})

# GDAL looks into <library folder>/gdalplugins/<major>.<minor> if that exists, and else into <library
# folder>/gdalplugins. So the subfolder is used if it exists, but not made: it would hide the plugins beside it.
# Sets GDAL's prefix, such as /usr, and its plugin folder below that.
function(find_gdal_plugin_folder)
  get_filename_component(library_dir ${GDAL_LIBRARY} DIRECTORY)
  get_filename_component(library_dir ${library_dir} REALPATH) # /lib may be a link to /usr/lib
  if(NOT library_dir MATCHES "^(.+)/(lib(32|64)?(/[^/]+)?)$")
    message(FATAL_ERROR "No prefix is known of ${GDAL_LIBRARY}: say with -DGDAL_PLUGIN_INSTALL_DIR=... where GDAL looks for plugins")
  endif()
  set(prefix ${CMAKE_MATCH_1})
  set(folder ${CMAKE_MATCH_2}/gdalplugins)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor_version ${GDAL_VERSION})
  if(IS_DIRECTORY ${prefix}/${folder}/${minor_version})
    string(APPEND folder /${minor_version})
  endif()
  set(GDAL_PREFIX ${prefix} PARENT_SCOPE)
  set(GDAL_PLUGIN_FOLDER ${folder} PARENT_SCOPE)
endfunction()

set(GDAL_PLUGIN_INSTALL_DIR "" CACHE PATH "Where to install the plugin (default: GDAL's plugin folder, or that below the prefix)")

# Installs a plugin. With CMake's default prefix it goes to GDAL's own plugin folder; with another one below that, and a
# line says what GDAL must be told. The prefix is only known when the rules are carried out.
function(install_gdal_plugin target)
  if(GDAL_PLUGIN_INSTALL_DIR)
    install(TARGETS ${target} LIBRARY DESTINATION ${GDAL_PLUGIN_INSTALL_DIR} COMPONENT gdal_plugin)
    return()
  endif()
  find_gdal_plugin_folder()
  string(CONFIGURE [[
    set(asked_prefix "${CMAKE_INSTALL_PREFIX}")
    if(asked_prefix STREQUAL "/usr/local")
      set(CMAKE_INSTALL_PREFIX "@GDAL_PREFIX@")
    endif()]] take_prefix @ONLY)
  string(CONFIGURE [[
    if(NOT CMAKE_INSTALL_PREFIX STREQUAL "@GDAL_PREFIX@")
      message(STATUS "For GDAL to find the plugin: export GDAL_DRIVER_PATH=${CMAKE_INSTALL_PREFIX}/@GDAL_PLUGIN_FOLDER@")
    endif()
    set(CMAKE_INSTALL_PREFIX "${asked_prefix}")]] give_prefix_back @ONLY)
  install(CODE "${take_prefix}" COMPONENT gdal_plugin)
  install(TARGETS ${target} LIBRARY DESTINATION ${GDAL_PLUGIN_FOLDER} COMPONENT gdal_plugin)
  install(CODE "${give_prefix_back}" COMPONENT gdal_plugin)
endfunction()

# Adds a plugin gdal_<name> that exports only GDALRegister_<name>, whatever libraries it links. It is built in
# <build>/gdalplugins, where GDAL_DRIVER_PATH can point.
# Usage: add_gdal_plugin(<name> <source>...)
function(add_gdal_plugin name)
  set(target gdal_${name})
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE gdal_for_plugins)
  set_target_properties(${target} PROPERTIES
    PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gdalplugins)
  if(WIN32)
    set(exports ${CMAKE_CURRENT_BINARY_DIR}/${target}.def)
    file(CONFIGURE OUTPUT ${exports} CONTENT "EXPORTS\n  GDALRegister_@name@\n" @ONLY)
    target_sources(${target} PRIVATE ${exports})
  elseif(APPLE)
    target_link_options(${target} PRIVATE LINKER:-exported_symbol,_GDALRegister_${name})
    set_target_properties(${target} PROPERTIES SUFFIX .dylib)
  else()
    set(exports ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    file(CONFIGURE OUTPUT ${exports} CONTENT "{ global: GDALRegister_@name@; local: *; };\n" @ONLY)
    target_link_options(${target} PRIVATE LINKER:--version-script=${exports} LINKER:--exclude-libs,ALL)
    if(NOT ZARR_SANITIZE)
      target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exports})
  endif()
  install_gdal_plugin(${target})
endfunction()
