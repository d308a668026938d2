#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and tests for other processors, each in a Debian root of its own: the library's and the driver's unit tests, and
# the reading of the fixtures.
# Usage: cmake/platforms.sh [--quick] [architecture...]      (default: i386 armhf arm64 s390x)
#   i386    32 bits; runs on amd64 as it is
#   armhf   32 bits, arm64 64 bits, s390x big-endian: run by qemu, which needs binfmt_misc and takes hours
#   --quick     only the library's unit tests
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
quick=no
architectures=()
for argument in "$@"; do
  case "$argument" in
    --help | -h) show_usage "$0"; exit 0 ;;
    --quick) quick=yes ;;
    -*) echo "platforms.sh: unknown option $argument" >&2; exit 2 ;;
    *) architectures+=("$argument") ;;
  esac
done
[ ${#architectures[@]} -gt 0 ] || architectures=(i386 armhf arm64 s390x)
[ "$(id -u)" -eq 0 ] || { echo "platforms.sh: debootstrap and chroot need root" >&2; exit 1; }

prepare() {
  local root=$roots/$1
  mkdir -p "$roots"
  if [ ! -d "$root" ] && ! make_root "$suite" "$root" "$(debian_mirror)" "$roots/$1.log" "$1"; then
    echo "platforms.sh: no root for $1 could be made (see $roots/$1.log)" >&2
    return 1
  fi
  install_groups "$root" build test >"$roots/$1-packages.log" 2>&1 || {
    echo "platforms.sh: packages for $1 could not be installed (see $roots/$1-packages.log)" >&2
    return 1
  }
}

run_tests() {
  local root=$roots/$1
  copy_source "$root"
  rm -rf "$root/fixtures"
  if [ "$quick" = no ] && [ -d "$fixtures" ]; then cp -a "$fixtures" "$root/fixtures"; fi
  run_in_root "$root" QUICK="$quick" bash -c '
    set -euo pipefail
    cd /src
    echo "$(dpkg --print-architecture), GDAL $(gdal-config --version), $(g++ --version | head -n 1)"
    driver=ON; [ "$QUICK" = no ] || driver=OFF
    cmake --preset dev -DZARR_BUILD_DRIVER=$driver >build.log
    cmake --build build -j "$(nproc)" >>build.log 2>&1 || { tail -n 40 build.log; exit 1; }
    build/autotest/cpp/zarrlib_tests --gtest_brief=1
    [ "$QUICK" = no ] || exit 0
    export GDAL_DRIVER_PATH=$PWD/build/gdalplugins
    build/autotest/cpp/driver/driver_tests --gtest_brief=1
    [ ! -d /fixtures ] || python3 /fixtures/check_reading.py --root /fixtures'
}

bash "$here/deps.sh" matrix
status=0
for architecture in "${architectures[@]}"; do
  echo "== $architecture"
  if ! prepare "$architecture"; then status=1; continue; fi
  set +e
  (set -e; run_tests "$architecture")
  result=$?
  set -e
  [ $result -eq 0 ] || { echo "platforms.sh: $architecture failed" >&2; status=1; }
done
exit $status
