# SPDX-License-Identifier: MIT
"""Commits to Icechunk repositories: what is created, what is changed, and what happens if others commit meanwhile."""

import contextlib
import multiprocessing
import os
import shutil
import stat

import numpy as np
import pytest
from closing import close, closing
from errors import collect_errors
from osgeo import gdal
from zarrkit_program import run_zarrkit

REPOSITORIES = os.path.join(os.path.dirname(__file__), "..", "..", "data", "icechunk")
GRID = (24, 40)
VALUES = np.arange(GRID[0] * GRID[1], dtype="int16").reshape(GRID)


def create(path, *arguments):
    return gdal.GetDriverByName("Zarr").Create(str(path), *arguments)


def read_tree(path):
    """The content of all files, by their names."""
    files = (os.path.join(parent, name) for parent, _, names in os.walk(path) for name in names)
    return {file: open(file, "rb").read() for file in sorted(files)}


def make_repository(path, options=(), bands=1):
    """A raster of 24 rows and 40 columns in chunks of 8 x 8, in a new repository."""
    options = ["FORMAT=ICECHUNK", "BLOCKSIZE=8,8", "ARRAY_NAME=a", *options]
    with closing(create(path, GRID[1], GRID[0], bands, gdal.GDT_Int16, options)) as dataset:
        dataset.GetRasterBand(1).WriteArray(VALUES)
        dataset.SetGeoTransform((500000, 10, 0, 4600000, 0, -10))
        dataset.SetProjection("EPSG:32631")
    return str(path)


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path / "a.icechunk")


def open_for_update(path, *options):
    return gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=list(options))


def open_group(path, *options, update=True):
    flags = gdal.OF_MULTIDIM_RASTER | (gdal.OF_UPDATE if update else 0)
    return gdal.OpenEx(path, flags, open_options=list(options))


def read(path):
    with closing(gdal.Open(path)) as dataset:
        return dataset.ReadAsArray()


def list_commits(path):
    """The messages of the commits of a repository, the last one first."""
    return [line.split('"')[1] for line in run_zarrkit("log", path).splitlines()]


def close_with_error(dataset):
    """Closes a dataset, and returns the messages of errors: in some versions of GDAL they are no exceptions."""
    with collect_errors() as errors:
        try:
            close(dataset)
        except RuntimeError as error:
            errors.append((gdal.CE_Failure, str(error)))
            if getattr(dataset, "this", None) is not None:  # some versions would close it again
                dataset.thisown = False
                dataset.this = None
    return "\n".join(text for level, text in errors if level == gdal.CE_Failure)


# --- new repositories --------------------------------------------------------------------------------------------------


def test_a_new_repository_has_one_commit_and_all_that_was_written(tmp_path):
    path = make_repository(tmp_path / "a.icechunk", ["COMMIT_MESSAGE=the first", "COMMIT_AUTHOR=Ada Ä"])
    with closing(gdal.Open(path)) as dataset:
        assert (dataset.ReadAsArray() == VALUES).all()
        assert dataset.GetGeoTransform() == (500000, 10, 0, 4600000, 0, -10)
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32631"
    assert list_commits(path) == ["the first", "Repository initialized"]
    assert set(os.listdir(path)) - {"chunks"} == {"manifests", "repo", "snapshots", "transactions"}


