# SPDX-License-Identifier: MIT
"""Icechunk repositories: snapshots by branches, tags, IDs and times, and chunks in manifests, in files and elsewhere."""

import json
import os
import shutil
import zipfile

import numpy as np
import pytest
from errors import collect_errors
from http_server import list_links
from icechunk_writer import Repository, format_id, make_id, make_ref
from config_options import set_config_option
from osgeo import gdal
from stores import write_v2, write_v3
from zarrkit_program import run_zarrkit

REPOSITORIES = os.path.join(os.path.dirname(__file__), "..", "..", "data", "icechunk")
V1, V2 = (os.path.abspath(os.path.join(REPOSITORIES, name)) for name in ("history_v1", "history_v2"))
HALF = {V1: "7BAHA07RS2A67FQZ4RCG", V2: "Q8YZ8K949QREPRNJTZJG"}
MAIN = {V1: "TNCQ38S1XM1GYYB7HP7G", V2: "GGQVS7G5PSJR72ABTCY0"}
REFS = [
    make_ref([0], data=b"\1\2\3\4"),
    make_ref([1], chunk=9, offset=2, length=4),
    make_ref([3], data=b"\5\6\7\x08"),
]
VALUES = [1, 2, 3, 4, 11, 12, 13, 14, 255, 255, 255, 255, 5, 6, 7, 8]


def open_multidim(name, options=()):
    return gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER, open_options=list(options))


def read(name, options=(), array=None):
    """The values of the only array of a dataset."""
    dataset = open_multidim(name, options)
    group = dataset.GetRootGroup()
    return group.OpenMDArray(array or group.GetMDArrayNames()[0]).ReadAsArray()


def catch_error(run):
    """The messages of the error that a function fails with, and of those before it."""
    with collect_errors() as errors, pytest.raises(RuntimeError) as info:
        run()
    return "\n".join([str(info.value), *(text for _, text in errors)])


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "repo.icechunk", 4, REFS)
    made.put("chunks/" + format_id(make_id(9)), bytes(range(9, 20)))
    return made


# --- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [V1, V2])
def test_a_repository_opens_by_its_name_at_main(path):
    values = read(path)
    assert values.size > 1
    for name in (path + "/", f'ZARR:"{path}"', f"ICECHUNK:{path}", f'ZARR:"/vsiicechunk/{{{path}}}"', f"{path}?branch=main",
                 f"{path}?snapshot={MAIN[path]}", f"{path}?as-of=2100-01-01", f"ICECHUNK:{path}?branch=main"):
        np.testing.assert_array_equal(read(name), values, name)
    driver = gdal.IdentifyDriverEx(path)
    assert driver.ShortName == "Zarr"


@pytest.mark.parametrize("path", [V1, V2])
def test_a_tag_and_its_snapshot_show_an_older_state(path):
    half = read(f"{path}?tag=half")
    assert (half != read(path)).any()
    for name in (f'ZARR:"{path}?tag=half"', f'ZARR:"/vsiicechunk/{{{path}?tag=half}}"', f"{path}?snapshot={HALF[path]}",
                 f"{path}?snapshot={HALF[path].lower()}"):
        np.testing.assert_array_equal(read(name), half, name)
    np.testing.assert_array_equal(read(path, ["TAG=half"]), half)
    np.testing.assert_array_equal(read(path, ["SNAPSHOT=" + HALF[path]]), half)
    assert "/vsiicechunk" not in open_multidim(f"{path}?tag=half").GetDescription()


def test_open_options_select_a_branch(tmp_path):
    made = Repository(tmp_path / "r", 4, REFS[:1], branch="a&b")
    np.testing.assert_array_equal(read(made.folder, array="a")[:4], [1, 2, 3, 4])
    np.testing.assert_array_equal(read(made.folder, ["BRANCH=a&b"])[:4], [1, 2, 3, 4])
    np.testing.assert_array_equal(read(made.folder + "?branch=a%26b")[:4], [1, 2, 3, 4])
    assert 'no branch "dev"; its branches are "a&b"' in catch_error(lambda: read(made.folder, ["BRANCH=dev"]))


