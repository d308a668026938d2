# SPDX-License-Identifier: MIT
"""Files that the driver did not write, and stores among them."""

import os

import numpy as np
import pytest
from osgeo import gdal
from versions import GDAL_VERSION

FORMATS = ["ZARR_V2", "ZARR_V3", "ZARR_V3_SHARDS", "ZARR_V3_EDGES"]
DATA = np.arange(64 * 64, dtype="i2").reshape(64, 64)


def get_options(form):
    options = {
        "ZARR_V3_SHARDS": ["BLOCKSIZE=16,16", "SHARD_SHAPE=32,32"],
        "ZARR_V3_EDGES": ["CHUNK_EDGES=Y:[10,[27,2]];X:[40,24]"],
    }
    return [f"FORMAT={form[:7]}", *options.get(form, ["BLOCKSIZE=16,16"])]


def read_tree(folder):
    """Returns all files in a folder, without following links: path -> content."""
    found = {}
    for here, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(here, name)
            relative = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[relative] = ("link", os.readlink(path))
            elif os.path.isdir(path):
                found[relative] = ("folder", None)
            else:
                with open(path, "rb") as f:
                    found[relative] = ("file", f.read())
    return found


def write_file(path, text="mine"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


def make_source(size=(64, 64), srs=True):
    dataset = gdal.GetDriverByName("MEM").Create("", *size, 1, gdal.GDT_Int16)
    dataset.WriteArray(np.resize(DATA, size[::-1]))
    if srs:
        dataset.SetGeoTransform([100, 1, 0, 200, 0, -1])
    return dataset


def require_deletion():
    if GDAL_VERSION < 308:
        pytest.skip("DeleteMDArray is there since GDAL 3.8")


def make_store(store, form, name="data", **more):
    options = get_options(form) + [f"ARRAY_NAME={name}"] + more.pop("options", [])
    assert gdal.GetDriverByName("Zarr").CreateCopy(store, make_source(**more), options=options)


# Foreign files where programs and people put them: beside the documents, and among the chunks with similar names.
FOREIGN = [
    "notes.txt",
    "photos/a.jpg",
    "meta",
    "attrs",
    "0.0",
    "c/0/0",
    ".git/HEAD",
    "zarr.json.bak",
    "data/thesis.txt",
    "data/2024/thesis.txt",
    "data/c/notes.txt",
    "data/c/0/99",
    "data/c/0/0.bak",
    "data/c/99/0",
    "data/99.99",
    "data/0.0.orig",
    "data/meta",
    "data/attrs",
    "data/zarr.json.aux.xml",
    "data/.zarray.aux.xml",
    "data/zarr.json.data.ovr",
    "pam.aux.xml.old",
    "data/.zarray.backup",
    "data/more/zarr.txt",
    ".zarr-tmp-notes.txt",
    ".zarr-tmp-removal-plan",
    "data/.zarr-tmp-mine",
    "data/c/.zarr-tmp-backup.tar",
]


def plant_files(store):
    """Puts the foreign files into a store, where no files are yet."""
    planted = {}
    for name in FOREIGN:
        path = os.path.join(store, name)
        if not os.path.exists(path) and not os.path.isfile(os.path.dirname(path)):
            planted[name] = ("file", b"mine")
            write_file(path)
    return planted


def are_still_there(store, planted):
    now = read_tree(store)
    return {name: now.get(name) for name in planted} == planted


def open_raster_for_update(store, name="data"):
    return gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE)


def open_root(store):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()


def build_overviews(store):
    assert open_raster_for_update(store).BuildOverviews("NEAREST", [2, 4]) == gdal.CE_None


def build_and_clean_overviews(store):
    build_overviews(store)
    assert open_raster_for_update(store).BuildOverviews("NEAREST", []) == gdal.CE_None
