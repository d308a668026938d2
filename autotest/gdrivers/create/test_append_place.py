# SPDX-License-Identifier: MIT
"""Each array of a store keeps its own place, also when it is added later; an array without georeferencing has none."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal, osr

from errors import collect_errors
from stores import write_v3, write_v3_group

driver = gdal.GetDriverByName("Zarr")
HERE = (100, 10, 0, 200, 0, -10)
THERE = (500, 10, 0, 200, 0, -10)
ROTATED = (0, 1, 0.5, 0, 0.3, -1)
FORMATS = ["ZARR_V2", "ZARR_V3"]
SIZES = {"lat": 101, "lon": 90}


pytestmark = pytest.mark.usefixtures("side_files")


def source_of(transform, bands=1, size=(7, 5)):
    source = gdal.GetDriverByName("MEM").Create("", *size, bands)
    source.WriteArray(np.arange(bands * size[0] * size[1], dtype="u1").reshape((bands, size[1], size[0])).squeeze())
    if transform:
        source.SetGeoTransform(transform)
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(32631)
        source.SetSpatialRef(srs)
    return source


def add(store, name, source, options=()):
    append = ["APPEND_SUBDATASET=YES"] if os.path.exists(store) else []
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=0, options=[f"ARRAY_NAME={name}", *append, *options])
    assert errors == []


def open_array(store, name):
    return gdal.Open(f'ZARR:"{store}":/{name}')


def place_of(store, name):
    return open_array(store, name).GetGeoTransform(can_return_null=True)


def dimensions_of(store, name):
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    return [dimension.GetName() for dimension in root.OpenMDArray(name).GetDimensions()]


@pytest.mark.parametrize("zarr_format", FORMATS)
@pytest.mark.parametrize("second", [HERE, THERE, ROTATED, None])
@pytest.mark.parametrize("first", [HERE, ROTATED, None])
def test_two_arrays_of_one_size_keep_their_places(store, first, second, zarr_format):
    add(store, "one", source_of(first), [f"FORMAT={zarr_format}"])
    add(store, "two", source_of(second))
    assert (place_of(store, "one"), place_of(store, "two")) == (first, second)
    shared = first == second == HERE or (first != HERE and second is None)
    assert (dimensions_of(store, "one") == dimensions_of(store, "two")) == shared


def test_an_array_at_the_same_place_shares_coordinates(store):
    """It shares the first array's coordinates, whatever was added in between."""
    for name, transform in (("a", HERE), ("b", None), ("c", THERE), ("d", HERE), ("e", None)):
        add(store, name, source_of(transform))
    assert [place_of(store, name) for name in "abcde"] == [HERE, None, THERE, HERE, None]
    assert dimensions_of(store, "d") == dimensions_of(store, "a") == ["Y", "X"]
    assert sorted(n for n in os.listdir(store) if n[-1] in "XY") == ["X", "Y", "c_X", "c_Y"]


def placed_in(code, transform=HERE):
    source = source_of(transform)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    source.SetSpatialRef(srs)
    return source


@pytest.mark.parametrize("first, second", [(32631, 4326), (4326, 32631), (32631, 2263), (4326, 4258), (32631, 3857)])
def test_coordinates_of_another_crs_are_not_shared(store, first, second):
    """The numbers are the same, but metres are not degrees."""
    add(store, "one", placed_in(first))
    add(store, "two", placed_in(second))
    assert place_of(store, "one") == place_of(store, "two") == HERE
    codes = [open_array(store, name).GetSpatialRef().GetAuthorityCode(None) for name in ("one", "two")]
    assert codes == [str(first), str(second)]
    assert (dimensions_of(store, "two") == ["Y", "X"]) == (second in (4258, 3857))


def test_a_crs_that_is_set_last_separates_axes(store):
    add(store, "one", placed_in(32631))
    dataset = driver.Create(store, 7, 5, 1, options=["ARRAY_NAME=two", "APPEND_SUBDATASET=YES"])
    dataset.SetGeoTransform(HERE)
    dataset.SetSpatialRef(placed_in(4326).GetSpatialRef())
    dataset = None
    assert dimensions_of(store, "two") == ["two_Y", "two_X"] and place_of(store, "two") == HERE


