# SPDX-License-Identifier: MIT
# Installs the pages, with the pictures that they show, in folders as in the sources, so that links between them work.
file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/driver/doc/* ${PROJECT_SOURCE_DIR}/zarrlib/doc/* ${PROJECT_SOURCE_DIR}/autotest/data/readme/*)
list(APPEND pages README.md CHANGELOG.md driver/README.md zarrlib/README.md autotest/README.md
     autotest/benchmark/README.md autotest/data/demo/README.md autotest/distributed/README.md)
foreach(page IN LISTS pages)
  get_filename_component(folder "${page}" DIRECTORY)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/zarrlib/${folder} COMPONENT doc)
endforeach()
