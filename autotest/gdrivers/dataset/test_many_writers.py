# SPDX-License-Identifier: MIT
"""Several handles, threads and processes change one store at the same time: nothing is lost.

ZARR_ROUNDS repeats the tests with processes so many times (default: 2).
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pytest
from osgeo import gdal

ROUNDS = int(os.environ.get("ZARR_ROUNDS", "2"))
SIZE = 128

#: What each process does for each line of JSON that it gets. It tells when it has opened the store, and begins when it
#: gets another line.
WORKER = """
import json, sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()

def wait():
    print("ready", flush=True)
    sys.stdin.readline()

def start(path, flags):
    dataset = gdal.OpenEx(path, flags | gdal.OF_UPDATE)
    wait()
    return dataset

def write_rows(dataset, number, count, flush):
    for y in range(number, dataset.RasterYSize, count):
        row = np.full((1, dataset.RasterXSize), 1 + y % 100, "u1")
        dataset.WriteRaster(0, y, dataset.RasterXSize, 1, row.tobytes())
        if flush and y % 8 == number:
            dataset.FlushCache()

def rows(path, number, count):
    write_rows(start(path, gdal.OF_RASTER), number, count, False)

def flushed_rows(path, number, count):
    write_rows(start(path, gdal.OF_RASTER), number, count, True)

def rows_for_ever(path, number, count):
    dataset = start(path, gdal.OF_RASTER)
    while True:
        write_rows(dataset, number, count, True)

def attributes(path, number, count):
    dataset = start(path, gdal.OF_RASTER)
    for k in range(5):
        dataset.SetMetadataItem(f"k{number}_{k}", str(number))

def arrays(path, number, count):
    dataset = start(path, gdal.OF_MULTIDIM_RASTER)
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension(f"x{number}", None, None, 4)
    for k in range(3):
        array = root.CreateMDArray(f"a{number}_{k}", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        array.Write(np.full(4, number, "u1"))

def longer(path, number, count):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    wait()
    array.Resize([10 + number])
    array.Write(np.full(1, 50 + number, "u1"), array_start_idx=[9 + number], count=[1])

def longer_series(path, number, count):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("series")
    length = array.GetDimensions()[0].GetSize()
    wait()
    array.Resize([length + 1 + number])
    time = dataset.GetRootGroup().OpenMDArray("time")
    assert time.GetDimensions()[0].GetSize() >= array.GetDimensions()[0].GetSize() >= length + 1 + number

def rasters(path, number, count):
    source = gdal.GetDriverByName("MEM").Create("", 6, 4, 1, gdal.GDT_Byte)
    source.SetGeoTransform((100, 10, 0, 200, 0, -10))
    source.SetProjection("EPSG:32631")
    source.GetRasterBand(1).Fill(number + 1)
    wait()
    options = ["APPEND_SUBDATASET=YES", f"ARRAY_NAME=r{number}"]
    gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=options)

for line in sys.stdin:
    job = json.loads(line)
    globals()[job["kind"]](job["path"], job["number"], job["count"])
    print("done", flush=True)
