# SPDX-License-Identifier: MIT
"""No operation removes or changes foreign files, whatever their names and places in a store."""

import os

import pytest
from errors import collect_errors
from foreign_files import (
    DATA,
    FORMATS,
    GDAL_VERSION,
    are_still_there,
    build_and_clean_overviews,
    build_overviews,
    make_source,
    make_store,
    open_raster_for_update,
    open_root,
    plant_files,
    read_tree,
    require_deletion,
    write_file,
)
from osgeo import gdal


def change_pixels(store):
    open_raster_for_update(store).WriteArray(DATA[::-1])


def change_metadata(store):
    dataset = open_raster_for_update(store)
    dataset.SetMetadata({"A": "1"})
    dataset.SetGeoTransform([0, 2, 0, 0, 0, -2])
    dataset.GetRasterBand(1).SetNoDataValue(3)


def append(store):
    gdal.GetDriverByName("Zarr").CreateCopy(store, make_source(), options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"])


def delete_store(store):
    assert gdal.GetDriverByName("Zarr").Delete(store) == gdal.CE_None
    assert not os.path.exists(os.path.join(store, "data", "zarr.json"))
    assert not os.path.exists(os.path.join(store, "data", ".zarray"))


def delete_array(store):
    require_deletion()
    assert open_root(store).DeleteMDArray("data") == gdal.CE_None
    left = [name for name in read_tree(os.path.join(store, "data")) if name in ("zarr.json", ".zarray", "c/0/0", "0.0")]
    assert left == []


def delete_and_clear(store):
    delete_array(store)
    with pytest.raises(RuntimeError, match="thesis|2024|zarr-tmp|notes|99|orig|meta|attrs|more|c|backup"):
        root = open_root(store)
        root.CreateMDArray("data", [root.CreateDimension("n", None, None, 3)], gdal.ExtendedDataType.Create(gdal.GDT_Byte))


def rename_array(store):
    if GDAL_VERSION < 308:
        pytest.skip("Rename is in Python since GDAL 3.8")
    assert open_root(store).OpenMDArray("data").Rename("other") == gdal.CE_None
    # Files in the array's folder move with it.
    os.rename(os.path.join(store, "other"), os.path.join(store, "data"))


def resize(store):
    if GDAL_VERSION < 307:
        pytest.skip("Resize is in Python since GDAL 3.7")
    array = open_root(store).OpenMDArray("data")
    assert array.Resize([20, 20]) == gdal.CE_None
    assert array.Resize([100, 90]) == gdal.CE_None


OPERATIONS = [
    change_pixels,
    change_metadata,
    build_overviews,
    build_and_clean_overviews,
    append,
    delete_store,
    delete_array,
    delete_and_clear,
    rename_array,
    resize,
]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.__name__)
def test_an_operation_leaves_foreign_files(store, form, operation):
    make_store(store, form)
    planted = plant_files(store)
    assert len(planted) > 15
    with collect_errors():
        operation(store)
    assert are_still_there(store, planted)


@pytest.mark.parametrize("form", FORMATS)
def test_a_store_without_foreign_files_is_removed_whole(store, form):
    make_store(store, form)
    build_overviews(store)
    with collect_errors() as errors:
        assert gdal.GetDriverByName("Zarr").Delete(store) == gdal.CE_None
    assert errors == []
    assert not os.path.exists(store)


def test_a_store_of_v1_leaves_foreign_files(store):
    gdal.GetDriverByName("Zarr").CreateCopy(store, make_source(), options=["FORMAT=ZARR_V1", "BLOCKSIZE=16,16"])
    for name in ("7.7", "data/a.txt", "zarr.json.bak", "notes"):
        write_file(os.path.join(store, name))
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").Delete(store)
    assert sorted(read_tree(store)) == ["7.7", "data", "data/a.txt", "notes", "zarr.json.bak"]
    assert len(errors) == 1 and errors[0][0] == gdal.CE_Warning and "notes" in errors[0][1]


