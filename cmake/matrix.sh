#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the plugin and runs the driver's tests with other GDAL versions, each in a Debian root of its own:
# trixie (GDAL 3.10) and sid (GDAL 3.13). The roots are made by debootstrap from the mirror that this machine's apt
# uses, and are kept between runs.
# Usage: cmake/matrix.sh [--prepare] [suite...]      (default: trixie sid)
#   --prepare   only make the roots
#   ZARR_MATRIX_DIR   where the roots are kept (default: /var/cache/zarr-matrix)
#   ZARR_FIXTURES     a folder of more stores to read (default: ../shared/fixtures, if there is one)
# An archive that cannot be reached is reported and does not fail the run; a failing build or test does.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(dirname "$here")
roots=${ZARR_MATRIX_DIR:-/var/cache/zarr-matrix}
fixtures=${ZARR_FIXTURES:-$source_dir/../shared/fixtures}
prepare_only=no
suites=()
for argument in "$@"; do
  case "$argument" in
    --prepare) prepare_only=yes ;;
    -*) echo "matrix.sh: unknown option $argument" >&2; exit 2 ;;
    *) suites+=("$argument") ;;
  esac
done
[ ${#suites[@]} -gt 0 ] || suites=(trixie sid)

if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "matrix.sh: debootstrap and chroot need root or sudo" >&2; exit 1; }
  exec sudo --preserve-env=ZARR_MATRIX_DIR,ZARR_FIXTURES,CI bash "$0" "$@"
fi

# Finds the first plain Debian archive among apt's sources, in either of their two formats.
debian_mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    grep -v '^#' | grep -oE '(https?|file)://[^ ]*/debian/?( |$)' | head -n 1 | tr -d ' ' || true
}

# The roots need the proxy and the relaxed checks of this machine's apt, too.
copy_apt_settings() {
  local root=$1
  apt-config dump | grep -E '^Acquire::(http|https)(::|$)|^Acquire::Check-(Valid-Until|Date) ' \
    >"$root/etc/apt/apt.conf.d/99host" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
}

make_root() {
  local suite=$1 root=$2 mirror=$3
  rm -rf "$root.part"
  debootstrap --variant=minbase "$suite" "$root.part" "$mirror" >"$roots/$suite.log" 2>&1 || return 1
  copy_apt_settings "$root.part"
  mv "$root.part" "$root"
}

install_packages() {
  local root=$1
  copy_apt_settings "$root"
  cp "$here/deps.sh" "$root/root/deps.sh"
  chroot "$root" bash /root/deps.sh build test
}

# Copies the sources. Changed files get the present time, others keep theirs, and the build folder stays. So a second
# build is quick, and also compiles files that were changed during the first.
copy_source() {
  local root=$1 file
  rm -rf "$root/src.new"
  mkdir -p "$root/src" "$root/src.new"
  (cd "$source_dir" && git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
    tar --null -T - -cf -) | tar -xf - -C "$root/src.new"
  (cd "$root/src" && find . -type f ! -path './build/*' -print0) |
    while IFS= read -r -d '' file; do [ -e "$root/src.new/$file" ] || rm -f "$root/src/$file"; done
  (cd "$root/src.new" && find . ! -type d -print0) |
    while IFS= read -r -d '' file; do
      cmp -s "$root/src.new/$file" "$root/src/$file" ||
        { mkdir -p "$root/src/$(dirname "$file")" && cp -P "$root/src.new/$file" "$root/src/$file"; }
    done
  rm -rf "$root/src.new"
  rm -rf "$root/fixtures"
  if [ -d "$fixtures" ]; then cp -a "$fixtures" "$root/fixtures"; fi
}

# Runs in a subshell of its own, so that /proc is unmounted however it ends.
run_in_root() (
  set -e
  root=$1
  copy_source "$root"
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  trap 'umount "$root/proc"' EXIT
  chroot "$root" env HOME=/root CCACHE_DIR=/var/cache/ccache CI="${CI:-}" ZARR_FIXTURES=/fixtures bash -c '
    set -euo pipefail
    cd /src
    echo "GDAL $(gdal-config --version), $(g++ --version | head -n 1)"
    bash cmake/test.sh --driver-only'
)

# Makes or updates a root; reports if that cannot be done.
prepare() {
  local suite=$1 root=$roots/$1
  if [ ! -d "$root" ] && { [ -z "$mirror" ] || ! make_root "$suite" "$root" "$mirror"; }; then
    echo "matrix.sh: no root for $suite could be made from ${mirror:-an archive that apt knows} (see $roots/$suite.log); it is left out"
    return 1
  fi
  if ! install_packages "$root" >"$roots/$suite-packages.log" 2>&1; then
    echo "matrix.sh: packages for $suite could not be installed (see $roots/$suite-packages.log); it is left out"
    return 1
  fi
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
for suite in ${ready[@]+"${ready[@]}"}; do
  echo "== $suite"
  # Not as a condition: that would make "set -e" void in the function.
  set +e
  run_in_root "$roots/$suite"
  result=$?
  set -e
  [ $result -eq 0 ] || { echo "matrix.sh: $suite failed" >&2; status=1; }
done
exit $status
