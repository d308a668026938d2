# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Functions that make and use Debian roots, for scripts to source, such as cmake/matrix.sh and cmake/package.sh. They expect
# `source_dir`, the folder of this project. Their callers are root.

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

# Makes a minimal root of a suite in a folder that is absent. What debootstrap says goes to a file. The last argument is an
# architecture; by default it is this machine's.
make_root() {
  local suite=$1 root=$2 mirror=$3 log=$4 architecture=${5:-$(dpkg --print-architecture)}
  rm -rf "$root.part"
  debootstrap --variant=minbase --arch="$architecture" "$suite" "$root.part" "$mirror" >"$log" 2>&1 || return 1
  copy_apt_settings "$root.part"
  mv "$root.part" "$root"
}

# Lets this machine run programs of an architecture of Debian, by qemu if its processor cannot.
let_run() {
  local registered=/proc/sys/fs/binfmt_misc
  case "$(dpkg --print-architecture)-$1" in
    amd64-amd64 | amd64-i386 | arm64-arm64 | arm64-armhf) return ;;
  esac
  bash "$source_dir/cmake/deps.sh" emulation
  [ -e $registered/register ] || mount -t binfmt_misc binfmt_misc $registered
  # The package registers its programs where there is an init system; here it may not have.
  update-binfmts --enable >/dev/null 2>&1 || true
  grep -qlx enabled $registered/qemu-* 2>/dev/null || { echo "debian_roots.sh: no programs of $1 can be run here" >&2; return 1; }
}

# Installs groups of cmake/deps.sh in a root.
install_groups() {
  local root=$1
  shift
  copy_apt_settings "$root"
  cp "$source_dir/cmake/deps.sh" "$root/root/deps.sh"
  chroot "$root" bash /root/deps.sh "$@"
}

# Copies the sources. Changed files get the present time, others keep theirs, and the build folder stays. So a second
# build is quick, and also compiles files that were changed during the first.
copy_source() {
  local root=$1 file
  rm -rf "$root/src.new"
  mkdir -p "$root/src.new"
  (cd "$source_dir" && git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
    tar --null -T - -cf -) | tar -xf - -C "$root/src.new"
  if [ ! -d "$root/src" ]; then
    mv "$root/src.new" "$root/src"
    return
  fi
  (cd "$root/src" && find . -type f ! -path './build/*' -print0) |
    while IFS= read -r -d '' file; do [ -e "$root/src.new/$file" ] || rm -f "$root/src/$file"; done
  (cd "$root/src.new" && find . ! -type d -print0) |
    while IFS= read -r -d '' file; do
      cmp -s "$root/src.new/$file" "$root/src/$file" ||
        { mkdir -p "$root/src/$(dirname "$file")" && cp -P "$root/src.new/$file" "$root/src/$file"; }
    done
  rm -rf "$root/src.new"
}

# Runs a command in a root, with /proc and terminals. It is a subshell of its own, so that they are unmounted however it ends.
run_in_root() (
  set -e
  root=$1
  shift
  trap 'umount "$root/dev/shm" "$root/dev/pts" "$root/proc"' EXIT
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
  mkdir -p "$root/dev/pts" "$root/dev/shm"
  mountpoint -q "$root/dev/pts" || mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
  mountpoint -q "$root/dev/shm" || mount -t tmpfs tmpfs "$root/dev/shm"
  chroot "$root" env HOME=/root CCACHE_DIR=/var/cache/ccache CI="${CI:-}" "$@"
)
