# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Functions for scripts to source: which C++ files there are, and which have changed.

# The files that match, those that are not committed yet among them.
cpp_files() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done; }

# Prints the commit where this branch left the main one; on the main branch itself, the one 20 commits ago.
base_commit() {
  local base
  base=$(git merge-base HEAD origin/HEAD 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-list --first-parent --max-count=21 HEAD | tail -n 1)
  fi
  echo "$base"
}

# Lists each changed file once, the latest change first. A header stands for the .cpp file beside it.
changed_files() {
  {
    git ls-files --others --exclude-standard
    git diff --name-only HEAD
    git log --name-only --format= "$(base_commit)..HEAD"
  } | sed -n 's/\.\(cpp\|h\)$/.cpp/p' | awk '!seen[$0]++' | while read -r f; do [ -f "$f" ] && echo "$f"; done
}
