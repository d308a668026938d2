# SPDX-License-Identifier: MIT
"""Stores that somebody in this process reads, under whichever name, stay."""

import os

import numpy as np
import pytest
from foreign_files import DATA, read_tree
from osgeo import gdal
from plugin_in_use import run_program
from store_calls import FAILING, REMOVALS, REPLACEMENTS, copy, create_multidimensional, delete, failures_of, rename
from store_states import DRIVER, store_of_arrays, store_v3
from versions import GDAL_VERSION


def open_root(path):
    return gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()


def open_through_link(path):
    os.symlink(path, path + ".link")
    return gdal.Open(path + ".link")


def open_through_vrt(path):
    gdal.Translate(path + ".vrt", gdal.Open(f'ZARR:"{path}":/data'), format="VRT")
    return gdal.Open(path + ".vrt")


def open_through_vrts(path):
    gdal.Translate(path + ".inner.vrt", gdal.Open(f'ZARR:"{path}":/data'), format="VRT")
    gdal.Translate(path + ".vrt", path + ".inner.vrt", format="VRT")
    return gdal.Open(path + ".vrt")


OPENINGS = {
    "raster": lambda path: gdal.Open(path),
    "array": lambda path: gdal.Open(f'ZARR:"{path}":/data'),
    "node": lambda path: gdal.Open(path + "/data"),
    "relative": lambda path: gdal.Open(os.path.relpath(path)),
    "update": lambda path: gdal.Open(path, gdal.GA_Update),
    "group": open_root,
    "multidimensional": lambda path: open_root(path).OpenMDArray("data"),
    "link": open_through_link,
    "vrt": open_through_vrt,
    "vrts": open_through_vrts,
}


def values_of(handle):
    return handle.OpenMDArray("data").ReadAsArray() if isinstance(handle, gdal.Group) else handle.ReadAsArray()


@pytest.mark.parametrize("call", [*REMOVALS[:3], rename, *REPLACEMENTS[:5], create_multidimensional, *FAILING],
                         ids=lambda f: f.__name__)  # fmt: skip
@pytest.mark.parametrize("opening", OPENINGS)
def test_a_store_that_is_open_stays(tmp_path, opening, call):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    handle = OPENINGS[opening](path)
    before = read_tree(path)
    failures = call(path)
    assert failures
    assert read_tree(path) == before
    np.testing.assert_array_equal(values_of(handle), DATA)
    del handle
    assert delete(path) == []


def test_a_copy_of_files_reads_an_open_store(tmp_path):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    dataset = gdal.Open(path)
    assert copy(path) == []
    assert read_tree(path) == read_tree(path + ".new")
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)


SOURCES = {
    "array": lambda path: f'ZARR:"{path}":/data',
    "node": lambda path: path + "/data",
    "plain": lambda path: path,
    "relative": lambda path: os.path.relpath(path),
    "slash": lambda path: path + "/",
}


@pytest.mark.parametrize("target", ["{}", 'ZARR:"{}"', "{}/", "{}/../place.zarr"])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("way", ["translate", "create_copy", "multidimensional", "warp"])
def test_a_copy_onto_its_own_source_leaves_the_source(tmp_path, way, source, target):
    path = str(tmp_path / "place.zarr")
    store_of_arrays(path)
    if way == "multidimensional" and source in ("array", "node"):
        pytest.skip("these name an array")
    name = SOURCES["array" if source == "plain" and way != "multidimensional" else source](path)
    if source in ("relative", "slash") and way != "multidimensional":
        name = name.rstrip("/") + "/data"
    before = read_tree(str(tmp_path))
    target = target.format(path)
    ways = {
        "translate": lambda: gdal.Translate(target, name, format="Zarr"),
        "create_copy": lambda: DRIVER.CreateCopy(target, gdal.Open(name)),
        "multidimensional": lambda: gdal.MultiDimTranslate(target, name, format="Zarr"),
        "warp": lambda: gdal.Warp(target, name, format="Zarr", options="-overwrite"),
    }
    assert failures_of(ways[way])
    assert read_tree(str(tmp_path)) == before


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("by_prefix", [True, False])
def test_a_copy_onto_what_its_virtual_source_reads_leaves_it(tmp_path, named, by_prefix):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    vrt = str(tmp_path / "a.vrt")
    assert gdal.BuildVRT(vrt, [f'ZARR:"{path}":/data'])
    source = gdal.Open(vrt) if named else gdal.BuildVRT("", [vrt])
    before = read_tree(path)
    assert failures_of(lambda: DRIVER.CreateCopy(f'ZARR:"{path}"' if by_prefix else path, source))
    assert read_tree(path) == before
    if named or not by_prefix or GDAL_VERSION >= 310:  # before that, the source looks for its own sources too early
        np.testing.assert_array_equal(source.ReadAsArray(), DATA)


@pytest.mark.parametrize("program", ["gdalwarp -overwrite", "gdal_translate"])
@pytest.mark.parametrize("target", ["place.zarr", "place.zarr/data", "place.zarr/"])
def test_no_program_removes_a_part_of_what_its_virtual_source_reads(tmp_path, program, target):
    store_v3(str(tmp_path / "place.zarr"))
    target = str(tmp_path) + "/" + target
    dataset = gdal.Open(target)
    dataset.GetRasterBand(1).ComputeStatistics(False)
    del dataset
    gdal.Translate(str(tmp_path / "a.vrt"), target, format="VRT")
    before = read_tree(str(tmp_path))
    command = [*program.split(), "-q", "-of", "Zarr", str(tmp_path / "a.vrt"), target]
    assert run_program(command, capture_output=True).returncode != 0
    assert read_tree(str(tmp_path)) == before
