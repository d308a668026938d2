# SPDX-License-Identifier: MIT
# Debian packages, made by "cpack" in the build folder: gdal-plugin-zarr, zarrkit, libzarrlib-dev, zarrlib-doc. They are
# for the GDAL of the machine. cmake/package.sh makes and tests them.
set(ZARR_PACKAGE_MAINTAINER "The zarrlib authors <zarrlib@example.org>" CACHE STRING "Who answers for the packages")
set(ZARR_PACKAGE_RELEASE 1 CACHE STRING "The part of the packages' version behind the hyphen")

# The Debian package that a file belongs to. Files of the system are known by their places below /usr.
function(zarr_find_package_of file result)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(folder ${folder} REALPATH)
  get_filename_component(name ${file} NAME)
  execute_process(COMMAND dpkg-query --search ${folder}/${name} OUTPUT_VARIABLE found ERROR_QUIET)
  string(REGEX MATCH "^[^:,]+" package "${found}")
  if(NOT package)
    message(STATUS "No Debian package has ${file}: the packages do not name what they depend on for it")
  endif()
  set(${result} ${package} PARENT_SCOPE)
endfunction()

# "libgdal32 (>= 3.6), libgdal32 (<< 3.7)": a plugin fits one minor version of GDAL.
function(zarr_describe_gdal_dependency result)
  get_filename_component(file ${GDAL_LIBRARY} REALPATH)
  zarr_find_package_of(${file} package)
  get_directory_property(version DIRECTORY ${PROJECT_SOURCE_DIR}/driver DEFINITION GDAL_VERSION)
  if(package AND version MATCHES "^([0-9]+)\\.([0-9]+)")
    math(EXPR next "${CMAKE_MATCH_2} + 1")
    set(${result} "${package} (>= ${CMAKE_MATCH_0}), ${package} (<< ${CMAKE_MATCH_1}.${next})" PARENT_SCOPE)
  endif()
endfunction()

# What a program needs that links the static library: the development packages of its libraries.
function(zarr_describe_development_dependencies result)
  set(packages nlohmann-json3-dev)
  get_property(libraries TARGET zarrlib PROPERTY ZARR_LIBRARIES)
  foreach(library IN LISTS libraries)
    get_target_property(file zarrlib::${library} IMPORTED_LOCATION)
    zarr_find_package_of(${file} package)
    list(APPEND packages ${package})
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(JOIN packages ", " packages)
  set(${result} ${packages} PARENT_SCOPE)
endfunction()

# Libraries that are loaded when an array needs them, and not before.
function(zarr_describe_loaded_libraries result)
  get_property(files TARGET zarrlib PROPERTY ZARR_LOADED_LIBRARIES)
  set(packages)
  foreach(file IN LISTS files)
    get_filename_component(file ${file} REALPATH)
    zarr_find_package_of(${file} package)
    list(APPEND packages ${package})
  endforeach()
  list(JOIN packages ", " packages)
  set(${result} ${packages} PARENT_SCOPE)
endfunction()

# Installs the licence and the list of changes where Debian has them, for the package only.
function(zarr_install_package_documents component package)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/packages/${package})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in ${folder}/changelog.Debian @ONLY)
  file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
  string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" found "${licence}")
  set(copyright ${CMAKE_MATCH_1})
  string(REGEX REPLACE ".*\n\n(Permission.*)" "\\1" licence "${licence}")
  string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
  string(REGEX REPLACE "\n([^\n])" "\n \\1" licence "${licence}")
  string(STRIP "${licence}" licence)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/copyright.in ${folder}/copyright @ONLY)
  execute_process(COMMAND gzip -9 -n -f ${folder}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${folder}/copyright ${folder}/changelog.Debian.gz DESTINATION share/doc/${package}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

# Usage: zarr_add_package(<component> <package> SECTION <s> SUMMARY <one line> DESCRIPTION <text> [DEPENDS <list>]
#                         [RECOMMENDS <list>] [SUGGESTS <list>] [ALL_ARCHITECTURES])
macro(zarr_add_package component package)
  cmake_parse_arguments(ARG "ALL_ARCHITECTURES" "SECTION;SUMMARY;DESCRIPTION;DEPENDS;RECOMMENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER ${component} key)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${ARG_SECTION})
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${ARG_SUMMARY}\n${ARG_DESCRIPTION}")
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${ARG_DEPENDS}")
  set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "${ARG_RECOMMENDS}")
  set(CPACK_DEBIAN_${key}_PACKAGE_SUGGESTS "${ARG_SUGGESTS}")
  set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS ON)
  if(ARG_ALL_ARCHITECTURES)
    set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS OFF)
    set(CPACK_DEBIAN_${key}_PACKAGE_ARCHITECTURE all)
  endif()
  zarr_install_package_documents(${component} ${package})
endmacro()

zarr_describe_loaded_libraries(loaded)
if(ZARR_BUILD_DRIVER)
  zarr_describe_gdal_dependency(gdal)
  zarr_add_package(gdal_plugin gdal-plugin-zarr SECTION science DEPENDS "${gdal}" RECOMMENDS "${loaded}" SUGGESTS gdal-bin
    SUMMARY "Zarr v1, v2 and v3 for GDAL, as a plugin"
    DESCRIPTION "Zarr stores large arrays in chunks, in folders, ZIP archives and on the web.
This plugin takes the place of GDAL's own Zarr driver, under the same name:
all programs that use GDAL read and write these stores with it.")
endif()
if(ZARR_BUILD_TOOLS)
  zarr_add_package(zarrkit zarrkit SECTION science RECOMMENDS "${loaded}" SUGGESTS gdal-plugin-zarr
    SUMMARY "command-line tool for Zarr stores"
    DESCRIPTION "Zarr stores large arrays in chunks, in folders, ZIP archives and on the web.
This tool looks at stores, checks them, takes them to newer formats, gives
them other chunks, and tells what reading them costs.")
endif()
zarr_describe_development_dependencies(development)
zarr_add_package(zarrlib libzarrlib-dev SECTION libdevel DEPENDS "${development}" SUGGESTS zarrlib-doc
  SUMMARY "C++20 library for Zarr v1, v2 and v3"
  DESCRIPTION "Zarr stores large arrays in chunks, in folders, ZIP archives and on the web.
This is the static library, with its headers, its CMake package and its file
for pkg-config.")
zarr_add_package(doc zarrlib-doc SECTION doc ALL_ARCHITECTURES
  SUMMARY "pages about zarrlib, zarrkit and the GDAL plugin for Zarr"
  DESCRIPTION "Zarr stores large arrays in chunks, in folders, ZIP archives and on the web.
These are the pages of the GDAL plugin, the reference of zarrkit, and
the description of the C++ library, in Markdown.")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME zarrlib)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # would be the first line of each package's description
set(CPACK_PACKAGE_VENDOR "The zarrlib authors")
set(CPACK_PACKAGE_CONTACT "${ZARR_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${ZARR_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
