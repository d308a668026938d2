# SPDX-License-Identifier: MIT
"""What stands at a name, against all calls that remove, move, copy or replace a whole store: the table in whole_store.h."""

import json
import os
import shutil
import zipfile

import numpy as np
import pytest
from errors import collect_errors
from foreign_files import DATA, make_source, make_store, read_tree, write_file
from osgeo import gdal
from plugin_in_use import run_program
from versions import GDAL_VERSION

DRIVER = gdal.GetDriverByName("Zarr")
NEW = np.full((3, 4), 7, dtype="u1")


# --- states ----------------------------------------------------------------------------------------------------------
# Each makes what is at `path`, and returns whether it is a store that may go.


def absent(path):
    pass


def empty(path):
    os.mkdir(path)


def foreign_files(path):
    write_file(path + "/notes.txt")
    write_file(path + "/2024/zarr.txt")


def foreign_document(path):
    write_file(path + "/zarr.json", '{"name": "a configuration"}')
    write_file(path + "/notes.txt")


def foreign_text(path):
    write_file(path + "/.zgroup", "mine")
    make_store(path + "/a.zarr", "ZARR_V2")


def store_v2(path):
    make_store(path, "ZARR_V2")


def store_v3(path):
    make_store(path, "ZARR_V3")


def store_v1(path):
    DRIVER.CreateCopy(path, make_source(srs=False), options=["FORMAT=ZARR_V1"])


def store_of_arrays(path):
    make_store(path, "ZARR_V3")
    make_store(path, "ZARR_V3", name="more", options=["APPEND_SUBDATASET=YES"])


def store_with_files(path):
    make_store(path, "ZARR_V3")
    write_file(path + "/notes.txt")


def store_of_an_implied_group(path):
    make_store(path, "ZARR_V2")
    shutil.copytree(path + "/data", path + "/implied/data")


def damage(path):
    with open(path, "r+") as f:
        f.truncate(20)


def damaged_v2(path):
    make_store(path, "ZARR_V2")
    damage(path + "/.zgroup")


def damaged_v3(path):
    make_store(path, "ZARR_V3")
    damage(path + "/zarr.json")


def damaged_consolidated(path):
    make_store(path, "ZARR_V2")
    os.remove(path + "/.zgroup")
    damage(path + "/.zmetadata")


def damaged_array(path):
    """The root is an array."""
    make_store(path + ".other", "ZARR_V3")
    shutil.move(path + ".other/data", path)
    shutil.rmtree(path + ".other")
    damage(path + "/zarr.json")


def damaged_node(path):
    make_store(path, "ZARR_V2")
    make_store(path, "ZARR_V2", name="broken", options=["APPEND_SUBDATASET=YES"])
    damage(path + "/broken/.zarray")


def holder(path):
    for name, form in (("a.zarr", "ZARR_V2"), ("b.zarr", "ZARR_V3"), ("deep/c.zarr", "ZARR_V3")):
        os.makedirs(os.path.dirname(path + "/" + name), exist_ok=True)
        make_store(path + "/" + name, form)


def implied_group(path):
    """`path` is a folder without documents in a store."""
    above = os.path.dirname(path)
    make_store(above + "/above.zarr", "ZARR_V2")
    shutil.move(above + "/above.zarr/data", above + "/data")
    os.mkdir(path)
    shutil.move(above + "/data", path + "/data")
    shutil.copy(above + "/above.zarr/.zgroup", above + "/.zgroup")
    shutil.rmtree(above + "/above.zarr")


def link_to_store(path):
    make_store(path + ".target", "ZARR_V3")
    os.symlink(path + ".target", path)


def link_to_holder(path):
    holder(path + ".target")
    os.symlink(path + ".target", path)


def dangling_link(path):
    os.symlink(path + ".nowhere", path)


STORES = [store_v1, store_v2, store_v3, store_of_arrays]
STATES = [
    absent, empty, foreign_files, foreign_document, foreign_text, *STORES, store_with_files, store_of_an_implied_group,
    damaged_v2, damaged_v3, damaged_consolidated, damaged_array, damaged_node, holder, implied_group, link_to_store,
    link_to_holder, dangling_link,
]  # fmt: skip


