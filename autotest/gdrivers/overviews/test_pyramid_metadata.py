# SPDX-License-Identifier: MIT
"""The metadata of pyramids, as other programs read them: levels named by groups, and the place in the group with the
layout."""

import glob
import json
import os
import shutil

import numpy as np
import pytest
from conventions import MULTISCALES, PROJ, SPATIAL
from osgeo import gdal, osr
from pyramids import (
    FORMATS,
    HEIGHT,
    TRANSFORM,
    WIDTH,
    check_levels,
    compute_levels,
    create_store,
    halve,
    list_assets,
    list_place,
    list_sizes,
    make_image,
    open_array,
    read_attributes,
    read_layout,
)
from stores import open_for_update, open_group, write_v3, write_v3_group

BOX = [500000, 5000000 - 10 * HEIGHT, 500000 + 10 * WIDTH, 5000000]


def list_declared(attributes):
    return [item["uuid"] for item in attributes.get("zarr_conventions", [])]


def append_array(store, name, size, place=None, format="ZARR_V3"):
    """`place`: an EPSG code and a geotransform."""
    options = [f"FORMAT={format}", f"ARRAY_NAME={name}", "APPEND_SUBDATASET=YES"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, *size, 1, gdal.GDT_Byte, options)
    if place:
        crs = osr.SpatialReference()
        crs.ImportFromEPSG(place[0])
        dataset.SetSpatialRef(crs)
        dataset.SetGeoTransform(place[1])


# --- the place ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("convention", ["GDAL", "CF", "SPATIAL_PROJ"])
def test_the_group_has_the_crs_and_the_box(store, format, convention):
    dataset = create_store(store, make_image(), f"GEOREFERENCING_CONVENTION={convention}", format=format)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    group = read_attributes(store)
    assert list_declared(group) == [c["uuid"] for c in (MULTISCALES, PROJ, SPATIAL)]
    assert list_place(group) == ["proj:code", "spatial:bbox", "spatial:dimensions", "spatial:registration"]
    assert (group["proj:code"], group["spatial:bbox"]) == ("EPSG:32631", BOX)
    assert (group["spatial:dimensions"], group["spatial:registration"]) == (["Y", "X"], "pixel")
    layout = read_layout(store)
    assert [level["spatial:shape"] for level in layout] == [[151, 203], [76, 102], [38, 51]]
    assert layout[0]["spatial:transform"] == [10, 0, 500000, 0, -10, 5000000]
    for level in layout[1:]:
        attributes = read_attributes(f"{store}/{level['asset']}/a")
        assert attributes["spatial:transform"] == level["spatial:transform"]
        assert "spatial:bbox" not in attributes and attributes["proj:code"] == "EPSG:32631"
    assert open_array(store, "a").GetGeoTransform() == TRANSFORM


@pytest.mark.parametrize("format", FORMATS)
def test_what_was_written_is_removed(store, format):
    dataset = create_store(store, make_image(), format=format)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    dataset = open_array(store, "a", update=True)
    dataset.BuildOverviews("NEAREST", [4])
    dataset.BuildOverviews("", [])
    dataset = None
    assert read_attributes(store) == {}
    dataset = open_array(store, "a")
    assert dataset.GetGeoTransform() == TRANSFORM and dataset.GetSpatialRef().GetAuthorityCode(None) == "32631"


def test_declarations_are_as_the_schemas_want_them(store):
    """Version 0.1 of the schemas gives the value of each member."""
    create_store(store, make_image()).BuildOverviews("NEAREST", [2])
    texts = {
        "multiscales": "Multiscale layout of zarr datasets",
        "proj": "Coordinate reference system information for geospatial data",
        "spatial": "Spatial coordinate information",
    }
    declared = read_attributes(store)["zarr_conventions"]
    assert {item["name"]: item["description"] for item in declared} == texts
    for item in declared:
        assert item["schema_url"].endswith(f"/zarr-conventions/{item['name']}/refs/tags/v0.1/schema.json")
        assert sorted(item) == ["description", "name", "schema_url", "spec_url", "uuid"]


def test_without_a_place_there_is_only_the_layout(store):
    dataset = create_store(store, make_image(), georeferenced=False)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    group = read_attributes(store)
    assert list_declared(group) == [MULTISCALES["uuid"]] and not list_place(group)
    assert list(group["multiscales"]) == ["layout"]


def test_a_crs_without_a_code(store):
    dataset = create_store(store, make_image(), georeferenced=False)
    crs = osr.SpatialReference()
    crs.ImportFromProj4("+proj=laea +lat_0=12 +lon_0=34 +units=m")
    dataset.SetSpatialRef(crs)
    dataset.SetGeoTransform(TRANSFORM)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    group = read_attributes(store)
    assert "proj:code" not in group and group["proj:projjson"]["type"] == "ProjectedCRS"
    assert group["proj:wkt2"].startswith("PROJCRS")
    open_array(store, "a", update=True).BuildOverviews("", [])
    assert read_attributes(store) == {}


