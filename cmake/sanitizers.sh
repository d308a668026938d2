#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds with sanitizers and runs tests; ends at the first report.
# Usage: cmake/sanitizers.sh [memory] [threads] [driver]      (default: all)
#   memory    zarrlib's tests and the inputs that fuzzing kept, with the sanitizers of addresses, leaks and undefined
#             behaviour; and whether the library builds without GDAL
#   threads   zarrlib's tests, and a program of many threads, with the sanitizer of threads
#   driver    the driver's own tests and those through GDAL, with the sanitizers of addresses and undefined behaviour;
#             leaks are looked for in the driver's own tests alone, since Python's interpreter leaves memory to the end.
#             Tests that limit memory, load another library first, or fork beside busy threads are skipped, and say so
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/progress.sh
. cmake/temporary_files.sh

# Configures a preset in its folder.
configure() {
  mkdir -p "build-$1"
  cmake --preset "$1" >"build-$1/configure.log" || { cat "build-$1/configure.log" >&2; return 1; }
}

# Runs a program of GoogleTest in as many processes as there are processors, each with its part of the tests.
run_unit_tests() {
  local shards shard status=0 processes=()
  shards=$(nproc)
  for ((shard = 0; shard < shards; shard++)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard "$@" --gtest_brief=1 &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || status=1; done
  return $status
}

# The library must use nothing of GDAL, though GDAL is installed.
no_gdal_in() {
  local found
  found=$(grep -i '^gdal' "$1/CMakeCache.txt"
          ninja -C "$1" -t deps | grep -E '/(gdal|cpl_|ogr)[^/]*\.h$' | sort -u
          nm -uC "$1/zarrlib/libzarrlib.a" | grep -E ' (GDAL|CPL|VSI|OGR|CSL)') || true
  [ -z "$found" ] || { echo "zarrlib uses GDAL: $found" >&2; return 1; }
}

check_memory() {
  configure asan
  build build-asan
  no_gdal_in build-asan
  run_unit_tests ./build-asan/autotest/cpp/zarrlib_tests
  ctest --test-dir build-asan -R '^fuzz' --no-tests=error --output-on-failure -j "$(nproc)"
}

# The sanitizer needs its own places in the address space, which some kernels give to libraries.
check_threads() {
  # Tests that fork: in a child, the sanitizer takes threads for those of the parent.
  local forks='*Fork*:*Child*:*Process*:*Kill*:*StoreLocks*:*DeathTest*:*ProgressMayUseTheArray:Reshard.*:ReshardWriters.*:Resize.*Huge*:Resize.OfMany*:*RepeatedForEver'
  # The sanitizer keeps memory that is given back to the system, and its own beside that.
  local memory='HugeMemory.TheSystemGetsBack*'
  configure tsan
  build build-tsan zarrlib_tests load_threads
  export TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 allocator_may_return_null=1"
  setarch -R ./build-tsan/autotest/load/load_threads 30
  run_unit_tests setarch -R ./build-tsan/autotest/cpp/zarrlib_tests --gtest_filter="-$forks:$memory"
}

check_driver() {
  configure asan-driver
  build build-asan-driver driver_tests gdal_Zarr zarrkit zarrkit_gdal
  run_unit_tests ./build-asan-driver/autotest/cpp/driver/driver_tests
  GDAL_DRIVER_PATH=$PWD/build-asan-driver/gdalplugins ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so)" \
    /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider --numprocesses "$(nproc)" --maxprocesses 8 --dist loadfile \
    autotest/gdrivers
}

checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(memory threads driver)
bash cmake/deps.sh build test
use_memory_for_temporary_files
export ASAN_OPTIONS=allocator_may_return_null=1
for check in "${checks[@]}"; do
  case "$check" in
    memory | threads | driver) echo "== $check"; "check_$check" ;;
    *) echo "sanitizers.sh: unknown check '$check' (memory, threads, driver)" >&2; exit 2 ;;
  esac
done
echo "sanitizers.sh: ok"
