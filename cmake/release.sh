#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a release: checks that the project is ready for it, tags it, and puts all that users download into
# build/release/vVERSION, with SHA256SUMS.
# Usage: cmake/release.sh VERSION [part...]      (default: check tag source recipes debian windows sums)
#   check     the version is the same everywhere, CHANGELOG.md has a dated section of it, and nothing is uncommitted
#   tag       sets the tag vVERSION here; it is not pushed
#   source    zarrlib-VERSION.tar.gz of the tag, or of HEAD if there is no tag yet; the same bytes for the same commit
#   notes     the changelog's section, for the page of the release
#   recipes   the conda recipe, the vcpkg port and the description for OSGeo4W, with the checksums of the source archive
#   debian    packages for the releases of Debian in ZARR_RELEASE_SUITES, for the architectures in ZARR_RELEASE_ARCHITECTURES
#   windows   the ZIP archive of the mingw build
#   sums      SHA256SUMS of all files that are there
#   ZARR_RELEASE_URL             where the source archive is going to be (default: https://example.org/zarrlib/vVERSION)
#   ZARR_RELEASE_SUITES          (default: bookworm trixie sid)
#   ZARR_RELEASE_ARCHITECTURES   (default: amd64 arm64)
# A check that fails ends it before anything is tagged or made.
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/progress.sh

fail() { echo "release.sh: $*" >&2; exit 1; }

parts=()
version=
for argument in "$@"; do
  case "$argument" in
    --help | -h) show_usage "$0"; exit 0 ;;
    -*) echo "release.sh: unknown option $argument" >&2; exit 2 ;;
    check | tag | source | notes | recipes | debian | windows | sums) parts+=("$argument") ;;
    *) [ -z "$version" ] || { echo "release.sh: unknown part $argument" >&2; exit 2; }; version=${argument#v} ;;
  esac
done
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "release.sh: give a version, such as 0.1.0" >&2; exit 2; }
[ ${#parts[@]} -gt 0 ] || parts=(check tag source notes recipes debian windows sums)

tag=v$version
folder=build/release/$tag
archive=zarrlib-$version.tar.gz
url=${ZARR_RELEASE_URL:-https://example.org/zarrlib/$tag}

# The tag if there is one, so that later commits do not change what is released.
released_commit() { git rev-parse --verify --quiet "refs/tags/$tag^{commit}" || git rev-parse HEAD; }

# Prints what CHANGELOG.md says of the version, without the heading.
changelog_section() {
  awk -v heading="## $version - " '/^## / { inside = index($0, heading) == 1; next } inside' CHANGELOG.md
}

make_check() {
  local file pattern found
  while IFS='|' read -r file pattern; do
    found=$(sed -nE "s/$pattern/\\1/p" "$file" | head -n 1)
    [ "$found" = "$version" ] || fail "$file has the version '$found' and not '$version'"
  done <<'VERSIONS'
CMakeLists.txt|^project\(zarrlib VERSION ([0-9.]+).*
CITATION.cff|^version: (.*)$
cmake/conda/recipe.yaml|^  version: "(.*)"$
cmake/vcpkg/vcpkg.json|^  "version": "(.*)",$
VERSIONS
  grep -qE "^## ${version//./\\.} - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
    fail "CHANGELOG.md has no heading '## $version - YYYY-MM-DD'"
  [ -n "$(changelog_section | tr -d '[:space:]')" ] || fail "CHANGELOG.md says nothing of $version"
  [ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed: git status"
  local tagged
  if tagged=$(git rev-parse --verify --quiet "refs/tags/$tag^{commit}") && [ "$tagged" != "$(git rev-parse HEAD)" ]; then
    fail "the tag $tag is there already, and of another commit"
  fi
}

make_tag() {
  git rev-parse --verify --quiet "refs/tags/$tag" >/dev/null || git tag --annotate --message "zarrlib $version" "$tag"
}

make_source() {
  # Neither the time of the run nor the version of gzip's header is in the archive.
  git archive --format=tar --prefix="zarrlib-$version/" "$(released_commit)" | gzip -9 -n >"$folder/$archive"
}

make_notes() { changelog_section >"$folder/notes.md"; }

checksum() { "sha$1sum" "$folder/$archive" | cut -d ' ' -f 1; }

# Fills in where the source is and what its checksums are.
fill_in() {
  sed -e "s|@URL@|$url/$archive|g" -e "s|@SHA256@|$(checksum 256)|g" -e "s|@SHA512@|$(checksum 512)|g" -e "s|@VERSION@|$version|g" "$1"
}

make_recipes() {
  [ -f "$folder/$archive" ] || make_source
  local out=$folder/recipes
  rm -rf "$out"
  mkdir -p "$out/conda" "$out/vcpkg" "$out/osgeo4w"
  cp cmake/conda/variants.yaml "$out/conda/"
  # In the project, the recipe builds the folder that it is in.
  sed -e "s|^  path: .*|  url: $url/$archive\n  sha256: $(checksum 256)|" cmake/conda/recipe.yaml >"$out/conda/recipe.yaml"
  cp cmake/vcpkg/vcpkg.json cmake/vcpkg/usage "$out/vcpkg/"
  fill_in cmake/vcpkg/portfile.cmake.in >"$out/vcpkg/portfile.cmake"
  fill_in cmake/osgeo4w/package.sh.in >"$out/osgeo4w/package.sh"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct "$(released_commit)")" \
    -C "$out" -cf - conda vcpkg osgeo4w | gzip -9 -n >"$folder/zarrlib-$version-recipes.tar.gz"
}

make_debian() {
  local architecture suites
  read -ra suites <<<"${ZARR_RELEASE_SUITES:-bookworm trixie sid}"
  for architecture in ${ZARR_RELEASE_ARCHITECTURES:-amd64 arm64}; do
    bash cmake/package.sh --no-qgis --arch "$architecture" "${suites[@]}"
    for suite in "${suites[@]}"; do cp build/packages/"$suite-$architecture"/*.deb "$folder/"; done
  done
}

make_windows() {
  bash cmake/windows.sh libraries build zip
  cp build-windows/packages/zarrlib-"$version"-windows-x86_64.zip "$folder/"
}

make_sums() {
  (cd "$folder" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' ! -name notes.md -printf '%P\n' | sort | xargs sha256sum) >"$folder/SHA256SUMS.new"
  mv "$folder/SHA256SUMS.new" "$folder/SHA256SUMS"
}

mkdir -p "$folder"
for part in "${parts[@]}"; do
  echo "== $part"
  "make_$part"
done
echo "release.sh: $folder: $(find "$folder" -maxdepth 1 -type f | wc -l) files"
