#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and tests for other processors: the library's and the driver's unit tests, and the reading of the fixtures. The
# compiler runs here, the tests in a Debian root of each architecture.
# Usage: cmake/platforms.sh [--prepare] [--quick] [--portable] [architecture...]      (default: i386 armhf arm64 s390x)
#   i386    32 bits; runs on amd64 as it is
#   armhf   32 bits, arm64 64 bits, s390x big-endian: run by qemu, which needs binfmt_misc
#   --prepare   only make the roots
#   --quick     only the library's unit tests
#   --portable  with what all POSIX systems have and nothing of Linux's own, as for macOS
#   ZARR_PLATFORMS_DIR   where the roots are kept (default: /var/cache/zarr-platforms)
#   ZARR_FIXTURES        a folder of stores to read (default: ../shared/fixtures, if there is one)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(dirname "$here")
. "$here/progress.sh"
. "$here/debian_roots.sh"
roots=${ZARR_PLATFORMS_DIR:-/var/cache/zarr-platforms}
fixtures=${ZARR_FIXTURES:-$source_dir/../shared/fixtures}
suite=bookworm
prepare_only=no
quick=no
portable=OFF
architectures=()
for argument in "$@"; do
  case "$argument" in
    --help | -h) show_usage "$0"; exit 0 ;;
    --prepare) prepare_only=yes ;;
    --quick) quick=yes ;;
    --portable) portable=ON ;;
    -*) echo "platforms.sh: unknown option $argument" >&2; exit 2 ;;
    *) architectures+=("$argument") ;;
  esac
done
[ ${#architectures[@]} -gt 0 ] || architectures=(i386 armhf arm64 s390x)
[ "$(id -u)" -eq 0 ] || { echo "platforms.sh: debootstrap and chroot need root" >&2; exit 1; }

# The name of an architecture in those of its compilers.
target_of() {
  case "$1" in
    i386) echo i686-linux-gnu ;;
    armhf) echo arm-linux-gnueabihf ;;
    arm64) echo aarch64-linux-gnu ;;
    *) echo "$1-linux-gnu" ;;
  esac
}

prepare() {
  local root=$roots/$1 groups=(build test)
  [ "$quick" = no ] || groups=(library)
  mkdir -p "$roots"
  let_run "$1"
  if [ ! -d "$root" ] && ! make_root "$suite" "$root" "$(debian_mirror)" "$roots/$1.log" "$1"; then
    echo "platforms.sh: no root for $1 could be made (see $roots/$1.log)" >&2
    return 1
  fi
  install_groups "$root" "${groups[@]}" >"$roots/$1-packages.log" 2>&1 || {
    echo "platforms.sh: packages for $1 could not be installed (see $roots/$1-packages.log)" >&2
    return 1
  }
  # Programs are built with the root's path seen from here, and find their files by it in the root, too.
  mkdir -p "$root$roots"
  ln -sfn / "$root$root"
}

# In the root, so that what has been built can be run to list its tests.
build_in() {
  local root=$1 options=(-DZARR_UNITY_BUILD=ON -DZARR_PORTABLE="$portable") targets=()
  [ "$quick" = no ] || { options+=(-DZARR_BUILD_DRIVER=OFF); targets=(zarrlib_tests); }
  [ -e "$root/usr/include/Lerc_c_api.h" ] || options+=(-DZARR_CODEC_LERC=OFF)
  cd "$root/src"
  mkdir -p build
  cmake --preset dev -DCMAKE_TOOLCHAIN_FILE="$root/src/cmake/cross.cmake" -DZARR_CROSS_ROOT="$root" \
    -DZARR_CROSS_TARGET="$2" "${options[@]}" >build/configure.log 2>&1 || { cat build/configure.log >&2; return 1; }
  build build "${targets[@]}"
}

run_tests() {
  local root=$roots/$1
  copy_source "$root"
  rm -rf "$root/fixtures"
  if [ "$quick" = no ] && [ -d "$fixtures" ]; then cp -a "$fixtures" "$root/fixtures"; fi
  (build_in "$root" "$(target_of "$1")")
  run_in_root "$root" QUICK="$quick" bash -c '
    set -euo pipefail
    cd /src
    gdal=$([ "$QUICK" = yes ] && echo "without GDAL" || echo "GDAL $(gdal-config --version)")
    echo "$(dpkg --print-architecture), $gdal, $(g++ --version | head -n 1)"
    status=0
    # In parts: after many tests in one process, programs that it starts under qemu fail.
    for part in 0 1 2 3 4 5 6 7; do
      GTEST_TOTAL_SHARDS=8 GTEST_SHARD_INDEX=$part build/autotest/cpp/zarrlib_tests --gtest_brief=1 || status=1
    done
    [ "$QUICK" = no ] || exit $status
    export GDAL_DRIVER_PATH=$PWD/build/gdalplugins
    build/autotest/cpp/driver/driver_tests --gtest_brief=1 || status=1
    [ ! -d /fixtures ] || python3 /fixtures/check_reading.py --root /fixtures || status=1
    exit $status'
}

bash "$here/deps.sh" build matrix emulation
mkdir -p "$roots"
exec 9>"$roots/lock"
flock 9  # another run may be making a root
status=0
for architecture in "${architectures[@]}"; do
  echo "== $architecture"
  if ! prepare "$architecture"; then status=1; continue; fi
  [ "$prepare_only" = no ] || continue
  set +e
  (set -e; run_tests "$architecture")
  result=$?
  set -e
  [ $result -eq 0 ] || { echo "platforms.sh: $architecture failed" >&2; status=1; }
done
exit $status