def test_a_copy_is_equal_to_its_source(tmp_path):
    source = tmp_path / "in.tif"
    with closing(gdal.GetDriverByName("GTiff").Create(str(source), 40, 24, 2, gdal.GDT_Float32)) as dataset:
        dataset.WriteArray(np.stack([VALUES, VALUES * 2]).astype("float32"))
        dataset.GetRasterBand(1).SetNoDataValue(-1)
        dataset.GetRasterBand(2).SetNoDataValue(-1)
        dataset.GetRasterBand(2).SetDescription("two")
        dataset.SetGeoTransform((0, 0.5, 0, 50, 0, -0.5))
        dataset.SetProjection("EPSG:4326")
        dataset.SetMetadataItem("note", "kept")
    path = str(tmp_path / "copy.icechunk")
    gdal.Translate(path, str(source), format="Zarr", creationOptions=["FORMAT=ICECHUNK"])
    with closing(gdal.Open(str(source))) as before, closing(gdal.Open(path)) as after:
        assert (before.ReadAsArray() == after.ReadAsArray()).all()
        assert after.GetRasterBand(2).GetDescription() == "two"
        assert [after.GetRasterBand(i).GetNoDataValue() for i in (1, 2)] == [-1, -1]
        assert after.GetMetadataItem("note") == "kept" and after.GetGeoTransform() == before.GetGeoTransform()
        assert after.GetSpatialRef().IsSame(before.GetSpatialRef())
    assert len(list_commits(path)) == 2


def test_a_multidimensional_copy_is_equal_to_its_source(tmp_path):
    path = str(tmp_path / "copy.icechunk")
    source = os.path.join(REPOSITORIES, "history_v2")
    close(gdal.MultiDimTranslate(path, source, format="Zarr", creationOptions=["FORMAT=ICECHUNK"]))
    with closing(open_group(source, update=False)) as before, closing(open_group(path, update=False)) as after:
        groups = before.GetRootGroup(), after.GetRootGroup()
        assert groups[0].GetMDArrayNames() == groups[1].GetMDArrayNames()
        for name in groups[0].GetMDArrayNames():
            values = [group.OpenMDArray(name).ReadAsArray() for group in groups]
            assert (values[0] == values[1]).all()


def test_nothing_is_there_before_the_close(tmp_path):
    path = tmp_path / "a.icechunk"
    dataset = gdal.GetDriverByName("Zarr").Create(str(path), 40, 24, 1, gdal.GDT_Int16, ["FORMAT=ICECHUNK"])
    dataset.WriteArray(VALUES)
    dataset.FlushCache()
    assert not (path / "repo").exists()
    dataset = None
    assert (read(str(path)) == VALUES).all()


def test_a_creation_that_fails_leaves_no_repository(tmp_path):
    path = tmp_path / "a.icechunk"
    source = gdal.GetDriverByName("MEM").Create("", 40, 24, 1, gdal.GDT_Int16)
    with pytest.raises(RuntimeError):
        gdal.GetDriverByName("Zarr").CreateCopy(str(path), source, options=["FORMAT=ICECHUNK"], callback=lambda *_: 0)
    left = [name for _, _, names in os.walk(path) for name in names]
    assert left == []


@pytest.mark.parametrize("multidim", [False, True])
def test_a_copy_that_is_cancelled_leaves_no_repository(tmp_path, multidim):
    path = tmp_path / "a.icechunk"
    source = gdal.GetDriverByName("MEM").Create("", 40, 24, 1, gdal.GDT_Int16)
    source.WriteArray(VALUES)
    if multidim:
        source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
        group = source.GetRootGroup()
        dimensions = [group.CreateDimension(name, "", "", 40) for name in "yx"]
        for name in "abc":
            group.CreateMDArray(name, dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int16))
    options = ["FORMAT=ICECHUNK"] + ([] if multidim else ["BLOCKSIZE=8,8"])
    with contextlib.suppress(RuntimeError):  # some versions of GDAL report no error
        driver = gdal.GetDriverByName("Zarr")
        assert not driver.CreateCopy(str(path), source, options=options, callback=lambda part, *_: part < 0.4)
    assert not (path / "repo").exists()


def test_a_cancelled_copy_into_a_repository_is_not_committed(repository):
    before = len(read_tree(repository))
    source = gdal.GetDriverByName("MEM").Create("", 40, 24, 1, gdal.GDT_Int16)
    source.WriteArray(VALUES)
    options = ["APPEND_SUBDATASET=YES", "ARRAY_NAME=b", "BLOCKSIZE=8,8"]
    with pytest.raises(RuntimeError):
        gdal.GetDriverByName("Zarr").CreateCopy(repository, source, options=options, callback=lambda part, *_: part < 0.4)
    assert len(read_tree(repository)) == before


