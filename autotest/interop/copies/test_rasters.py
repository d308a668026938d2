# SPDX-License-Identifier: MIT
"""A copy of a raster says what its source says, as GDAL tells it."""

import re

import pytest
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import run_program
from rasters import RASTERS, tell

VERSIONS = ["ZARR_V2", "ZARR_V3"]
# What GDAL tells otherwise of another format, and why.
EXPECTED = [
    (r".*domains//AREA_OR_POINT", "TIFF tells areas, too"),
    (r".*domains//TIFFTAG_.*", "TIFF's own"),
    (r"band .*/interpretation", "a store tells colours of bands only where they are no shades of gray"),
    (r"domains//flag_(values|meanings)", "categories are stored as CF's flags, and attributes are items, too"),
    (r"band 1/mask", "a mask is no part of a store; a warning says so"),
]
OF_TIFF = [(r"(band .*/)?domains/(MINE|IMAGERY).*", "gdal_translate copies few domains, and none of bands")]


@pytest.fixture(params=RASTERS, ids=lambda raster: raster.__name__)
def source(request, tmp_path):
    request.param(tmp_path)
    return str(tmp_path / "a.tif")


def compare(source, target, expected=()):
    a, b = tell(gdal.Open(source)), tell(gdal.Open(target))
    differing = [name for name in sorted(set(a) | set(b)) if a.get(name) != b.get(name)]
    faults = [(name, a.get(name), b.get(name)) for name in differing if not any(re.fullmatch(p, name) for p, _ in [*EXPECTED, *expected])]
    assert faults == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_raster_is_copied_and_comes_back(source, tmp_path, version):
    store, back = str(tmp_path / "copy.zarr"), str(tmp_path / "back.tif")
    with collect_errors() as errors:
        gdal.Translate(store, source, format="Zarr", creationOptions=["FORMAT=" + version])
    assert [text for level, text in errors if level >= gdal.CE_Failure] == []
    compare(source, store)
    gdal.Translate(back, store)
    compare(source, back, OF_TIFF)


def test_a_store_is_copied(source, tmp_path):
    store, copy = str(tmp_path / "a.zarr"), str(tmp_path / "copy.zarr")
    gdal.Translate(store, source, format="Zarr", creationOptions=["FORMAT=ZARR_V3"])
    gdal.Translate(copy, store, format="Zarr", creationOptions=["FORMAT=ZARR_V2"])
    compare(store, copy)


def test_files_are_copied(source, tmp_path):
    store, copy = str(tmp_path / "a.zarr"), str(tmp_path / "copy.zarr")
    gdal.Translate(store, source, format="Zarr")
    assert gdal.GetDriverByName("Zarr").CopyFiles(copy, store) == gdal.CE_None
    compare(store, copy)


def test_the_program_ends_with_0(source, tmp_path):
    store = str(tmp_path / "copy.zarr")
    done = run_program(["gdal_translate", "-q", "-of", "Zarr", source, store], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "ERROR" not in done.stderr
    compare(source, store)
