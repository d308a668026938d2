# SPDX-License-Identifier: MIT
"""OME-NGFF images: the levels of their pyramids are overviews."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group

IMAGE = np.arange(2 * 32 * 48, dtype="<u2").reshape(2, 32, 48)
AXES = [{"name": "c", "type": "channel"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]
LEVELS = {"0": IMAGE, "1": IMAGE[:, ::2, ::2] + 5, "2": IMAGE[:, ::4, ::4] + 9}


def image(*paths):
    datasets = [
        {"path": path, "coordinateTransformations": [{"type": "scale", "scale": [1, 2.0**i, 2.0**i]}]}
        for i, path in enumerate(paths)
    ]
    return {"axes": AXES, "datasets": datasets, "name": "image"}


def write_04(store, *images):
    write_v2_group(store, {"multiscales": [{"version": "0.4", **i} for i in images]})
    for path, data in LEVELS.items():
        write_v2(f"{store}/{path}", data, (1, 16, 16))


def write_05(store, *images):
    write_v3_group(store, {"ome": {"version": "0.5", "multiscales": list(images)}})
    for path, data in LEVELS.items():
        write_v3(f"{store}/{path}", data, (1, 16, 16), names=["c", "y", "x"])


def read_files(store):
    names = [os.path.join(folder, name) for folder, _, files in os.walk(store) for name in files]
    return {name: open(name, "rb").read() for name in names}


@pytest.mark.parametrize("write", [write_04, write_05])
def test_levels_are_overviews(store, write):
    write(store, image("0", "1", "2"))
    dataset = gdal.Open(store)
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (48, 32, 2)
    assert dataset.GetGeoTransform(can_return_null=True) is None
    for i in (1, 2):
        band = dataset.GetRasterBand(i)
        assert [band.GetOverview(j).XSize for j in range(band.GetOverviewCount())] == [24, 12]
        assert np.array_equal(band.GetOverview(1).ReadAsArray(), LEVELS["2"][i - 1])
    assert np.array_equal(dataset.ReadAsArray(buf_xsize=12, buf_ysize=8), LEVELS["2"])


def test_a_group_may_hold_several_images(store):
    write_05(store, image("0", "2"), image("1"))
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert dataset.GetRasterBand(1).GetOverviewCount() == 1
    assert dataset.GetRasterBand(1).GetOverview(0).XSize == 12
    other = gdal.Open(f'ZARR:"{store}":/1')
    assert other.GetRasterBand(1).GetOverviewCount() == 0


@pytest.mark.parametrize("paths", [("0", "../1"), ("0", "/1"), ("0", "a//b")])
def test_paths_stay_in_the_store(store, paths):
    write_05(store, image(*paths))
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    with collect_errors() as errors:
        assert dataset.GetRasterBand(1).GetOverviewCount() == 0
    assert len(errors) == 1 and "Overviews are ignored" in str(errors[0])


@pytest.mark.parametrize("ome", [5, {}, {"multiscales": 5}, {"multiscales": []}])
def test_what_is_no_image_has_no_overviews(store, ome):
    write_05(store)
    write_v3_group(store, {"ome": ome})
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert dataset.GetRasterBand(1).GetOverviewCount() == 0


@pytest.mark.parametrize("name", ["0", "1", "2"])
@pytest.mark.parametrize("levels", [[2], []])
def test_an_image_of_04_stays_as_it_is(store, name, levels):
    """GeoZarr's layout has the name of its attribute, and would replace it."""
    write_04(store, image("0", "1", "2"))
    before = read_files(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="multiscales describes a pyramid of another convention"):
        dataset.BuildOverviews("NONE" if not levels else "AVERAGE", levels)
    dataset = None
    assert read_files(store) == before


def test_an_image_of_05_has_another_attribute(store):
    write_05(store, image("0"))
    with open(f"{store}/zarr.json") as file:
        before = json.load(file)
    name = f'ZARR:"{store}":/2'
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    with open(f"{store}/zarr.json") as file:
        assert json.load(file)["attributes"]["ome"] == before["attributes"]["ome"]
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 1
    dataset.BuildOverviews("NONE", [])
    dataset = None
    with open(f"{store}/zarr.json") as file:
        assert json.load(file) == before


@pytest.mark.parametrize("name", ["0", "1"])
def test_levels_of_an_image_of_05_are_not_hidden(store, name):
    write_05(store, image("0", "1", "2"))
    before = read_files(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="another program has declared"):
        dataset.BuildOverviews("AVERAGE", [8])
    with pytest.raises(RuntimeError, match="the overviews that are left .* another program has declared"):
        dataset.BuildOverviews("NONE", [])
    dataset = None
    assert read_files(store) == before


def test_overviews_of_another_array_leave_those_of_an_image(store):
    write_05(store, image("0", "1"))
    dataset = gdal.OpenEx(f'ZARR:"{store}":/2', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    for name, count in (("0", 1), ("1", 0), ("2", 1)):
        assert gdal.Open(f'ZARR:"{store}":/{name}').GetRasterBand(1).GetOverviewCount() == count


def names_of_copy(source, target, *options):
    gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=list(options))
    root = gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    names = {name: [d.GetName() for d in root.OpenMDArray(name).GetDimensions()] for name in LEVELS}
    assert all(np.array_equal(root.OpenMDArray(name).ReadAsArray(), data) for name, data in LEVELS.items())
    return names


def test_a_copy_of_05_keeps_the_names_of_its_axes(store, tmp_path):
    """GDAL gives equal names to dimensions of one length only."""
    write_05(store, image("0", "1", "2"))
    target = str(tmp_path / "copy.zarr")
    assert names_of_copy(store, target, "FORMAT=ZARR_V3") == {name: ["c", "y", "x"] for name in LEVELS}
    dataset = gdal.Open(target)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 2


def test_other_arrays_get_names_of_their_own(store, tmp_path):
    """Other programs, such as xarray, expect one length for each name."""
    write_05(store)
    write_v3_group(store)
    names = names_of_copy(store, str(tmp_path / "copy.zarr"), "FORMAT=ZARR_V3")
    assert len({tuple(name) for name in names.values()}) == 3
