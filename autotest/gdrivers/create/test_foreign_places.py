# SPDX-License-Identifier: MIT
"""A store, an array or an overview is not made in the place of foreign files."""

import os
import zipfile

import numpy as np
import pytest
from errors import collect_errors
from foreign_files import (
    DATA,
    FORMATS,
    are_still_there,
    build_and_clean_overviews,
    build_overviews,
    get_options,
    make_source,
    make_store,
    open_raster_for_update,
    open_root,
    read_tree,
    write_file,
)
from osgeo import gdal, osr


def failures_of(function):
    with collect_errors() as errors:
        try:
            result = function()
        except RuntimeError as error:
            return [str(error)]
    assert result is None
    return [text for level, text in errors if level >= gdal.CE_Failure]


@pytest.mark.parametrize("form", ["ZARR_V1", *FORMATS])
@pytest.mark.parametrize("name", ["thesis.txt", "data/2024/thesis.txt", "c/0/0", ".hidden", "zarr/json"])
def test_a_store_is_not_made_in_a_folder_with_files(tmp_path, form, name):
    project = str(tmp_path / "project")
    write_file(os.path.join(project, name))
    before = read_tree(project)
    failures = failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(project, make_source(), options=get_options(form))
    )
    assert len(failures) == 1 and name.split("/")[0] in failures[0]
    assert read_tree(project) == before


@pytest.mark.parametrize("form", FORMATS)
def test_a_failed_addition_is_taken_back(store, form):
    make_store(store, form)
    before = read_tree(store)

    def stop(done, message, data):
        return 0 if done > 0.3 else 1

    with collect_errors():
        try:
            gdal.GetDriverByName("Zarr").CreateCopy(
                store, make_source((100, 90)), callback=stop, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"]
            )
        except RuntimeError:
            pass
    assert read_tree(store) == before


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["X", "Y", "crs", "spatial_ref"])
def test_coordinates_and_grid_mappings_take_the_place_of_nothing(store, form, name):
    make_store(store, form, srs=False)
    planted = {f"{name}/notes.txt": ("file", b"mine")}
    write_file(os.path.join(store, name, "notes.txt"))
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32631)
    dataset = open_raster_for_update(store)
    with collect_errors():
        for change in (lambda: dataset.SetGeoTransform([0, 2, 0, 0, 0, -2]), lambda: dataset.SetSpatialRef(srs)):
            try:
                change()
            except RuntimeError:
                pass
        try:
            dataset = None
        except RuntimeError:
            pass
    assert are_still_there(store, planted)
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/data').ReadAsArray(), DATA)


def test_a_store_is_made_in_an_empty_folder(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    make_store(str(project), "ZARR_V3")
    np.testing.assert_array_equal(gdal.Open(str(project)).ReadAsArray(), DATA)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_an_array_is_not_made_where_something_is(store, tmp_path, form, kind):
    make_store(store, form)
    place = os.path.join(store, "more")
    outside = write_file(str(tmp_path / "outside" / "a.txt"))
    if kind == "file":
        write_file(place)
    elif kind == "folder":
        write_file(os.path.join(place, "2024", "thesis.txt"))
    else:
        os.symlink(os.path.dirname(outside), place)
    before = read_tree(str(tmp_path))
    failures = failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(
            store, make_source(), options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"]
        )
    )
    assert len(failures) == 1 and ("2024" in failures[0] or kind in failures[0])
    assert read_tree(str(tmp_path)) == before
    root = open_root(store)
    failures = failures_of(
        lambda: root.CreateMDArray("more", [root.CreateDimension("n", None, None, 3)],
                                   gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    )
    assert len(failures) == 1
    failures = failures_of(lambda: root.CreateGroup("more"))
    assert len(failures) == 1
    assert read_tree(str(tmp_path)) == before


def test_a_failed_copy_leaves_what_was_there(tmp_path):
    project = str(tmp_path / "project")
    os.mkdir(project)

    def stop(done, message, data):
        write_file(os.path.join(project, "data", "note.txt"))
        write_file(os.path.join(project, "note.txt"))
        return 0 if done > 0.3 else 1

    failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(
            project, make_source(), options=["BLOCKSIZE=16,16", "ARRAY_NAME=data"], callback=stop
        )
    )
    assert sorted(read_tree(project)) == ["data", "data/note.txt", "note.txt"]


@pytest.mark.parametrize("folder", ["nothing", "photos"])
def test_a_folder_that_is_no_store_is_not_deleted(tmp_path, folder):
    place = str(tmp_path / folder)
    os.mkdir(place)
    if folder == "photos":
        write_file(os.path.join(place, "a.jpg"))
        write_file(os.path.join(place, "2024", "b.jpg"))
    before = read_tree(str(tmp_path))
    with collect_errors() as errors, pytest.raises(RuntimeError, match="expected a Zarr array or group"):
        gdal.GetDriverByName("Zarr").Delete(place)
    assert len(errors) <= 1
    assert read_tree(str(tmp_path)) == before


@pytest.mark.parametrize("what", ["folder", "file", "nothing", "store"])
def test_a_link_is_not_deleted(tmp_path, what):
    place = str(tmp_path / "place")
    link = str(tmp_path / "link")
    os.symlink(place, link)
    if what == "folder":
        write_file(os.path.join(place, "a.jpg"))
    elif what == "file":
        write_file(place)
    elif what == "store":
        make_store(place, "ZARR_V3")
    before = read_tree(place)
    failures = failures_of(lambda: gdal.GetDriverByName("Zarr").Delete(link) or None)
    assert len(failures) == 1
    assert os.path.islink(link)
    assert read_tree(place) == before


