#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds for Windows with mingw-w64 on Debian 12, and runs the tests under wine.
# Usage: cmake/windows.sh [libraries] [build] [test] [zip]      (default: all)
#   libraries   makes the libraries that the project uses, GDAL among them, of Debian's sources; each once for all runs
#   build       builds in build-windows/
#   test        runs the tests of zarrlib and of the driver, and GDAL's programs with the plugin; results are in
#               build-windows/results
#   zip         makes the ZIP of zarrkit and the plugin in build-windows/packages
#   ZARR_KILLS         how often a writer is killed, for chunks and for shards (default: 100)
#   ZARR_FIXTURES      a folder with check_reading.py, which is run then
#   ZARR_WINDOWS_DIR   where libraries and wine's files are kept (default: ~/.cache/zarr-windows): prefix/ has what was
#                      built, wine.sh runs a program of Windows, <library>.log tells how a library was built
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/progress.sh
. cmake/debian_roots.sh

source_dir=$PWD
work=${ZARR_WINDOWS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/zarr-windows}
prefix=$work/prefix
target=x86_64-w64-mingw32
compiler=$target-gcc-posix
jobs=$(nproc)

# Each library has a function that makes it from its source, in the folder of that. It is made again if the function or
# the compiler changes. A library's source is Debian's package of the function's second word.

# A static library of C files. Usage: archive <name> <flags> -- <file>...
archive() {
  local name=$1 flags=() file objects=()
  shift
  while [ "$1" != -- ]; do flags+=("$1"); shift; done
  shift
  for file in "$@"; do
    ccache "$compiler" -O2 "${flags[@]}" -c "$file" -o "${file//\//_}.o"
    objects+=("${file//\//_}.o")
  done
  rm -f "$prefix/lib/lib$name.a"
  $target-ar crs "$prefix/lib/lib$name.a" "${objects[@]}"
}

# Builds and installs with CMake. Usage: with_cmake <source> <option>...
with_cmake() {
  local source=$1
  shift
  PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig cmake -S "$source" -B zarr-build -G Ninja -Wno-dev \
    -DCMAKE_TOOLCHAIN_FILE="$source_dir/cmake/mingw.cmake" -DZARR_WINDOWS_DIR="$work" -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF "$@"
  cmake --build zarr-build -j "$jobs"
  cmake --install zarr-build
}

# The compiler's libraries and what is the same for all systems.
make_base() {
  local file
  for file in libstdc++-6.dll libgcc_s_seh-1.dll libwinpthread-1.dll; do
    cp "$($target-g++-posix -print-file-name=$file)" "$prefix/bin/"
  done
  cp /usr/$target/lib/libz.a "$prefix/lib/"
  cp /usr/$target/include/{zlib,zconf}.h "$prefix/include/"
  cp -r /usr/include/nlohmann "$prefix/include/"
  mkdir -p "$prefix/share/cmake"
  cp -r /usr/share/cmake/nlohmann_json "$prefix/share/cmake/"
}

make_googletest() { with_cmake /usr/src/googletest -DBUILD_GMOCK=OFF; }

make_lz4() {
  cp lib/lz4.h lib/lz4hc.h lib/lz4frame.h "$prefix/include/"
  archive lz4 -- lib/{lz4,lz4hc,lz4frame,xxhash}.c
}

