#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what building and testing this project needs on Debian 12 or later, as root or through sudo.
# Usage: cmake/deps.sh [build] [test] [interop] [distributed] [lint] [matrix] [qgis]    (default: build test)
set -euo pipefail

build_packages=(
  cmake g++ ninja-build ccache git
  libgdal-dev nlohmann-json3-dev
  libblosc-dev zlib1g-dev libdeflate-dev libzstd-dev liblz4-dev libbz2-dev liblzma-dev libtiff-dev libzfp-dev
  libjpeg-dev liblerc-dev libwebp-dev
)
test_packages=(libgtest-dev gdal-bin python3-gdal python3-numpy python3-pytest binutils)
interop_packages=(python3-zarr python3-numcodecs libeccodes0)
distributed_packages=(python3-distributed)
lint_packages=(clang-format clang-tidy)
matrix_packages=(debootstrap)
qgis_packages=(qgis python3-qgis)

wanted=()
for group in "${@:-build}" $([ $# -eq 0 ] && echo test); do
  case "$group" in
    build) wanted+=("${build_packages[@]}") ;;
    test) wanted+=("${test_packages[@]}") ;;
    interop) wanted+=("${interop_packages[@]}") ;;
    distributed) wanted+=("${distributed_packages[@]}") ;;
    lint) wanted+=("${lint_packages[@]}") ;;
    matrix) wanted+=("${matrix_packages[@]}") ;;
    qgis) wanted+=("${qgis_packages[@]}") ;;
    *) echo "deps.sh: unknown group '$group' (build, test, interop, distributed, lint, matrix, qgis)" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "deps.sh: run as root, or install sudo; missing: ${missing[*]}" >&2; exit 1; }
  sudo=(sudo)
fi
echo "deps.sh: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -q
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