def test_a_repository_is_not_replaced(repository):
    before = read_tree(repository)
    for make in (
        lambda: gdal.GetDriverByName("Zarr").Create(repository, 2, 2, 1, gdal.GDT_Byte, ["FORMAT=ICECHUNK"]),
        lambda: gdal.Translate(repository, gdal.GetDriverByName("MEM").Create("", 2, 2), format="Zarr"),
        lambda: gdal.GetDriverByName("Zarr").CreateMultiDimensional(repository, [], ["FORMAT=ICECHUNK"]),
        lambda: gdal.GetDriverByName("Zarr").Delete(repository),
    ):
        with pytest.raises(RuntimeError, match="repository"):
            make()
    assert read_tree(repository) == before


def test_an_array_is_added_to_a_repository(repository, tmp_path):
    source = gdal.GetDriverByName("MEM").Create("", 40, 24, 1, gdal.GDT_Int16)
    source.WriteArray(VALUES + 1)
    options = ["APPEND_SUBDATASET=YES", "ARRAY_NAME=b", "COMMIT_MESSAGE=b too"]
    gdal.Translate(repository, source, format="Zarr", creationOptions=options)
    assert list_commits(repository)[0] == "b too"
    assert (read(f'ZARR:"{repository}":/b') == VALUES + 1).all()
    assert (read(f'ZARR:"{repository}":/a') == VALUES).all()


# --- changes -------------------------------------------------------------------------------------------------------------


def test_one_commit_has_all_changes_of_a_dataset(repository):
    with closing(open_for_update(repository, "COMMIT_MESSAGE=edit", "COMMIT_AUTHOR=Bob")) as dataset:
        dataset.GetRasterBand(1).WriteArray(np.full((3, 9), -5, "int16"), 6, 7)
        dataset.SetMetadataItem("note", "changed")
        dataset.BuildOverviews("NEAREST", [2])
        dataset.FlushCache()
        with closing(gdal.Open(repository)) as other:  # does not see half a commit
            assert (other.ReadAsArray() == VALUES).all() and other.GetMetadataItem("note") is None
            assert other.GetRasterBand(1).GetOverviewCount() == 0
    expected = VALUES.copy()
    expected[7:10, 6:15] = -5
    with closing(gdal.Open(repository)) as dataset:
        assert (dataset.ReadAsArray() == expected).all()
        assert dataset.GetMetadataItem("note") == "changed" and dataset.GetRasterBand(1).GetOverviewCount() == 1
    assert list_commits(repository) == ["edit", "Written by GDAL", "Repository initialized"]
    assert (read(f"{repository}?snapshot={list_ids(repository)[1]}") == VALUES).all()


def list_ids(path):
    return [line.split(" ", 1)[0] for line in run_zarrkit("log", path).splitlines()]


def test_a_session_without_changes_makes_no_commit(repository):
    before = read_tree(repository)
    with closing(open_for_update(repository)) as dataset:
        dataset.ReadAsArray()
    assert read_tree(repository) == before


