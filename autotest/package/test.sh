#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the packages in /root/packages in a fresh Debian root, which it changes: installs them, uses them as their users
# do, without any environment variable, and removes them. cmake/package.sh runs it.
#   ZARR_TEST_QGIS   yes: with QGIS, too
set -euo pipefail
trap 'echo "package/test.sh: failed at line $LINENO: $BASH_COMMAND" >&2' ERR
cd /root
unset GDAL_DRIVER_PATH
export DEBIAN_FRONTEND=noninteractive
log=/root/apt.log

fail() {
  echo "package/test.sh: $*" >&2
  exit 1
}

install() {
  apt-get install -q -y --no-install-recommends "$@" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "apt-get install $*"; }
}

# Whether a package depends on the minor version of GDAL that it is made for, and on no other.
check_dependency() {
  local depends
  depends=$(dpkg-deb -f packages/gdal-plugin-zarr_*.deb Depends)
  [[ $depends =~ libgdal[0-9]+[a-z0-9]*\ \(\<\<\ 3\.[0-9]+\) ]] || fail "gdal-plugin-zarr is not bound to a version of GDAL: $depends"
  echo "gdal-plugin-zarr depends on ${BASH_REMATCH[0]}"
}

# From nothing to a picture.
check_plugin() {
  local started=$SECONDS
  install ./packages/gdal-plugin-zarr_*.deb gdal-bin
  gdal_translate -q -of PNG -ot Byte -scale -9000 6500 -a_nodata none data/relief_v3_rectilinear.zarr relief.png
  [ "$(head -c 4 relief.png | tail -c 3)" = PNG ] || fail "no picture"
  echo "from apt-get install to a picture: $((SECONDS - started)) s"
  has_plugin || fail "gdalinfo does not use the plugin"
  ! GDAL_DRIVER_PATH=disable has_plugin || fail "the plugin cannot be switched off"
  says 'Size is 1080, 540' gdalinfo data/relief_v3_sharded.zarr || fail "gdalinfo does not read a sharded store"
}

# Whether the output of a command has a text. All of it is read, so that the command does not end by a broken pipe.
says() {
  local text=$1
  shift
  [[ $("$@") == *"$text"* ]]
}

has_plugin() {
  says ZARRLIB_VERSION gdalinfo --format Zarr
}

# From the package: a minimal system may leave manual pages out.
print_manual_page() {
  dpkg-deb --fsys-tarfile packages/zarrkit_*.deb | tar -xO ./usr/share/man/man1/zarrkit.1.gz | zcat
}

check_zarrkit() {
  install ./packages/zarrkit_*.deb bash-completion
  says relief zarrkit info data/relief_v3_sharded.zarr || fail "zarrkit info"
  zarrkit check data/relief_v3_sharded.zarr >/dev/null || fail "zarrkit check"
  [ -e /usr/share/bash-completion/completions/zarrkit ] || fail "no completion"
  says reshard print_manual_page || fail "no manual page"
}

check_library() {
  local sum
  install ./packages/libzarrlib-dev_*.deb ./packages/zarrlib-doc_*.deb cmake make g++ pkgconf
  cmake -S consumer -B consumer/build -DCMAKE_BUILD_TYPE=Release >cmake.log && cmake --build consumer/build >>cmake.log ||
    { cat cmake.log; fail "the CMake package"; }
  # shellcheck disable=SC2046
  g++ -std=c++20 consumer/main.cpp -o by_pkg_config $(pkg-config --cflags --libs zarrlib)
  for program in consumer/build/consumer ./by_pkg_config; do
    sum=$("$program" data/relief_v2.zarr relief)
    [ "$sum" = -1105737616 ] || fail "$program printed $sum"
  done
  [ -e /usr/share/doc/zarrlib-doc/copyright ] || fail "no licence"
}

check_clients() {
  install python3-rasterio python3-numpy
  python3 package/read_rasterio.py
  if [ "$ZARR_TEST_QGIS" = yes ]; then
    install python3-qgis
    QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=/root python3 package/read_qgis.py
  fi
}

# The driver that is built into GDAL comes back, and no file stays.
check_removal() {
  local left
  apt-get purge -q -y gdal-plugin-zarr zarrkit libzarrlib-dev zarrlib-doc >>"$log" 2>&1 || fail "apt-get purge"
  says 'Short Name: Zarr' gdalinfo --format Zarr || fail "there is no Zarr driver any more"
  ! has_plugin || fail "the plugin is still in use"
  left=$(find /usr /etc /var -xdev \( -iname '*zarrlib*' -o -iname '*zarrkit*' -o -name gdal_Zarr.so \) | head)
  [ -z "$left" ] || fail "left behind: $left"
}

apt-get update -q >>"$log" 2>&1
for check in dependency plugin zarrkit library clients removal; do
  "check_$check"
  echo "$check: ok"
done