@pytest.mark.parametrize("what", ["tiff", "text", "dangling", "zip", "folder"])
def test_what_is_no_store_is_not_renamed(tmp_path, what):
    place = str(tmp_path / ("a.zip" if what == "zip" else "a"))
    if what == "tiff":
        gdal.GetDriverByName("GTiff").CreateCopy(place, make_source())
    elif what == "text":
        write_file(place)
    elif what == "dangling":
        os.symlink("nowhere", place)
    elif what == "zip":
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr("notes.txt", "mine")
    else:
        write_file(os.path.join(place, "a.jpg"))
    before = read_tree(str(tmp_path))
    target = str(tmp_path / ("b.zip" if what == "zip" else "b"))
    failures = failures_of(lambda: gdal.GetDriverByName("Zarr").Rename(target, place) or None)
    assert len(failures) == 1
    assert read_tree(str(tmp_path)) == before


# --- folders that a stopped process has left --------------------------------------------------------------------

TEMPORARY = ".zarr-tmp-0123456789abcdef"


@pytest.mark.parametrize("form", FORMATS)
def test_a_store_that_was_not_made_is_deleted_or_made(store, form):
    write_file(os.path.join(store, TEMPORARY))
    assert gdal.GetDriverByName("Zarr").Delete(store) == gdal.CE_None
    assert not os.path.exists(store)
    write_file(os.path.join(store, TEMPORARY))
    make_store(store, form)
    assert not os.path.exists(os.path.join(store, TEMPORARY))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("left", [[], [TEMPORARY]], ids=["empty", "temporary"])
def test_what_is_left_of_an_array_is_removed_with_the_store(store, form, left):
    make_store(store, form)
    for folder in ("half", "ovr_2x"):
        os.mkdir(os.path.join(store, folder))
        for name in left:
            write_file(os.path.join(store, folder, name))
    build_overviews(store)
    build_and_clean_overviews(store)
    with collect_errors() as errors:
        assert gdal.GetDriverByName("Zarr").Delete(store) == gdal.CE_None
    assert errors == []
    assert not os.path.exists(store)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("lost", ["array", "group"])
def test_what_is_left_of_a_level_does_not_keep_it_from_being_made(store, form, lost):
    make_store(store, form)
    build_overviews(store)
    level = os.path.join(store, "ovr_2x", "data")

    def lose_documents():
        for folder in (level,) if lost == "array" else (level, os.path.dirname(level)):
            for name in (".zarray", ".zgroup", "zarr.json"):
                if os.path.exists(os.path.join(folder, name)):
                    os.remove(os.path.join(folder, name))

    lose_documents()
    build_overviews(store)
    band = (dataset := gdal.Open(f'ZARR:"{store}":/data')).GetRasterBand(1)
    assert [band.GetOverview(i).XSize for i in range(band.GetOverviewCount())] == [32, 16]
    np.testing.assert_array_equal(band.GetOverview(0).ReadAsArray(), DATA[::2, ::2])
    del band, dataset
    lose_documents()
    write_file(os.path.join(level, "notes.txt"))
    with collect_errors():
        assert open_raster_for_update(store).BuildOverviews("NEAREST", []) == gdal.CE_None
    assert sorted(read_tree(level)) == ["notes.txt"]


# --- overviews --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_overviews_are_not_made_in_a_foreign_folder(store, form):
    make_store(store, form)
    write_file(os.path.join(store, "ovr_2x", "data", "thesis.txt"))
    before = read_tree(os.path.join(store, "ovr_2x"))
    with pytest.raises(RuntimeError, match="ovr_2x"):
        build_overviews(store)
    assert read_tree(os.path.join(store, "ovr_2x")) == before
    np.testing.assert_array_equal(open_raster_for_update(store).ReadAsArray(), DATA)


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_overviews_do_not_replace_arrays_that_are_none(store, form):
    make_store(store, form)
    group = open_root(store).CreateGroup("ovr_2x")
    array = group.CreateMDArray("data", [group.CreateDimension("n", None, None, 3)],
                                gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    array.Write(np.array([1, 2, 3], "u1"))
    del array, group
    before = read_tree(os.path.join(store, "ovr_2x"))
    with pytest.raises(RuntimeError, match="ovr_2x/data"):
        build_overviews(store)
    assert read_tree(os.path.join(store, "ovr_2x")) == before


@pytest.mark.parametrize("name", ["ovr_stats", "ovr_2x", "ovr_3x"])
@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_removing_overviews_leaves_other_groups(store, form, name):
    make_store(store, form)
    root = open_root(store)
    group = root.CreateGroup(name)
    for array in ("data", "mean") if name == "ovr_stats" else ("mean", "sigma"):
        group.CreateMDArray(array, [group.CreateDimension("n_" + array, None, None, 3)],
                            gdal.ExtendedDataType.Create(gdal.GDT_Float64)).Write(np.ones(3))
    del group, root
    before = read_tree(os.path.join(store, name))
    build_and_clean_overviews(store)
    after = read_tree(os.path.join(store, name))
    documents = ("zarr.json", ".zgroup", ".zattrs")
    assert {k: v for k, v in after.items() if k not in documents} == {
        k: v for k, v in before.items() if k not in documents
    }