def test_groups_and_arrays_are_made_resized_renamed_and_deleted(repository):
    with closing(open_group(repository)) as dataset:
        root = dataset.GetRootGroup()
        group = root.CreateGroup("g")
        time = group.CreateDimension("time", None, None, 3)
        array = group.CreateMDArray("t", [time], gdal.ExtendedDataType.Create(gdal.GDT_Float64), ["BLOCKSIZE=2"])
        array.Write(np.array([1.0, 2.0, 3.0]))
        del time, array, group, root
    with closing(open_group(repository)) as dataset:
        array = dataset.GetRootGroup().OpenMDArrayFromFullname("/g/t")
        if hasattr(array, "Resize"):
            array.Resize([5])
            array.Write(np.array([4.0, 5.0]), array_start_idx=[3], count=[2])
        del array
    with closing(open_group(repository, update=False)) as dataset:
        values = dataset.GetRootGroup().OpenMDArrayFromFullname("/g/t").ReadAsArray()
        assert values.tolist() in ([1, 2, 3], [1, 2, 3, 4, 5])
    if not hasattr(gdal.Group, "DeleteGroup"):
        return
    with closing(open_group(repository)) as dataset:
        root = dataset.GetRootGroup()
        root.OpenGroup("g").Rename("h")
        del root
    with closing(open_group(repository)) as dataset:
        root = dataset.GetRootGroup()
        assert root.GetGroupNames() == ["h"]
        assert root.OpenMDArrayFromFullname("/h/t").ReadAsArray().tolist() == [1, 2, 3, 4, 5]
        root.DeleteGroup("h")
        root.DeleteMDArray("a")
        del root
    with closing(open_group(repository, update=False)) as dataset:
        root = dataset.GetRootGroup()
        assert not root.GetGroupNames() and "a" not in root.GetMDArrayNames()


@pytest.mark.parametrize("name", ["history_v1", "history_v2"])
def test_repositories_of_others_are_changed_and_keep_their_history(tmp_path, name):
    path = str(tmp_path / "repo")
    shutil.copytree(os.path.join(REPOSITORIES, name), path)
    ids = list_ids(path)
    with closing(open_group(path, "BRANCH=main")) as dataset:
        array = dataset.GetRootGroup().OpenMDArray(dataset.GetRootGroup().GetMDArrayNames()[0])
        before = array.ReadAsArray()
        changed = before.copy()
        changed.flat[0] += 1
        array.Write(changed)
        del array
    with closing(open_group(path, update=False)) as dataset:
        array = dataset.GetRootGroup().OpenMDArray(dataset.GetRootGroup().GetMDArrayNames()[0])
        assert (array.ReadAsArray() == changed).all()
        del array
    assert list_ids(path)[1:] == ids
    with closing(open_group(f"{path}?snapshot={ids[0]}", update=False)) as dataset:
        array = dataset.GetRootGroup().OpenMDArray(dataset.GetRootGroup().GetMDArrayNames()[0])
        assert (array.ReadAsArray() == before).all()
        del array


@pytest.mark.parametrize("options", [["TAG=half"], ["AS_OF=2999-01-01"], ["SNAPSHOT=Q8YZ8K949QREPRNJTZJG"]])
def test_only_a_branch_takes_changes(tmp_path, options):
    path = str(tmp_path / "repo")
    shutil.copytree(os.path.join(REPOSITORIES, "history_v2"), path)
    with pytest.raises(RuntimeError, match="name a branch instead"):
        open_group(path, *options)


def test_another_branch_takes_changes(tmp_path):
    path = str(tmp_path / "repo")
    shutil.copytree(os.path.join(REPOSITORIES, "history_v2"), path)
    main = list_ids(path)
    with closing(open_for_update(path, "BRANCH=dev", "COMMIT_MESSAGE=on dev")) as dataset:
        dataset.SetMetadataItem("new", "1")
    assert list_ids(path) == main
    assert '"on dev"' in run_zarrkit("log", path, "--at", "dev").splitlines()[0]


def test_files_of_chunks_that_a_session_overwrites_are_removed(repository):
    options = ["FORMAT=ICECHUNK", "COMPRESS=NONE"]
    with closing(create(repository + "2", 64, 64, 1, gdal.GDT_Int32, options)) as dataset:
        dataset.WriteArray(np.ones((64, 64)))
        dataset.FlushCache()
        dataset.WriteArray(np.full((64, 64), 2))
    assert len(os.listdir(repository + "2/chunks")) == 1
    assert (read(repository + "2") == 2).all()


# --- others commit, too --------------------------------------------------------------------------------------------------


def write_block(path, row, value):
    with closing(open_for_update(path, f"COMMIT_MESSAGE={value}")) as dataset:
        dataset.GetRasterBand(1).WriteArray(np.full((8, 8), value, "int16"), 0, row)


