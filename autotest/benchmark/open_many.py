#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times opening a store of many arrays with consolidated metadata, with the plugin and with GDAL's built-in driver.

    open_many.py [--plugin FOLDER] [--arrays N] [--runs N]

Writes the metadata of N arrays (2,000 by default) in groups of 50, as xarray writes them, for Zarr v2 and v3. Runs
`gdalinfo --version`, and `gdalinfo <store>` with each driver, in turn, and prints a Markdown table of medians, in
milliseconds: the first column is the whole time, the others what opening and listing add to it ("nan" where a driver
cannot open the store: GDAL's own knows today's v3 since GDAL 3.8).
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "gdalplugins")
BUILTIN = "disable"  # as a GDAL_DRIVER_PATH: load no plugins
SHAPE, CHUNKS, NAMES = [365, 721, 1440], [30, 360, 720], ["time", "lat", "lon"]


def attributes(number):
    return {
        "standard_name": "air_temperature",
        "long_name": f"Daily mean of variable {number}, as the model gave it",
        "units": "K",
        "cell_methods": "time: mean (interval: 3600 s)",
        "grid_mapping": "spatial_ref",
        "coordinates": "spatial_ref",
        "valid_range": [150.0, 350.0],
        "comment": "Written to see how long it takes to open a store with very many arrays.",
    }


def v2_documents(number):
    blosc = {"blocksize": 0, "clevel": 5, "cname": "lz4", "id": "blosc", "shuffle": 1}
    array = {
        "chunks": CHUNKS,
        "compressor": blosc,
        "dtype": "<f4",
        "fill_value": "NaN",
        "filters": None,
        "order": "C",
        "shape": SHAPE,
        "zarr_format": 2,
    }
    return {".zarray": array, ".zattrs": {"_ARRAY_DIMENSIONS": NAMES, **attributes(number)}}


def v3_document(number):
    blosc = {"typesize": 4, "cname": "zstd", "clevel": 5, "shuffle": "shuffle", "blocksize": 0}
    return {
        "shape": SHAPE,
        "data_type": "float32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": CHUNKS}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": "NaN",
        "codecs": [
            {"name": "bytes", "configuration": {"endian": "little"}},
            {"name": "blosc", "configuration": blosc},
        ],
        "attributes": attributes(number),
        "dimension_names": NAMES,
        "zarr_format": 3,
        "node_type": "array",
        "storage_transformers": [],
    }


def paths(count):
    return [(number, f"group{number // 50}/variable{number}") for number in range(count)]


def write_v2(folder, count):
    documents = {".zgroup": {"zarr_format": 2}}
    for number, path in paths(count):
        documents[os.path.dirname(path) + "/.zgroup"] = {"zarr_format": 2}
        documents.update({f"{path}/{name}": document for name, document in v2_documents(number).items()})
    os.makedirs(folder)
    for name, document in [
        (".zgroup", documents[".zgroup"]),
        (".zmetadata", {"metadata": documents, "zarr_consolidated_format": 1}),
    ]:
        with open(os.path.join(folder, name), "w") as f:
            json.dump(document, f, indent=4)


def write_v3(folder, count):
    group = {"attributes": {}, "zarr_format": 3, "node_type": "group"}
    documents = {}
    for number, path in paths(count):
        documents[os.path.dirname(path)] = group
        documents[path] = v3_document(number)
    inline = {"kind": "inline", "must_understand": False, "metadata": documents}
    os.makedirs(folder)
    with open(os.path.join(folder, "zarr.json"), "w") as f:
        json.dump({**group, "consolidated_metadata": inline}, f, indent=2)


def milliseconds(driver_path, *arguments):
    environment = {**os.environ, "GDAL_DRIVER_PATH": driver_path}
    start = time.perf_counter()
    done = subprocess.run(["gdalinfo", *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000 if done.returncode == 0 else math.nan


def measure(plugin, store, runs):
    """Medians: the version with the plugin and without, and what each driver adds to its own."""
    jobs = {
        "plugin version": (plugin, "--version"),
        "plugin": (plugin, store),
        "version": (BUILTIN, "--version"),
        "built-in": (BUILTIN, store),
    }
    times = {name: [] for name in jobs}
    for _ in range(runs + 1):
        for name, job in jobs.items():
            times[name].append(milliseconds(*job))
    median = {name: statistics.median(values[1:]) for name, values in times.items()}
    return median["plugin version"], median["plugin"] - median["plugin version"], median["built-in"] - median["version"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default=PLUGIN, help="the folder that gdal_Zarr.so is in")
    parser.add_argument("--arrays", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        print("| store | gdalinfo --version | plugin | built-in |\n|---|---|---|---|")
        for name, write in {"v2": write_v2, "v3": write_v3}.items():
            path = os.path.join(folder, name + ".zarr")
            write(path, arguments.arrays)
            version, plugin, builtin = measure(os.path.abspath(arguments.plugin), path, arguments.runs)
            print(f"| {name} | {version:.0f} ms | +{plugin:.0f} ms | +{builtin:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
