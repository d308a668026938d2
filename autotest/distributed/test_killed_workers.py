# SPDX-License-Identifier: MIT
"""Workers are killed at random instants while they write. Nannies start them again, and nothing is lost.

ZARR_KILLS is the number of kills in each job (default 4). A job has 50 units for each of them.
"""

import os
import random
import signal
import time

import jobs
import numpy as np
import pytest
from osgeo import gdal

KILLS = int(os.environ.get("ZARR_KILLS", "4"))
WORKERS = 4
ROWS, COLUMNS = 5 * KILLS, 10  # of units
LENGTH = 128  # of a unit
SHAPE = (ROWS * LENGTH, COLUMNS * LENGTH)
CHUNKS = ["FORMAT=ZARR_V2", f"BLOCKSIZE={LENGTH},{LENGTH}", "COMPRESS=ZLIB"]
SHARDS = ["FORMAT=ZARR_V3", f"BLOCKSIZE={LENGTH},{LENGTH}", "SHARD_CHUNK_SHAPE=32,32", "COMPRESS=GZIP"]
LARGE_SHARDS = ["FORMAT=ZARR_V3", f"BLOCKSIZE={5 * LENGTH},{2 * LENGTH}", "SHARD_CHUNK_SHAPE=64,64", "COMPRESS=GZIP"]

pytestmark = pytest.mark.time_limit(60 + 15 * KILLS)


@pytest.fixture(scope="module")
def cluster(programs, tmp_path_factory):
    with jobs.start_cluster(tmp_path_factory.mktemp("killed_workers"), WORKERS) as started:
        yield started


@pytest.fixture(scope="module")
def four(cluster):
    from distributed import Client

    with Client(cluster, set_as_default=False) as connected:
        yield connected


def list_processes(cluster, client):
    """Lists the processes of workers that have started, and that the scheduler knows."""
    known = client.scheduler_info()["workers"]
    processes = [nanny.process for nanny in cluster.workers.values()]
    running = [p for p in processes if p and p.status.name == "running" and p.worker_address in known]
    return [p.pid for p in running if p.pid]


def wait_until(condition):
    while not condition():
        time.sleep(0.002)


def kill_workers(cluster, client, futures):
    """Kills workers when random numbers of units have been written, and some milliseconds more have passed."""
    limits = sorted(random.choices(range(len(futures) * 9 // 10), k=KILLS))
    killed = []
    for limit in limits:
        wait_until(lambda: sum(f.done() for f in futures) >= limit)
        time.sleep(random.uniform(0, 0.02))
        wait_until(lambda: set(list_processes(cluster, client)) - set(killed))
        killed.append(random.choice(sorted(set(list_processes(cluster, client)) - set(killed))))
        os.kill(killed[-1], signal.SIGKILL)
    return killed


def read_notes(folder):
    """Returns how many units were begun, and how many ended."""
    text = "".join(path.read_text() for path in folder.iterdir())
    return text.count("begin"), text.count("end")


def make_units():
    starts = [(y * LENGTH, x * LENGTH) for y in range(ROWS) for x in range(COLUMNS)]
    return [{"start": list(start), "count": [LENGTH, LENGTH]} for start in starts]


# Units are chunks, shards, parts of shards, and squares that reach into up to four chunks.
CASES = {"chunks": (CHUNKS, 0), "shards": (SHARDS, 0)}
CASES |= {"parts of shards": (LARGE_SHARDS, 0), "parts of chunks": (CHUNKS, 50)}


def shift(unit, distance):
    """Moves a unit; those at the edge are cut, or become longer, so that all of them still fill the array."""
    start = [s and s + distance for s in unit["start"]]
    end = [min(s + c + distance, n) for s, c, n in zip(unit["start"], unit["count"], SHAPE)]
    return {"start": start, "count": [e - s for s, e in zip(start, end)]}


def run_and_kill(cluster, client, job, units):
    """Writes units while workers are killed. Returns what is said about it."""
    started = time.monotonic()
    futures = client.map(jobs.write_unit, units, job=job, pure=False)
    killed = kill_workers(cluster, client, futures)
    client.gather(futures)
    assert len(set(killed)) == KILLS
    return f"{len(units)} units, {KILLS} kills, {time.monotonic() - started:.1f} s"


def check_temporary_files(store):
    """Checks that the next dataset that opens the store for update removes temporary files."""
    left = jobs.list_other_files(store)
    assert all(name.startswith(".zarr-tmp-") for name in left)
    with open(os.path.join(store, ".zarr-tmp-0123456789abcdef"), "w"):
        pass  # as a process leaves it that is killed while it replaces a chunk
    gdal.OpenEx(store, jobs.UPDATE["multidim"])
    assert jobs.list_other_files(store) == []
    return f"{len(left)} temporary files left"


def check_values(job, options, units, path):
    serial = jobs.Job(str(path), SHAPE, "i4")
    jobs.create(serial, options)
    jobs.write_serially(serial, units)
    values = jobs.read_array(job)
    np.testing.assert_array_equal(values, jobs.read_array(serial))
    np.testing.assert_array_equal(values, jobs.make_values(job, jobs.whole(job)))


@pytest.mark.parametrize("case", CASES)
def test_killed_workers_lose_nothing(cluster, four, tmp_path, capsys, case):
    options, distance = CASES[case]
    notes = tmp_path / "notes"
    notes.mkdir()
    job = jobs.Job(str(tmp_path / "test.zarr"), SHAPE, "i4", "multidim", ("STORE_EMPTY_CHUNKS=YES",), str(notes))
    jobs.create(job, options)
    documents = jobs.read_documents(job.store)
    units = [shift(unit, distance) for unit in make_units()]
    assert (jobs.plan(job.store) == units) == (case in ("chunks", "shards"))

    report = run_and_kill(cluster, four, job, units)
    begun, ended = read_notes(notes)
    assert jobs.read_documents(job.store) == documents
    report += f", {begun} writes, {begun - ended} of them cut off, {check_temporary_files(job.store)}"
    with capsys.disabled():
        print(f"\n{case}: {report}")
    assert jobs.finish(job.store) == []
    check_values(job, options, units, tmp_path / "serial.zarr")
    assert jobs.run_zarrkit("check", job.store).endswith(" 0 errors\n")
