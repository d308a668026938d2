# SPDX-License-Identifier: MIT
"""A copy says what its source says. Files after the conventions are copied by GDAL's multidimensional functions, and read by
others: what differs is listed in expected.py, or is a fault."""

import os

import numpy as np
import pytest
import sources
from compare import compare, read_hdf5, read_netcdf, read_store
from errors import collect_errors
from expected import find_reason
from netcdf_file import netCDF4
from osgeo import gdal
from place_sources import mapped
from plugin_in_use import run_program
from sources import SOURCES, h5py

try:
    import xarray
    import zarr
except ImportError:
    xarray = None

TOOLS = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools")
pytestmark = pytest.mark.skipif(netCDF4 is None, reason="python3-netcdf4 makes the files; it is not installed")
VERSIONS = ["ZARR_V2", "ZARR_V3"]
SHARDS = ["FORMAT=ZARR_V3", "ARRAY:IF(DIM=2):BLOCKSIZE=2,2", "ARRAY:IF(DIM=2):SHARD_SHAPE=4,4"]


@pytest.fixture(params=SOURCES, ids=lambda source: source.__name__)
def source(request, tmp_path):
    """The path of a file."""
    if request.param.__name__ == "hdf5" and h5py is None:
        pytest.skip("python3-h5py makes the file; it is not installed")
    return request.param(tmp_path)


def read(path):
    if path.endswith(".nc"):
        return read_netcdf(path)
    return read_hdf5(path) if path.endswith(".h5") else read_store(path)


def copy(source, target, form="Zarr", options=(), **more):
    """Copies, without an error of this driver."""
    with collect_errors() as errors:
        made = gdal.MultiDimTranslate(target, source, format=form, creationOptions=list(options), **more)
    assert made, errors
    assert form != "Zarr" or [text for level, text in errors if level >= gdal.CE_Failure] == []
    del made


def check(source, target, through=None):
    """Compares a copy with its source. `through`: the kind of file that it was copied from, if not from its source."""
    kinds = ["Zarr" if path.endswith(".zarr") else "netCDF" if path == target else "file" for path in (source, target)]
    kinds[0] = through or kinds[0]
    faults = [d for d in compare(read(source), read(target)) if find_reason(d, *kinds) is None]
    assert faults == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_is_copied(source, tmp_path, version):
    target = str(tmp_path / "copy.zarr")
    copy(source, target, options=["FORMAT=" + version])
    check(source, target)


def test_a_file_is_copied_with_shards(source, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(source, target, options=SHARDS)
    check(source, target)


def test_a_file_is_copied_by_a_virtual_dataset(source, tmp_path):
    virtual, target = str(tmp_path / "copy.vrt"), str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(virtual, source, format="VRT")
    copy(virtual, target, options=["FORMAT=ZARR_V3"])
    check(source, target, "VRT")


@pytest.mark.parametrize("target_version", VERSIONS)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_is_copied(source, tmp_path, version, target_version):
    store, target = str(tmp_path / "a.zarr"), str(tmp_path / "copy.zarr")
    copy(source, store, options=["FORMAT=" + version])
    copy(store, target, options=["FORMAT=" + target_version])
    check(store, target)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_goes_back_to_netcdf(source, tmp_path, version):
    store, target = str(tmp_path / "a.zarr"), str(tmp_path / "back.nc")
    copy(source, store, options=["FORMAT=" + version])
    copy(store, target, "netCDF")
    check(source, target)


def test_zarrkit_copies_a_store(source, tmp_path):
    program = os.path.join(TOOLS, "zarrkit")
    if not os.path.exists(program):
        pytest.skip("zarrkit is not built here")
    store, target = str(tmp_path / "a.zarr"), str(tmp_path / "copy.zarr")
    copy(source, store, options=["FORMAT=ZARR_V2"])
    done = run_program([program, "copy", store, target], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    check(store, target)


def test_times_are_those_of_the_file(source, tmp_path):
    """As xarray decodes them."""
    if xarray is None or source.endswith(".h5"):
        pytest.skip("xarray or zarr-python is not installed" if xarray is None else "the file has no times")
    target = str(tmp_path / "copy.zarr")
    copy(source, target, options=["FORMAT=ZARR_V2"])
    with xarray.open_dataset(source) as a, xarray.open_zarr(target, consolidated=False) as b:
        for name, variable in a.variables.items():
            if name in b.variables and (variable.dtype.kind == "M" or variable.dtype == object):
                np.testing.assert_array_equal(b[name].values, variable.values)
                assert b[name].encoding.get("calendar") == variable.encoding.get("calendar")


def test_words_of_another_crs_stay(tmp_path):
    """rioxarray writes the words of a projection for degrees, too."""
    source, virtual, target = sources.projection_words(tmp_path), str(tmp_path / "a.vrt"), str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(virtual, source, format="VRT")
    copy(virtual, target)
    before, after = read(source)[0], read(target)[0]
    for name in ("x", "y"):
        assert after[name].attributes == before[name].attributes


@pytest.mark.parametrize("version", VERSIONS)
def test_another_missing_value_is_not_the_nodata_value(tmp_path, version):
    source, target, again = sources.two_nodata_values(tmp_path), str(tmp_path / "a.zarr"), str(tmp_path / "b.zarr")
    gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=["FORMAT=" + version])
    gdal.MultiDimTranslate(again, target, format="Zarr", creationOptions=["FORMAT=ZARR_V2"])
    for store in (target, again):
        assert gdal.Open(f'ZARR:"{store}":/v').GetRasterBand(1).GetNoDataValue() == -9999
    assert read(target)[0]["v"].attributes.get("missing_value") == (None if version == "ZARR_V2" else -1)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_crs_that_cannot_be_read_is_copied_as_it_is(tmp_path, version):
    source, target = mapped(tmp_path, {"crs_wkt": "garbage", "note": "n"}), str(tmp_path / "copy.zarr")
    with collect_errors() as errors:
        gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=["FORMAT=" + version])
    assert [text for _, text in errors if "CRS of the source cannot be read" in text]
    check(source, target)


@pytest.mark.parametrize("version", VERSIONS)
def test_types_of_records_have_names_of_their_own(tmp_path, version):
    """netCDF gives an array the type that already has the name."""
    source, store, back = sources.records(tmp_path), str(tmp_path / "a.zarr"), str(tmp_path / "back.nc")
    copy(source, store, options=["FORMAT=" + version])
    copy(store, back, "netCDF")
    expected, found = read(source)[0], read(back)[0]
    assert {name: variable.values.tolist() for name, variable in found.items()} == {
        name: variable.values.tolist() for name, variable in expected.items()
    }
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    names = {name: root.OpenMDArray(name).GetDataType().GetName() for name in expected}
    assert names["one"] == names["again"] and len(set(names.values())) == len(names) - 1