@pytest.mark.parametrize("in_float32", [False, True])
@pytest.mark.parametrize("first, step", [(-28, 0.01), (-0.3, 0.1), (39.99, 1 / 3), (500000, 30)])
def test_coordinates_are_shared_in_their_precision(store, tmp_path, first, step, in_float32):
    write_v3_group(store)
    for name, size in SIZES.items():
        count = np.arange(size, dtype="f4" if in_float32 else "f8")
        write_v3(f"{store}/{name}", (count.dtype.type(first) + count.dtype.type(step) * count).astype("f4"), names=[name])
    write_v3(f"{store}/one", np.zeros(list(SIZES.values()), "u1"), names=list(SIZES))
    add(store, "two", open_array(store, "one"))
    assert dimensions_of(store, "two") == ["lat", "lon"]
    moved = gdal.Translate(str(tmp_path / "moved.tif"), open_array(store, "one"), outputBounds=[0, 0, 90, 101])
    add(store, "three", moved)
    assert dimensions_of(store, "three") != ["lat", "lon"]


@pytest.mark.parametrize("options", [[], ["INTERLEAVE=PIXEL"], ["SINGLE_ARRAY=NO"]])
@pytest.mark.parametrize("transform", [HERE, THERE, ROTATED, None])
@pytest.mark.parametrize("size", [(7, 5), (3, 9)])
def test_many_bands_keep_their_place(store, transform, options, size):
    source = source_of(transform, 4, size)
    add(store, "one", source_of(HERE))
    add(store, "two", source, options)
    for name in ["two"] if "SINGLE_ARRAY=NO" not in options else [f"two_band{i}" for i in (1, 2, 3, 4)]:
        dataset = open_array(store, name)
        assert (dataset.RasterXSize, dataset.RasterYSize) == size
        assert place_of(store, name) == transform
        bands = range(1, 5) if dataset.RasterCount == 4 else [int(name[-1])]
        expected = np.stack([source.GetRasterBand(band).ReadAsArray() for band in bands]).squeeze()
        np.testing.assert_array_equal(dataset.ReadAsArray(), expected)
    assert place_of(store, "one") == HERE


def test_ground_control_points_stay_with_their_array(store):
    source = source_of(None)
    points = [gdal.GCP(2, 49, 0, 0, 0), gdal.GCP(3, 49, 0, 7, 0), gdal.GCP(3, 48, 0, 7, 5)]
    source.SetGCPs(points, osr.SRS_WKT_WGS84_LAT_LONG)
    add(store, "one", source_of(HERE))
    add(store, "two", source)
    assert place_of(store, "two") is None and open_array(store, "two").GetGCPCount() == 3


def test_an_added_array_has_its_place_at_once(store):
    add(store, "one", source_of(HERE))
    dataset = driver.Create(store, 7, 5, 1, options=["ARRAY_NAME=two", "APPEND_SUBDATASET=YES"])
    assert dataset.GetGeoTransform(can_return_null=True) is None
    for transform in (HERE, THERE, ROTATED, HERE):
        dataset.SetGeoTransform(transform)
        assert dataset.GetGeoTransform() == transform
    dataset = None
    assert (place_of(store, "one"), place_of(store, "two")) == (HERE, HERE)


def test_conventions_without_coordinates_keep_the_place(store):
    """GeoZarr's conventions name the dimensions."""
    add(store, "one", source_of(HERE), ["FORMAT=ZARR_V3"])
    add(store, "two", source_of(THERE), ["GEOREFERENCING_CONVENTION=SPATIAL_PROJ"])
    assert (place_of(store, "one"), place_of(store, "two")) == (HERE, THERE)
    with open(os.path.join(store, "two", "zarr.json")) as f:
        document = json.load(f)
    assert document["attributes"]["spatial:dimensions"] == document["dimension_names"] == ["two_Y", "two_X"]