def test_one_warning_names_what_is_left(store):
    require_deletion()
    make_store(store, "ZARR_V3")
    write_file(os.path.join(store, "data", "c", "thesis.txt"))
    with collect_errors() as errors:
        open_root(store).DeleteMDArray("data")
    assert len(errors) == 1
    assert errors[0][0] == gdal.CE_Warning and "data/c/thesis.txt" in errors[0][1]


# --- links ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_links_are_not_followed(tmp_path, form):
    require_deletion()
    original, store = str(tmp_path / "original.zarr"), str(tmp_path / "store.zarr")
    make_store(original, form)
    make_store(store, form)
    outside = write_file(str(tmp_path / "outside" / "a.txt"))
    os.symlink(os.path.join(original, "data"), os.path.join(store, "linked"))
    os.symlink(os.path.dirname(outside), os.path.join(store, "data", "out"))
    before = read_tree(original)
    with collect_errors():
        assert open_root(store).DeleteMDArray("linked") == gdal.CE_None
    assert not os.path.lexists(os.path.join(store, "linked"))
    assert read_tree(original) == before and os.path.exists(outside)
    os.symlink(os.path.join(original, "data"), os.path.join(store, "linked"))
    with collect_errors():
        gdal.GetDriverByName("Zarr").Delete(store)
    assert read_tree(original) == before and os.path.exists(outside)
    assert read_tree(store) == {"data": ("folder", None), "data/out": ("link", os.path.dirname(outside))}


def test_nothing_behind_a_link_is_removed(tmp_path):
    require_deletion()
    original, store = str(tmp_path / "original.zarr"), str(tmp_path / "store.zarr")
    for name in (original, store):
        dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(name, [], ["FORMAT=ZARR_V3"])
        group = dataset.GetRootGroup().CreateGroup("group")
        group.CreateMDArray("array", [group.CreateDimension("n", None, None, 3)],
                            gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        del group, dataset
    os.symlink(os.path.join(original, "group"), os.path.join(store, "linked"))
    before = read_tree(original)
    group = open_root(store).OpenGroup("linked")
    with pytest.raises(RuntimeError, match="link"):
        group.DeleteMDArray("array")
    assert read_tree(original) == before


@pytest.mark.parametrize("is_link", [False, True])
def test_the_system_decides_where_two_dots_lead(tmp_path, is_link):
    """dirlink/../x.zarr is in the folder above the target of the link."""
    for folder in ("deep/er", "real"):
        os.makedirs(tmp_path / folder)
    os.symlink("deep/er", tmp_path / "dirlink")
    named, other = str(tmp_path / "deep/x.zarr"), str(tmp_path / "x.zarr")
    original = str(tmp_path / "real/a.zarr")
    make_store(original, "ZARR_V3")
    if is_link:
        os.symlink(original, named)
        make_store(other, "ZARR_V3")
    else:
        make_store(named, "ZARR_V3")
        os.symlink(original, other)
    before = read_tree(original)
    name = str(tmp_path / "dirlink") + "/../x.zarr"
    if is_link:
        with pytest.raises(RuntimeError, match="symbolic link"):
            gdal.GetDriverByName("Zarr").Delete(name)
    else:
        gdal.GetDriverByName("Zarr").Delete(name)
    assert os.path.lexists(named) == is_link and os.path.exists(other)
    assert read_tree(original) == before


@pytest.mark.parametrize("end", ["", "/", "/.", "/.//./", "/data/..", "/./data/c/../../."])
def test_a_link_to_a_store_is_not_removed(tmp_path, end):
    store, link = str(tmp_path / "store.zarr"), str(tmp_path / "link.zarr")
    make_store(store, "ZARR_V3")
    before = read_tree(store)
    os.symlink(store, link)
    with pytest.raises(RuntimeError, match=f"symbolic link to {store}"):
        gdal.GetDriverByName("Zarr").Delete(link + end)
    assert os.path.islink(link) and read_tree(store) == before
