#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the reference of zarrlib's public headers with Doxygen. A warning is an error.
# Usage: cmake/docs.sh [folder]    (default: build/docs; the first page is html/index.html in it)
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-build/docs}
bash cmake/deps.sh docs
mkdir -p "$folder"
# The first page's links to files that are not part of the reference become plain text.
filter=$folder/without_links.sh
cat >"$filter" <<'FILTER'
#!/bin/sh
exec sed -E 's,\[([^]]*)\]\((\.\./[^)]*|[a-z_]+\.(cpp|h))\),\1,g' "$1"
FILTER
chmod +x "$filter"
# The headers that are installed, as zarrlib/CMakeLists.txt lists them.
headers=$(sed -n '/^set(public_headers$/,/^)$/s,^  \(.*\.h\)$,zarrlib/\1,p' zarrlib/CMakeLists.txt | tr '\n' ' ')
[ -n "$headers" ] || { echo "docs.sh: no public headers found in zarrlib/CMakeLists.txt" >&2; exit 1; }
# A page for each example, with its first comment as text.
examples=$folder/examples.dox
for example in zarrlib/doc/examples/*.cpp zarrlib/doc/examples/*.h; do
  echo "/** @example ${example##*/}"
  sed -n '2,/^[^/]/s,^// \{0\,1\},,p' "$example"
  echo "*/"
done >"$examples"
doxygen -q - <<DOXYFILE
PROJECT_NAME           = zarrlib
OUTPUT_DIRECTORY       = $folder
INPUT                  = zarrlib/doc/examples/README.md $headers $examples
EXAMPLE_PATH           = zarrlib/doc/examples
FILTER_PATTERNS        = *.md=$filter
USE_MDFILE_AS_MAINPAGE = zarrlib/doc/examples/README.md
FULL_PATH_NAMES        = YES
STRIP_FROM_PATH        = .
JAVADOC_AUTOBRIEF      = YES
MARKDOWN_SUPPORT       = YES
AUTOLINK_SUPPORT       = YES
EXTRACT_ALL            = YES
EXTRACT_LOCAL_CLASSES  = NO
BUILTIN_STL_SUPPORT    = YES
GENERATE_LATEX         = NO
HAVE_DOT               = NO
WARN_IF_UNDOCUMENTED   = NO
WARN_IF_DOC_ERROR      = YES
WARN_AS_ERROR          = FAIL_ON_WARNINGS
WARN_FORMAT            = "\$file:\$line: \$text"
DOXYFILE
echo "docs.sh: $folder/html/index.html"