def test_a_rotated_raster_has_the_box_of_its_corners(store):
    dataset = create_store(store, make_image(), georeferenced=False)
    dataset.SetGeoTransform((100, 2, 1, 200, 0.5, -3))
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    group = read_attributes(store)
    assert group["spatial:bbox"] == [100, 200 - 3 * HEIGHT, 100 + 2 * WIDTH + HEIGHT, 200 + 0.5 * WIDTH]
    assert list_declared(group) == [MULTISCALES["uuid"], SPATIAL["uuid"]]
    assert open_array(store, "a").GetGeoTransform() == (100, 2, 1, 200, 0.5, -3)


@pytest.mark.parametrize("convention", ["GDAL,CF", "SPATIAL_PROJ"])
def test_points_have_transforms_of_centres(store, convention):
    dataset = create_store(store, make_image(), f"GEOREFERENCING_CONVENTION={convention}", georeferenced=False)
    dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    dataset.SetGeoTransform(TRANSFORM)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    group = read_attributes(store)
    assert group["spatial:registration"] == "node"
    assert group["spatial:bbox"] == [500005, 5000000 - 10 * HEIGHT + 5, 500000 + 10 * WIDTH - 5, 5000000 - 5]
    assert read_layout(store)[0]["spatial:transform"] == [10, 0, 500005, 0, -10, 4999995]
    gdal.ErrorReset()
    dataset = open_array(store, "a")
    assert dataset.GetGeoTransform() == pytest.approx(TRANSFORM) and gdal.GetLastErrorMsg() == ""
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point" and list_sizes(dataset) == [(102, 76)]
    expected = pytest.approx((500000, 2030 / 102, 0, 5000000, 0, -1510 / 76))
    assert open_array(store, "ovr_2x/a").GetGeoTransform() == expected


@pytest.mark.parametrize("format", FORMATS)
def test_a_raster_of_another_place_inherits_nothing(store, format):
    create_store(store, make_image(), format=format).FlushCache()
    append_array(store, "b", (60, 50), (4326, (10, 1, 0, 20, 0, -1)), format)
    dataset = open_array(store, "a", update=True)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    group = read_attributes(store)
    assert list_declared(group) == [MULTISCALES["uuid"]] and not list_place(group)
    assert list_assets(store) == [("a", None), ("ovr_2x", "a")]
    assert open_array(store, "b").GetGeoTransform() == (10, 1, 0, 20, 0, -1)


@pytest.mark.parametrize("format", FORMATS)
def test_a_raster_that_is_added_has_its_own_place(store, format):
    dataset = create_store(store, make_image(), format=format)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    append_array(store, "b", (60, 50), (4326, (10, 1, 0, 20, 0, -1)), format)
    append_array(store, "c", (61, 51), None, format)
    gdal.ErrorReset()
    dataset = open_array(store, "b")
    assert dataset.GetGeoTransform() == (10, 1, 0, 20, 0, -1)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "4326"
    assert read_attributes(f"{store}/b")["proj:code"] == "EPSG:4326"
    dataset = open_array(store, "c")
    assert dataset.GetGeoTransform(can_return_null=True) is None and dataset.GetSpatialRef() is None
    assert gdal.GetLastErrorMsg() == ""
    # The group no longer speaks for all of its rasters.
    dataset = None
    open_array(store, "a", update=True).BuildOverviews("NEAREST", [4])
    assert not list_place(read_attributes(store))
    assert open_array(store, "a").GetGeoTransform() == TRANSFORM


def test_an_array_that_another_program_adds_keeps_its_crs(store):
    """By CF, as xarray writes it."""
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(3035)
    write_v3(f"{store}/crs", np.array(0, "i4"), attributes={"crs_wkt": crs.ExportToWkt(["FORMAT=WKT2_2019"])})
    write_v3(f"{store}/b", make_image()[0], [64, 64], names=["y", "x"], attributes={"grid_mapping": "crs"})
    options = ["USE_CONSOLIDATED_METADATA=NO"]
    dataset = gdal.OpenEx(f'ZARR:"{store}":/b', gdal.OF_RASTER, open_options=options)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "3035"
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER, open_options=options)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32631" and list_sizes(dataset) == [(102, 76)]