def test_the_repo_info_file_stands_for_its_repository(repository):
    np.testing.assert_array_equal(read(repository.folder + "/repo"), VALUES)
    np.testing.assert_array_equal(read(f"ICECHUNK:{repository.folder}/repo"), VALUES)


def test_subdatasets_have_names_that_open():
    path = os.path.abspath(os.path.join(REPOSITORIES, "raster_v1"))
    raster = gdal.Open(path)
    assert raster.RasterCount >= 1
    assert raster.GetGeoTransform() != (0, 1, 0, 0, 0, 1)
    groups = gdal.Open(os.path.abspath(os.path.join(REPOSITORIES, "groups_v2")) + "?branch=main")
    names = [item["name"] if isinstance(item, dict) else item[0] for item in groups.GetSubDatasets()]
    assert names and all("/vsiicechunk/{" in name and "?branch=main}" in name for name in names)
    assert all(gdal.Open(name).ReadAsArray() is not None for name in names)


def test_an_array_without_dimensions_is_read():
    assert read(os.path.join(REPOSITORIES, "scalar_v2")).size == 1


def test_absent_chunks_are_fill_and_others_are_not(repository):
    np.testing.assert_array_equal(read(repository.folder), VALUES)
    for options in ([], ["CACHE_TILE_PRESENCE=YES"]):
        np.testing.assert_array_equal(read(repository.folder, options), VALUES)


def test_a_time_selects_the_last_commit_until_then():
    # Microseconds: the first commit, made by the repository itself, has no array.
    assert "no commit from before" in catch_error(lambda: read(V2 + "?as-of=2020-01-01T00:00:00Z"))
    assert "no commit from before" in catch_error(lambda: read(V1, ["AS_OF=2020-01-01"]))
    np.testing.assert_array_equal(read(V1, ["AS_OF=2100-01-01T12:00:00+02:00"]), read(V1))
    np.testing.assert_array_equal(read(V2 + "?branch=main&as-of=2100-01-01"), read(V2))


@pytest.mark.parametrize(
    "name, options, message",
    [
        ("?tag=half&branch=main", [], "only one of them"),
        ("?tag=half", ["BRANCH=main"], "only one of them"),
        ("?tag=half&as-of=2026-01-01", [], "as-of selects"),
        ("?tag=half", ["TAG=half"], "given twice"),
        ("?as-of=yesterday", [], "expected a time such as"),
        ("", ["AS_OF=yesterday"], "expected a time such as"),
        ("?tag=nope", [], 'no tag "nope"; its tags are "half"'),
        ("?branch=nope", [], 'its branches are "dev", "main"'),
        ("?snapshot=nope", [], "20 characters"),
        ("?snapshot=ZZZZZZZZZZZZZZZZZZZ0", [], "snapshots/ZZZZZZZZZZZZZZZZZZZ0: the object is missing"),
        ("?ignore-timestamp-etag=maybe", [], "yes or no"),
    ],
)
@pytest.mark.parametrize("path", [V1, V2])
def test_wrong_names_are_errors(path, name, options, message):
    assert message in catch_error(lambda: open_multidim(path + name, options))


def test_what_is_no_repository_is_said(tmp_path, store):
    assert "there is no Icechunk repository" in catch_error(lambda: open_multidim(f"ICECHUNK:{tmp_path}"))
    assert "there is no Icechunk repository" in catch_error(lambda: open_multidim(f'ZARR:"{tmp_path}"', ["BRANCH=main"]))
    (tmp_path / "repo").write_bytes(b"something else")
    assert gdal.IdentifyDriverEx(str(tmp_path)) is None


# --- other places ------------------------------------------------------------------------------------------------


