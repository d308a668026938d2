# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A function for scripts to source: where the temporary files of tests are.

# Tests make some 300,000 small files, and their removal takes minutes on some disks: they are kept in memory, if there is plenty.
use_memory_for_temporary_files() {
  local free available
  [ -z "${TMPDIR:-}" ] && [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] || return 0
  free=$(df --output=avail -B 1M /dev/shm | tail -n 1)
  available=$(awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo)
  [ "$free" -ge 8000 ] && [ "$available" -ge 12000 ] || return 0
  TMPDIR=$(mktemp -d /dev/shm/zarr-tests.XXXXXX)
  chmod 1777 "$TMPDIR"  # as /tmp, for tests that run as another user
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
}
