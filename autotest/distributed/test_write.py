# SPDX-License-Identifier: MIT
"""Workers write an array by the plan of zarrkit, or in units that share chunks. The result is that of a serial loop."""

import dataclasses
import json
import os

import jobs
import numpy as np
import pytest
from osgeo import gdal

ROWS, COLUMNS = 500, 700
V2_CHUNKS = ["FORMAT=ZARR_V2", "BLOCKSIZE=128,160", "COMPRESS=ZSTD"]
V3_SHARDS = ["FORMAT=ZARR_V3", "BLOCKSIZE=256,256", "SHARD_CHUNK_SHAPE=64,64", "COMPRESS=ZSTD"]
V3_SHARDS_3D = ["FORMAT=ZARR_V3", "BLOCKSIZE=2,256,256", "SHARD_CHUNK_SHAPE=1,64,128", "COMPRESS=ZSTD"]
RECTILINEAR = ["FORMAT=ZARR_V3", "CHUNK_EDGES=y:300,17,183;x:[[100,7]]"]
KINDS = {  # the creation options, the type, the interface, the shape, and the number of units
    "v2 chunks": (V2_CHUNKS, "u2", "raster", (ROWS, COLUMNS), 4 * 5),
    "v2 chunks, multidimensional": (V2_CHUNKS, "i4", "multidim", (ROWS, COLUMNS), 4 * 5),
    "v3 shards": (V3_SHARDS, "f4", "raster", (ROWS, COLUMNS), 2 * 3),
    "v3 shards, three dimensions": (V3_SHARDS_3D, "u2", "multidim", (5, ROWS, COLUMNS), 3 * 2 * 3),
    "rectilinear": (RECTILINEAR, "i4", "multidim", (ROWS, COLUMNS), 3 * 7),
}


def make_job(store, kind):
    options, data_type, interface, shape, _ = KINDS[kind]
    job = jobs.Job(store, shape, data_type, interface, ("STORE_EMPTY_CHUNKS=YES",))
    jobs.create(job, options)
    return job


def write_serial_copy(store, kind):
    """Writes what the job writes in a plain loop, and builds overviews."""
    job = dataclasses.replace(make_job(store, kind), open_options=())
    jobs.write_serially(job, jobs.plan(store))
    build_overviews(job)
    jobs.finish(store)
    return job


def run(client, job, units):
    client.gather(client.map(jobs.write_unit, units, job=job, pure=False))


def open_raster(job):
    return gdal.OpenEx(f'ZARR:"{job.store}":/{jobs.ARRAY}', gdal.OF_RASTER | gdal.OF_UPDATE)


def build_overviews(job):
    open_raster(job).BuildOverviews("AVERAGE", [2, 4])


