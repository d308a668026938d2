# SPDX-License-Identifier: MIT
"""A handle changes a part of what another process has changed since the handle was opened: the other parts stay."""

import json
import os
import shutil

import pytest
from osgeo import gdal
from writer_team import ROUNDS

FORMATS = ["ZARR_V1", "ZARR_V2", "ZARR_V3"]
PLACE = (100, 10, 0, 200, 0, -10)
OTHER_PLACE = (5000, 20, 0, 7000, 0, -20)
ROTATED = (5000, 20, 3, 7000, 2, -20)
BOTH = "GEOREFERENCING_CONVENTION=GDAL,CF,SPATIAL_PROJ"


def make(path, options, bands=1, place=None, crs=None):
    if os.path.exists(path):
        shutil.rmtree(path)
    dataset = gdal.GetDriverByName("Zarr").Create(path, 64, 48, bands, gdal.GDT_Byte, options)
    if place:
        dataset.SetGeoTransform(place)
    if crs:
        dataset.SetProjection(crs)
    dataset.FlushCache()


def open_update(path):
    return gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)


def get_place(dataset):
    srs = dataset.GetSpatialRef()
    return dataset.GetGeoTransform(can_return_null=True), srs and srs.GetAuthorityCode(None)


def expect_place(dataset, transform, code):
    found = get_place(dataset)
    assert found[0] == (transform and pytest.approx(transform)), found
    assert found[1] == code


def change(path, dataset, transform, code):
    """Looks at the place that an open dataset shows, and at the one that is stored."""
    expect_place(dataset, transform, code)
    dataset.FlushCache()
    expect_place(gdal.Open(path), transform, code)


OPTIONS = [
    *([f"FORMAT={version}"] for version in FORMATS),
    ["FORMAT=ZARR_V2", BOTH],
    ["FORMAT=ZARR_V3", BOTH],
    ["FORMAT=ZARR_V3", "GEOREFERENCING_CONVENTION=SPATIAL_PROJ"],
    ["FORMAT=ZARR_V3", "GEOREFERENCING_CONVENTION=GDAL"],
    ["FORMAT=ZARR_V3", "GEOREFERENCING_CONVENTION=CF"],
]


@pytest.fixture(params=OPTIONS, ids=lambda options: "-".join(option.split("=")[1] for option in options))
def options(request):
    return request.param


@pytest.mark.parametrize("before", [None, PLACE], ids=["none", "some"])
@pytest.mark.parametrize("wanted", [OTHER_PLACE, ROTATED], ids=["north_up", "rotated"])
def test_a_crs_keeps_the_geotransform_of_another_process(tmp_path, other, options, before, wanted):
    path = str(tmp_path / "a.zarr")
    make(path, options, place=before)
    dataset = open_update(path)
    expect_place(dataset, before, None)
    other(path, f"dataset.SetGeoTransform({wanted})")
    dataset.SetProjection("EPSG:32631")
    change(path, dataset, wanted, "32631")


@pytest.mark.parametrize("wanted", [PLACE, ROTATED], ids=["north_up", "rotated"])
def test_a_registration_keeps_the_place_of_another_process(tmp_path, other, options, wanted):
    path = str(tmp_path / "a.zarr")
    make(path, options, place=OTHER_PLACE, crs="EPSG:32631")
    dataset = open_update(path)
    other(path, f"dataset.SetGeoTransform({wanted}); dataset.SetProjection('EPSG:32632')")
    dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    change(path, dataset, wanted, "32632")
    assert gdal.Open(path).GetMetadataItem("AREA_OR_POINT") == "Point"


def test_a_geotransform_keeps_the_crs_of_another_process(tmp_path, other, options):
    path = str(tmp_path / "a.zarr")
    make(path, options, place=PLACE, crs="EPSG:32631")
    dataset = open_update(path)
    other(path, "dataset.SetProjection('EPSG:32632')")
    dataset.SetGeoTransform(OTHER_PLACE)
    change(path, dataset, OTHER_PLACE, "32632")


def test_a_geotransform_is_set_though_it_was_the_one_before(tmp_path, other, options):
    path = str(tmp_path / "a.zarr")
    make(path, options, place=PLACE)
    dataset = open_update(path)
    expect_place(dataset, PLACE, None)
    other(path, f"dataset.SetGeoTransform({OTHER_PLACE})")
    dataset.SetGeoTransform(PLACE)
    change(path, dataset, PLACE, None)


def test_a_crs_does_not_bring_a_removed_geotransform_back(tmp_path, other, options):
    path = str(tmp_path / "a.zarr")
    make(path, options, place=PLACE)
    dataset = open_update(path)
    other(path, "dataset.SetGeoTransform((0, 1, 0, 0, 0, 1))")
    dataset.SetProjection("EPSG:32631")
    change(path, dataset, None, "32631")


