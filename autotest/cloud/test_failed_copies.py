# SPDX-License-Identifier: MIT
"""A copy of a store on the web is complete or fails. GDAL's copying passes over a place or a CRS that cannot be read."""

import itertools

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3, write_v3_group
from test_opening import name_of, write_cube


COPIES = {
    "CreateCopy": lambda name, target: gdal.GetDriverByName("GTiff").CreateCopy(target, gdal.Open(name)),
    "gdal_translate": lambda name, target: gdal.Translate(target, gdal.Open(name), format="GTiff"),
    "gdalwarp": lambda name, target: gdal.Warp(target, gdal.Open(name), format="GTiff", dstSRS="EPSG:3857"),
}


def describe_raster(dataset):
    """All that a copy keeps."""
    srs = dataset.GetSpatialRef()
    transform = dataset.GetGeoTransform(can_return_null=True)
    return (
        srs and srs.ExportToWkt(),
        transform and tuple(np.round(transform, 6)),
        dataset.GetMetadata(),
        dataset.ReadAsArray().tobytes(),
    )


def describe_arrays(dataset):
    group = dataset.GetRootGroup()
    arrays = {}
    for name in group.GetMDArrayNames():
        array = group.OpenMDArray(name)
        srs = array.GetSpatialRef()
        dimensions = [
            (d.GetName(), d.GetType(), (v := d.GetIndexingVariable()) and v.GetName()) for d in array.GetDimensions()
        ]
        arrays[name] = (srs and srs.ExportToWkt(), dimensions, array.ReadAsArray().tobytes())
    return arrays


def list_keys(folder):
    return ["/" + str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.is_file()]


def check_copies(copy, describe, server, folder, tmp_path):
    """Copies while one key or another fails once, twice, or always."""
    names = itertools.count()

    def make():
        target = str(tmp_path / f"copy{next(names)}")
        dataset = copy(target)
        assert dataset is not None
        return describe(dataset)

    expected = make()
    wrong = []
    for key, times in itertools.product(list_keys(folder), (1, 2, 5, None)):
        server.fail("500", key, times=times)
        try:
            if make() != expected:
                wrong.append((key, times))
        except RuntimeError:
            pass
        server.heal()
        assert make() == expected
    assert wrong == []


@pytest.mark.parametrize("consolidated", [False, True])
@pytest.mark.parametrize("copy", COPIES)
def test_copies_of_a_raster(tmp_path, server, copy, consolidated):
    write_cube(str(tmp_path / "a.zarr"), 3, consolidated, bounds=True)
    check_copies(
        lambda target: COPIES[copy](name_of(server), target), describe_raster, server, tmp_path / "a.zarr", tmp_path
    )


def test_copies_of_arrays(tmp_path, server):
    write_cube(str(tmp_path / "a.zarr"), 3, consolidated=True)

    def copy(target):
        source = gdal.OpenEx(name_of(server, array=None), gdal.OF_MULTIDIM_RASTER)
        return gdal.MultiDimTranslate(target + ".zarr", source, format="Zarr")

    check_copies(copy, describe_arrays, server, tmp_path / "a.zarr", tmp_path)


def write_times(store):
    """A cube of three bands, whose coordinates tell their times."""
    write_v3_group(store)
    write_v3(f"{store}/t", np.ones((3, 8, 8), "u1"), (1, 8, 8), names=["time", "y", "x"])
    units = {"units": "days since 2024-01-01"}
    write_v3(f"{store}/time", np.arange(3, dtype="<i4") + 7, names=["time"], attributes=units)


def describe_bands(dataset):
    bands = [dataset.GetRasterBand(number + 1) for number in range(dataset.RasterCount)]
    items = [{key: item for key, item in band.GetMetadata().items() if key.startswith("DIM_")} for band in bands]
    return items, [band.GetDescription() for band in bands], dataset.ReadAsArray().tobytes()


def make_without_exceptions(make):
    """They are raised for a copy that is made with an error, too."""
    gdal.DontUseExceptions()
    try:
        return make()
    finally:
        gdal.UseExceptions()


@pytest.mark.parametrize("times", [1, 2, None])
@pytest.mark.parametrize("driver", ["GTiff", "Zarr"])
@pytest.mark.parametrize("key", ["/time/c/0", "/time/zarr.json"])
@pytest.mark.parametrize("with_option", [False, True])
def test_a_copy_has_the_coordinates_of_its_bands_or_fails(tmp_path, server, driver, key, times, with_option):
    write_times(str(tmp_path / "a.zarr"))
    expected = describe_bands(gdal.Open(name_of(server)))
    assert [items["DIM_time_VALUE"] for items in expected[0]] == ["7", "8", "9"]
    names = itertools.count()

    def copy():
        source = gdal.Open(name_of(server))
        # With a window, GDAL copies a virtual dataset, which it makes from the source.
        window = {"srcWin": [0, 0, 8, 8], "outputType": gdal.GDT_Int16} if with_option else {}
        return source and gdal.Translate(str(tmp_path / f"copy{next(names)}"), source, format=driver, **window)

    whole = make_without_exceptions(copy)
    expected = describe_bands(whole)
    server.fail("500", key, times=times)
    made = make_without_exceptions(copy)
    server.heal()
    assert made is None if times is None and key == "/time/c/0" else made is None or describe_bands(made) == expected


@pytest.mark.parametrize("ask", ["GetMetadata", "GetDescription"])
def test_values_can_be_read_when_the_coordinates_of_bands_can_be_read_again(tmp_path, server, ask):
    write_times(str(tmp_path / "a.zarr"))
    dataset = gdal.Open(name_of(server))
    first, second = dataset.GetRasterBand(1), dataset.GetRasterBand(2)
    server.fail("500", "/time/c/0")
    for band in (first, second):
        with pytest.raises(RuntimeError, match="/time/c/0"):
            getattr(band, ask)()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="/time/c/0"):
            dataset.ReadAsArray()
    server.heal()
    with pytest.raises(RuntimeError, match="ask again"):
        dataset.ReadAsArray()
    assert dataset.ReadAsArray() is not None
    other = gdal.Open(name_of(server))
    server.fail("500", "/time/c/0", times=1)
    with pytest.raises(RuntimeError, match="/time/c/0"):
        getattr(other.GetRasterBand(1), ask)()
    assert getattr(other.GetRasterBand(1), ask)()  # the first answer may be in a copy
    with pytest.raises(RuntimeError, match="ask again"):
        other.ReadAsArray()
    assert other.ReadAsArray() is not None


def test_values_can_be_read_when_the_place_can_be_read_again(tmp_path, server):
    """The first read after the failure is an error, if nobody has asked again."""
    write_cube(str(tmp_path / "a.zarr"), 3, consolidated=True)
    dataset = gdal.Open(name_of(server))
    server.fail("500", "/lat/c/0")
    with pytest.raises(RuntimeError, match="/lat/c/0"):
        dataset.GetGeoTransform()
    with pytest.raises(RuntimeError, match="/lat/c/0"):
        dataset.ReadAsArray()
    server.heal()
    with pytest.raises(RuntimeError, match="ask again"):
        dataset.ReadAsArray()
    assert dataset.ReadAsArray() is not None
    server.fail("500", "/lat/c/0")
    other = gdal.Open(name_of(server))
    with pytest.raises(RuntimeError, match="/lat/c/0"):
        other.GetGeoTransform()
    server.heal()
    assert other.GetGeoTransform() and other.ReadAsArray() is not None
