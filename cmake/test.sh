#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs all tests. Works on a bare Debian 12 or later, as root or with sudo. Takes some
# minutes to build the first time. The last lines are pytest's summary; what failed before it is named above it.
# Usage: cmake/test.sh [--driver-only]
#   --driver-only   only the driver and its tests, for another version of GDAL, without treating warnings as errors
#   ZARR_FIXTURES   a folder of more stores to read (default: ../shared/fixtures, if there is one)
#   ZARR_THIRD      a number that chooses one of three parts of the files of the driver's tests (default: all files)
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/progress.sh
. cmake/temporary_files.sh

driver_only=no
case "${1:-}" in
  "") ;;
  --driver-only) driver_only=yes ;;
  --help | -h) show_usage cmake/test.sh; exit 0 ;;
  *) echo "test.sh: unknown option $1" >&2; exit 2 ;;
esac
failed=()

# Runs a step, and says how long it took. A failure is remembered and does not keep the other steps from running.
step() {
  local name=$1 started=$SECONDS
  shift
  echo "== $name"
  "$@" || { failed+=("$name"); echo "test.sh: $name failed" >&2; }
  echo "($((SECONDS - started)) s)"
}

configure() {
  local folder=$1 strict=()
  shift
  mkdir -p "$folder"
  # Another setting than that of an earlier build, such as demo.sh's, would compile all again.
  [ -f "$folder/CMakeCache.txt" ] || strict=(-DZARR_WARNINGS_AS_ERRORS=ON)
  cmake -S . -B "$folder" -G Ninja "${strict[@]}" "$@" >"$folder/configure.log" 2>&1 ||
    { cat "$folder/configure.log" >&2; return 1; }
}

# Of the two lines that ctest prints for each test, those of tests that pass are shown now and then.
run_ctest() {
  ctest --test-dir build --output-on-failure --no-tests=error --timeout 600 -j "$(nproc)" | grep --line-buffered -vE '^ +Start +[0-9]+:' |
    thin_out '   Passed +[0-9.]+ sec$'
}

# The tests of a file stay together: they share what is made once. Many wait, for a server or for time to pass: with one
# process more than there are processors, these are seldom idle.
run_pytest() {
  /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider --numprocesses "$(($(nproc) + 1))" --maxprocesses 8 --dist loadfile --max-worker-restart 1 "$@"
}

# Prints the files of the driver's tests, or the third of them that is asked for. A file is always in the same third. Those of
# autotest/utilities, which take longest, come first.
driver_tests() {
  local file
  find autotest/gdrivers autotest/cloud autotest/utilities -name 'test_*.py' | sort --reverse | while read -r file; do
    [ -n "${ZARR_THIRD:-}" ] && [ $((($(cksum <<<"$file" | cut -d ' ' -f 1) + ZARR_THIRD) % 3)) -ne 0 ] || echo "$file"
  done
}

bash cmake/deps.sh build test
# Without these servers, the tests that need them are skipped; the summary of pytest names them.
[ "$driver_only" = yes ] || bash cmake/deps.sh remote ||
  echo "test.sh: not all web servers could be installed: some tests of stores on the web are skipped" >&2
export GDAL_DRIVER_PATH=$PWD/build/gdalplugins

echo "== build"
started=$SECONDS
if [ "$driver_only" = yes ]; then
  # It takes a third less to compile, and is run for its tests only.
  configure build -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DZARR_BUILD_TESTS=OFF \
    -DZARR_WARNINGS_AS_ERRORS=OFF
  build build
else
  configure build -DCMAKE_BUILD_TYPE=Release -DZARR_BUILD_TESTS=ON
  build build
fi
echo "($((SECONDS - started)) s)"

use_memory_for_temporary_files
if [ "$driver_only" = no ]; then
  bash cmake/deps.sh interop || echo "test.sh: the peers of autotest/interop could not be installed" >&2
  step "other readers of what zarrlib encodes" bash autotest/interop/run.sh build
  bash cmake/deps.sh clients || echo "test.sh: not all clients could be installed: tests of those that are absent are skipped, and named" >&2
  step "jobs of many processes" bash autotest/distributed/run.sh build
fi

fixtures=${ZARR_FIXTURES:-../shared/fixtures}
if [ -f "$fixtures/manifest.jsonl" ]; then
  step "stores of other writers" /usr/bin/python3 autotest/check_fixtures.py "$fixtures"
else
  echo "== no folder of more stores at $fixtures"
fi
[ "$driver_only" = yes ] || step "ctest" run_ctest
# In a process of their own: QGIS and rasterio change settings of the GDAL that they are in.
step "programs of others" run_pytest autotest/clients autotest/qgis autotest/interop/copies autotest/interop/icechunk

# The last lines are those of pytest, so earlier failures are repeated here.
[ ${#failed[@]} -eq 0 ] || printf 'test.sh: failed: %s\n' "${failed[@]}" >&2
echo "== pytest"
mapfile -t tests < <(driver_tests)
run_pytest "${tests[@]}"
[ ${#failed[@]} -eq 0 ]
