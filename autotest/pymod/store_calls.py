# SPDX-License-Identifier: MIT
"""The calls that remove, move, copy or replace a whole store: each returns a list of what failed."""

import os
import shutil

import numpy as np
import pytest
from errors import collect_errors
from foreign_files import make_source
from osgeo import gdal
from plugin_in_use import run_program

DRIVER = gdal.GetDriverByName("Zarr")
NEW = np.full((3, 4), 7, dtype="u1")


def failures_of(function):
    with collect_errors() as errors:
        try:
            function()
        except RuntimeError as error:
            return [str(error)]
    return [text for level, text in errors if level >= gdal.CE_Failure]


def run(*command):
    environment = dict(os.environ, GDAL_PAM_ENABLED="NO")
    done = run_program(command, capture_output=True, text=True, env=environment, timeout=120)
    text = done.stdout + done.stderr
    return [text] if done.returncode != 0 or "ERROR" in text else []


def delete(path):
    return failures_of(lambda: DRIVER.Delete(path))


def delete_by_prefix(path):
    return failures_of(lambda: DRIVER.Delete(f'ZARR:"{path}"'))


def identify_and_delete(path):
    driver = gdal.IdentifyDriver(path)
    return failures_of(lambda: driver.Delete(path)) if driver else ["no driver"]


def manage_delete(path):
    return run("gdalmanage", "delete", "-f", "Zarr", path)


def program_delete(path):
    return run("gdal", "dataset", "delete", "--format=Zarr", path)


def rename(path):
    return failures_of(lambda: DRIVER.Rename(path + ".new", path))


def manage_rename(path):
    return run("gdalmanage", "rename", "-f", "Zarr", path, path + ".new")


def copy(path):
    return failures_of(lambda: DRIVER.CopyFiles(path + ".new", path))


def make_new_source():
    dataset = gdal.GetDriverByName("MEM").Create("", 4, 3, 1, gdal.GDT_Byte)
    dataset.WriteArray(NEW)
    return dataset


def create(name, options=()):
    def make():
        dataset = DRIVER.Create(name, 4, 3, 1, gdal.GDT_Byte, options=["FORMAT=ZARR_V3", *options])
        dataset.WriteArray(NEW)
        dataset.FlushCache()

    return failures_of(make)


def create_copy(name, options=(), source=None):
    return failures_of(lambda: DRIVER.CreateCopy(name, source or make_new_source(), options=["FORMAT=ZARR_V3", *options]))


def create_plain(path):
    return create(path)


def create_by_prefix(path):
    return create(f'ZARR:"{path}"')


def create_copy_plain(path):
    return create_copy(path)


def create_copy_by_prefix(path):
    return create_copy(f'ZARR:"{path}"')


def create_multidimensional(path):
    def make():
        dataset = DRIVER.CreateMultiDimensional(path, [], ["FORMAT=ZARR_V3"])
        dataset.GetRootGroup().CreateAttribute("new", [], gdal.ExtendedDataType.CreateString()).Write("yes")

    return failures_of(make)


def translate(path):
    return failures_of(lambda: gdal.Translate(path, make_new_source(), format="Zarr"))


def convert(path):
    gdal.GetDriverByName("GTiff").CreateCopy(path + ".tif", make_new_source())
    failures = run("gdal", "raster", "convert", "--overwrite", "--format=Zarr", path + ".tif", path)
    os.remove(path + ".tif")
    return failures


def fail_by_option(path):
    return create(f'ZARR:"{path}"', ["COMPRESS=NONSENSE"])


def fail_by_option_plain(path):
    return create(path, ["BLOCKSIZE=1,2,3,4,5"])


def fail_by_option_in_copy(path):
    return create_copy(f'ZARR:"{path}"', ["CHUNK_EDGES=Y:[0]"])


def fail_by_source(path):
    """The values of the source cannot be read."""
    file = path + ".broken.tif"
    gdal.GetDriverByName("GTiff").CreateCopy(file, make_source(), options=["COMPRESS=DEFLATE"])
    with open(file, "r+b") as f:
        f.truncate(os.path.getsize(file) // 2)
    try:
        return create_copy(f'ZARR:"{path}"', source=gdal.Open(file))
    except RuntimeError as error:
        return [str(error)]
    finally:
        os.remove(file)


def fail_by_user(path):
    """The user stops the copy."""
    return failures_of(lambda: DRIVER.CreateCopy(f'ZARR:"{path}"', make_source(), callback=lambda *_: 0))


REMOVALS = [delete, delete_by_prefix, identify_and_delete, manage_delete, program_delete]
MOVES = [rename, manage_rename]
REPLACEMENTS = [create_plain, create_by_prefix, create_copy_plain, create_copy_by_prefix, translate, convert]
FAILING = [fail_by_option, fail_by_option_plain, fail_by_option_in_copy, fail_by_source, fail_by_user]
CALLS = [*REMOVALS, *MOVES, copy, *REPLACEMENTS, create_multidimensional, *FAILING]


def skip_without_program(call):
    if call in (program_delete, convert) and not shutil.which("gdal"):
        pytest.skip("the program `gdal` is there since GDAL 3.11")


def is_replaced(path):
    return np.array_equal(gdal.Open(path).ReadAsArray(), NEW)
