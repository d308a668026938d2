# SPDX-License-Identifier: MIT
"""A job of many processes that write one array, for the tests and throughput.py.

Workers import this file: Dask sends them the names of its functions, and not the functions themselves.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
from osgeo import gdal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pymod"))

from plugin_in_use import check  # noqa: E402

gdal.UseExceptions()
check()  # in each worker

ARRAY = "a"
DATA_TYPES = {"u2": gdal.GDT_UInt16, "i4": gdal.GDT_Int32, "f4": gdal.GDT_Float32}
UPDATE = {"raster": gdal.OF_RASTER | gdal.OF_UPDATE, "multidim": gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE}
DOCUMENTS = (".zarray", ".zattrs", ".zgroup", ".zmetadata", "zarr.json")

SETTINGS = {
    "distributed.scheduler.allowed-failures": 1000,  # of workers that die with a task: the tests kill them
    # A cluster gives up workers that are not there this long after their death, even if they are just being started.
    "distributed.deploy.lost-worker-timeout": "1h",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.nanny.http.routes": [],
    "distributed.diagnostics.nvml": False,
}


@dataclass(frozen=True)
class Job:
    """An array, and how tasks open it."""

    store: str
    shape: tuple
    data_type: str = "i4"
    interface: str = "multidim"
    open_options: tuple = ()
    notes: str = ""  # a folder in which each worker notes when it begins a unit, and when it ends it


# --- the cluster --------------------------------------------------------------------------------------------------


def start_cluster(folder, workers):
    """Starts a scheduler and worker processes, which nannies start again when they die, all on localhost."""
    import dask
    import distributed

    dask.config.set(SETTINGS)
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        local_directory=str(folder),
        memory_limit=0,
        silence_logs="CRITICAL",
    )


# --- the steps of a job -------------------------------------------------------------------------------------------


def get_zarrkit():
    return os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")


def run_zarrkit(command, store, *arguments, codes=(0,)):
    done = subprocess.run([get_zarrkit(), command, str(store), *arguments], capture_output=True, text=True)
    assert done.returncode in codes and not done.stderr, done
    return done.stdout


def plan(store):
    return json.loads(run_zarrkit("plan", store, "--array", ARRAY, "--json"))["units"]


def finish(store):
    """Makes the consolidated metadata; returns the units that are missing."""
    output = run_zarrkit("finish", store, "--array", ARRAY, "--json", codes=(0, 3))
    return json.loads(output)["arrays"][0]["missing"]


def create_raster(store, shape, data_type, options):
    """Makes an array of two dimensions that has metadata only."""
    options = [f"ARRAY_NAME={ARRAY}", "CREATE_CONSOLIDATED_METADATA=NO", *options]
    gdal.GetDriverByName("Zarr").Create(store, shape[1], shape[0], 1, DATA_TYPES[data_type], options)


def create_array(store, shape, data_type, options):
    """Makes an array of any number of dimensions that has metadata only."""
    form = [o for o in options if o.startswith("FORMAT=")] + ["CREATE_CONSOLIDATED_METADATA=NO"]
    rest = [o for o in options if not o.startswith("FORMAT=")]
    root = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], form).GetRootGroup()
    names = ["time", "y", "x"][-len(shape) :]
    dimensions = [root.CreateDimension(name, "", "", length) for name, length in zip(names, shape)]
    root.CreateMDArray(ARRAY, dimensions, gdal.ExtendedDataType.Create(DATA_TYPES[data_type]), rest)


def create(job, options):
    (create_raster if job.interface == "raster" else create_array)(job.store, job.shape, job.data_type, options)


# --- tasks --------------------------------------------------------------------------------------------------------


def make_values(job, unit):
    """Makes the elements of a unit. Each tells its place in the array, and none is zero."""
    strides = np.cumprod([1, *job.shape[:0:-1]])[::-1]
    axes = [np.arange(s, s + c, dtype="i8") * step for s, c, step in zip(unit["start"], unit["count"], strides)]
    return (sum(np.ix_(*axes)) % 65521 + 1).astype(job.data_type)


def put_values(job, dataset, values, start):
    if job.interface == "raster":
        dataset.WriteArray(values, start[1], start[0])
    else:
        dataset.GetRootGroup().OpenMDArray(ARRAY).WriteArray(values, array_start_idx=start)


def note(job, text):
    if job.notes:
        with open(os.path.join(job.notes, str(os.getpid())), "a", encoding="utf-8") as f:
            f.write(text + "\n")


def write_unit(unit, job):
    """Writes a unit. Errors of what is stored when a dataset is closed are raised by FlushCache only."""
    values = make_values(job, unit)
    note(job, "begin")
    dataset = gdal.OpenEx(job.store, UPDATE[job.interface], open_options=list(job.open_options))
    put_values(job, dataset, values, unit["start"])
    dataset.FlushCache()
    del dataset
    note(job, "end")


def read_unit(unit, job):
    if job.interface == "raster":
        (y, x), (rows, columns) = unit["start"], unit["count"]
        return gdal.OpenEx(job.store, gdal.OF_RASTER).ReadAsArray(x, y, columns, rows)
    array = gdal.OpenEx(job.store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray(ARRAY)
    return array.ReadAsArray(array_start_idx=unit["start"], count=unit["count"])


def get_statistics(unit, job):
    values = read_unit(unit, job)
    total = values.sum(dtype="f8" if values.dtype.kind == "f" else "i8")
    return {"count": values.size, "sum": total.item(), "min": values.min().item(), "max": values.max().item()}


def combine_statistics(parts):
    combined = {"count": sum(p["count"] for p in parts), "sum": sum(p["sum"] for p in parts)}
    combined |= {"min": min(p["min"] for p in parts), "max": max(p["max"] for p in parts)}
    return combined | {"mean": combined["sum"] / combined["count"]}


# --- the same without workers, and what a store holds -------------------------------------------------------------


def write_serially(job, units):
    """Writes all units through one dataset."""
    dataset = gdal.OpenEx(job.store, UPDATE[job.interface])
    for unit in units:
        put_values(job, dataset, make_values(job, unit), unit["start"])
    dataset.FlushCache()


def whole(job):
    return {"start": [0] * len(job.shape), "count": list(job.shape)}


def read_array(job):
    return read_unit(whole(job), job)


def read_documents(store):
    """Returns the inode, the time and the bytes of each metadata document."""
    documents = {}
    for folder, _, names in os.walk(store):
        for path in (os.path.join(folder, name) for name in names if name in DOCUMENTS):
            status = os.stat(path)
            with open(path, "rb") as f:
                documents[os.path.relpath(path, store)] = (status.st_ino, status.st_mtime_ns, f.read())
    return documents


def list_other_files(store):
    """Lists files that are neither documents nor chunks: temporary ones, or those of GDAL."""
    names = [name for _, _, names in os.walk(store) for name in names if name not in DOCUMENTS]
    return [name for name in names if not all(part.isdigit() for part in name.split("."))]
