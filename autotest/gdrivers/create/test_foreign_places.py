# SPDX-License-Identifier: MIT
"""A store, an array or an overview is not made in the place of foreign files."""

import os

import numpy as np
import pytest
from errors import collected_errors
from foreign_files import (
    DATA,
    FORMATS,
    build_and_clean_overviews,
    build_overviews,
    make,
    options_of,
    root_of,
    source,
    still_there,
    tree,
    update,
    write,
)
from osgeo import gdal, osr


def failures_of(function):
    with collected_errors() as errors:
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
    write(os.path.join(project, name))
    before = tree(project)
    failures = failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(project, source(), options=options_of(form))
    )
    assert len(failures) == 1 and name.split("/")[0] in failures[0]
    assert tree(project) == before


@pytest.mark.parametrize("form", FORMATS)
def test_a_failed_addition_is_taken_back(store, form):
    make(store, form)
    before = tree(store)

    def stop(done, message, data):
        return 0 if done > 0.3 else 1

    with collected_errors():
        try:
            gdal.GetDriverByName("Zarr").CreateCopy(
                store, source((100, 90)), callback=stop, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"]
            )
        except RuntimeError:
            pass
    assert tree(store) == before


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["X", "Y", "crs", "spatial_ref"])
def test_coordinates_and_grid_mappings_take_the_place_of_nothing(store, form, name):
    make(store, form, srs=False)
    planted = {f"{name}/notes.txt": ("file", b"mine")}
    write(os.path.join(store, name, "notes.txt"))
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32631)
    dataset = update(store)
    with collected_errors():
        for change in (lambda: dataset.SetGeoTransform([0, 2, 0, 0, 0, -2]), lambda: dataset.SetSpatialRef(srs)):
            try:
                change()
            except RuntimeError:
                pass
        try:
            dataset = None
        except RuntimeError:
            pass
    assert still_there(store, planted)
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/data').ReadAsArray(), DATA)


def test_a_store_is_made_in_an_empty_folder(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    make(str(project), "ZARR_V3")
    np.testing.assert_array_equal(gdal.Open(str(project)).ReadAsArray(), DATA)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_an_array_is_not_made_where_something_is(store, tmp_path, form, kind):
    make(store, form)
    place = os.path.join(store, "more")
    outside = write(str(tmp_path / "outside" / "a.txt"))
    if kind == "file":
        write(place)
    elif kind == "folder":
        write(os.path.join(place, "2024", "thesis.txt"))
    else:
        os.symlink(os.path.dirname(outside), place)
    before = tree(str(tmp_path))
    failures = failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(
            store, source(), options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"]
        )
    )
    assert len(failures) == 1 and ("2024" in failures[0] or kind in failures[0])
    assert tree(str(tmp_path)) == before
    root = root_of(store)
    failures = failures_of(
        lambda: root.CreateMDArray("more", [root.CreateDimension("n", None, None, 3)],
                                   gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    )
    assert len(failures) == 1
    failures = failures_of(lambda: root.CreateGroup("more"))
    assert len(failures) == 1
    assert tree(str(tmp_path)) == before


def test_a_failed_copy_leaves_what_was_there(tmp_path):
    project = str(tmp_path / "project")
    os.mkdir(project)

    def stop(done, message, data):
        write(os.path.join(project, "data", "note.txt"))
        write(os.path.join(project, "note.txt"))
        return 0 if done > 0.3 else 1

    failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(
            project, source(), options=["BLOCKSIZE=16,16", "ARRAY_NAME=data"], callback=stop
        )
    )
    assert sorted(tree(project)) == ["data", "data/note.txt", "note.txt"]


@pytest.mark.parametrize("folder", ["nothing", "photos"])
def test_a_folder_that_is_no_store_is_not_deleted(tmp_path, folder):
    place = str(tmp_path / folder)
    os.mkdir(place)
    if folder == "photos":
        write(os.path.join(place, "a.jpg"))
        write(os.path.join(place, "2024", "b.jpg"))
    before = tree(str(tmp_path))
    with collected_errors() as errors, pytest.raises(RuntimeError, match="expected a Zarr array or group"):
        gdal.GetDriverByName("Zarr").Delete(place)
    assert len(errors) <= 1
    assert tree(str(tmp_path)) == before


# --- overviews --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_overviews_are_not_made_in_a_foreign_folder(store, form):
    make(store, form)
    write(os.path.join(store, "ovr_2x", "data", "thesis.txt"))
    before = tree(os.path.join(store, "ovr_2x"))
    with pytest.raises(RuntimeError, match="ovr_2x"):
        build_overviews(store)
    assert tree(os.path.join(store, "ovr_2x")) == before
    np.testing.assert_array_equal(update(store).ReadAsArray(), DATA)


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_overviews_do_not_replace_arrays_that_are_none(store, form):
    make(store, form)
    group = root_of(store).CreateGroup("ovr_2x")
    array = group.CreateMDArray("data", [group.CreateDimension("n", None, None, 3)],
                                gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    array.Write(np.array([1, 2, 3], "u1"))
    del array, group
    before = tree(os.path.join(store, "ovr_2x"))
    with pytest.raises(RuntimeError, match="ovr_2x/data"):
        build_overviews(store)
    assert tree(os.path.join(store, "ovr_2x")) == before


@pytest.mark.parametrize("name", ["ovr_stats", "ovr_2x", "ovr_3x"])
@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_removing_overviews_leaves_other_groups(store, form, name):
    make(store, form)
    root = root_of(store)
    group = root.CreateGroup(name)
    for array in ("data", "mean") if name == "ovr_stats" else ("mean", "sigma"):
        group.CreateMDArray(array, [group.CreateDimension("n_" + array, None, None, 3)],
                            gdal.ExtendedDataType.Create(gdal.GDT_Float64)).Write(np.ones(3))
    del group, root
    before = tree(os.path.join(store, name))
    build_and_clean_overviews(store)
    after = tree(os.path.join(store, name))
    documents = ("zarr.json", ".zgroup", ".zattrs")
    assert {k: v for k, v in after.items() if k not in documents} == {
        k: v for k, v in before.items() if k not in documents
    }