make_zstd() {
  cp lib/zstd.h lib/zstd_errors.h lib/zdict.h "$prefix/include/"
  archive zstd -DZSTD_DISABLE_ASM -DZSTD_MULTITHREAD -- lib/{common,compress,decompress,dictBuilder}/*.c
}

make_bzip2() {
  cp bzlib.h "$prefix/include/"
  archive bz2 -- blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c
}

make_deflate() {
  cp libdeflate.h "$prefix/include/"
  archive deflate -I. -- lib/*.c lib/x86/*.c
}

# Debian's makes a static library beside the other one.
make_snappy() { with_cmake . -DBUILD_SHARED_LIBS=ON -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF; }

# With snappy inside. Its replacements of functions for threads would take the place of the compiler's where both are linked statically.
make_blosc() {
  local name renamed=()
  with_cmake . -DBUILD_SHARED=OFF -DBUILD_TESTS=OFF -DBUILD_BENCHMARKS=OFF -DBUILD_FUZZERS=OFF -DPREFER_EXTERNAL_LZ4=ON \
    -DPREFER_EXTERNAL_ZLIB=ON -DPREFER_EXTERNAL_ZSTD=ON -DPREFER_EXTERNAL_SNAPPY=ON -DDEACTIVATE_SNAPPY=OFF \
    -DCMAKE_C_FLAGS=-mxsave  # it asks the processor what it can
  for name in create join cond_init cond_destroy cond_wait cond_signal cond_broadcast; do
    renamed+=(--redefine-sym "pthread_$name=blosc_pthread_$name")
  done
  $target-ar x "$prefix/lib/libsnappy.a"
  $target-ar rs "$prefix/lib/libblosc.a" snappy*.obj
  $target-objcopy "${renamed[@]}" "$prefix/lib/libblosc.a"
}

make_lzma() { with_cmake .; }
make_jpeg() { with_cmake . -DENABLE_SHARED=OFF -DWITH_SIMD=OFF -DWITH_TURBOJPEG=OFF; }
make_tiff() {
  with_cmake . -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF -Djpeg=ON -Dold-jpeg=OFF -Dlzma=OFF \
    -Dzstd=OFF -Dwebp=OFF -Dlerc=OFF -Dlibdeflate=OFF -Dcxx=OFF
}
make_lerc() {
  with_cmake .
  sed -i 's/defined(LERC_STATIC)/1/' "$prefix/include/Lerc_c_api.h"  # its library is a static one
}
make_webp() {
  with_cmake . -DWEBP_BUILD_{ANIM_UTILS,CWEBP,DWEBP,GIF2WEBP,IMG2WEBP,VWEBP,WEBPINFO,WEBPMUX,EXTRAS}=OFF
}

# GDAL's plugin finds the library among those that are loaded, so it is no static one.
make_curl() {
  with_cmake . -DBUILD_SHARED_LIBS=ON -DBUILD_CURL_EXE=OFF -DCURL_USE_SCHANNEL=ON -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBSSH=OFF \
    -DUSE_LIBIDN2=OFF -DCURL_DISABLE_LDAP=ON -DCURL_USE_LIBPSL=OFF -DENABLE_MANUAL=OFF
}

# The system's compiler makes the one file of SQLite.
make_sqlite() {
  ./configure --disable-tcl --disable-readline >/dev/null
  make sqlite3.c
  cp sqlite3.h sqlite3ext.h "$prefix/include/"
  archive sqlite3 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_COLUMN_METADATA -- sqlite3.c
}

make_proj() { with_cmake . -DENABLE_CURL=OFF -DENABLE_TIFF=OFF -DBUILD_APPS=OFF -DEXE_SQLITE3="$(command -v sqlite3)"; }

make_gdal() {
  touch data/cubewerx_extra.wkt  # installed, but not in Debian's source
  with_cmake . -DBUILD_SHARED_LIBS=ON -DGDAL_USE_INTERNAL_LIBS=ON -DGDAL_USE_EXTERNAL_LIBS=OFF -DGDAL_USE_ZLIB=ON \
    -DGDAL_USE_CURL=ON -DGDAL_USE_SQLITE3=OFF -DGDAL_BUILD_OPTIONAL_DRIVERS=OFF -DOGR_BUILD_OPTIONAL_DRIVERS=OFF -DGDAL_ENABLE_DRIVER_ZARR=ON \
    -DGDAL_ENABLE_DRIVER_PNG=ON -DBUILD_PYTHON_BINDINGS=OFF -DBUILD_JAVA_BINDINGS=OFF -DBUILD_CSHARP_BINDINGS=OFF \
    -DBUILD_APPS=ON -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"  # quick to compile
}

# Unpacks a source package of Debian. It has lists of its own, since apt's need not have sources.
unpack() {
  local package=$1 folder=$2 options mirror
  mirror=$(debian_mirror)
  mkdir -p "$work/apt/lists/partial"
  . /etc/os-release
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $VERSION_CODENAME main" >"$work/apt/sources.list"
  options=(-q -o Dir::Etc::sourcelist="$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists="$work/apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
  [ -n "${apt_is_updated:-}" ] || apt-get "${options[@]}" update
  apt_is_updated=yes
  (cd "$folder" && apt-get "${options[@]}" source "$package" && rm -f -- *.tar.* *.dsc && mv -- * source)
}

# Makes a library unless it is there. Usage: library <name> [<package>]
library() {
  local name=$1 package=${2:-} stamp folder key
  stamp=$prefix/made/$name
  key=$($compiler -dumpfullversion && declare -f "make_$name" archive with_cmake | cksum)
  [ "$(cat "$stamp" 2>/dev/null)" != "$key" ] || return 0
  echo "windows.sh: making $name"
  folder=$work/building/$name
  rm -rf "$folder"
  mkdir -p "$folder/source" "$prefix"/{bin,include,lib,made}
  # In the background, since a failing command does not end a function that `if` calls.
  (set -e
   [ -z "$package" ] || { rmdir "$folder/source"; unpack "$package" "$folder"; }
   cd "$folder/source"
   "make_$name") >"$work/$name.log" 2>&1 &
  wait $! || {
    tail -n 30 "$work/$name.log" >&2
    echo "windows.sh: $name could not be made, see $work/$name.log" >&2
    exit 1
  }
  rm -rf "$folder"
  echo "$key" >"$stamp"
}

# A program that runs one of Windows, without a display, as CMake's emulator.
make_wine() {
  cat >"$work/wine.sh" <<END
#!/bin/sh
export WINEPREFIX="$work/wine" WINEPATH="$prefix/bin" WINEDEBUG=-all DISPLAY= WINEDLLOVERRIDES="mscoree,mshtml="
exec /usr/lib/wine/wine64 "\$@"
END
  chmod +x "$work/wine.sh"
  "$work/wine.sh" wineboot --init
}

make_libraries() {
  mkdir -p "$work"
  library base
  library wine
  library googletest
  library lz4 lz4
  library zstd libzstd
  library bzip2 bzip2
  library deflate libdeflate
  library snappy snappy
  library blosc c-blosc
  library lzma xz-utils
  library jpeg libjpeg-turbo
  library tiff tiff
  library lerc lerc
  library webp libwebp
  library curl curl
  library sqlite sqlite3
  library proj proj
  library gdal gdal
  "$work/wine.sh" "$prefix/bin/gdalinfo.exe" --version
}

run_build() {
  mkdir -p build-windows
  cmake --preset windows -DZARR_WINDOWS_DIR="$work" >build-windows/configure.log 2>&1 || { cat build-windows/configure.log >&2; return 1; }
  build build-windows
}

# Runs a program of GoogleTest as one process: wine takes a second to start each.
run_google_test() {
  local name=$1 program=$2
  rm -f "$results/$name.xml"
  (cd "$results" && "$work/wine.sh" "$program" --gtest_brief=1 --gtest_output="xml:$name.xml") >"$results/$name.txt" 2>&1 || true
}

run_pytest() { /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider "$@"; }

# Scripts for GDAL's Python bindings reach the GDAL for Windows by a program.
with_bindings() {
  PYTHONPATH=autotest/cross/bindings ARRAY_SERVER=$PWD/build-windows/autotest/cross/array_server.exe \
    GDAL_DRIVER_PATH=$PWD/build-windows/gdalplugins "$@"
}

run_test() {
  local results=$PWD/build-windows/results failed=""
  mkdir -p "$results"
  export PROJ_LIB=$prefix/share/proj GDAL_DATA=$prefix/share/gdal ZARR_EMULATOR=$work/wine.sh ZARR_KILLS=${ZARR_KILLS:-100}
  echo "== tests of the library and of the driver"
  run_google_test zarrlib_tests "$PWD/build-windows/autotest/cpp/zarrlib_tests.exe"
  run_google_test driver_tests "$PWD/build-windows/autotest/cpp/driver/driver_tests.exe"
  python3 autotest/cross/summarize.py "$results"/{zarrlib_tests,driver_tests}.xml || failed+=" GoogleTest"
  echo "== stores of other writers"
  with_bindings run_pytest autotest/gdrivers/plugin/test_stores.py -k "of_the_writer and not place" || failed+=" stores"
  if [ -n "${ZARR_FIXTURES:-}" ]; then
    with_bindings /usr/bin/python3 "$ZARR_FIXTURES/check_reading.py" --classic >"$results/fixtures.txt" || true
    tail -n 1 "$results/fixtures.txt"
  fi
  echo "== programs"
  ZARR_GDAL_PROGRAMS=$prefix/bin ZARR_GDAL_PLUGINS=$PWD/build-windows/gdalplugins \
    ZARRKIT=$PWD/build-windows/zarrlib/tools/zarrkit.exe run_pytest autotest/cross/test_programs.py || failed+=" programs"
  [ -z "$failed" ] || { echo "windows.sh: failed:$failed; see $results" >&2; return 1; }
}

# zarrkit needs no other files. The plugin shares the compiler's libraries with GDAL, which has them.
run_zip() {
  local version name folder
  version=$(sed -n 's/^project(zarrlib VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)
  name=zarrlib-$version-windows-x86_64
  folder=build-windows/packages/$name
  rm -rf "$folder" "$folder.zip"
  mkdir -p "$folder/lib/gdalplugins"
  cmake --install build-windows --strip --component zarrkit --prefix "$folder" >/dev/null
  $target-strip -o "$folder/lib/gdalplugins/gdal_Zarr.dll" build-windows/gdalplugins/gdal_Zarr.dll
  cp LICENSE CHANGELOG.md "$folder/"
  (cd build-windows/packages && cmake -E tar cf "$name.zip" --format=zip "$name")
  check_zip "$folder"
  echo "$folder.zip"
}

# Tries what is in the ZIP: zarrkit without any library beside it, and the plugin with GDAL.
check_zip() {
  local folder=$1 store=autotest/data/demo/relief_v3_sharded.zarr
  sed 's/WINEPATH="[^"]*"/WINEPATH=/' "$work/wine.sh" >"$work/wine-alone.sh"
  sh "$work/wine-alone.sh" "$folder/bin/zarrkit.exe" check "$store"
  PROJ_LIB=$prefix/share/proj GDAL_DRIVER_PATH=$PWD/$folder/lib/gdalplugins \
    "$work/wine.sh" "$prefix/bin/gdalinfo.exe" --format Zarr | grep -q ZARRLIB_VERSION || {
    echo "windows.sh: GDAL does not load the plugin of the ZIP" >&2
    return 1
  }
}

parts=()
for argument in "$@"; do
  case "$argument" in
    --help | -h) show_usage cmake/windows.sh; exit 0 ;;
    libraries | build | test | zip) parts+=("$argument") ;;
    *) echo "windows.sh: unknown part '$argument' (libraries, build, test, zip)" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(libraries build test zip)
bash cmake/deps.sh windows
for part in "${parts[@]}"; do
  echo "== $part"
  case "$part" in
    libraries) make_libraries ;;
    *) "run_$part" ;;
  esac
done
