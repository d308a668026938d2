# SPDX-License-Identifier: MIT
# Installs the library from BUILD_DIR below WORK_DIR. Builds the consumer with the installed library, by CMake and by
# pkg-config, and runs it on STORE. Also builds the examples, which may use the installed headers only.
# Usage: cmake -DBUILD_DIR=... -DWORK_DIR=... -DSTORE=... -DEXPECTED=... -DGENERATOR=... -DCOMPILER=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} --component zarrlib)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
function(expect_sum program)
  execute_process(COMMAND ${program} ${STORE} relief OUTPUT_VARIABLE sum OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT sum STREQUAL EXPECTED)
    message(FATAL_ERROR "${program}: expected a sum of ${EXPECTED}, got ${sum}")
  endif()
endfunction()
expect_sum(${WORK_DIR}/build/consumer)

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/../../zarrlib/doc/examples -B ${WORK_DIR}/examples
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/examples)
run(${WORK_DIR}/examples/read_window ${STORE} relief 0 0 1 1)

find_program(pkg_config pkg-config)
if(NOT pkg_config)
  message(STATUS "pkg-config is not installed, so zarrlib.pc is not tested")
  return()
endif()
file(GLOB_RECURSE pc_file ${prefix}/*/zarrlib.pc)
get_filename_component(pc_folder ${pc_file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
execute_process(COMMAND ${pkg_config} --cflags --libs zarrlib OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${COMPILER} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/main.cpp -o ${WORK_DIR}/by_pkg_config ${flags})
expect_sum(${WORK_DIR}/by_pkg_config)