def test_changes_of_other_chunks_are_made_in_what_others_left(repository):
    mine = open_for_update(repository, "COMMIT_MESSAGE=mine")
    mine.GetRasterBand(1).WriteArray(np.full((8, 8), 1, "int16"), 0, 0)
    write_block(repository, 8, 2)
    write_block(repository, 16, 3)
    assert close_with_error(mine) == ""
    assert read(repository)[:, 0].tolist() == [1] * 8 + [2] * 8 + [3] * 8
    assert list_commits(repository)[:3] == ["mine", "3", "2"]


def test_a_change_of_the_same_chunk_is_a_conflict_and_is_kept_beside_the_branch(repository):
    mine = open_for_update(repository, "COMMIT_MESSAGE=mine")
    mine.GetRasterBand(1).WriteArray(np.full((8, 8), 1, "int16"), 0, 8)
    write_block(repository, 8, 2)
    message = close_with_error(mine)
    assert 'the branch "main" has moved' in message and "it changed chunk a/c/1/0" in message
    assert read(repository)[8, 0] == 2
    kept = message.split("?snapshot=")[1].split(")")[0]
    assert read(f"{repository}?snapshot={kept}")[8, 0] == 1
    assert list_commits(repository)[0] == "2"


def make_group(dataset):
    dataset.GetRootGroup().CreateGroup("g")


def set_attribute(dataset):
    attribute = dataset.GetRootGroup().CreateAttribute("x", [], gdal.ExtendedDataType.CreateString())
    attribute.Write("1")


def set_attribute_of_array(dataset):
    array = dataset.GetRootGroup().OpenMDArray("a")
    array.CreateAttribute("x", [], gdal.ExtendedDataType.CreateString()).Write("1")


def write_chunk(dataset):
    dataset.GetRootGroup().OpenMDArray("a").Write(np.zeros((8, 8), "int16"), array_start_idx=[0, 0], count=[8, 8])


def delete_array(dataset):
    dataset.GetRootGroup().DeleteMDArray("a")


CONFLICTS = [
    (make_group, make_group, 'it made "/g", as was done here'),
    (set_attribute, set_attribute, 'it changed the metadata of "/"'),
    (write_chunk, set_attribute_of_array, 'it changed the metadata of "/a"'),
    (set_attribute_of_array, write_chunk, 'it changed chunks of "/a", whose metadata changed here'),
    (delete_array, write_chunk, 'it changed "/a", which is deleted here'),
]


@pytest.mark.parametrize("mine, theirs, message", CONFLICTS, ids=[f"{a.__name__}-{b.__name__}" for a, b, _ in CONFLICTS])
def test_other_conflicts_are_named(repository, mine, theirs, message):
    if delete_array in (mine, theirs) and not hasattr(gdal.Group, "DeleteMDArray"):
        pytest.skip("this version of GDAL cannot delete arrays")
    dataset = open_group(repository)
    mine(dataset)
    with closing(open_group(repository)) as other:
        theirs(other)
    last = list_ids(repository)[0]
    assert message in close_with_error(dataset)
    assert list_ids(repository)[0] == last


def write_rows(path, process, count, queue):
    gdal.UseExceptions()
    try:
        for i in range(count):
            row, column = divmod(process * count + i, 5)
            with closing(open_for_update(path)) as dataset:
                dataset.GetRasterBand(1).WriteArray(np.full((8, 8), process + 1, "int16"), 8 * column, 8 * row)
        queue.put("")
    except Exception as error:  # noqa: BLE001 - for the parent
        queue.put(str(error))


def test_processes_that_commit_at_the_same_time_lose_nothing(tmp_path):
    path = str(tmp_path / "a.icechunk")
    options = ["FORMAT=ICECHUNK", "BLOCKSIZE=8,8"]
    close(create(path, 40, 64, 1, gdal.GDT_Int16, options))
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    team = [context.Process(target=write_rows, args=(path, i, 10, queue)) for i in range(4)]
    for process in team:
        process.start()
    assert [queue.get(timeout=300) for _ in team] == ["", "", "", ""]
    for process in team:
        process.join()
    expected = np.repeat(np.repeat(np.repeat(np.arange(1, 5), 10).reshape(8, 5), 8, 0), 8, 1)
    assert (read(path) == expected).all()
    assert len(list_ids(path)) == 42


