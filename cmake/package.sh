#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes Debian packages of the plugin, of zarrkit, of the library and of the pages, for several releases of Debian, each
# in a root of its own, and tests them in a fresh root (autotest/package). They are put into build/packages/<suite>.
# Usage: cmake/package.sh [--arch ARCHITECTURE] [--no-qgis] [--no-test | --no-build] [suite...]      (default: bookworm trixie sid)
#   --arch      for another architecture of Debian, such as arm64, which qemu runs; into build/packages/<suite>-<architecture>,
#               as that of this machine does if it is named
#   --no-qgis   leaves out the test with QGIS, for which Debian has to fetch some 300 MB
#   --no-test   only makes the packages
#   --no-build  only tests those that were made before
#   ZARR_PACKAGE_DIR   where the roots are kept (default: /var/cache/zarr-package)
# A suite of which no root can be made, since its archive cannot be reached, is reported and does not fail the run. The
# run fails if packages are made of no suite.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(dirname "$here")
. "$here/progress.sh"
roots=${ZARR_PACKAGE_DIR:-/var/cache/zarr-package}
build=yes
test=yes
qgis=yes
architecture=
suites=()
arguments=("$@")
while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h) show_usage "$0"; exit 0 ;;
    --arch) architecture=${2:?package.sh: --arch needs an architecture}; shift ;;
    --no-qgis) qgis=no ;;
    --no-test) test=no ;;
    --no-build) build=no ;;
    -*) echo "package.sh: unknown option $1" >&2; exit 2 ;;
    *) suites+=("$1") ;;
  esac
  shift
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie sid)

if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "package.sh: debootstrap and chroot need root or sudo" >&2; exit 1; }
  exec sudo --preserve-env=ZARR_PACKAGE_DIR,CI bash "$0" "${arguments[@]}"
fi

. "$here/debian_roots.sh"

# In what follows, a suite whose architecture was named has that in its name, as "trixie-arm64".

# A root in which nothing is installed but what debootstrap installs. It is never run in, only copied.
make_base() {
  local suite=$1
  [ -d "$roots/$suite/base" ] && return
  mkdir -p "$roots/$suite"
  [ -n "$mirror" ] && make_root "${suite%%-*}" "$roots/$suite/base" "$mirror" "$roots/$suite/base.log" $architecture
}

# Copies the base to a root, in place of one that was there.
copy_base() {
  local root=$1
  rm -rf --one-file-system "$root"
  cp -a "$(dirname "$root")/base" "$root"
  copy_apt_settings "$root"
}

# Installs what building needs in the root that is kept for it. A root that is not usable, since an earlier run was
# interrupted, is made anew.
prepare_build_root() {
  local suite=$1 root=$roots/$1/build
  [ -d "$root" ] || copy_base "$root"
  install_groups "$root" build package >"$roots/$suite/packages.log" 2>&1 && return
  copy_base "$root"
  install_groups "$root" build package >"$roots/$suite/packages.log" 2>&1 ||
    { tail -n 5 "$roots/$suite/packages.log" >&2; return 1; }
}

build_packages() {
  local suite=$1 root=$roots/$1/build result=$source_dir/build/packages/$1
  prepare_build_root "$suite"
  copy_source "$root"
  run_in_root "$root" bash /src/cmake/package_build.sh
  rm -rf "$result"
  mkdir -p "$result"
  cp "$root"/src/build/packages/*.deb "$result/"
}

test_packages() {
  local suite=$1 root=$roots/$1/test
  copy_base "$root"
  mkdir -p "$root/root/packages" "$root/root/data"
  cp "$source_dir/build/packages/$suite"/*.deb "$root/root/packages/"
  cp -a "$source_dir/autotest/data/demo/." "$root/root/data/"
  cp -a "$source_dir/autotest/consumer" "$source_dir/autotest/package" "$root/root/"
  run_in_root "$root" ZARR_TEST_QGIS=$qgis bash /root/package/test.sh
  rm -rf --one-file-system "$root"
}

run_suite() {
  local suite=$1 started=$SECONDS built
  [ $build = no ] || build_packages "$suite"
  built=$SECONDS
  [ $test = no ] || test_packages "$suite"
  echo "package.sh: $suite: $(ls "$source_dir/build/packages/$suite" | wc -l) packages in build/packages/$suite," \
       "made in $((built - started)) s, tested in $((SECONDS - built)) s"
}

bash "$here/deps.sh" matrix || echo "package.sh: debootstrap could not be installed; only roots that are there already are used"
mkdir -p "$roots"
exec 9>"$roots/lock"
flock --nonblock 9 || { echo "package.sh: waiting for another run to end"; flock 9; }
mirror=$(debian_mirror)
[ -z "$architecture" ] || let_run "$architecture"

status=0
made=0
for suite in "${suites[@]/%/${architecture:+-$architecture}}"; do
  echo "== $suite"
  if ! make_base "$suite"; then
    echo "package.sh: no root for $suite could be made from ${mirror:-an archive that apt knows} (see $roots/$suite/base.log); it is left out"
    continue
  fi
  # Not as a condition: that would make "set -e" void in the function.
  set +e
  (set -e; run_suite "$suite")
  result=$?
  set -e
  if [ $result -eq 0 ]; then made=$((made + 1)); else echo "package.sh: $suite failed" >&2; status=1; fi
done
[ $made -gt 0 ] || { echo "package.sh: no packages were made" >&2; exit 1; }
exit $status
