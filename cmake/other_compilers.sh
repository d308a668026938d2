#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks, without a build, that the code compiles for Windows (mingw-w64), for 32 bits (GCC for i386), with Clang and with
# GCC 11: syntax and warnings. windows.sh and platforms.sh build and run the tests, which takes far longer. The files of a
# folder are compiled as one, since most of the time goes into their headers.
# Usage: cmake/other_compilers.sh [--changed] [file.cpp...]      (default: all files)
#   --changed   only files that differ from the branch that this one left, or in the last 20 commits; at most 30, the
#               latest first
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/changed_files.sh

readonly most_changed=30
files=()
case "${1:-}" in
  --changed) mapfile -t files < <(changed_files | head -n $most_changed) ;;
  -*) echo "other_compilers.sh: unknown option $1" >&2; exit 2 ;;
  "") mapfile -t files < <(cpp_files '*.cpp') ;;
  *) files=("$@") ;;
esac
mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -E '^(zarrlib|driver|autotest/cpp)/' || true)

bash cmake/deps.sh build test other_compilers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The other systems' own headers are not mixed with those here, so that only the libraries' are taken.
mkdir "$work/include"
for name in nlohmann gtest zlib.h zconf.h zstd.h zstd_errors.h lzma.h lzma lz4.h libdeflate.h bzlib.h blosc.h blosc-export.h \
  zfp.h zfp curl webp jpeglib.h jerror.h jmorecfg.h jconfig.h tiff.h tiffio.h tiffconf.h tiffvers.h Lerc_c_api.h Lerc_types.h; do
  for folder in /usr/include /usr/include/"$(gcc -print-multiarch)"; do
    if [ -e "$folder/$name" ]; then ln -sfn "$folder/$name" "$work/include/$name"; fi
  done
done
export ZARR_OTHER_INCLUDES=$work/include

# Usage: compile <file> <compiler> [option...]
compile() {
  local file=$1
  shift
  "$@" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror \
    -D_FILE_OFFSET_BITS=64 -DZARRLIB_VERSION='""' -DZARR_ZFP_LIBRARY='""' -DZARR_CURL_LIBRARY='""' -DZARR_TEST_DATA='""' \
    -I. -isystem "$ZARR_OTHER_INCLUDES" -isystem /usr/include/gdal "$file"
}
export -f compile

# Writes a file in $work/units for each folder that includes its files, which are on standard input.
unite_folders() {
  local file folder
  rm -rf "$work/units"
  mkdir "$work/units"
  while read -r file; do
    folder=$(dirname "$file")
    if grep -q '^int main(' "$file"; then folder=$file; fi  # a program of its own
    echo "#include \"$PWD/$file\"" >>"$work/units/${folder//\//_}.cpp"
  done
}

# Usage: check <name> <pattern of files that are not for it> <compiler> [option...]
status=0
check() {
  local name=$1 without=$2 chosen
  shift 2
  mapfile -t chosen < <(printf '%s\n' "${files[@]}" | grep -vE "$without" || true)
  echo "== $name: ${#chosen[@]} files"
  [ ${#chosen[@]} -gt 0 ] || return 0
  printf '%s\n' "${chosen[@]}" | unite_folders
  printf '%s\n' "$work"/units/*.cpp | xargs -P "$(nproc)" -I{} bash -c 'compile "$@"' compile {} "$@" || status=1
}

# GCC takes a file that is included for a header, whose types must not depend on unnamed namespaces.
united=-Wno-subobject-linkage
check "Windows" '/posix[/.]|_posix_test' x86_64-w64-mingw32-g++-posix -DNOMINMAX -DWIN32_LEAN_AND_MEAN $united
check "32 bits" '/windows[/.]' i686-linux-gnu-g++ -msse2 $united
check "Clang" '/windows[/.]' clang++
if command -v g++-11 >/dev/null; then check "GCC 11" '/windows[/.]' g++-11 $united; else echo "== GCC 11: not on this system"; fi
[ $status -eq 0 ] && echo "other_compilers.sh: ok" || echo "other_compilers.sh: failed" >&2
exit $status