# --- the driver's own attributes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("zarr_format", FORMATS)
@pytest.mark.parametrize("transform", [HERE, ROTATED])
def test_a_grid_mapping_that_is_used_is_no_metadata(store, transform, zarr_format):
    """That holds even if it gives only a geotransform."""
    dataset = driver.Create(store, 5, 5, options=[f"FORMAT={zarr_format}"])
    dataset.SetGeoTransform(transform)
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetMetadata() == {} and dataset.GetGeoTransform() == transform


def test_a_grid_mapping_that_says_nothing_is_metadata(store):
    dataset = driver.Create(store, 5, 5)
    dataset.SetMetadataItem("TITLE", "one")
    dataset = None
    path = os.path.join(store, "test", ".zattrs")
    with open(path) as f:
        attributes = json.load(f)
    with open(path, "w") as f:
        json.dump({**attributes, "grid_mapping": "nowhere"}, f)
    dataset = gdal.OpenEx(store, open_options=["USE_CONSOLIDATED_METADATA=NO"])
    assert dataset.GetMetadata() == {"TITLE": "one", "grid_mapping": "nowhere"}


# --- the name of an added array ----------------------------------------------------------------------------------


def list_arrays(store):
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    return {name for name in root.GetMDArrayNames() if root.OpenMDArray(name).GetDimensionCount() > 1}


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_an_added_array_has_the_name_of_its_source(store, tmp_path, zarr_format):
    source = gdal.GetDriverByName("GTiff").CreateCopy(str(tmp_path / "red.band.tif"), source_of(HERE))
    driver.CreateCopy(store, source, options=[f"FORMAT={zarr_format}", "ARRAY_NAME=first"])
    for _ in range(3):
        driver.CreateCopy(store, source, options=["APPEND_SUBDATASET=YES"])
    assert list_arrays(store) == {"first", "red.band", "red.band_2", "red.band_3"}
    assert place_of(store, "red.band_3") == HERE


def test_added_bands_have_names_that_are_free(store, tmp_path):
    source = gdal.GetDriverByName("GTiff").CreateCopy(str(tmp_path / "red.tif"), source_of(HERE, bands=2))
    options = ["APPEND_SUBDATASET=YES", "SINGLE_ARRAY=NO"]
    driver.CreateCopy(store, source_of(HERE), options=["ARRAY_NAME=red_band2"])
    driver.CreateCopy(store, source, options=options)
    assert list_arrays(store) == {"red_band2", "red_2_band1", "red_2_band2"}


def test_an_array_is_named_after_its_array_or_the_store(store, tmp_path):
    add(store, "one", source_of(HERE))
    other = str(tmp_path / "other.zarr")
    driver.CreateCopy(other, open_array(store, "one"), options=["ARRAY_NAME=zero"])
    driver.CreateCopy(other, open_array(store, "one"), options=["APPEND_SUBDATASET=YES"])
    driver.CreateCopy(other, source_of(HERE), options=["APPEND_SUBDATASET=YES"])
    driver.Create(other, 3, 2, options=["APPEND_SUBDATASET=YES"])
    assert list_arrays(other) == {"zero", "one", "other", "other_2"}


@pytest.mark.parametrize("copies", [False, True])
def test_an_added_array_is_found_again_by_its_description(store, tmp_path, copies):
    add(store, "one", source_of(None))
    options = ["ARRAY_NAME=two", "APPEND_SUBDATASET=YES"]
    if copies:
        dataset = driver.CreateCopy(store, source_of(None), options=options)
    else:
        dataset = driver.Create(store, 7, 5, 1, options=options)
    dataset.GetRasterBand(1).Fill(5)
    dataset.FlushCache()
    assert dataset.GetDescription() == f'ZARR:"{store}":/two'
    vrt = str(tmp_path / "two.vrt")
    gdal.GetDriverByName("VRT").CreateCopy(vrt, dataset).FlushCache()
    dataset = None
    assert gdal.Open(vrt).ReadAsArray().tolist() == np.full((5, 7), 5).tolist()
