# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Functions for scripts to source: their --help, and how far a build or a run of tests is.

# Prints the comment at the beginning of a script, without the licence.
show_usage() {
  sed -n '3,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$1"
}

# Passes on what it reads, but of the lines that match a pattern only the first, the very last, and one in every 15 seconds.
# So the output of a long job stays short where it is no terminal, and nobody takes the job for dead.
thin_out() {
  local pattern=$1 line held="" shown=-15
  while IFS= read -r line; do
    if ! [[ $line =~ $pattern ]]; then
      printf '%s\n' "$line"
      held=""
    elif [ $((SECONDS - shown)) -ge 15 ]; then
      printf '%s\n' "$line"
      shown=$SECONDS
      held=""
    else
      held=$line
    fi
  done
  [ -z "$held" ] || printf '%s\n' "$held"
}

# Builds targets with Ninja, which has a line of its own for a terminal.
build() {
  if [ -t 1 ]; then
    ninja -C "$@"
  else
    (set -o pipefail; ninja -C "$@" 2>&1 | sed -u '/^ninja: Entering/d' | thin_out '^\[[0-9]+/[0-9]+\]')
  fi
}
