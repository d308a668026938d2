# SPDX-License-Identifier: MIT
"""What may stand at the name of a store: each function makes it at `path`. See the table in whole_store.h."""

import os
import shutil

from foreign_files import make_source, make_store, write_file
from osgeo import gdal

DRIVER = gdal.GetDriverByName("Zarr")


def absent(path):
    pass


def empty(path):
    os.mkdir(path)


def foreign_files(path):
    write_file(path + "/notes.txt")
    write_file(path + "/2024/zarr.txt")


def foreign_document(path):
    write_file(path + "/zarr.json", '{"name": "a configuration"}')
    write_file(path + "/notes.txt")


def foreign_text(path):
    write_file(path + "/.zgroup", "mine")
    make_store(path + "/a.zarr", "ZARR_V2")


def store_v2(path):
    make_store(path, "ZARR_V2")


def store_v3(path):
    make_store(path, "ZARR_V3")


def store_v1(path):
    DRIVER.CreateCopy(path, make_source(srs=False), options=["FORMAT=ZARR_V1"])


def store_of_arrays(path):
    make_store(path, "ZARR_V3")
    make_store(path, "ZARR_V3", name="more", options=["APPEND_SUBDATASET=YES"])


def store_with_files(path):
    make_store(path, "ZARR_V3")
    write_file(path + "/notes.txt")


def store_of_an_implied_group(path):
    make_store(path, "ZARR_V2")
    shutil.copytree(path + "/data", path + "/implied/data")


def damage(path):
    with open(path, "r+") as f:
        f.truncate(20)


def damaged_v2(path):
    make_store(path, "ZARR_V2")
    damage(path + "/.zgroup")


def damaged_v3(path):
    make_store(path, "ZARR_V3")
    damage(path + "/zarr.json")


def damaged_consolidated(path):
    make_store(path, "ZARR_V2")
    os.remove(path + "/.zgroup")
    damage(path + "/.zmetadata")


def damaged_array(path):
    """The root is an array."""
    make_store(path + ".other", "ZARR_V3")
    shutil.move(path + ".other/data", path)
    shutil.rmtree(path + ".other")
    damage(path + "/zarr.json")


def damaged_node(path):
    make_store(path, "ZARR_V2")
    make_store(path, "ZARR_V2", name="broken", options=["APPEND_SUBDATASET=YES"])
    damage(path + "/broken/.zarray")


def holder(path):
    for name, form in (("a.zarr", "ZARR_V2"), ("b.zarr", "ZARR_V3"), ("deep/c.zarr", "ZARR_V3")):
        os.makedirs(os.path.dirname(path + "/" + name), exist_ok=True)
        make_store(path + "/" + name, form)


def implied_group(path):
    """`path` is a folder without documents in a store."""
    above = os.path.dirname(path)
    make_store(above + "/above.zarr", "ZARR_V2")
    shutil.move(above + "/above.zarr/data", above + "/data")
    os.mkdir(path)
    shutil.move(above + "/data", path + "/data")
    shutil.copy(above + "/above.zarr/.zgroup", above + "/.zgroup")
    shutil.rmtree(above + "/above.zarr")


def link_to_store(path):
    make_store(path + ".target", "ZARR_V3")
    os.symlink(path + ".target", path)


def link_to_holder(path):
    holder(path + ".target")
    os.symlink(path + ".target", path)


def dangling_link(path):
    os.symlink(path + ".nowhere", path)


STORES = [store_v1, store_v2, store_v3, store_of_arrays]
STATES = [
    absent, empty, foreign_files, foreign_document, foreign_text, *STORES, store_with_files, store_of_an_implied_group,
    damaged_v2, damaged_v3, damaged_consolidated, damaged_array, damaged_node, holder, implied_group, link_to_store,
    link_to_holder, dangling_link,
]  # fmt: skip