# --- calls -----------------------------------------------------------------------------------------------------------
# Each returns a list of what failed.


def failures_of(function):
    with collect_errors() as errors:
        try:
            function()
        except RuntimeError as error:
            return [str(error)]
    return [text for level, text in errors if level >= gdal.CE_Failure]


def run(*command):
    environment = dict(os.environ, GDAL_PAM_ENABLED="NO")
    done = run_program(command, capture_output=True, text=True, env=environment, timeout=120)
    text = done.stdout + done.stderr
    return [text] if done.returncode != 0 or "ERROR" in text else []


def delete(path):
    return failures_of(lambda: DRIVER.Delete(path))


def delete_by_prefix(path):
    return failures_of(lambda: DRIVER.Delete(f'ZARR:"{path}"'))


def identify_and_delete(path):
    driver = gdal.IdentifyDriver(path)
    return failures_of(lambda: driver.Delete(path)) if driver else ["no driver"]


def manage_delete(path):
    return run("gdalmanage", "delete", "-f", "Zarr", path)


def program_delete(path):
    return run("gdal", "dataset", "delete", "--format=Zarr", path)


def rename(path):
    return failures_of(lambda: DRIVER.Rename(path + ".new", path))


def manage_rename(path):
    return run("gdalmanage", "rename", "-f", "Zarr", path, path + ".new")


def copy(path):
    return failures_of(lambda: DRIVER.CopyFiles(path + ".new", path))


def make_new_source():
    dataset = gdal.GetDriverByName("MEM").Create("", 4, 3, 1, gdal.GDT_Byte)
    dataset.WriteArray(NEW)
    return dataset


def create(name, options=()):
    def make():
        dataset = DRIVER.Create(name, 4, 3, 1, gdal.GDT_Byte, options=["FORMAT=ZARR_V3", *options])
        dataset.WriteArray(NEW)
        dataset.FlushCache()

    return failures_of(make)


def create_copy(name, options=(), source=None):
    return failures_of(lambda: DRIVER.CreateCopy(name, source or make_new_source(), options=["FORMAT=ZARR_V3", *options]))


def create_plain(path):
    return create(path)


def create_by_prefix(path):
    return create(f'ZARR:"{path}"')


def create_copy_plain(path):
    return create_copy(path)


def create_copy_by_prefix(path):
    return create_copy(f'ZARR:"{path}"')


def create_multidimensional(path):
    def make():
        dataset = DRIVER.CreateMultiDimensional(path, [], ["FORMAT=ZARR_V3"])
        dataset.GetRootGroup().CreateAttribute("new", [], gdal.ExtendedDataType.CreateString()).Write("yes")

    return failures_of(make)


def translate(path):
    return failures_of(lambda: gdal.Translate(path, make_new_source(), format="Zarr"))


def convert(path):
    gdal.GetDriverByName("GTiff").CreateCopy(path + ".tif", make_new_source())
    failures = run("gdal", "raster", "convert", "--overwrite", "--format=Zarr", path + ".tif", path)
    os.remove(path + ".tif")
    return failures


def fail_by_option(path):
    return create(f'ZARR:"{path}"', ["COMPRESS=NONSENSE"])


def fail_by_option_plain(path):
    return create(path, ["BLOCKSIZE=1,2,3,4,5"])


def fail_by_option_in_copy(path):
    return create_copy(f'ZARR:"{path}"', ["CHUNK_EDGES=Y:[0]"])


