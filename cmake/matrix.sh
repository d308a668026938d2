#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the plugin and runs the driver's tests with other GDAL versions, each in a Debian root of its own:
# trixie (GDAL 3.10) and sid (GDAL 3.13). The roots are made by debootstrap from the mirror that this machine's apt
# uses, and are kept between runs.
# Usage: cmake/matrix.sh [--prepare | --third] [suite...]      (default: trixie sid)
#   --prepare   only make the roots
#   --third     each suite runs a third of the driver's files of tests, another one for each commit and suite; all of
#               them run where GDAL is this machine's
#   ZARR_MATRIX_DIR   where the roots are kept (default: /var/cache/zarr-matrix)
#   ZARR_FAULTS       how many faults are injected (default here: few; see autotest/README.md)
#   ZARR_FIXTURES     a folder of more stores to read (default: ../shared/fixtures, if there is one)
# An archive that cannot be reached is reported and does not fail the run; a failing build or test does.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(dirname "$here")
. "$here/progress.sh"
roots=${ZARR_MATRIX_DIR:-/var/cache/zarr-matrix}
fixtures=${ZARR_FIXTURES:-$source_dir/../shared/fixtures}
prepare_only=no
third=no
suites=()
for argument in "$@"; do
  case "$argument" in
    --help | -h) show_usage "$0"; exit 0 ;;
    --prepare) prepare_only=yes ;;
    --third) third=yes ;;
    -*) echo "matrix.sh: unknown option $argument" >&2; exit 2 ;;
    *) suites+=("$argument") ;;
  esac
done
[ ${#suites[@]} -gt 0 ] || suites=(trixie sid)

if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "matrix.sh: debootstrap and chroot need root or sudo" >&2; exit 1; }
  exec sudo --preserve-env=ZARR_MATRIX_DIR,ZARR_FAULTS,ZARR_FIXTURES,CI bash "$0" "$@"
fi

. "$here/debian_roots.sh"

# Usage: run_tests <root> <number of the suite>
run_tests() {
  local root=$1 chosen=
  [ "$third" = no ] || chosen=$(($(git -C "$source_dir" rev-parse HEAD | cksum | cut -d ' ' -f 1) + $2))
  copy_source "$root"
  rm -rf "$root/fixtures"
  if [ -d "$fixtures" ]; then cp -a "$fixtures" "$root/fixtures"; fi
  run_in_root "$root" ZARR_FIXTURES=/fixtures ZARR_FAULTS="${ZARR_FAULTS:-few}" ZARR_THIRD="$chosen" bash -c '
    set -euo pipefail
    cd /src
    echo "GDAL $(gdal-config --version), $(g++ --version | head -n 1)"
    bash cmake/test.sh --driver-only'
}

# Makes or updates a root; reports if that cannot be done.
prepare() {
  local suite=$1 root=$roots/$1
  if [ ! -d "$root" ] && { [ -z "$mirror" ] || ! make_root "$suite" "$root" "$mirror" "$roots/$suite.log"; }; then
    echo "matrix.sh: no root for $suite could be made from ${mirror:-an archive that apt knows} (see $roots/$suite.log); it is left out"
    return 1
  fi
  if ! install_groups "$root" build test >"$roots/$suite-packages.log" 2>&1; then
    echo "matrix.sh: packages for $suite could not be installed (see $roots/$suite-packages.log); it is left out"
    return 1
  fi
  install_groups "$root" clients >>"$roots/$suite-packages.log" 2>&1 ||
    echo "matrix.sh: not all clients for $suite could be installed (see $roots/$suite-packages.log): their tests are skipped"
}

bash "$here/deps.sh" matrix || echo "matrix.sh: debootstrap could not be installed; only roots that are there already are used"
mkdir -p "$roots"
exec 9>"$roots/lock"
flock --nonblock 9 || { echo "matrix.sh: waiting for another run to end"; flock 9; }
mirror=$(debian_mirror)
if [ -z "$mirror" ]; then
  echo "matrix.sh: no Debian archive among apt's sources; only roots that are there already are used"
fi
ready=()
for suite in "${suites[@]}"; do
  if prepare "$suite"; then ready+=("$suite"); fi
done
[ "$prepare_only" = no ] || exit 0

status=0
number=0
for suite in ${ready[@]+"${ready[@]}"}; do
  echo "== $suite"
  number=$((number + 1))
  # Not as a condition: that would make "set -e" void in the function.
  set +e
  (set -e; run_tests "$roots/$suite" $number)
  result=$?
  set -e
  [ $result -eq 0 ] || { echo "matrix.sh: $suite failed" >&2; status=1; }
done
exit $status
