#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the packages for the Debian release that it runs in, in build/packages, and lets lintian judge them.
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/progress.sh

# Of two releases, the newer one has the higher version, so that its packages replace those of the older one.
. /etc/os-release
release=1+deb${VERSION_ID:-99}
echo "GDAL $(gdal-config --version), $(g++ --version | head -n 1)"
mkdir -p build
# Debian's flags that harden programs, such as the checks of _FORTIFY_SOURCE; how to optimise is CMake's business.
export DEB_CXXFLAGS_STRIP="-g -O2"
CXXFLAGS="$(dpkg-buildflags --get CPPFLAGS) $(dpkg-buildflags --get CXXFLAGS)"
LDFLAGS=$(dpkg-buildflags --get LDFLAGS)
export CXXFLAGS LDFLAGS
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DZARR_BUILD_TESTS=OFF \
  -DZARR_PACKAGE_RELEASE="$release" >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
build build all
rm -rf build/packages/*.deb
(cd build && cpack -G DEB >cpack.log 2>&1) || { cat build/cpack.log >&2; exit 1; }
lintian --fail-on error --allow-root --tag-display-limit 0 build/packages/*.deb
echo "lintian: no errors"