def fail_by_source(path):
    """The values of the source cannot be read."""
    file = path + ".broken.tif"
    gdal.GetDriverByName("GTiff").CreateCopy(file, make_source(), options=["COMPRESS=DEFLATE"])
    with open(file, "r+b") as f:
        f.truncate(os.path.getsize(file) // 2)
    try:
        return create_copy(f'ZARR:"{path}"', source=gdal.Open(file))
    except RuntimeError as error:
        return [str(error)]
    finally:
        os.remove(file)


def fail_by_user(path):
    """The user stops the copy."""
    return failures_of(lambda: DRIVER.CreateCopy(f'ZARR:"{path}"', make_source(), callback=lambda *_: 0))


REMOVALS = [delete, delete_by_prefix, identify_and_delete, manage_delete, program_delete]
MOVES = [rename, manage_rename]
REPLACEMENTS = [create_plain, create_by_prefix, create_copy_plain, create_copy_by_prefix, translate, convert]
FAILING = [fail_by_option, fail_by_option_plain, fail_by_option_in_copy, fail_by_source, fail_by_user]
CALLS = [*REMOVALS, *MOVES, copy, *REPLACEMENTS, create_multidimensional, *FAILING]


# --- cells -----------------------------------------------------------------------------------------------------------


def skip_without_program(call):
    if call in (program_delete, convert) and not shutil.which("gdal"):
        pytest.skip("the program `gdal` is there since GDAL 3.11")


def is_replaced(path):
    return np.array_equal(gdal.Open(path).ReadAsArray(), NEW)


def check_goes(call, path, before, failures):
    """The store has gone, been moved, copied or replaced as a whole."""
    assert failures == [] or (call in REPLACEMENTS + [create_multidimensional] and "remove it first" in failures[-1])
    if failures:  # GDAL has not let a folder go that it names, or never does
        assert read_tree(os.path.dirname(path)) == before
    elif call in REMOVALS:
        assert read_tree(os.path.dirname(path)) == {}
    elif call in MOVES:
        name = os.path.basename(path)
        assert read_tree(os.path.dirname(path)) == {k.replace(name, name + ".new"): v for k, v in before.items()}
    elif call is copy:
        assert read_tree(path) == read_tree(path + ".new")
    else:
        assert is_replaced(path) and os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


@pytest.mark.parametrize("call", CALLS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("state", STATES, ids=lambda f: f.__name__)
def test_a_cell_of_the_table(tmp_path, state, call):
    skip_without_program(call)
    path = str(tmp_path / "place.zarr")
    state(path)
    before = read_tree(str(tmp_path))
    failures = call(path)
    after = read_tree(str(tmp_path))
    if call in FAILING:
        assert failures
        assert after == before or (state is empty and after == {})
    elif state in STORES:
        check_goes(call, path, before, failures)
    elif state in (store_with_files, store_of_an_implied_group) and call in [*REMOVALS, *MOVES, copy] or (
        state is damaged_node and call in [*MOVES, copy]
    ):
        assert failures == []
        lost = set(before) - set(after)
        kept = {store_with_files: "place.zarr/notes.txt", store_of_an_implied_group: "place.zarr/implied/data/.zarray",
                damaged_node: "place.zarr/broken/.zarray"}[state]  # fmt: skip
        new = kept.replace("place.zarr", "place.zarr.new") if call in MOVES else kept
        assert before[kept] == after[new]
        assert call is not copy or (not lost and read_tree(path) == read_tree(path + ".new"))
        assert call not in REMOVALS or "place.zarr/data" in lost
    elif state in (absent, empty) and call in [*REPLACEMENTS, create_multidimensional]:
        assert failures == []
        assert call is create_multidimensional or is_replaced(path)
    elif state is absent and call is delete_by_prefix:
        assert failures == [] and after == before
    elif state is link_to_store and call is copy:
        assert failures == [] and read_tree(path + ".new") == read_tree(path + ".target")
    else:
        assert failures
        assert after == before


def test_the_message_names_the_stores_in_a_folder(tmp_path):
    path = str(tmp_path / "place")
    holder(path)
    assert "holds 3 stores: a.zarr, b.zarr, deep/c.zarr" in delete(path)[0]
    make_store(path + "/d.zarr", "ZARR_V3")
    assert "holds 4 stores: a.zarr, b.zarr, d.zarr, ..." in rename(path)[0]


@pytest.mark.parametrize("state, document", [(damaged_v3, "zarr.json"), (damaged_node, "broken/.zarray")])
def test_the_error_of_a_damaged_store_names_the_document(tmp_path, state, document):
    path = str(tmp_path / "place.zarr")
    state(path)
    text = delete(path)[0]
    assert f"{path}/{document}" in text and "nothing is removed" in text


# --- stores that are open --------------------------------------------------------------------------------------------


def open_root(path):
    return gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()


def open_through_link(path):
    os.symlink(path, path + ".link")
    return gdal.Open(path + ".link")


def open_through_vrt(path):
    gdal.Translate(path + ".vrt", gdal.Open(f'ZARR:"{path}":/data'), format="VRT")
    return gdal.Open(path + ".vrt")


def open_through_vrts(path):
    gdal.Translate(path + ".inner.vrt", gdal.Open(f'ZARR:"{path}":/data'), format="VRT")
    gdal.Translate(path + ".vrt", path + ".inner.vrt", format="VRT")
    return gdal.Open(path + ".vrt")


OPENINGS = {
    "raster": lambda path: gdal.Open(path),
    "array": lambda path: gdal.Open(f'ZARR:"{path}":/data'),
    "node": lambda path: gdal.Open(path + "/data"),
    "relative": lambda path: gdal.Open(os.path.relpath(path)),
    "update": lambda path: gdal.Open(path, gdal.GA_Update),
    "group": open_root,
    "multidimensional": lambda path: open_root(path).OpenMDArray("data"),
    "link": open_through_link,
    "vrt": open_through_vrt,
    "vrts": open_through_vrts,
}


def values_of(handle):
    return handle.OpenMDArray("data").ReadAsArray() if isinstance(handle, gdal.Group) else handle.ReadAsArray()


@pytest.mark.parametrize("call", [*REMOVALS[:3], rename, *REPLACEMENTS[:5], create_multidimensional, *FAILING],
                         ids=lambda f: f.__name__)  # fmt: skip
@pytest.mark.parametrize("opening", OPENINGS)
def test_a_store_that_is_open_stays(tmp_path, opening, call):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    handle = OPENINGS[opening](path)
    before = read_tree(path)
    failures = call(path)
    assert failures
    assert read_tree(path) == before
    np.testing.assert_array_equal(values_of(handle), DATA)
    del handle
    assert delete(path) == []


def test_a_copy_of_files_reads_an_open_store(tmp_path):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    dataset = gdal.Open(path)
    assert copy(path) == []
    assert read_tree(path) == read_tree(path + ".new")
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)


SOURCES = {
    "array": lambda path: f'ZARR:"{path}":/data',
    "node": lambda path: path + "/data",
    "plain": lambda path: path,
    "relative": lambda path: os.path.relpath(path),
    "slash": lambda path: path + "/",
}


@pytest.mark.parametrize("target", ["{}", 'ZARR:"{}"', "{}/", "{}/../place.zarr"])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("way", ["translate", "create_copy", "multidimensional", "warp"])
def test_a_copy_onto_its_own_source_leaves_the_source(tmp_path, way, source, target):
    path = str(tmp_path / "place.zarr")
    store_of_arrays(path)
    if way == "multidimensional" and source in ("array", "node"):
        pytest.skip("these name an array")
    name = SOURCES["array" if source == "plain" and way != "multidimensional" else source](path)
    if source in ("relative", "slash") and way != "multidimensional":
        name = name.rstrip("/") + "/data"
    before = read_tree(str(tmp_path))
    target = target.format(path)
    ways = {
        "translate": lambda: gdal.Translate(target, name, format="Zarr"),
        "create_copy": lambda: DRIVER.CreateCopy(target, gdal.Open(name)),
        "multidimensional": lambda: gdal.MultiDimTranslate(target, name, format="Zarr"),
        "warp": lambda: gdal.Warp(target, name, format="Zarr", options="-overwrite"),
    }
    assert failures_of(ways[way])
    assert read_tree(str(tmp_path)) == before


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("by_prefix", [True, False])
def test_a_copy_onto_what_its_virtual_source_reads_leaves_it(tmp_path, named, by_prefix):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    vrt = str(tmp_path / "a.vrt")
    assert gdal.BuildVRT(vrt, [f'ZARR:"{path}":/data'])
    source = gdal.Open(vrt) if named else gdal.BuildVRT("", [vrt])
    before = read_tree(path)
    assert failures_of(lambda: DRIVER.CreateCopy(f'ZARR:"{path}"' if by_prefix else path, source))
    assert read_tree(path) == before
    if named or not by_prefix or GDAL_VERSION >= 310:  # before that, the source looks for its own sources too early
        np.testing.assert_array_equal(source.ReadAsArray(), DATA)


# --- archives, files of references, memory ---------------------------------------------------------------------------


def make_archive(path, *stores, extra=None):
    with zipfile.ZipFile(path, "w") as archive:
        for store in stores:
            for name, (kind, content) in read_tree(store).items():
                prefix = "" if len(stores) == 1 else os.path.basename(store) + "/"
                if kind == "file":
                    archive.writestr(prefix + name, content)
        if extra:
            archive.writestr(extra, "mine")


def archive_of_a_store(tmp_path, path):
    make_store(str(tmp_path / "a"), "ZARR_V3")
    make_archive(path, str(tmp_path / "a"))


def archive_with_a_file(tmp_path, path):
    make_store(str(tmp_path / "a"), "ZARR_V3")
    make_archive(path, str(tmp_path / "a"), extra="notes.txt")


def archive_of_stores(tmp_path, path):
    for name in "ab":
        make_store(str(tmp_path / name), "ZARR_V3")
    make_archive(path, str(tmp_path / "a"), str(tmp_path / "b"))


def archive_of_a_damaged_store(tmp_path, path):
    make_store(str(tmp_path / "a"), "ZARR_V3")
    damage(str(tmp_path / "a" / "zarr.json"))
    make_archive(path, str(tmp_path / "a"))


def references(tmp_path, path):
    document = {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "|u1", "fill_value": 0, "order": "C",
                "filters": None, "compressor": None}  # fmt: skip
    write_file(path, json.dumps({".zgroup": '{"zarr_format": 2}', "a/.zarray": json.dumps(document), "a/0": "ab"}))


def other_json(tmp_path, path):
    write_file(path, '{"a": 1}')


FILES = [archive_of_a_store, archive_with_a_file, archive_of_stores, archive_of_a_damaged_store, references, other_json]


@pytest.mark.parametrize("call", [*REMOVALS, rename, *FAILING], ids=lambda f: f.__name__)
@pytest.mark.parametrize("state", FILES, ids=lambda f: f.__name__)
def test_a_cell_of_the_table_for_files(tmp_path, state, call):
    skip_without_program(call)
    path = str(tmp_path / ("place.json" if "json" in state.__name__ or state is references else "place.zarr.zip"))
    if call is rename:
        path = str(tmp_path / "x" / os.path.basename(path))
        os.mkdir(tmp_path / "x")
    state(tmp_path, path)
    before = read_tree(str(tmp_path))
    failures = call(path) if call is not rename else failures_of(lambda: DRIVER.Rename(path.replace("/x/", "/x/new"), path))
    if call in FAILING or state not in (archive_of_a_store, references):
        if call is rename and state is archive_with_a_file:
            return  # the archive moves with what it holds
        assert failures
        assert read_tree(str(tmp_path)) == before
    else:
        assert failures == [] and not os.path.exists(path)


def test_an_archive_is_replaced(tmp_path):
    path = str(tmp_path / "place.zarr.zip")
    archive_of_a_store(tmp_path, path)
    assert DRIVER.CreateCopy(path, make_new_source())
    assert is_replaced(path)
    assert sorted(os.listdir(tmp_path)) == ["a", "place.zarr.zip"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_store_in_memory_is_replaced_or_comes_back(fails):
    path = "/vsimem/replaced/place.zarr"
    make_store(path, "ZARR_V3")
    failures = create_copy(f'ZARR:"{path}"', ["CHUNK_EDGES=Y:[0]"] if fails else [])
    assert bool(failures) == fails
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), DATA if fails else NEW)
    assert gdal.ReadDir("/vsimem/replaced") == ["place.zarr"]
    assert DRIVER.Delete(path) == gdal.CE_None
    assert gdal.ReadDir("/vsimem/replaced") in ([], None)


@pytest.mark.parametrize("way", [gdal.Translate, gdal.MultiDimTranslate], ids=lambda f: f.__name__)
def test_a_copy_to_the_place_of_its_removed_source_fails(tmp_path, way):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    source = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER if way is gdal.MultiDimTranslate else gdal.OF_RASTER)
    shutil.rmtree(path)
    assert failures_of(lambda: way(path, source, format="Zarr"))
    assert not os.path.exists(path)


def test_a_store_is_made_where_one_was_that_is_still_open(tmp_path):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    dataset = gdal.Open(path)
    shutil.rmtree(path)
    assert create_copy(path) == []
    assert is_replaced(path)
    del dataset
