#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does what README.md tells a newcomer to do: clones the committed source into a fresh Debian root, runs cmake/demo.sh and
# cmake/test.sh there, and shows the summaries of ctest and pytest, with the reasons of tests that are skipped.
# Usage: cmake/newcomer.sh [--folder NAME] [--umask MASK] [--only COMMAND] [run...]      (default: all four runs)
#   bookworm-root, bookworm-root-bare   Debian 12, as root
#   trixie-user, trixie-user-bare       Debian 13, as a user with sudo
#   -bare           without /dev/pts (so that there are no pseudo-terminals) and /dev/shm
#   --folder NAME   the folder of the clone, within a home of mode 0700 (default: zarrlib)
#   --umask MASK    the umask of the newcomer (default: 022)
#   --only COMMAND  runs this in the clone of the last run, which stays as it is, and no more
#   ZARR_NEWCOMER_DIR   where roots and packages are kept (default: /var/cache/zarr-newcomer). The root of a run stays
#                       until the next run of its name; its output is in <run>.log
#   ZARR_NEWCOMER_CCACHE   a folder, in which the compiler's results are kept between runs (default: none)
# The runs fail if a command or a test of one fails.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(dirname "$here")
. "$here/progress.sh"
roots=${ZARR_NEWCOMER_DIR:-/var/cache/zarr-newcomer}
ccache=${ZARR_NEWCOMER_CCACHE:-}
folder=zarrlib
mask=022
only=""
runs=()
arguments=("$@")
while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h) show_usage "$0"; exit 0 ;;
    --folder) folder=$2; shift ;;
    --umask) mask=$2; shift ;;
    --only) only=$2; shift ;;
    bookworm-root | bookworm-root-bare | trixie-user | trixie-user-bare) runs+=("$1") ;;
    *) echo "newcomer.sh: unknown option or run $1" >&2; exit 2 ;;
  esac
  shift
done
[ ${#runs[@]} -gt 0 ] || runs=(bookworm-root bookworm-root-bare trixie-user trixie-user-bare)

if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "newcomer.sh: debootstrap and chroot need root or sudo" >&2; exit 1; }
  exec sudo --preserve-env=ZARR_NEWCOMER_DIR,ZARR_NEWCOMER_CCACHE bash "$0" "${arguments[@]}"
fi

. "$here/debian_roots.sh"

# A root as debootstrap makes it, which is only copied.
make_base() {
  local suite=$1
  [ -d "$roots/$suite" ] && return
  [ -n "$mirror" ] && make_root "$suite" "$roots/$suite" "$mirror" "$roots/$suite.log"
}

# What npm is configured for here: a registry, and a certificate for it.
copy_npm_settings() {
  local root=$1 home=$2 certificates
  command -v npm >/dev/null || return 0
  cat "$(npm config get globalconfig)" "$(npm config get userconfig)" >"$root$home/.npmrc" 2>/dev/null || true
  certificates=$(npm config get cafile)
  [ -f "$certificates" ] || return 0
  # Its place here may be that of a package's file there.
  install -m 644 "$certificates" "$root$home/.npm-certificates.crt"
  echo "cafile=$home/.npm-certificates.crt" >>"$root$home/.npmrc"
}

# Makes the root of a run: a user, whose home is closed to others, with a clone of the source.
prepare() {
  local run=$1 suite=${1%%-*} root=$roots/$1
  make_base "$suite" || { echo "newcomer.sh: no root for $suite could be made from ${mirror:-an archive that apt knows} (see $roots/$suite.log)" >&2; return 1; }
  rm -rf --one-file-system "$root"
  cp -a --reflink=auto "$roots/$suite" "$root"
  copy_apt_settings "$root"
  if [ "$home" != /root ]; then
    in_root "$run" root sh -c "apt-get update -q && apt-get install -q -y --no-install-recommends sudo && useradd --create-home --shell /bin/bash newcomer" >"$roots/$run-user.log" 2>&1 ||
      { cat "$roots/$run-user.log" >&2; return 1; }
    echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/newcomer"
  fi
  chmod 700 "$root$home"
  copy_npm_settings "$root" "$home"
  (umask "$mask" && git clone --quiet --no-hardlinks "$source_dir" "$root$home/$folder")
  chroot "$root" chown -R "$user:" "$home"
}

# Runs a command in the root of a run as a user, with nothing of the environment here, and without a terminal. Its mounts and
# processes end with it.
in_root() {
  local run=$1 user=$2 home=/root status=0
  shift 2
  [ "$user" = root ] || home=/home/$user
  mkdir -p "$roots/packages/${run%%-*}/partial"
  unshare --mount --pid --fork --kill-child bash -c '
    set -e
    root=$1 bare=$2 packages=$3 ccache=$4 user=$5 home=$6
    shift 6
    mount -t proc proc "$root/proc"
    mount --bind "$packages" "$root/var/cache/apt/archives"
    if [ "$bare" = no ]; then
      mkdir -p "$root/dev/pts" "$root/dev/shm"
      mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
      mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    fi
    settings=(HOME="$home" USER="$user" LOGNAME="$user" SHELL=/bin/bash PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
    if [ -n "$ccache" ]; then
      mkdir -p "$ccache" "$root/var/cache/ccache"
      mount --bind "$ccache" "$root/var/cache/ccache"
      chmod 777 "$ccache"
      settings+=(CCACHE_DIR=/var/cache/ccache CCACHE_UMASK=000)
    fi
    setsid --wait chroot --userspec="$user" "$root" env --chdir="$home" --default-signal=INT,QUIT -i "${settings[@]}" "$@"
  ' in_root "$roots/$run" "$([[ $run == *-bare ]] && echo yes || echo no)" "$roots/packages/${run%%-*}" \
    "${ccache:+$ccache/${run%%-*}}" "$user" "$home" "$@" </dev/null &
  # shellcheck disable=SC2064
  trap "kill -KILL $!; exit 130" INT TERM
  wait $! || status=$?
  trap - INT TERM
  return $status
}

# The two commands of README.md, or another one.
run_commands() {
  local run=$1 status=0 command
  for command in "${commands[@]}"; do
    echo "== newcomer: $command"
    in_root "$run" "$user" bash -c 'umask "$1" && cd "$2" && eval "$3"' newcomer "$mask" "$folder" "$command" ||
      { status=1; echo "newcomer.sh: $run: $command failed"; }
  done
  return $status
}

# The lines that tell how many tests have passed, which ones have failed, and why some were skipped.
show_summary() {
  grep -aE '^(newcomer\.sh:|test\.sh:|demo\.sh:|FAILED|ERROR|SKIPPED|== (newcomer|Done|pytest|ctest|programs))|^[0-9]+% tests passed|^.*[0-9]+ (passed|failed|error).* in [0-9.]+s|\(Failed\)|Not Run' "$1" || true
}

bash "$here/deps.sh" matrix
mkdir -p "$roots"
mirror=$(debian_mirror)
commands=("bash cmake/demo.sh" "bash cmake/test.sh")
[ -z "$only" ] || commands=("$only")
status=0
for run in "${runs[@]}"; do
  user=root home=/root
  [[ $run != *-user* ]] || { user=newcomer home=/home/newcomer; }
  started=$SECONDS
  result=passed
  if { [ -n "$only" ] || prepare "$run"; } && run_commands "$run" >"$roots/$run.log" 2>&1; then :; else result=FAILED status=1; fi
  echo "== $run: $result, $((SECONDS - started)) s"
  show_summary "$roots/$run.log"
done
exit $status
