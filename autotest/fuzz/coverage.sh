#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tells which lines of zarrlib's reading side the kept inputs of the fuzz targets reach.
# Usage: autotest/fuzz/coverage.sh [FOLDER...]     FOLDERs have more inputs, each in a folder of its target's name
#   ZARR_COVERAGE_DIR   the build folder (default: build-fuzz-coverage); it keeps a report per file, and per line
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${ZARR_COVERAGE_DIR:-build-fuzz-coverage}
sources=autotest/fuzz
targets=(store metadata codecs shard_index zip)
# What only writes or changes stores, other stores than those in memory and ZIP archives, and tools.
not_reading='/usr/|autotest/|zarrlib/(tools|array/write)/|_writer\.(cpp|h)|hierarchy/(hierarchy_(edit|rename|locks|consolidated)|migration|draft_migration|resize|rechunk|node_removal|nczarr|consolidated_changes|node_tree|node_formats)|metadata/(convert|array_document|data_type_document|fill_value_document)|store/(filesystem|new_|file_|posix|local|process_locks|zip_records|store\.)|json/json_edit|grid/write_units|base/(fork_safety|huge_memory|executor)'

bash cmake/deps.sh build test fuzz
mkdir -p "$build/profiles"
CC=clang CXX=clang++ cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DZARR_BUILD_DRIVER=OFF \
  -DCMAKE_CXX_FLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping' >"$build/configure.log" ||
  { cat "$build/configure.log" >&2; exit 1; }
ninja -C "$build" --quiet "${targets[@]/#/fuzz_}"

programs=()
rm -f "$build"/profiles/*
for target in "${targets[@]}"; do
  inputs=()
  for folder in "$sources/corpus" "$sources/findings" "$@"; do
    [ ! -d "$folder/$target" ] || inputs+=("$folder/$target")
  done
  LLVM_PROFILE_FILE="$build/profiles/$target.profraw" "$build/$sources/fuzz_$target" "${inputs[@]}" >"$build/$target.log"
  programs+=(-object "$build/$sources/fuzz_$target")
done
llvm-profdata merge -sparse "$build"/profiles/*.profraw -o "$build/all.profdata"
report=(-instr-profile="$build/all.profdata" "${programs[@]}" -ignore-filename-regex="$not_reading")
llvm-cov show "${report[@]}" -show-line-counts >"$build/lines.txt"
llvm-cov report "${report[@]}" -show-region-summary=false -show-branch-summary=false >"$build/files.txt"
cat "$build/files.txt"
