#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tells which lines of zarrlib and of the driver the tests reach: those in C++, of the command-line tool, and of the driver
# through GDAL.
# Usage: cmake/coverage.sh [--report]
#   --report   only prints the numbers of the last run again
#   ZARR_COVERAGE_DIR   the build folder (default: build-coverage). It keeps zarrlib.txt and driver.txt, a line per file,
#                       and lines.txt, how often each line ran.
# A process that is killed leaves no record, so that lines which only such tests reach count as not reached.
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/temporary_files.sh

build=$(realpath -m "${ZARR_COVERAGE_DIR:-build-coverage}")
programs=("$build/autotest/cpp/zarrlib_tests" "$build/autotest/cpp/driver/driver_tests" "$build/gdalplugins/gdal_Zarr.so"
  "$build/zarrlib/tools/zarrkit" "$build/zarrlib/tools/zarrkit-gdal")

build_all() {
  mkdir -p "$build/profiles"
  cmake --preset coverage -B "$build" >"$build/configure.log" || { cat "$build/configure.log" >&2; return 1; }
  ninja -C "$build" --quiet zarrlib_tests driver_tests gdal_Zarr zarrkit zarrkit_gdal
}

# Each program has one record, to which all its processes add.
run_tests() {
  rm -f "$build"/profiles/*
  export LLVM_PROFILE_FILE="$build/profiles/%m.profraw"
  "${programs[0]}" --gtest_brief=1 || failed+=(zarrlib_tests)
  "${programs[1]}" --gtest_brief=1 || failed+=(driver_tests)
  GDAL_DRIVER_PATH="$build/gdalplugins" ZARRKIT="${programs[3]}" /usr/bin/python3 -m pytest -q -p no:cacheprovider \
    --numprocesses "$(nproc)" --maxprocesses 8 --dist loadfile autotest/gdrivers autotest/cloud autotest/utilities || failed+=(pytest)
  llvm-profdata merge -sparse --failure-mode=all "$build"/profiles/*.profraw -o "$build/all.profdata"
}

# Arguments: a room of the top level. Writes a line per file, those with most lines that were not reached first.
report_room() {
  local others='autotest/|/usr/'
  [ "$1" = zarrlib ] && others+='|/driver/' || others+='|/zarrlib/'
  llvm-cov report "${report[@]}" -ignore-filename-regex="$others" -show-region-summary=false \
    -show-branch-summary=false -show-functions=false >"$build/$1.txt"
  awk -v room="$1" '/^TOTAL/ { printf "%s: %s of lines (%d of %d were not reached)\n", room, $NF, $(NF-1), $(NF-2) }' "$build/$1.txt"
}

failed=()
if [ "${1:-}" != --report ]; then
  bash cmake/deps.sh build test fuzz
  build_all
  use_memory_for_temporary_files
  run_tests
fi
report=(-instr-profile="$build/all.profdata" "${programs[0]}")
for program in "${programs[@]:1}"; do report+=(-object "$program"); done
llvm-cov show "${report[@]}" -ignore-filename-regex='autotest/|/usr/' -show-line-counts >"$build/lines.txt"
report_room zarrlib
report_room driver
[ ${#failed[@]} -eq 0 ] || { echo "coverage.sh: failed: ${failed[*]}" >&2; exit 1; }