def read_levels(job):
    dataset = open_raster(job)
    bands = [dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount)]
    assert bands and all(band.GetOverviewCount() == 2 for band in bands)
    return [band.GetOverview(level).ReadAsArray() for band in bands for level in range(2)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_job_writes_what_a_serial_loop_writes(client, tmp_path, kind):
    job = make_job(str(tmp_path / "test.zarr"), kind)
    documents = jobs.read_documents(job.store)
    assert documents and not any("consolidated" in path or ".zmetadata" in path for path in documents)
    units = jobs.plan(job.store)
    assert len(units) == KINDS[kind][4]

    run(client, job, units[::2])
    assert sorted(map(json.dumps, jobs.finish(job.store))) == sorted(map(json.dumps, units[1::2]))
    documents = jobs.read_documents(job.store)
    run(client, job, units[1::2])
    assert jobs.read_documents(job.store) == documents
    assert jobs.finish(job.store) == []
    build_overviews(job)

    serial = write_serial_copy(str(tmp_path / "serial.zarr"), kind)
    np.testing.assert_array_equal(jobs.read_array(job), jobs.make_values(job, jobs.whole(job)))
    np.testing.assert_array_equal(jobs.read_array(job), jobs.read_array(serial))
    for level, expected in zip(read_levels(job), read_levels(serial), strict=True):
        np.testing.assert_array_equal(level, expected)
    assert "consolidated metadata" in jobs.run_zarrkit("info", job.store)
    assert jobs.run_zarrkit("check", job.store).endswith(" 0 errors\n")
    assert jobs.list_other_files(job.store) == []


def test_workers_write_no_metadata(client, store):
    """Not even in datasets that leave out chunks of the fill value, or in the store's consolidated metadata."""
    job = make_job(store, "v3 shards")
    jobs.finish(store)
    documents = jobs.read_documents(store)
    for open_options in (), ("PARTIAL_WRITES=ERROR",), ("STORE_EMPTY_CHUNKS=YES",):
        run(client, dataclasses.replace(job, open_options=open_options), jobs.plan(store))
        assert jobs.read_documents(store) == documents


def write_zeros(unit, job):
    dataset = gdal.OpenEx(job.store, jobs.UPDATE[job.interface], open_options=list(job.open_options))
    jobs.put_values(job, dataset, np.zeros(unit["count"], job.data_type), unit["start"])
    dataset.FlushCache()


@pytest.mark.parametrize("kind", ["v2 chunks", "v3 shards", "rectilinear"])
def test_units_of_zeros_are_not_missing(client, store, kind):
    job = make_job(store, kind)
    units = jobs.plan(store)
    client.gather(client.map(write_zeros, units, job=job, pure=False))
    assert jobs.finish(store) == []
    assert not jobs.read_array(job).any()


# --- units that are badly cut -------------------------------------------------------------------------------------


def cut_badly(shape, lengths):
    """Cuts an array without a look at its chunks."""
    starts = [range(0, length, step) for length, step in zip(shape, lengths)]
    grid = np.stack(np.meshgrid(*starts, indexing="ij"), -1).reshape(-1, len(shape)).tolist()
    return [{"start": s, "count": [min(n, e - o) for n, e, o in zip(lengths, shape, s)]} for s in grid]


SHARED = [("v2 chunks", (70, 90)), ("v3 shards", (50, 70)), ("v3 shards, three dimensions", (1, 170, 230))]
SHARED += [("rectilinear", (70, 90))]


@pytest.mark.parametrize("kind, lengths", SHARED)
def test_units_that_share_chunks_lose_nothing_on_a_local_file_system(client, tmp_path, kind, lengths):
    job = make_job(str(tmp_path / "test.zarr"), kind)
    documents = jobs.read_documents(job.store)
    units = cut_badly(job.shape, lengths)
    run(client, job, units)
    run(client, job, units[::-1])  # into chunks that are there
    assert jobs.read_documents(job.store) == documents
    assert jobs.finish(job.store) == []
    serial = write_serial_copy(str(tmp_path / "serial.zarr"), kind)
    np.testing.assert_array_equal(jobs.read_array(job), jobs.read_array(serial))
    assert jobs.list_other_files(job.store) == []


@pytest.mark.parametrize("kind, lengths", SHARED)
def test_units_that_share_chunks_fail_where_partial_writes_are_refused(client, store, kind, lengths):
    job = dataclasses.replace(make_job(store, kind), open_options=("PARTIAL_WRITES=ERROR",))
    with pytest.raises(RuntimeError, match="only a part of the chunk was written") as error:
        run(client, job, cut_badly(job.shape, lengths))
    assert os.path.join(store, jobs.ARRAY) in str(error.value)


@pytest.mark.parametrize("kind", KINDS)
def test_units_of_a_plan_can_be_written_where_partial_writes_are_refused(client, store, kind):
    job = dataclasses.replace(make_job(store, kind), open_options=("PARTIAL_WRITES=ERROR",))
    run(client, job, jobs.plan(store))
    assert jobs.finish(store) == []
    np.testing.assert_array_equal(jobs.read_array(job), jobs.make_values(job, jobs.whole(job)))