def test_the_place_of_a_pyramid_is_not_removed(store):
    create_store(store, make_image()).BuildOverviews("NEAREST", [2])
    dataset = open_array(store, "a", update=True)
    with pytest.raises(RuntimeError, match="it would inherit that of its group"):
        dataset.SetSpatialRef(None)
    dataset.BuildOverviews("", [])
    assert dataset.SetSpatialRef(None) == gdal.CE_None


def test_two_rasters_of_one_place_share_it(store):
    create_store(store, make_image()).FlushCache()
    append_array(store, "b", (WIDTH, HEIGHT), (32631, TRANSFORM))
    for name in "ab":
        open_array(store, name, update=True).BuildOverviews("NEAREST", [2])
    assert read_attributes(store)["spatial:bbox"] == BOX
    assert list_assets(store) == [("a", None), ("ovr_2x/a", "a"), ("b", None), ("ovr_2x/b", "b")]
    for name in "ab":
        assert open_array(store, name).GetGeoTransform() == TRANSFORM


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("point", [False, True])
def test_the_group_speaks_for_a_raster_of_the_same_place_that_is_added(store, format, point):
    """Which says it itself, because others may not know it by the group."""
    dataset = create_store(store, make_image(), format=format, georeferenced=not point)
    if point:
        dataset.SetMetadataItem("AREA_OR_POINT", "Point")
        dataset.SetGeoTransform(TRANSFORM)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    source = open_array(store, "a")
    options = [f"FORMAT={format}", "ARRAY_NAME=b", "APPEND_SUBDATASET=YES"]
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=options)
    source = None
    assert read_attributes(f"{store}/b")["spatial:transform"][0] == 10
    before = read_attributes(store)
    place = list_place(before)
    assert "spatial:registration" in place
    open_array(store, "a", update=True).BuildOverviews("NEAREST", [4])
    after = read_attributes(store)
    assert [after[name] for name in place] == [before[name] for name in place] and list_place(after) == place
    assert open_array(store, "a").GetMetadataItem("AREA_OR_POINT") == ("Point" if point else "Area")


def test_the_properties_of_another_writer_stay(store):
    create_store(store, make_image()).FlushCache()
    path = f"{store}/zarr.json"
    document = json.load(open(path))
    document.pop("consolidated_metadata", None)
    document["attributes"] = {"zarr_conventions": [PROJ], "proj:code": "EPSG:32631", "title": "kept"}
    json.dump(document, open(path, "w"))
    before = read_attributes(store)
    dataset = open_array(store, "a", update=True)
    dataset.BuildOverviews("NEAREST", [2])
    assert list_place(read_attributes(store)) == ["proj:code"]
    dataset.BuildOverviews("", [])
    dataset = None
    assert read_attributes(store) == before


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("convention", ["GDAL,CF", "SPATIAL_PROJ"])
@pytest.mark.parametrize("reopened", [False, True])
def test_levels_move_with_their_base(store, format, convention, reopened):
    dataset = create_store(store, make_image(), f"GEOREFERENCING_CONVENTION={convention}", format=format)
    dataset.BuildOverviews("NEAREST", [2])
    if reopened:
        dataset = None
        dataset = open_array(store, "a", update=True)
    dataset.SetGeoTransform((0, 1, 0, 0, 0, -1))
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(3035)
    dataset.SetSpatialRef(crs)
    dataset = None
    group = read_attributes(store)
    assert (group["proj:code"], group["spatial:bbox"]) == ("EPSG:3035", [0, -HEIGHT, WIDTH, 0])
    assert [level["resampling_method"] for level in read_layout(store)[1:]] == ["NEAREST"]
    gdal.ErrorReset()
    for path, size in (("a", (1, -1)), ("ovr_2x/a", (WIDTH / 102, -HEIGHT / 76))):
        dataset = open_array(store, path)
        assert dataset.GetGeoTransform() == pytest.approx((0, size[0], 0, 0, 0, size[1]))
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "3035"
    assert list_sizes(open_array(store, "a")) == [(102, 76)] and gdal.GetLastErrorMsg() == ""
    check_levels(open_array(store, "a"), [halve(make_image(), "NEAREST")])


def test_levels_of_other_places_do_not_move(store):
    """Levels beside the base that another program made may be used elsewhere."""
    items = [{"asset": "0"}, {"asset": "1", "derived_from": "0", "transform": {"scale": [2, 2]}}]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": items}})
    write_v3(f"{store}/0", make_image()[0], [64, 64], names=["y", "x"])
    write_v3(f"{store}/1", make_image()[0, ::2, ::2].copy(), [64, 64], names=["y", "x"])
    before = read_attributes(store)
    open_array(store, "0", update=True).SetGeoTransform(TRANSFORM)
    assert read_attributes(store) == before
    assert open_array(store, "0").GetGeoTransform() == TRANSFORM


