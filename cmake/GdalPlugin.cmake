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
if(NOT GDAL_PLUGIN_DIR)
  get_filename_component(gdal_library_dir ${GDAL_LIBRARY} DIRECTORY)
  set(gdal_plugin_dir ${gdal_library_dir}/gdalplugins)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" gdal_abi ${GDAL_VERSION})
  if(IS_DIRECTORY ${gdal_plugin_dir}/${gdal_abi})
    string(APPEND gdal_plugin_dir /${gdal_abi})
  endif()
  set(GDAL_PLUGIN_DIR ${gdal_plugin_dir} CACHE PATH "Where GDAL looks for plugins")
endif()

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
  set(exports ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${exports} CONTENT "{ global: GDALRegister_@name@; local: *; };\n" @ONLY)
  target_link_options(${target} PRIVATE LINKER:--version-script=${exports} LINKER:--exclude-libs,ALL)
  if(NOT ZARR_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${exports})
  install(TARGETS ${target} LIBRARY DESTINATION ${GDAL_PLUGIN_DIR})
endfunction()
