# SPDX-License-Identifier: MIT
# Installs the pages, with the pictures that they show, in folders as in the sources, so that their links lead somewhere.
file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/driver/*.md ${PROJECT_SOURCE_DIR}/zarrlib/*.md ${PROJECT_SOURCE_DIR}/driver/doc/*
     ${PROJECT_SOURCE_DIR}/zarrlib/doc/* ${PROJECT_SOURCE_DIR}/autotest/data/readme/*)
foreach(page IN LISTS pages ITEMS README.md)
  get_filename_component(folder "${page}" DIRECTORY)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/zarrlib/${folder} COMPONENT doc)
endforeach()