# --- names of levels ----------------------------------------------------------------------------------------------


def test_a_layout_that_names_arrays_is_read_and_extended(store):
    """Earlier versions of the driver wrote it."""
    data = make_image()[0]
    levels = [("a", None), ("ovr_2x/a", "a")]
    items = [{"asset": a} if not f else {"asset": a, "derived_from": f, "transform": {"scale": [2, 2]}} for a, f in levels]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": items}})
    write_v3_group(f"{store}/ovr_2x")
    write_v3(f"{store}/a", data, [64, 64])
    write_v3(f"{store}/ovr_2x/a", halve(data[np.newaxis], "NEAREST")[0], [64, 64])
    dataset = open_array(store, "a", update=True)
    assert list_sizes(dataset) == [(102, 76)]
    dataset.BuildOverviews("NEAREST", [4])
    dataset = None
    assert list_sizes(open_array(store, "a")) == [(102, 76), (51, 38)]
    assert list_assets(store) == [("a", None), ("ovr_2x", "a"), ("ovr_4x", "a")]


def test_a_group_with_another_raster_is_no_level(store):
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    write_v3(f"{store}/ovr_2x/other", make_image()[0], [64, 64])
    dataset = gdal.OpenEx(
        f'ZARR:"{store}":/a', gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["USE_CONSOLIDATED_METADATA=NO"]
    )
    dataset.BuildOverviews("NEAREST", [2, 4])
    check_levels(dataset, compute_levels(make_image(), "NEAREST", 2))
    dataset = None
    assert list_assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a")]


@pytest.mark.parametrize("format", FORMATS)
def test_unfinished_levels_of_another_array_are_not_in_the_layout(store, format):
    dataset = create_store(store, make_image(), format=format)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    append_array(store, "b", (WIDTH, HEIGHT), None, format)
    assert list_assets(store) == [("a", None), ("ovr_2x", "a")]
    dataset = open_array(store, "b", update=True)
    seen = []

    def stop(*_):
        assert os.path.exists(f"{store}/ovr_2x/b")
        seen.append((list_assets(store), list_sizes(open_array(store, "b"))))
        return 0

    with pytest.raises(RuntimeError):
        dataset.BuildOverviews("NEAREST", [2], stop)
    dataset = None
    assert seen[0] == ([("a", None), ("ovr_2x/a", "a")], [])
    assert list_sizes(open_array(store, "a")) == [(102, 76)] and not os.path.exists(f"{store}/ovr_2x/b")


@pytest.mark.parametrize("format", FORMATS)
def test_arrays_of_others_in_a_group_for_levels_stay(store, format):
    create_store(store, make_image(), format=format).FlushCache()
    dataset, root = open_for_update(store)
    group = root.CreateGroup("ovr_2x")
    # As a process leaves it that was stopped before it made the array of the level.
    group.CreateAttribute("unfinished_overviews", [1], gdal.ExtendedDataType.CreateString()).Write(["a"])
    notes = group.CreateMDArray("notes", [group.CreateDimension("n", None, None, 3)], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    notes.Write(np.array([1, 2, 3], "u1"))
    del notes, group, root, dataset
    for levels in ([2], []):
        open_array(store, "a", update=True).BuildOverviews("NEAREST" if levels else "", levels)
        assert open_group(store).OpenMDArrayFromFullname("/ovr_2x/notes").ReadAsArray().tolist() == [1, 2, 3]
        assert os.path.exists(f"{store}/ovr_2x/a") == bool(levels)


@pytest.mark.parametrize("format", FORMATS)
def test_what_belonged_to_a_lost_level_goes(store, format):
    create_store(store, make_image(), format=format).BuildOverviews("NEAREST", [2])
    shutil.move(f"{store}/ovr_2x", f"{store}.ovr_2x")
    open_array(store, "a", update=True).BuildOverviews("", [])
    shutil.move(f"{store}.ovr_2x", f"{store}/ovr_2x")
    shutil.rmtree(f"{store}/ovr_2x/a")
    assert len(glob.glob(f"{store}/ovr_2x/*/")) == 3
    unfinished = {"unfinished_overviews": ["a"]}
    if format == "ZARR_V3":
        unfinished = {"zarr_format": 3, "node_type": "group", "attributes": unfinished}
    with open(f"{store}/ovr_2x/{'zarr.json' if format == 'ZARR_V3' else '.zattrs'}", "w", encoding="utf-8") as f:
        json.dump(unfinished, f)
    options = ["USE_CONSOLIDATED_METADATA=NO"]
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=options).BuildOverviews("NEAREST", [4])
    assert not os.path.exists(f"{store}/ovr_2x") and os.path.exists(f"{store}/ovr_4x/a")