def test_a_repository_in_an_archive_is_read(repository, tmp_path):
    archive = str(tmp_path / "a.zip")
    with zipfile.ZipFile(archive, "w") as out:
        for parent, _, names in os.walk(repository.folder):
            for name in names:
                path = os.path.join(parent, name)
                out.write(path, os.path.relpath(path, repository.folder))
    for name in (f"/vsizip/{archive}", f"ICECHUNK:{archive}", f'ZARR:"{archive}"', f"ICECHUNK:{archive}?branch=main"):
        np.testing.assert_array_equal(read(name), VALUES, name)


def test_a_repository_in_memory_is_read(repository):
    gdal.Mkdir("/vsimem/icechunk", 0o755)
    try:
        for key in ("repo", "chunks/" + format_id(make_id(9)), "snapshots/" + format_id(make_id(3)),
                    "manifests/" + format_id(make_id(4))):
            with open(os.path.join(repository.folder, key), "rb") as file:
                gdal.FileFromMemBuffer("/vsimem/icechunk/" + key, file.read())
        for name in ("/vsimem/icechunk", "/vsimem/icechunk?branch=main", "/vsimem/icechunk/repo"):
            np.testing.assert_array_equal(read(name), VALUES, name)
    finally:
        gdal.RmdirRecursive("/vsimem/icechunk")


@pytest.mark.parametrize("form", ["ICECHUNK:{}", "{}?branch=main", 'ZARR:"{}?branch=main"', 'ZARR:"{}"', "{}", "{}/"])
def test_a_repository_on_a_server_needs_three_requests_and_no_listing(repository, server, form):
    url = f"/vsicurl/{server.url}/repo.icechunk"
    dataset = open_multidim(form.format(url))
    array = dataset.GetRootGroup().OpenMDArray("a")
    np.testing.assert_array_equal(array.ReadAsArray([0], [4]), VALUES[:4])
    asked = [path for method, path in server.log if method == "GET" and path.count("/") > 1]
    asked = [path.partition("repo.icechunk/")[2] for path in asked if "repo.icechunk/" in path]
    wanted = ["repo", "snapshots/" + format_id(make_id(3)), "manifests/" + format_id(make_id(4))]
    assert asked == wanted
    np.testing.assert_array_equal(array.ReadAsArray(), VALUES)


@pytest.mark.parametrize("form", ["ICECHUNK:{}", 'ZARR:"{}"', "{}"])
def test_a_repository_of_format_1_on_a_server_opens_by_its_name(tmp_path, server, form):
    shutil.copytree(V1, tmp_path / "v1.icechunk")
    np.testing.assert_array_equal(read(form.format(f"/vsicurl/{server.url}/v1.icechunk")), read(V1))


@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_another_store_on_a_server_may_have_the_name_of_a_repository(tmp_path, server, write):
    write(str(tmp_path / "a.icechunk"), np.array(VALUES, "u1"))
    for form in ('ZARR:"{}"', "{}"):
        np.testing.assert_array_equal(read(form.format(f"/vsicurl/{server.url}/a.icechunk")), VALUES)


@pytest.mark.parametrize("is_v1", [False, True])
def test_a_folder_that_a_server_lists_is_recognised(repository, tmp_path, server, is_v1):
    server.index_page = list_links
    path = V1 if is_v1 else repository.folder
    shutil.copytree(path, tmp_path / "plain")
    np.testing.assert_array_equal(read(f"/vsicurl/{server.url}/plain/"), read(path))
    asked = [key for method, key in server.log if method == "GET" and "/plain/" in key]
    assert [key for key in asked if key.endswith("/plain/repo")] == ["/plain/repo"]
    # The first document of a store is asked for at the same time.
    assert [key for key in asked if ".zarray" in key or ".zgroup" in key] == [] or is_v1


def test_a_repository_of_format_1_on_a_server_is_read(tmp_path, server):
    shutil.copytree(V1, tmp_path / "v1")
    np.testing.assert_array_equal(read(f"ICECHUNK:/vsicurl/{server.url}/v1"), read(V1))
    asked = [path.partition("/v1/")[2] for method, path in server.log if method == "GET"]
    assert asked[:3] == ["repo", "refs/branch.main/ref.json", "snapshots/" + MAIN[V1]]
    assert 'no branch "x"' in catch_error(lambda: read(f"/vsicurl/{server.url}/v1?branch=x"))