def test_a_registration_of_another_process_holds_for_a_new_geotransform(tmp_path, other):
    path = str(tmp_path / "a.zarr")
    make(path, ["FORMAT=ZARR_V3", BOTH], place=PLACE)
    dataset = open_update(path)
    other(path, "dataset.SetMetadataItem('AREA_OR_POINT', 'Point')")
    dataset.SetGeoTransform(OTHER_PLACE)
    change(path, dataset, OTHER_PLACE, None)
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point"
    assert gdal.Open(path).GetMetadataItem("AREA_OR_POINT") == "Point"
    with open(os.path.join(path, "a", "zarr.json")) as f:
        assert json.load(f)["attributes"]["spatial:registration"] == "node"


@pytest.mark.parametrize("size", [(1, 1), (64, 1), (1, 48)])
@pytest.mark.parametrize("version", FORMATS)
def test_a_handle_keeps_the_place_that_it_has_set_itself(tmp_path, version, size):
    path = str(tmp_path / "a.zarr")
    gdal.GetDriverByName("Zarr").Create(path, *size, 1, gdal.GDT_Byte, [f"FORMAT={version}"]).FlushCache()
    dataset = open_update(path)
    transform = (1 / 3, 1 / 7, 0, 1e6 / 9, 0, -1 / 11)
    dataset.SetGeoTransform(transform)
    dataset.SetProjection("EPSG:32631")
    dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    assert get_place(dataset) == (transform, "32631")
    change(path, dataset, transform, "32631")


@pytest.mark.parametrize("version", FORMATS)
def test_who_makes_a_store_keeps_what_others_add(tmp_path, other, version):
    path = str(tmp_path / "a.zarr")
    dataset = gdal.GetDriverByName("Zarr").Create(path, 64, 48, 1, gdal.GDT_Byte, [f"FORMAT={version}"])
    dataset.FlushCache()
    other(path, f"dataset.SetGeoTransform({PLACE})")
    dataset.SetProjection("EPSG:32631")
    change(path, dataset, PLACE, "32631")


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_levels_move_with_what_others_have_set(tmp_path, other, version):
    path = str(tmp_path / "a.zarr")
    make(path, [f"FORMAT={version}"])
    dataset = open_update(path)
    other(path, f"dataset.BuildOverviews('NEAREST', [2]); dataset.SetGeoTransform({PLACE})")
    dataset.SetProjection("EPSG:32631")
    dataset.FlushCache()
    level = gdal.Open(f'ZARR:"{path}":/ovr_2x/a')
    expect_place(level, (100, 20, 0, 200, 0, -20), "32631")


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_new_levels_have_the_place_that_others_have_set(tmp_path, other, version):
    path = str(tmp_path / "a.zarr")
    make(path, [f"FORMAT={version}"], place=OTHER_PLACE)
    dataset = open_update(path)
    other(path, f"dataset.SetGeoTransform({PLACE}); dataset.SetProjection('EPSG:32631')")
    dataset.BuildOverviews("NEAREST", [2])
    change(path, dataset, PLACE, "32631")
    expect_place(gdal.Open(f'ZARR:"{path}":/ovr_2x/a'), (100, 20, 0, 200, 0, -20), "32631")


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_a_crs_of_an_array_keeps_the_conventions_that_others_have_declared(tmp_path, other, version):
    path = str(tmp_path / "a.zarr")
    make(path, [f"FORMAT={version}", BOTH], crs="EPSG:32631")
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    other(path, f"dataset.SetGeoTransform({PLACE})")
    srs = array.GetSpatialRef().Clone()
    srs.ImportFromEPSG(32632)
    array.SetSpatialRef(srs)
    array = dataset = None
    expect_place(gdal.Open(path), PLACE, "32632")
    name = os.path.join(path, "a", "zarr.json" if version == "ZARR_V3" else ".zattrs")
    with open(name) as f:
        document = json.load(f)
    declared = document.get("attributes", document)["zarr_conventions"]
    assert {"spatial", "proj"} <= {convention["name"] for convention in declared}


@pytest.mark.parametrize("version", FORMATS)
def test_processes_that_set_parts_of_one_place_set_all(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    code = f"""
if number == 0: dataset.SetGeoTransform({PLACE})
if number == 1: dataset.SetProjection("EPSG:32631")
if number == 2: dataset.SetMetadataItem("AREA_OR_POINT", "Point")
if number == 3: dataset.SetMetadataItem("item", "value")
"""
    for _ in range(ROUNDS):
        make(path, [f"FORMAT={version}"])
        team.run("calls", path, code=code)
        dataset = gdal.Open(path)
        expect_place(dataset, PLACE, "32631")
        assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point"
        assert dataset.GetMetadataItem("item") == "value"
