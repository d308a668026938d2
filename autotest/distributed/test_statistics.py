# SPDX-License-Identifier: MIT
"""Workers read all chunks of an array, and their statistics are those that NumPy computes from the whole array."""

import jobs
import numpy as np
import pytest
from osgeo import gdal

SHARDS = ["FORMAT=ZARR_V3", "BLOCKSIZE=2,256,256", "SHARD_CHUNK_SHAPE=1,64,64"]
MOSAICS = {  # the creation options, the type, the interface, and the shape
    "v2 chunks": (["FORMAT=ZARR_V2", "BLOCKSIZE=128,160"], "u2", "raster", (1000, 1300)),
    "v3 shards": (SHARDS, "f4", "multidim", (5, 600, 700)),
    "rectilinear": (["FORMAT=ZARR_V3", "CHUNK_EDGES=y:300,17,183;x:[[100,7]]"], "i4", "multidim", (500, 700)),
}
FAN_IN = 8


def compute_statistics(client, job, units):
    """Lets workers combine the statistics of units, some at a time."""
    parts = client.map(jobs.get_statistics, units, job=job, pure=False)
    while len(parts) > FAN_IN:
        groups = [parts[i : i + FAN_IN] for i in range(0, len(parts), FAN_IN)]
        parts = [client.submit(jobs.combine_statistics, group, pure=False) for group in groups]
    return client.submit(jobs.combine_statistics, parts, pure=False).result()


def make_mosaic(store, kind, written=slice(None)):
    """Writes an array, or some of its units, in a plain loop. The elements of signed types are of both signs."""
    options, data_type, interface, shape = MOSAICS[kind]
    job = jobs.Job(store, shape, data_type, interface)
    jobs.create(job, options)
    dataset = gdal.OpenEx(store, jobs.UPDATE[interface])
    for unit in jobs.plan(store)[written]:
        values = jobs.make_values(job, unit)
        jobs.put_values(job, dataset, values if data_type == "u2" else values - 30000, unit["start"])
    dataset.FlushCache()
    return job


@pytest.mark.parametrize("kind", MOSAICS)
@pytest.mark.parametrize("written", [slice(None), slice(None, None, 2)], ids=["whole", "half of it is missing"])
def test_statistics_of_a_mosaic(client, store, kind, written):
    job = make_mosaic(store, kind, written)
    computed = compute_statistics(client, job, jobs.plan(store))
    values = jobs.read_array(job)
    total = values.sum(dtype="f8" if job.data_type == "f4" else "i8").item()
    expected = {"count": values.size, "sum": total, "min": values.min(), "max": values.max()}
    assert computed == expected | {"mean": total / values.size}  # all sums are whole numbers, and exact
    if job.data_type != "u2" and written == slice(None):
        assert computed["min"] < 0 < computed["max"]


def test_statistics_do_not_depend_on_the_cut(client, store):
    job = make_mosaic(store, "v2 chunks")
    cut = [{"start": [y, 0], "count": [min(77, 1000 - y), 1300]} for y in range(0, 1000, 77)]
    assert compute_statistics(client, job, cut) == compute_statistics(client, job, jobs.plan(store))
