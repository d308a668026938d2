# SPDX-License-Identifier: MIT
# Installs the library from BUILD_DIR below WORK_DIR, builds the consumer with what was installed, and runs it on STORE.
# Usage: cmake -DBUILD_DIR=... -DWORK_DIR=... -DSTORE=... -DEXPECTED=... -DGENERATOR=... -DCOMPILER=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} --component zarrlib)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
execute_process(COMMAND ${WORK_DIR}/build/consumer ${STORE} relief OUTPUT_VARIABLE sum OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT sum STREQUAL EXPECTED)
  message(FATAL_ERROR "expected a sum of ${EXPECTED}, got ${sum}")
endif()
