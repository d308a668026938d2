# SPDX-License-Identifier: MIT
"""Several processes change one store in an object store: parts of the same chunks and shards, attributes of the same nodes,
the length of one array, and nodes of the same names. The server fails in many ways. Nothing may get lost.

ZARR_OBJECT_WRITERS sets the number of processes (8), ZARR_OBJECT_CHANGES the number of all changes (480)."""

import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import object_writer
import pytest
from azurite import Azurite
from config_options import set_config_options
from errors import collect_errors
from gcs_server import GcsServer
from memory_s3 import MemoryS3
from osgeo import gdal
from server_fixtures import run_or_skip

WRITERS = int(os.environ.get("ZARR_OBJECT_WRITERS", "8"))
CHANGES = int(os.environ.get("ZARR_OBJECT_CHANGES", "480"))
SECONDS = 3000
FAULTS = {
    "500": 0.01,
    "503": 0.01,
    "500 after": 0.01,
    "dropped": 0.01,
    "dropped after": 0.01,
    "late": 0.0005,
    "late after": 0.0005,
    "412": 0.1,
}


def run_writers(s3, path):
    """Returns what each of the processes has written."""
    environment = {**os.environ, **s3.settings()}
    program = [sys.executable, object_writer.__file__, path]
    changes = str(CHANGES // WRITERS)
    arguments = [[str(i), str(WRITERS), changes, str(i + 1)] for i in range(WRITERS)]
    with tempfile.TemporaryFile("a+") as messages:  # a pipe that nobody reads would fill up
        options = dict(stdout=subprocess.PIPE, stderr=messages, text=True, env=environment)
        processes = [subprocess.Popen([*program, *each], **options) for each in arguments]
        outputs = [process.communicate(timeout=SECONDS)[0] for process in processes]
        messages.seek(0)
        statuses = [process.returncode for process in processes]
        assert not any(statuses), f"{statuses}: {messages.read()[-4000:]}"
    return [json.loads(output) for output in outputs]


def find_lost(path, results, answers_get_lost=False):
    """Returns the names of all that is not in the store as it was written last, and how many things were looked at.

    A process whose request has no answer finds the node that it wanted, and cannot know that another one has made it."""
    gdal.VSICurlClearCache()
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER)
    root = dataset.GetRootGroup()
    found, expected, makers = {}, {}, {}
    for name in ("chunks", "shards"):
        values = root.OpenMDArray(name).ReadAsArray()
        found |= {(name, f"{y},{x}"): int(values[y, x]) for y, x in np.argwhere(values)}
    found |= {("series", str(i)): int(v) for i, v in enumerate(root.OpenMDArray("series").ReadAsArray())}
    for place, node in (("", root), ("group", root.OpenGroup("group")), ("chunks", root.OpenMDArray("chunks"))):
        found |= {("attributes", f"{place}:{a.GetName()}"): a.Read() for a in node.GetAttributes()}
    for name in root.GetMDArrayNames():
        if name.startswith(("own", "common")):
            found["node", name] = int.from_bytes(root.OpenMDArray(name).Read(), sys.byteorder)
    for number, result in enumerate(results):
        for kind in ("chunks", "shards", "series", "attributes"):
            expected |= {(kind, key): value for key, value in result[kind].items()}
        for name in result["own"] + result["made"]:
            makers.setdefault(("node", name), []).append(number + 1)
    assert answers_get_lost or all(len(numbers) == 1 for numbers in makers.values()), "a node was made twice"
    lost = [item for item, value in expected.items() if found.get(item) != value]
    lost += [item for item, numbers in makers.items() if found.get(item) not in numbers]
    return lost, len(expected) + len(makers)


def change_by_many(s3, version):
    path = f"{s3.root}/a.zarr"
    faults, s3.faults = s3.faults, {}
    object_writer.make_store(path, version)
    s3.faults = faults
    results = run_writers(s3, path)
    s3.faults = {}
    lost, looked_at = find_lost(path, results, bool(faults))
    answers = collections.Counter((method, status) for method, _, status in s3.log)
    print(f"{WRITERS} processes, {sum(r['done'] for r in results)} changes, {looked_at} results, {len(lost)} lost")
    print(f"{sum(r['failures'] for r in results)} changes repeated by their caller; {len(s3.log)} requests: {dict(answers)}")
    return lost, answers


@pytest.mark.parametrize("faults", [{}, FAULTS], ids=["without faults", "with faults"])
@pytest.mark.parametrize("version", ["ZARR_V3", "ZARR_V2"])
def test_nothing_gets_lost(version, faults):
    with MemoryS3(faults).serve() as s3, s3.configure():
        lost, answers = change_by_many(s3, version)
        assert not lost
        assert answers["PUT", 412] > 0  # they have met


def check_that_nothing_gets_lost(server):
    with server.configure():
        path = f"{server.root}/many.zarr"
        object_writer.make_store(path)
        lost, _ = find_lost(path, run_writers(server, path))
        assert not lost


def test_nothing_gets_lost_on_moto(moto):
    check_that_nothing_gets_lost(moto)


