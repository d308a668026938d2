#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the reference of zarrlib's public headers with Doxygen. A warning is an error.
# Usage: cmake/docs.sh [folder]    (default: build/docs; the first page is html/index.html in it)
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-build/docs}
bash cmake/deps.sh docs
mkdir -p "$folder"
# Links between pages become plain text: those of the driver are not part of the reference.
filter=$folder/without_links.sh
cat >"$filter" <<'FILTER'
#!/bin/sh
exec sed -E -e '/^!\[/d' -e 's,\[([^]]*)\]\(([^):]*)\),\1,g' "$1"
FILTER
chmod +x "$filter"
doxygen -q - <<DOXYFILE
PROJECT_NAME           = zarrlib
OUTPUT_DIRECTORY       = $folder
INPUT                  = zarrlib zarrlib/README.md zarrlib/doc/library.md zarrlib/doc/architecture.md
FILE_PATTERNS          = *.h
EXCLUDE_PATTERNS       = */tools/*
RECURSIVE              = YES
FILTER_PATTERNS        = *.md=$filter
USE_MDFILE_AS_MAINPAGE = zarrlib/README.md
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