def test_a_damaged_repo_info_file_on_a_server_is_an_error(repository, tmp_path, server):
    """It is not taken for a file of another kind, which would make the folder one that is not recognised."""
    server.index_page = list_links
    shutil.copytree(repository.folder, tmp_path / "plain")
    os.truncate(tmp_path / "plain" / "repo", 45)
    assert "plain/repo: " in catch_error(lambda: read(f"/vsicurl/{server.url}/plain/"))
    (tmp_path / "plain" / "repo").write_bytes(b"of another program, and longer than the header of an object of Icechunk")
    assert "not recognized" in catch_error(lambda: read(f"/vsicurl/{server.url}/plain/"))


# --- listing ----------------------------------------------------------------------------------------------------


def test_many_chunks_with_keys_of_another_kind(tmp_path):
    """A repository has coordinates, not keys, and does not list chunks under keys that are not the default ones."""
    refs = [make_ref([i], data=bytes([i % 7] * 4)) for i in range(0, 3000, 2)]
    made = Repository(tmp_path / "r", 3000, refs, separator=".")
    assert run_zarrkit("check", made.folder) == "1 groups, 1 arrays, 1500 chunks, 0 errors\n"
    assert json.loads(run_zarrkit("explain", made.folder, "--array", "a", "--json"))["chunks"] == {"touched": 3000, "stored": 1500}


def test_a_repository_of_one_value_is_listed(tmp_path):
    for separator in "/.":
        made = Repository(tmp_path / ("dot" if separator == "." else "slash"), None, [make_ref([], data=b"\1")], separator=separator)
        assert run_zarrkit("check", made.folder) == "1 groups, 1 arrays, 1 chunks, 0 errors\n"


# --- damage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["snapshots/" + format_id(make_id(3)), "manifests/" + format_id(make_id(4)),
                                 "chunks/" + format_id(make_id(9))])
@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_missing_or_damaged_object_is_an_error_with_its_key(repository, key, damage):
    path = os.path.join(repository.folder, key)
    if damage == "missing":
        os.remove(path)
    else:
        os.truncate(path, 5)
    assert key in catch_error(lambda: read(repository.folder))


def test_a_later_format_is_refused_by_its_number(repository):
    with open(os.path.join(repository.folder, "repo"), "rb") as file:
        content = file.read()
    repository.put("repo", content[:36] + b"\3" + content[37:])
    assert "expected version 1 or 2 of Icechunk's format, got 3" in catch_error(lambda: read(repository.folder))


@pytest.mark.parametrize("path", [V1, V2])
def test_a_snapshot_without_nodes_is_not_called_a_missing_file(path):
    message = catch_error(lambda: gdal.Open(f"{path}?snapshot=1CECHNKREP0F1RSTCMT0"))
    assert "the snapshot has no groups and no arrays" in message


def test_other_commits_do_not_change_an_open_dataset(repository):
    array = open_multidim(repository.folder).GetRootGroup().OpenMDArray("a")
    os.remove(os.path.join(repository.folder, "repo"))
    np.testing.assert_array_equal(array.ReadAsArray(), VALUES)


# --- virtual chunks ----------------------------------------------------------------------------------------------


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "a file.bin"
    path.write_bytes(b"head\1\2\3\4")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return str(path)


def make_url(path):
    return "file://" + path.replace(" ", "%20")


def make_virtual(tmp_path, config=None, **ref):
    return Repository(tmp_path / "virtual", 1, [make_ref([0], offset=4, length=4, **ref)], config).folder


def test_virtual_chunks_are_read(tmp_path, target):
    folder = make_virtual(tmp_path, location=make_url(target))
    np.testing.assert_array_equal(read(folder), [1, 2, 3, 4])
    os.remove(target)
    assert "there is no such file" in catch_error(lambda: read(folder))


