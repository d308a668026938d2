"""Files that are somebody else's, under every name that the driver may use: no operation removes or changes one."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from errors import collected_errors
from osgeo import gdal, osr

GDAL_VERSION = int(gdal.VersionInfo()) // 10000
FORMATS = ["ZARR_V2", "ZARR_V3", "ZARR_V3_SHARDS", "ZARR_V3_EDGES"]
DATA = np.arange(64 * 64, dtype="i2").reshape(64, 64)


def options_of(form):
    options = {
        "ZARR_V3_SHARDS": ["BLOCKSIZE=16,16", "SHARD_SHAPE=32,32"],
        "ZARR_V3_EDGES": ["CHUNK_EDGES=Y:[10,[27,2]];X:[40,24]"],
    }
    return [f"FORMAT={form[:7]}", *options.get(form, ["BLOCKSIZE=16,16"])]


def tree(folder):
    """All that stands in a folder, links not followed: path -> content."""
    found = {}
    for here, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(here, name)
            relative = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[relative] = ("link", os.readlink(path))
            elif os.path.isdir(path):
                found[relative] = ("folder", None)
            else:
                with open(path, "rb") as f:
                    found[relative] = ("file", f.read())
    return found


def write(path, text="mine"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


def source(size=(64, 64), srs=True):
    dataset = gdal.GetDriverByName("MEM").Create("", *size, 1, gdal.GDT_Int16)
    dataset.WriteArray(np.resize(DATA, size[::-1]))
    if srs:
        dataset.SetGeoTransform([100, 1, 0, 200, 0, -1])
    return dataset


def needs_deletion():
    if GDAL_VERSION < 308:
        pytest.skip("DeleteMDArray is there since GDAL 3.8")


def make(store, form, name="data", **more):
    options = options_of(form) + [f"ARRAY_NAME={name}"] + more.pop("options", [])
    assert gdal.GetDriverByName("Zarr").CreateCopy(store, source(**more), options=options)


# Where programs and people put things: beside the documents, among the chunks, under names like those of chunks.
FOREIGN = [
    "notes.txt",
    "photos/a.jpg",
    "meta",
    "attrs",
    "0.0",
    "c/0/0",
    ".git/HEAD",
    "zarr.json.bak",
    "data/thesis.txt",
    "data/2024/thesis.txt",
    "data/c/notes.txt",
    "data/c/0/99",
    "data/c/0/0.bak",
    "data/c/99/0",
    "data/99.99",
    "data/0.0.orig",
    "data/meta",
    "data/attrs",
    "data/zarr.json.aux.xml",
    "data/.zarray.aux.xml",
    "data/zarr.json.data.ovr",
    "pam.aux.xml.old",
    "data/.zarray.backup",
    "data/more/zarr.txt",
]


def plant(store):
    """Puts the foreign files into a store where nothing is."""
    planted = {}
    for name in FOREIGN:
        path = os.path.join(store, name)
        if not os.path.exists(path) and not os.path.isfile(os.path.dirname(path)):
            planted[name] = ("file", b"mine")
            write(path)
    return planted


def still_there(store, planted):
    now = tree(store)
    return {name: now.get(name) for name in planted} == planted


def update(store, name="data"):
    return gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE)


def root_of(store):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()


def change_pixels(store):
    update(store).WriteArray(DATA[::-1])


def change_metadata(store):
    dataset = update(store)
    dataset.SetMetadata({"A": "1"})
    dataset.SetGeoTransform([0, 2, 0, 0, 0, -2])
    dataset.GetRasterBand(1).SetNoDataValue(3)


def build_overviews(store):
    assert update(store).BuildOverviews("NEAREST", [2, 4]) == gdal.CE_None


def build_and_clean_overviews(store):
    build_overviews(store)
    assert update(store).BuildOverviews("NEAREST", []) == gdal.CE_None


def append(store):
    gdal.GetDriverByName("Zarr").CreateCopy(store, source(), options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"])


def delete_store(store):
    assert gdal.GetDriverByName("Zarr").Delete(store) == gdal.CE_None
    assert not os.path.exists(os.path.join(store, "data", "zarr.json"))
    assert not os.path.exists(os.path.join(store, "data", ".zarray"))


def delete_array(store):
    needs_deletion()
    assert root_of(store).DeleteMDArray("data") == gdal.CE_None
    left = [name for name in tree(os.path.join(store, "data")) if name in ("zarr.json", ".zarray", "c/0/0", "0.0")]
    assert left == []


def delete_and_clear(store):
    delete_array(store)
    with pytest.raises(RuntimeError, match="thesis|2024|notes|99|orig|meta|attrs|more|c|backup"):
        root = root_of(store)
        root.CreateMDArray("data", [root.CreateDimension("n", None, None, 3)], gdal.ExtendedDataType.Create(gdal.GDT_Byte))


def rename_array(store):
    if GDAL_VERSION < 308:
        pytest.skip("Rename is in Python since GDAL 3.8")
    assert root_of(store).OpenMDArray("data").Rename("other") == gdal.CE_None
    # What stands in the array's folder moves with it.
    os.rename(os.path.join(store, "other"), os.path.join(store, "data"))


def resize(store):
    if GDAL_VERSION < 307:
        pytest.skip("Resize is in Python since GDAL 3.7")
    array = root_of(store).OpenMDArray("data")
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
def test_operation_leaves_foreign_files(store, form, operation):
    make(store, form)
    planted = plant(store)
    assert len(planted) > 15
    with collected_errors():
        operation(store)
    assert still_there(store, planted)


@pytest.mark.parametrize("form", FORMATS)
def test_store_alone_is_removed_whole(store, form):
    make(store, form)
    build_overviews(store)
    with collected_errors() as errors:
        assert gdal.GetDriverByName("Zarr").Delete(store) == gdal.CE_None
    assert errors == []
    assert not os.path.exists(store)


def test_store_of_v1_leaves_foreign_files(store):
    gdal.GetDriverByName("Zarr").CreateCopy(store, source(), options=["FORMAT=ZARR_V1", "BLOCKSIZE=16,16"])
    for name in ("7.7", "data/a.txt", "zarr.json.bak", "notes"):
        write(os.path.join(store, name))
    with collected_errors() as errors:
        gdal.GetDriverByName("Zarr").Delete(store)
    assert sorted(tree(store)) == ["7.7", "data", "data/a.txt", "notes", "zarr.json.bak"]
    assert len(errors) == 1 and errors[0][0] == gdal.CE_Warning and "notes" in errors[0][1]


def test_what_is_left_is_one_warning_that_names_it(store):
    needs_deletion()
    make(store, "ZARR_V3")
    write(os.path.join(store, "data", "c", "thesis.txt"))
    with collected_errors() as errors:
        root_of(store).DeleteMDArray("data")
    assert len(errors) == 1
    assert errors[0][0] == gdal.CE_Warning and "data/c/thesis.txt" in errors[0][1]


# --- making -----------------------------------------------------------------------------------------------------


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
def test_store_is_not_made_in_a_folder_with_something_in_it(tmp_path, form, name):
    project = str(tmp_path / "project")
    write(os.path.join(project, name))
    before = tree(project)
    failures = failures_of(
        lambda: gdal.GetDriverByName("Zarr").CreateCopy(project, source(), options=options_of(form))
    )
    assert len(failures) == 1 and name.split("/")[0] in failures[0]
    assert tree(project) == before


@pytest.mark.parametrize("form", FORMATS)
def test_array_whose_addition_fails_is_taken_back(store, form):
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


def test_store_is_made_in_an_empty_folder(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    make(str(project), "ZARR_V3")
    np.testing.assert_array_equal(gdal.Open(str(project)).ReadAsArray(), DATA)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_array_is_not_made_where_something_is(store, tmp_path, form, kind):
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


def test_copy_that_fails_leaves_what_was_there(tmp_path):
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
def test_folder_that_is_no_store_is_not_deleted(tmp_path, folder):
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


# --- links ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_links_are_not_followed(tmp_path, form):
    needs_deletion()
    original, store = str(tmp_path / "original.zarr"), str(tmp_path / "store.zarr")
    make(original, form)
    make(store, form)
    outside = write(str(tmp_path / "outside" / "a.txt"))
    os.symlink(os.path.join(original, "data"), os.path.join(store, "linked"))
    os.symlink(os.path.dirname(outside), os.path.join(store, "data", "out"))
    before = tree(original)
    with collected_errors():
        assert root_of(store).DeleteMDArray("linked") == gdal.CE_None
    assert not os.path.lexists(os.path.join(store, "linked"))
    assert tree(original) == before and os.path.exists(outside)
    os.symlink(os.path.join(original, "data"), os.path.join(store, "linked"))
    with collected_errors():
        gdal.GetDriverByName("Zarr").Delete(store)
    assert tree(original) == before and os.path.exists(outside)
    assert tree(store) == {"data": ("folder", None), "data/out": ("link", os.path.dirname(outside))}


def test_nothing_behind_a_link_is_removed(tmp_path):
    needs_deletion()
    original, store = str(tmp_path / "original.zarr"), str(tmp_path / "store.zarr")
    for name in (original, store):
        dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(name, [], ["FORMAT=ZARR_V3"])
        group = dataset.GetRootGroup().CreateGroup("group")
        group.CreateMDArray("array", [group.CreateDimension("n", None, None, 3)],
                            gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        del group, dataset
    os.symlink(os.path.join(original, "group"), os.path.join(store, "linked"))
    before = tree(original)
    group = root_of(store).OpenGroup("linked")
    with pytest.raises(RuntimeError, match="link"):
        group.DeleteMDArray("array")
    assert tree(original) == before


def test_link_to_a_store_is_removed_alone(tmp_path):
    store, link = str(tmp_path / "store.zarr"), str(tmp_path / "link.zarr")
    make(store, "ZARR_V3")
    before = tree(store)
    os.symlink(store, link)
    assert gdal.GetDriverByName("Zarr").Delete(link) == gdal.CE_None
    assert not os.path.lexists(link) and tree(store) == before


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


# --- stopped processes ------------------------------------------------------------------------------------------

REMOVE = """
import sys
from osgeo import gdal
gdal.UseExceptions()
root = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
print("ready", flush=True)
root.DeleteMDArray("data") if sys.argv[2] == "array" else gdal.GetDriverByName("Zarr").Delete(sys.argv[1])
"""


@pytest.mark.parametrize("what", ["array", "store"])
@pytest.mark.parametrize("delay", [0.01, 0.03, 0.06])
def test_removal_that_is_stopped_is_completed_by_the_next_writer(store, what, delay):
    if what == "array":
        needs_deletion()
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, None, None, 64) for name in "yx"]
    options = ["BLOCKSIZE=1,1", "COMPRESS=NONE"]
    array = root.CreateMDArray("data", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte), options)
    array.Write(np.ones((64, 64), "u1"))
    del array, dimensions, root, dataset
    with subprocess.Popen([sys.executable, "-c", REMOVE, store, what], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    if what == "store":
        if os.path.exists(store):
            with collected_errors():
                try:
                    make(store, "ZARR_V3", name="other")  # in the place of a store of which nothing is left
                except RuntimeError:
                    gdal.GetDriverByName("Zarr").Delete(store)
                    make(store, "ZARR_V3", name="other")
        else:
            make(store, "ZARR_V3", name="other")
        return
    root = root_of(store)
    is_there = "data" in (root.GetMDArrayNames() or [])
    del root
    names = tree(store)
    assert not any(os.path.basename(name).startswith(".zarr-tmp") for name in names)
    if is_there:
        array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("data")
        assert (array.ReadAsArray() == 1).all()
    else:
        assert not any(name.startswith("data/") for name in names)