# --- what goes wrong -----------------------------------------------------------------------------------------------------


def test_a_repository_that_cannot_be_written_is_an_error_and_stays_as_it_is(repository):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    before = read_tree(repository)
    os.chmod(repository, stat.S_IRUSR | stat.S_IXUSR)
    try:
        dataset = open_for_update(repository)
        dataset.GetRasterBand(1).Fill(1)
        assert close_with_error(dataset)
    finally:
        os.chmod(repository, stat.S_IRWXU)
    assert read_tree(repository) == before


def test_a_damaged_snapshot_is_not_committed_to(repository):
    dataset = open_for_update(repository)
    dataset.GetRasterBand(1).Fill(1)
    last = list_ids(repository)[0]
    with open(f"{repository}/snapshots/{last}", "r+b") as file:
        file.seek(60)
        file.write(b"damage")
    with open(f"{repository}/repo", "rb") as file:
        repo = file.read()
    assert last in close_with_error(dataset)
    with open(f"{repository}/repo", "rb") as file:
        assert file.read() == repo


def test_what_nothing_leads_to_is_removed(repository):
    mine = open_for_update(repository, "COMMIT_MESSAGE=mine")
    mine.GetRasterBand(1).WriteArray(np.full((8, 8), 1, "int16"), 0, 8)
    write_block(repository, 8, 2)
    kept = close_with_error(mine).split("?snapshot=")[1].split(")")[0]
    unused = os.path.join(repository, "chunks", "0" * 20)  # of a session that is not committed yet, for instance
    os.makedirs(os.path.dirname(unused), exist_ok=True)
    with open(unused, "wb") as file:
        file.write(b"x")
    before = read_tree(repository)
    assert run_zarrkit("gc", repository, "--older-than", "2000-01-01", "--remove").startswith("0 objects")
    assert f"would remove snapshots/{kept}" in run_zarrkit("gc", repository, "--older-than", "2999-01-01")
    assert read_tree(repository) == before
    removed = run_zarrkit("gc", repository, "--older-than", "2999-01-01", "--remove").splitlines()
    assert f"removed snapshots/{kept}" in removed and f"removed transactions/{kept}" in removed
    assert f"removed chunks/{'0' * 20}" in removed and not os.path.exists(unused)
    values = VALUES.copy()
    values[8:16, :8] = 2
    assert (read(repository) == values).all()
    assert all((read(f"{repository}?snapshot={identifier}") is not None) for identifier in list_ids(repository)[:2])
    with pytest.raises(RuntimeError, match=kept):
        gdal.Open(f"{repository}?snapshot={kept}")
    write_block(repository, 16, 3)
    assert read(repository)[16, 0] == 3


def test_branches_and_tags_are_made_and_deleted(repository):
    write_block(repository, 0, 5)
    first = list_ids(repository)[1]
    run_zarrkit("tag", repository, "--create", "begin", "--at", first)
    run_zarrkit("branch", repository, "--create", "dev", "--at", "begin")
    assert run_zarrkit("branch", repository).split() == [first, "dev", list_ids(repository)[0], "main"]
    with closing(open_for_update(repository, "BRANCH=dev")) as dataset:
        dataset.GetRasterBand(1).WriteArray(np.full((8, 8), 6, "int16"))
    assert [read(f"{repository}?{version}")[0, 0] for version in ("branch=main", "branch=dev", "tag=begin")] == [5, 6, 0]
    run_zarrkit("branch", repository, "--delete", "dev")
    run_zarrkit("tag", repository, "--delete", "begin")
    assert run_zarrkit("tag", repository) == ""
    with pytest.raises(RuntimeError, match="was deleted"):
        gdal.Open(repository + "?tag=begin")
