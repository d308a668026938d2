#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the fuzz targets with clang, and runs them, or one of them. autotest/fuzz/README.md explains the rest.
# Usage: cmake/fuzz.sh MINUTES [TARGET]     runs each target that long
#        cmake/fuzz.sh --minimize TARGET    puts a minimal corpus that covers the same into autotest/fuzz/corpus
#   ZARR_FUZZ_DIR   the build folder (default: build-fuzz)
#   ZARR_FIXTURES   a folder of more stores for seeds (default: ../shared/fixtures, if there is one)
set -euo pipefail
cd "$(dirname "$0")/.."

build=${ZARR_FUZZ_DIR:-build-fuzz}
fixtures=${ZARR_FIXTURES:-../shared/fixtures}
sources=autotest/fuzz
usage() { sed -n 's/^# \{0,1\}//; /^Usage/,/^$/p; /^set/q' "$0" >&2; exit 2; }

minimize=no
case "${1:-}" in
  --minimize) [ $# -eq 2 ] || usage; minimize=yes ;;
  *[!0-9]* | "") usage ;;
  *) [ $# -le 2 ] || usage; minutes=$1 ;;
esac
mapfile -t targets < <(sed -n 's/^ *zarr_fuzz_target(\([a-z_]*\).*/\1/p' $sources/CMakeLists.txt)
if [ $# -eq 2 ]; then
  printf '%s\n' "${targets[@]}" | grep -qx -- "$2" || { echo "fuzz.sh: targets are ${targets[*]}" >&2; exit 2; }
  targets=("$2")
fi

bash cmake/deps.sh build test fuzz
mkdir -p "$build"
cmake --preset fuzz -B "$build" >"$build/configure.log" || { cat "$build/configure.log" >&2; exit 1; }
ninja -C "$build" --quiet "${targets[@]/#/fuzz_}"

stores=(autotest/data/stores)
[ -d "$fixtures/stores" ] && stores+=("$fixtures/stores" "$fixtures/broken")
if [ ! -d "$build/seeds" ]; then
  ninja -C "$build" --quiet fuzz_write_seeds
  python3 $sources/make_seeds.py "$build/seeds" "${stores[@]}"
  "$build/$sources/fuzz_write_seeds" "$build/seeds"
fi

# What takes gigabytes or many seconds is a finding, too.
# Without `entropic`, an input costs half the time.
limits=(-max_len=8192 -entropic=0 -timeout=20 -rss_limit_mb=2560 -malloc_limit_mb=700)
export ASAN_OPTIONS=detect_leaks=1:malloc_context_size=2:quarantine_size_mb=32 UBSAN_OPTIONS=print_stacktrace=1

# The folders of inputs that a target has. New inputs go into the first one.
list_inputs() {
  local folder
  for folder in "$build/corpus/$1" "$sources/corpus/$1" "$sources/findings/$1" "$build/seeds/$1"; do
    [ ! -d "$folder" ] || printf '%s\n' "$folder"
  done
}

run_target() {
  local dictionary=$sources/dictionaries/$1.dict options=() inputs
  [ ! -f "$dictionary" ] || options+=("-dict=$dictionary")
  mkdir -p "$build/corpus/$1" "$build/found/$1"
  mapfile -t inputs < <(list_inputs "$1")
  echo "== $1"
  "$build/$sources/fuzz_$1" "${limits[@]}" "${options[@]}" -max_total_time=$((minutes * 60)) -print_final_stats=1 \
    -artifact_prefix="$build/found/$1/" "${inputs[@]}" >"$build/$1.log" 2>&1 ||
    { tail -n 60 "$build/$1.log" >&2; echo "fuzz.sh: $1 has found something: $build/found/$1, $build/$1.log" >&2; return 1; }
  grep -E '^(Done|stat::number_of_executed_units|stat::peak_rss_mb)' "$build/$1.log"
  grep -E ' cov: ' "$build/$1.log" | tail -n 1
}

minimize_target() {
  local merged=$build/minimal/$1 inputs
  rm -rf "$merged"
  mkdir -p "$merged" "$sources/corpus/$1"
  mapfile -t inputs < <(list_inputs "$1")
  # How often a line runs does not count: all corpora together have to stay at some 4 MB.
  "$build/$sources/fuzz_$1" "${limits[@]}" -use_counters=0 -set_cover_merge=1 "$merged" "${inputs[@]}" >"$build/$1.log" 2>&1
  rm -rf "${sources:?}/corpus/$1"
  mv "$merged" "$sources/corpus/$1"
  du -sh --apparent-size "$sources/corpus/$1"
}

failed=0
for target in "${targets[@]}"; do
  if [ $minimize = yes ]; then minimize_target "$target"; else run_target "$target" || failed=1; fi
done
exit $failed