"""


class Team:
    """Processes that do one job after the other, each of which they begin at once."""

    def __init__(self, count):
        self.messages = tempfile.TemporaryFile("a+")  # a pipe that nobody reads would fill up
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages, text=True)
        self.processes = [subprocess.Popen([sys.executable, "-c", WORKER], **pipes) for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()
        self.messages.close()

    def _tell(self, lines):
        for process, line in zip(self.processes, lines):
            process.stdin.write(line + "\n")
            process.stdin.flush()

    def _await(self, answer):
        for process in self.processes:
            line = process.stdout.readline()
            assert line == answer + "\n", self.read_messages()

    def read_messages(self):
        self.messages.seek(0)
        return self.messages.read()[-4000:]

    def begin(self, kind, path):
        count = len(self.processes)
        self._tell(json.dumps({"kind": kind, "path": path, "number": i, "count": count}) for i in range(count))
        self._await("ready")
        self._tell([""] * count)

    def run(self, kind, path):
        self.begin(kind, path)
        self._await("done")


@pytest.fixture(scope="module")
def team():
    with Team(4) as processes:
        yield processes


LAYOUTS = {
    "v1": ["FORMAT=ZARR_V1", "BLOCKSIZE=128,128"],
    "v2": ["FORMAT=ZARR_V2", "BLOCKSIZE=48,48"],
    "v3": ["FORMAT=ZARR_V3", "BLOCKSIZE=128,128"],
    "shards": ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16", "SHARD_SHAPE=64,64"],
    "rectilinear": ["FORMAT=ZARR_V3", "CHUNK_EDGES=Y:50,78;X:100,28"],
}


def make_raster(path, options):
    if os.path.exists(path):
        shutil.rmtree(path)
    gdal.GetDriverByName("Zarr").Create(path, SIZE, SIZE, 1, gdal.GDT_Byte, options)


def expect_rows(path):
    values = gdal.OpenEx(path, gdal.OF_RASTER).ReadAsArray()
    np.testing.assert_array_equal(values, np.repeat(1 + np.arange(SIZE) % 100, SIZE).reshape(SIZE, SIZE))


def list_files(path):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["rows", "flushed_rows"])
def test_processes_that_write_parts_of_the_same_chunks_lose_nothing(tmp_path, team, layout, kind):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        make_raster(path, LAYOUTS[layout])
        team.run(kind, path)
        expect_rows(path)
        names = [os.path.basename(name) for name in list_files(path)]
        assert not [name for name in names if "lock" in name or "tmp" in name]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nobody_waits_for_a_killed_process(tmp_path, team, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    for round in range(ROUNDS):
        with Team(2) as victims:
            victims.begin("rows_for_ever", path)
            time.sleep(0.02 + 0.01 * (round % 5))
        team.run("rows", path)
        expect_rows(path)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_handles_of_one_process_lose_nothing_of_each_other(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    handles = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    for y in range(SIZE):
        handles[y % 2].WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
        if y % 7 == 0:
            handles[y % 3 % 2].FlushCache()
    handles.clear()
    expect_rows(path)


def test_two_handles_in_memory_lose_nothing_of_each_other():
    path = "/vsimem/many-writers.zarr"
    gdal.GetDriverByName("Zarr").Create(path, SIZE, SIZE, 1, gdal.GDT_Byte, ["BLOCKSIZE=128,128"])
    handles = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    for y in range(SIZE):
        handles[y % 2].WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
    handles.clear()
    expect_rows(path)
    gdal.RmdirRecursive(path)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_threads_with_a_handle_each_lose_nothing(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])

    def write(number):
        dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
        for y in range(number, SIZE, 4):
            dataset.WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
            if y % 16 == number:
                dataset.FlushCache()

    threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect_rows(path)


def test_a_write_with_another_number_of_pixels_keeps_what_others_have_written(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS["v2"])
    first = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    first.ReadAsArray()
    first.WriteRaster(0, 0, 20, 20, bytes(range(100)), buf_xsize=10, buf_ysize=10)
    second = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    second.WriteRaster(20, 0, 20, 20, b"\x07" * 400)
    second = None
    first = None
    values = gdal.OpenEx(path).ReadAsArray()
    assert (values[:20, 20:40] == 7).all()
    np.testing.assert_array_equal(values[:20, :20], np.arange(100).reshape(10, 10).repeat(2, 0).repeat(2, 1))


@pytest.mark.parametrize("shape", [(3, 5), (7, 20), (1, 1), (16, 4)])
def test_a_write_with_another_number_of_pixels_takes_those_that_gdal_takes(tmp_path, shape):
    pixels = np.arange(shape[0] * shape[1], dtype="u1").reshape(shape)
    results = []
    for driver, name in (("Zarr", str(tmp_path / "a.zarr")), ("MEM", "")):
        dataset = gdal.GetDriverByName(driver).Create(name, 30, 20, 2, gdal.GDT_Byte)
        dataset.GetRasterBand(2).WriteRaster(3, 2, 11, 13, pixels.tobytes(), buf_xsize=shape[1], buf_ysize=shape[0])
        results.append(dataset.ReadAsArray())
    np.testing.assert_array_equal(*results)


def test_a_unit_that_is_warped_in_memory_keeps_what_others_write_beside_it(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_raster(path, ["FORMAT=ZARR_V2", "BLOCKSIZE=64,64"])
    with_place = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    with_place.SetGeoTransform((0, 1, 0, SIZE, 0, -1))
    with_place = None
    source = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_Byte)
    source.SetGeoTransform((0, 1, 0, SIZE, 0, -1))
    source.WriteArray(np.arange(SIZE * SIZE, dtype="u2").astype("u1").reshape(SIZE, SIZE) | 1)
    stores = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    for i, (x, y) in enumerate((x, y) for y in (0, 64) for x in (0, 64)):
        bounds = (x, SIZE - y - 64, x + 64, SIZE - y)
        unit = gdal.Warp("", source, format="MEM", outputBounds=bounds, width=64, height=64)
        stores[i % 2].WriteRaster(x, y, 64, 64, unit.ReadRaster())
    stores.clear()
    np.testing.assert_array_equal(gdal.OpenEx(path).ReadAsArray(), source.ReadAsArray())


# --- metadata -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["V2", "V3"])
@pytest.mark.parametrize("consolidated", ["YES", "NO"])
def test_processes_that_set_attributes_of_one_array_keep_them_all(tmp_path, team, version, consolidated):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        make_raster(path, [f"FORMAT=ZARR_{version}", f"CREATE_CONSOLIDATED_METADATA={consolidated}"])
        team.run("attributes", path)
        metadata = gdal.OpenEx(path, gdal.OF_RASTER).GetMetadata()
        assert {f"k{i}_{k}": str(i) for i in range(4) for k in range(5)}.items() <= metadata.items()


def list_consolidated(path, version):
    name = "zarr.json" if version == "V3" else ".zmetadata"
    with open(os.path.join(path, name)) as f:
        document = json.load(f)
    listed = document["consolidated_metadata"]["metadata"] if version == "V3" else document["metadata"]
    return {key.split("/")[0] for key in listed}


@pytest.mark.parametrize("version", ["V2", "V3"])
def test_processes_that_add_arrays_list_them_all(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        store = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
        root = store.GetRootGroup()
        root.CreateMDArray("first", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        root = store = None
        team.run("arrays", path)
        wanted = {f"a{i}_{k}" for i in range(4) for k in range(3)} | {"first"}
        assert wanted <= list_consolidated(path, version)
        assert wanted <= set(gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames())


@pytest.mark.parametrize("version", ["V2", "V3"])
def test_processes_that_add_rasters_keep_their_places(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
        team.run("rasters", path)
        assert {f"r{i}" for i in range(4)} <= list_consolidated(path, version)
        for i in range(4):
            raster = gdal.Open(f'ZARR:"{path}":/r{i}')
            assert raster.GetGeoTransform() == (100, 10, 0, 200, 0, -10)
            assert raster.GetSpatialRef().GetAuthorityCode(None) == "32631"
            assert (raster.ReadAsArray() == i + 1).all()


def make_series(path, version, length=8):
    store = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
    root = store.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, length)
    array = root.CreateMDArray("a", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte), ["BLOCKSIZE=4"])
    array.Write(np.arange(length, dtype="u1"))


def open_series(path, update=False):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | (gdal.OF_UPDATE if update else 0))
    return dataset, dataset.GetRootGroup().OpenMDArray("a")


needs_resize = pytest.mark.skipif(not hasattr(gdal.MDArray, "Resize"), reason="GDAL >= 3.7")


@needs_resize
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_processes_that_make_an_array_longer_get_the_largest_length(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        make_series(path, version)
        team.run("longer", path)
        values = open_series(path)[1].ReadAsArray()
        assert values.tolist() == [*range(8), 0, 50, 51, 52, 53]


@needs_resize
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_arrays_that_share_a_dimension_become_longer_together(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        store = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
        root = store.GetRootGroup()
        dimension = root.CreateDimension("time", None, None, 8)
        for name in ["time", "series", "another"]:
            root.CreateMDArray(name, [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte), ["BLOCKSIZE=4"])
        dimension = root = store = None
        for length in (12, 16):
            team.run("longer_series", path)
            root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
            lengths = [root.OpenMDArray(name).GetDimensions()[0].GetSize() for name in ["time", "series", "another"]]
            assert lengths == [length] * 3


@needs_resize
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_a_handle_keeps_what_another_one_has_added(tmp_path, version):
    path = str(tmp_path / "a.zarr")
    make_series(path, version)
    old, old_array = open_series(path, update=True)
    new, new_array = open_series(path, update=True)
    new_array.Resize([14])
    new_array.Write(np.full(14, 9, "u1"))
    new_array.CreateAttribute("added", [], gdal.ExtendedDataType.CreateString()).Write("new")
    new.GetRootGroup().CreateGroup("group")
    new_array = new = None

    old_array.SetUnit("m")
    old_array.Write(np.full(7, 5, "u1"), array_start_idx=[1], count=[7])
    old_array.CreateAttribute("also", [], gdal.ExtendedDataType.CreateString()).Write("old")
    old.GetRootGroup().CreateGroup("another")
    old_array = old = None

    dataset, array = open_series(path)
    assert array.ReadAsArray().tolist() == [9] + [5] * 7 + [9] * 6
    assert array.GetUnit() == "m"
    assert array.GetAttribute("added").Read() == "new"
    assert array.GetAttribute("also").Read() == "old"
    assert sorted(dataset.GetRootGroup().GetGroupNames()) == ["another", "group"]


@needs_resize
def test_a_resize_to_a_smaller_length_is_refused_if_the_array_has_changed(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_series(path, "V3")
    old, old_array = open_series(path, update=True)
    new, new_array = open_series(path, update=True)
    new_array.Resize([12])
    new_array = new = None
    with pytest.raises(RuntimeError, match="as when it was opened"):
        old_array.Resize([4])
    old_array.Resize([10])  # is longer than it was: it stays as long as it is
    assert old_array.GetDimensions()[0].GetSize() == 12
    old_array = old = None
    assert open_series(path)[1].ReadAsArray().tolist() == [*range(8), 0, 0, 0, 0]


def test_of_two_handles_that_add_one_name_the_second_is_refused(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_series(path, "V3")
    datasets = [gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    datasets[0].GetRootGroup().CreateGroup("group")
    with pytest.raises(RuntimeError, match="there is a node already|expected nothing"):
        datasets[1].GetRootGroup().CreateGroup("group")


def test_an_array_that_was_deleted_elsewhere_does_not_come_back(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_series(path, "V3")
    old, old_array = open_series(path, update=True)
    old_array.Write(np.zeros(8, "u1"))
    shutil.rmtree(os.path.join(path, "a"))
    with pytest.raises(RuntimeError, match="removed or renamed"):
        old_array.Write(np.ones(8, "u1"))
    with pytest.raises(RuntimeError, match="expected a node, got none"):
        old_array.SetUnit("m")
    old_array = None
    with gdal.quiet_errors() if hasattr(gdal, "quiet_errors") else contextlib.nullcontext():
        old = None
    assert not os.path.exists(os.path.join(path, "a"))


@pytest.fixture
def unwritable_document(tmp_path):
    """A store whose array has a document that nobody may open for writing, not even root."""
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS["v2"])
    document = os.path.join(path, "a", ".zarray")
    if not shutil.which("chattr") or subprocess.run(["chattr", "+i", document], capture_output=True).returncode:
        pytest.skip("files cannot be made immutable here")
    yield path
    subprocess.run(["chattr", "-i", document])


def test_a_dataset_warns_if_it_cannot_keep_other_processes_out(unwritable_document):
    messages = []
    gdal.PushErrorHandler(lambda level, number, message: messages.append(message))
    try:
        dataset = gdal.OpenEx(unwritable_document, gdal.OF_RASTER | gdal.OF_UPDATE)
        dataset.WriteRaster(0, 0, 10, 10, b"\x01" * 100)
        dataset.FlushCache()
        dataset.WriteRaster(0, 0, 10, 10, b"\x02" * 100)
        dataset = None
    finally:
        gdal.PopErrorHandler()
    assert len(messages) == 1, messages
    assert "cannot lock" in messages[0] and "may get lost" in messages[0]
    assert (gdal.OpenEx(unwritable_document).ReadAsArray(0, 0, 10, 10) == 2).all()


# --- partial writes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["v2", "shards"])
def test_partial_writes_can_be_refused(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["PARTIAL_WRITES=ERROR"])
    dataset.WriteRaster(0, 0, SIZE, 10, b"\x01" * 10 * SIZE)
    with pytest.raises(RuntimeError, match="only a part of the chunk"):
        dataset.FlushCache()
    dataset = None
    assert not gdal.OpenEx(path).ReadAsArray().any()


@pytest.mark.parametrize("layout", ["v2", "shards"])
def test_whole_chunks_are_written_where_partial_ones_are_refused(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["PARTIAL_WRITES=ERROR"])
    for y in range(SIZE):  # row by row: a chunk is whole in the end
        dataset.WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
    dataset = None
    expect_rows(path)


def test_an_array_is_created_to_refuse_partial_writes(tmp_path):
    options = ["BLOCKSIZE=64,64", "PARTIAL_WRITES=ERROR"]
    dataset = gdal.GetDriverByName("Zarr").Create(str(tmp_path / "a.zarr"), SIZE, SIZE, 1, gdal.GDT_Byte, options)
    dataset.WriteRaster(0, 0, SIZE, 10, b"\x01" * 10 * SIZE)
    with pytest.raises(RuntimeError, match="only a part of the chunk"):
        dataset.FlushCache()


def test_an_update_can_store_chunks_of_the_fill_value(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS["v2"])
    before = list_files(path)
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["STORE_EMPTY_CHUNKS=YES"])
    dataset.WriteRaster(0, 0, SIZE, SIZE, bytes(SIZE * SIZE))
    dataset = None
    assert len(list_files(path)) == len(before) + 9