def test_a_location_in_a_named_container_is_read(tmp_path, target):
    config = {"virtual_chunk_containers": {"x": {"name": "data", "url_prefix": f"file://{tmp_path}/"}}}
    folder = make_virtual(tmp_path, config, location="vcc://data/a%20file.bin")
    np.testing.assert_array_equal(read(folder), [1, 2, 3, 4])
    folder = make_virtual(tmp_path, config, location="vcc://other/a%20file.bin")
    assert 'no container of virtual chunks called "other"' in catch_error(lambda: read(folder))


@pytest.mark.parametrize("location", ["tigris://b/x", "relative/x", "/absolute/x"])
def test_other_locations_are_errors(tmp_path, location):
    assert "expected" in catch_error(lambda: read(make_virtual(tmp_path, location=location)))


def test_a_file_that_was_changed_is_an_error(tmp_path, target):
    folder = make_virtual(tmp_path, location=make_url(target), modified=1_700_000_000)
    np.testing.assert_array_equal(read(folder), [1, 2, 3, 4])
    os.utime(target, (1_700_000_001, 1_700_000_001))
    assert "changed after the reference" in catch_error(lambda: read(folder))
    for name, options in ((folder + "?ignore-timestamp-etag=yes", []), (folder, ["IGNORE_TIMESTAMP_ETAG=YES"])):
        np.testing.assert_array_equal(read(name, options), [1, 2, 3, 4])


def test_a_remote_repository_must_not_name_local_files(tmp_path, target, server):
    make_virtual(tmp_path, location=make_url(target))
    name = f"ICECHUNK:/vsicurl/{server.url}/virtual"
    assert "GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE" in catch_error(lambda: read(name))
    with set_config_option("GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE", "YES"):
        np.testing.assert_array_equal(read(name), [1, 2, 3, 4])
    os.rename(target, tmp_path / "file.bin")
    make_virtual(tmp_path, location=f"{server.url}/file.bin")
    np.testing.assert_array_equal(read(name), [1, 2, 3, 4])


# --- changes -----------------------------------------------------------------------------------------------------


def list_files(folder):
    return sorted(os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names)


@pytest.mark.parametrize("form", ["{}", "{}?branch=main", 'ZARR:"{}"', "ICECHUNK:{}"])
def test_a_repository_is_never_replaced_or_removed(repository, tmp_path, form):
    name = form.format(repository.folder)
    before = list_files(tmp_path)
    driver = gdal.GetDriverByName("Zarr")
    source = gdal.GetDriverByName("MEM").Create("", 4, 4)
    changes = {
        "delete": lambda: driver.Delete(name),
        "rename": lambda: driver.Rename(str(tmp_path / "other"), name),
        "copy": lambda: driver.CopyFiles(str(tmp_path / "other"), name),
        "create": lambda: driver.Create(name, 4, 4),
        "create copy": lambda: driver.CreateCopy(name, source),
        "multidim": lambda: driver.CreateMultiDimensional(name),
    }
    for what, change in changes.items():
        error = catch_error(change)
        assert "Icechunk repositor" in error and "only reads" not in error, what
        assert list_files(tmp_path) == before, what


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_a_store_whose_array_is_called_repo_is_a_store(tmp_path, form):
    name = str(tmp_path / "a.zarr")
    driver = gdal.GetDriverByName("Zarr")
    dataset = driver.CreateMultiDimensional(name, [], ["FORMAT=" + form])
    root = dataset.GetRootGroup()
    array = root.CreateMDArray("repo", [root.CreateDimension("x", None, None, 3)], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    array.Write(b"\x01\x02\x03")
    del array, root, dataset
    np.testing.assert_array_equal(gdal.Open(name).ReadAsArray(), [[1, 2, 3]])
    np.testing.assert_array_equal(read(name, array="repo"), [1, 2, 3])
    assert driver.Delete(name) == gdal.CE_None
    assert os.listdir(tmp_path) == []
