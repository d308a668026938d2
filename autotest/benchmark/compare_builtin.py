#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the reading of a whole array with the plugin and with the Zarr driver that is built into GDAL.

    compare_builtin.py [--plugin FOLDER] [--size N] [--runs N] [--data FOLDER]

Writes an elevation-like int16 array (8192 x 8192 by default, always the same) as Zarr v2 with 512 x 512 chunks, once per
compressor, by GDAL's built-in driver; then reads it whole, each time in a process of its own, plugin and built-in driver
in turn, both with default settings. The files are in the page cache by then, so this is about decoding and copying.
Checks that both read what was written, and prints a Markdown table of medians.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "gdalplugins")
BUILTIN = "disable"  # as a GDAL_DRIVER_PATH: load no plugins
CHUNK = 512
COMPRESSORS = {
    "Blosc (LZ4)": ["COMPRESS=BLOSC", "BLOSC_CNAME=lz4", "BLOSC_CLEVEL=5", "BLOSC_SHUFFLE=BYTE"],
    "Zstandard": ["COMPRESS=ZSTD", "ZSTD_LEVEL=3"],
}


def digest(values):
    import zlib

    return zlib.crc32(values.tobytes())


def write(folder, size):
    """Writes one store per compressor; returns the digest of their values. Runs under the built-in driver."""
    from osgeo import gdal
    from values import elevation

    gdal.UseExceptions()
    values = elevation(size, size)
    for number, options in enumerate(COMPRESSORS.values()):
        path = os.path.join(folder, f"{number}.zarr")
        dataset = gdal.GetDriverByName("Zarr").Create(
            path, size, size, 1, gdal.GDT_Int16, options=["FORMAT=ZARR_V2", f"BLOCKSIZE={CHUNK},{CHUNK}", *options]
        )
        dataset.WriteArray(values)
        dataset = None
    return {"digest": digest(values)}


def read(path):
    """The seconds that it takes to open a store and read it whole, and what was read."""
    import time

    from osgeo import gdal

    gdal.UseExceptions()
    driver = gdal.GetDriverByName("Zarr")
    start = time.perf_counter()
    values = gdal.Open(path).ReadAsArray()
    seconds = time.perf_counter() - start
    plugin = driver.GetMetadataItem("ZARRLIB_VERSION") is not None
    return {"seconds": seconds, "digest": digest(values), "plugin": plugin}


def child(driver_path, function, *arguments):
    """Runs a function of this script in a process of its own, which loads that driver."""
    code = f"import json, compare_builtin as c; print(json.dumps(c.{function}(*{arguments!r})))"
    environment = {**os.environ, "GDAL_DRIVER_PATH": driver_path, "PYTHONPATH": HERE, "PYTHONDONTWRITEBYTECODE": "1"}
    output = subprocess.run([sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(output.stdout)


def timed_read(driver_path, path, expected):
    result = child(driver_path, "read", path)
    if result["plugin"] != (driver_path != BUILTIN):
        sys.exit(f"GDAL_DRIVER_PATH={driver_path} does not choose the driver")
    if result["digest"] != expected:
        sys.exit(f"GDAL_DRIVER_PATH={driver_path}: the values of {path} are not those that were written")
    return result["seconds"]


def compare(plugin, path, expected, runs):
    """The median seconds of the plugin and of the built-in driver, after one round to warm up."""
    times = {plugin: [], BUILTIN: []}
    for _ in range(runs + 1):
        for driver_path, seconds in times.items():
            seconds.append(timed_read(driver_path, path, expected))
    return [statistics.median(seconds[1:]) for seconds in times.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default=PLUGIN, help="the folder that gdal_Zarr.so is in")
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--data", help="where to put the stores (default: a temporary folder)")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=arguments.data) as folder:
        expected = child(BUILTIN, "write", folder, arguments.size)["digest"]
        print("| compressor | plugin | built-in | ratio |\n|---|---|---|---|")
        for number, name in enumerate(COMPRESSORS):
            path = os.path.join(folder, f"{number}.zarr")
            plugin, builtin = compare(os.path.abspath(arguments.plugin), path, expected, arguments.runs)
            print(f"| {name} | {plugin:.3f} s | {builtin:.3f} s | {builtin / plugin:.2f} |", flush=True)


if __name__ == "__main__":
    main()