@pytest.fixture(params=["gcs", "azurite, read by GDAL", "azurite"])
def other_store(request, tmp_path):
    """Stores that compare generations, and entity tags of their own."""
    access = "shared" if request.param == "azurite" else "key"
    yield from run_or_skip(lambda: GcsServer("keys") if request.param == "gcs" else Azurite(tmp_path, access))


def test_nothing_gets_lost_on_google_and_azure(other_store):
    check_that_nothing_gets_lost(other_store)


# --- a server that ignores conditions ---


@pytest.fixture
def old_server():
    with MemoryS3(honours_conditions=False).serve() as s3, s3.configure():
        yield s3


def test_changes_get_lost_on_a_server_that_ignores_conditions(old_server):
    """If not, the tests above would not tell anything."""
    path = f"{old_server.root}/a.zarr"
    object_writer.make_store(path)
    try:
        lost, _ = find_lost(path, run_writers(old_server, path))
    except AssertionError as error:
        assert "made twice" in str(error)
    else:
        assert lost


def write_part(path, options=()):
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=list(options))
    dataset.WriteArray(np.ones((1, 4), "u1"), 2, 2)
    dataset.FlushCache()


def make_raster(s3):
    path = f"{s3.root}/r.zarr"
    gdal.GetDriverByName("Zarr").Create(path, 32, 32, 1, gdal.GDT_Byte, ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16"])
    gdal.VSICurlClearCache()
    return path


def test_the_user_is_warned_on_a_server_that_ignores_conditions(old_server):
    path = make_raster(old_server)
    before = dict(old_server.objects)
    write_part(path)
    with collect_errors() as errors:
        write_part(path)
    assert any("ignores conditions" in message and "may get lost" in message for _, message in errors)
    assert set(old_server.objects) - set(before) == {"r.zarr/r/c/0/0"}  # the probe leaves nothing


def test_partial_writes_are_refused_there_if_asked(old_server):
    path = make_raster(old_server)
    before = dict(old_server.objects)
    with pytest.raises(RuntimeError, match="read back are refused"):
        write_part(path, ["PARTIAL_WRITES=ERROR"])
    assert old_server.objects == before


def test_a_bucket_is_probed_once():
    with MemoryS3().serve() as s3, s3.configure():
        path = make_raster(s3)
        for _ in range(2):
            write_part(path)
        probes = [entry for entry in s3.log if ".zarr-tmp-" in entry[1]]
        assert [(method, status) for method, _, status in probes] == [("PUT", 404)]
        assert not [key for key in s3.objects if ".zarr-tmp-" in key]


def test_a_probe_that_is_refused_shows_nothing_of_conditions():
    """Such as by a token that has expired: a later change asks again, and loses nothing."""
    with MemoryS3().serve() as s3, s3.configure():
        path = make_raster(s3)
        before = dict(s3.objects)
        s3.fail("PUT", ".zarr-tmp-", "403")
        for _ in range(2):
            with collect_errors() as errors, pytest.raises(RuntimeError, match="403"):
                write_part(path)
                write_part(path)
            assert not any("ignores conditions" in message for _, message in errors)
        s3.heal()
        write_part(path)
        write_part(path)
        probes = [entry[2] for entry in s3.log if ".zarr-tmp-" in entry[1] and entry[0] == "PUT"]
        assert probes == [403, 403, 404] and set(s3.objects) - set(before) == {"r.zarr/r/c/0/0"}


# --- requests without an answer ---


@pytest.mark.parametrize("fault", ["500", "500 after", "dropped", "dropped after", "412"])
def test_a_change_whose_answer_is_lost_is_looked_at(fault):
    with MemoryS3().serve() as s3, s3.configure():
        path = make_raster(s3)
        write_part(path)  # with the probe
        s3.failing = {"r.zarr/r/c/0/0": fault}
        with set_config_options({"GDAL_HTTP_MAX_RETRY": "3", "GDAL_HTTP_RETRY_DELAY": "0.01"}):
            dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
            dataset.WriteArray(np.full((1, 4), 9, "u1"), 8, 8)
            dataset.FlushCache()
        assert not s3.failing
        gdal.VSICurlClearCache()
        values = gdal.Open(path).ReadAsArray()
        assert (values[8, 8:12] == 9).all() and (values[2, 2:6] == 1).all()


def test_a_large_chunk_is_replaced_in_one_request():
    """GDAL would send it in parts, without the condition."""
    with MemoryS3().serve() as s3, s3.configure():
        path = f"{s3.root}/r.zarr"
        options = ["FORMAT=ZARR_V3", "BLOCKSIZE=2048,2048", "COMPRESS=NONE"]
        gdal.GetDriverByName("Zarr").Create(path, 2048, 2048, 1, gdal.GDT_Float64, options)
        write_part(path)
        s3.log.clear()
        s3.failing = {"r.zarr/r/c/0/0": "412"}
        write_part(path)
        puts = [status for method, key, status in s3.log if method == "PUT" and key == "r.zarr/r/c/0/0"]
        assert puts == [412, 200] and len(s3.objects["r.zarr/r/c/0/0"]) == 2048 * 2048 * 8
