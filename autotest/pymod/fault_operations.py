# SPDX-License-Identifier: MIT
"""The operations of autotest/gdrivers/dataset/test_call_faults.py. Each takes a folder, and raises RuntimeError if GDAL
tells of an error. Rasters are 16 x 8 elements in two chunks."""

import contextlib
import ctypes
import tempfile

import numpy as np
from closing import close
from osgeo import gdal

gdal.UseExceptions()

WIDTH, HEIGHT, CHUNK = 16, 8, 8
OLD = np.arange(WIDTH * HEIGHT, dtype="u1").reshape(HEIGHT, WIDTH) + 1
NEW = OLD[::-1] + 50
OPTIONS = [f"BLOCKSIZE={CHUNK},{CHUNK}"]
V2, V3 = ["FORMAT=ZARR_V2"], ["FORMAT=ZARR_V3"]
SHARDS = ["FORMAT=ZARR_V3", "BLOCKSIZE=4,4", f"SHARD_SHAPE={CHUNK},{CHUNK}"]
OPTIONS_OF_CUBE = [f"BLOCKSIZE=1,{CHUNK},{CHUNK}"]
PLACE = (100, 2, 0, 200, 0, -2)
MOVED = (500, 2, 0, 700, 0, -2)


def check():
    if gdal.GetLastErrorType() >= gdal.CE_Failure:
        raise RuntimeError(gdal.GetLastErrorMsg())


def finish(datasets):
    """Saves and closes the one dataset of a list. GDAL before 3.8 tells of an error of closing by the last error."""
    datasets[0].FlushCache()
    check()
    if hasattr(datasets[0], "Close"):
        close(datasets[0])
    datasets.clear()
    check()


def make_source(values):
    source = gdal.GetDriverByName("MEM").Create("", WIDTH, HEIGHT, 1, gdal.GDT_Byte)
    source.WriteArray(values)
    source.SetGeoTransform(PLACE)
    source.SetMetadata({"made_by": "a test"})
    return source


def create(path, options):
    gdal.ErrorReset()
    datasets = [gdal.GetDriverByName("Zarr").Create(path, WIDTH, HEIGHT, 1, gdal.GDT_Byte, OPTIONS + options)]
    check()
    datasets[0].SetGeoTransform(PLACE)
    datasets[0].SetMetadata({"made_by": "a test"})
    datasets[0].WriteArray(OLD)
    finish(datasets)


def copy(path, options):
    gdal.ErrorReset()
    datasets = [gdal.GetDriverByName("Zarr").CreateCopy(path, make_source(OLD), 0, [*OPTIONS, *options])]
    check()
    finish(datasets)


def change(path, work):
    gdal.ErrorReset()
    datasets = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)]
    check()
    work(datasets[0])
    finish(datasets)


def create_v2(folder):
    create(f"{folder}/a.zarr", V2)


def create_v3(folder):
    create(f"{folder}/a.zarr", V3)


def create_sync(folder):
    create(f"{folder}/a.zarr", [*V3, "SYNC=YES"])


def copy_v2(folder):
    copy(f"{folder}/a.zarr", V2)


def copy_shards(folder):
    copy(f"{folder}/a.zarr", SHARDS)


def copy_archive(folder):
    copy(f"{folder}/a.zarr.zip", V3)


def update_chunks(folder):
    change(f"{folder}/a.zarr", lambda dataset: dataset.WriteArray(NEW))


def update_part(folder):
    change(f"{folder}/a.zarr", lambda dataset: dataset.WriteArray(NEW[2:5, 3:13], 3, 2))


def update_metadata(folder):
    change(f"{folder}/a.zarr", lambda dataset: dataset.SetMetadata({"made_by": "another"}))


def append(folder):
    copy(f"{folder}/a.zarr", [*V3, "APPEND_SUBDATASET=YES", "ARRAY_NAME=added"])


def append_v2(folder):
    copy(f"{folder}/a.zarr", [*V2, "APPEND_SUBDATASET=YES", "ARRAY_NAME=added"])


def build_overviews(folder):
    change(f"{folder}/a.zarr", lambda dataset: dataset.BuildOverviews("NEAREST", [2]))


def clean_overviews(folder):
    change(f"{folder}/a.zarr", lambda dataset: dataset.BuildOverviews("NONE", []))


def change_a(folder, work):
    """Takes an error of the change for one only if the change returns that it has failed."""

    def change_by_status(dataset):
        gdal.DontUseExceptions()
        try:
            status = work(dataset)
        finally:
            gdal.UseExceptions()
        if status != gdal.CE_None:
            raise RuntimeError("the change has failed")
        gdal.ErrorReset()

    change(f'ZARR:"{folder}/a.zarr":/a', change_by_status)


def move_a(folder):
    change_a(folder, lambda dataset: dataset.SetGeoTransform(MOVED))


def build_overviews_of_a(folder):
    change_a(folder, lambda dataset: dataset.BuildOverviews("NEAREST", [2]))


def make_cube(folder):
    """A cube of three bands with coordinates, and another array beside it."""
    gdal.ErrorReset()
    datasets = [gdal.GetDriverByName("Zarr").CreateMultiDimensional(f"{folder}/a.zarr", [], V3)]
    check()
    root = datasets[0].GetRootGroup()
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    sizes = {"time": 3, "y": HEIGHT, "x": WIDTH}
    dimensions = [root.CreateDimension(name, "", "", size) for name, size in sizes.items()]
    for dimension, unit in zip(dimensions, ("days since 2000-01-01", "degrees_north", "degrees_east")):
        coordinates = root.CreateMDArray(dimension.GetName(), [dimension], number)
        coordinates.SetUnit(unit)
        coordinates.Write(np.arange(dimension.GetSize(), dtype="f8"))
    array = root.CreateMDArray("a", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte), OPTIONS_OF_CUBE)
    array.Write(np.ascontiguousarray(np.stack([OLD, NEW, OLD])))
    array.CreateAttribute("made_by", [], gdal.ExtendedDataType.CreateString()).Write("a test")
    root = dimensions = coordinates = array = None
    finish(datasets)


def read_metadata(dataset):
    """Reads all that the dataset and its bands tell beside their elements."""
    told = [dataset.GetGeoTransform(can_return_null=True), dataset.GetProjectionRef(), dataset.GetGCPCount()]
    told += [{domain: dataset.GetMetadata(domain) for domain in dataset.GetMetadataDomainList() or []}]
    for number in range(1, dataset.RasterCount + 1):
        band = dataset.GetRasterBand(number)
        told += [band.GetDescription(), {domain: band.GetMetadata(domain) for domain in band.GetMetadataDomainList() or []}]
        told += [band.GetNoDataValue(), band.GetScale(), band.GetOffset(), band.GetUnitType(), band.GetColorInterpretation()]
        told += [band.GetCategoryNames(), band.GetOverviewCount(), band.GetMaskFlags(), band.GetBlockSize()]
        check()
    check()
    return repr(told)


def read_arrays(group):
    """Reads all that groups and arrays tell beside their elements."""
    told = [[(attribute.GetName(), attribute.Read()) for attribute in group.GetAttributes()]]
    told += [[(dimension.GetFullName(), dimension.GetSize()) for dimension in group.GetDimensions()]]
    for name in group.GetMDArrayNames() or []:
        array = group.OpenMDArray(name)
        told += [array.GetUnit(), array.GetNoDataValueAsRaw(), array.GetStructuralInfo(), array.GetBlockSize()]
        told += [[(attribute.GetName(), attribute.Read()) for attribute in array.GetAttributes()]]
        for dimension in array.GetDimensions():
            variable = dimension.GetIndexingVariable()
            told += [dimension.GetName(), variable and variable.GetUnit()]
        srs = array.GetSpatialRef()
        told += [srs and srs.ExportToWkt(), [c.GetName() for c in array.GetCoordinateVariables()]]
        check()
    for name in group.GetGroupNames() or []:
        told += [name, read_arrays(group.OpenGroup(name))]
    check()
    return repr(told)


def read_bands_for_update(folder):
    gdal.ErrorReset()
    return read_metadata(gdal.OpenEx(f'ZARR:"{folder}/a.zarr":/a', gdal.OF_RASTER | gdal.OF_UPDATE))


def read_arrays_for_update(folder):
    gdal.ErrorReset()
    return read_arrays(gdal.OpenEx(f"{folder}/a.zarr", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup())


def read_bands_only(folder):
    gdal.ErrorReset()
    listed = gdal.Open(f"{folder}/a.zarr").GetMetadata("SUBDATASETS")
    return repr(listed) + read_metadata(gdal.Open(f'ZARR:"{folder}/a.zarr":/a'))


def read_arrays_only(folder):
    gdal.ErrorReset()
    return read_arrays(gdal.OpenEx(f"{folder}/a.zarr", gdal.OF_MULTIDIM_RASTER).GetRootGroup())


NOT_OPENED = "not opened"


def ask_twice(name, flags, ask):
    """Asks again when the first answers have been errors; returns the second answers."""
    gdal.ErrorReset()
    try:
        dataset = gdal.OpenEx(name, flags)
    except RuntimeError:
        return NOT_OPENED
    with contextlib.suppress(RuntimeError):
        ask(dataset)
    gdal.ErrorReset()
    return ask(dataset)


def ask_bands_twice(folder):
    return ask_twice(f'ZARR:"{folder}/a.zarr":/a', gdal.OF_RASTER, read_metadata)


def ask_arrays_twice(folder):
    return ask_twice(f"{folder}/a.zarr", gdal.OF_MULTIDIM_RASTER, lambda dataset: read_arrays(dataset.GetRootGroup()))


def take_back(folder):
    """Makes a store that is to be removed in the end, because what was to be in it is refused. Returns what closing
    returns (nothing before GDAL 3.8), and the error of closing."""
    gdal.ErrorReset()
    datasets = [gdal.GetDriverByName("Zarr").CreateMultiDimensional(f"{folder}/a.zarr", [], V3)]
    check()
    with contextlib.suppress(RuntimeError):
        datasets[0].GetRootGroup().CreateGroup("..")
    gdal.ErrorReset()
    gdal.DontUseExceptions()
    status = datasets[0].Close() if hasattr(datasets[0], "Close") else None
    datasets.clear()
    error = gdal.GetLastErrorMsg() if gdal.GetLastErrorType() >= gdal.CE_Failure else ""
    gdal.UseExceptions()
    return status, error


def delete(folder):
    gdal.ErrorReset()
    if gdal.GetDriverByName("Zarr").Delete(f"{folder}/a.zarr") not in (None, gdal.CE_None):
        raise RuntimeError("Delete has failed")
    check()


def resize(folder):
    """Needs GDAL 3.7."""
    gdal.ErrorReset()
    datasets = [gdal.OpenEx(f"{folder}/a.zarr", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)]
    datasets[0].GetRootGroup().OpenMDArray("a").Resize([HEIGHT + 4, WIDTH])
    finish(datasets)


def rename(folder):
    """Needs GDAL 3.8."""
    gdal.ErrorReset()
    datasets = [gdal.OpenEx(f"{folder}/a.zarr", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)]
    datasets[0].GetRootGroup().OpenMDArray("a").Rename("b")
    finish(datasets)


def rechunk(folder):
    """Makes an array before the times that tell its chunks, so that it is written again: eight days of each month."""
    gdal.ErrorReset()
    datasets = [gdal.GetDriverByName("Zarr").CreateMultiDimensional(f"{folder}/a.zarr", [], V3)]
    check()
    root = datasets[0].GetRootGroup()
    time, x = root.CreateDimension("time", "", "", WIDTH), root.CreateDimension("x", "", "", HEIGHT)
    options = [*OPTIONS, "CHUNK_EDGES=time:MONTHS"]
    array = root.CreateMDArray("a", [time, x], gdal.ExtendedDataType.Create(gdal.GDT_Byte), options)
    array.Write(np.ascontiguousarray(OLD.T))
    times = root.CreateMDArray("time", [time], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
    times.SetUnit("days since 2000-01-24")
    times.Write(np.arange(WIDTH, dtype="f8"))
    root = time = x = array = times = None
    finish(datasets)


def mark(text):
    """Notes in the record of changes what GDAL has reported as done."""
    ctypes.CDLL(None).zarr_fault_mark(text.encode())


def create_unsynced(folder):
    create_v3(folder)
    mark("done")


def create_synced(folder):
    create_sync(folder)
    mark("done")


def append_synced(folder):
    copy(f"{folder}/a.zarr", [*V3, "APPEND_SUBDATASET=YES", "ARRAY_NAME=added", "SYNC=YES"])
    mark("done")


def make_array(root, name):
    dimensions = [root.CreateDimension(f"{n}_of_{name}", "", "", s) for n, s in (("y", HEIGHT), ("x", WIDTH))]
    number = gdal.ExtendedDataType.Create(gdal.GDT_Byte)
    return root.CreateMDArray(name, dimensions, number, OPTIONS)


def session_synced(folder):
    """Several changes of one store, each of which is reported. Renaming and deleting need GDAL 3.8."""
    gdal.ErrorReset()
    options = ["FORMAT=ZARR_V3", "SYNC=YES"]
    datasets = [gdal.GetDriverByName("Zarr").CreateMultiDimensional(f"{folder}/a.zarr", [], options)]
    root = datasets[0].GetRootGroup()
    array = make_array(root, "a")
    for text, values in (("written", OLD), ("written again", NEW)):
        array.Write(np.ascontiguousarray(values))
        datasets[0].FlushCache()
        check()
        mark(text)
    if hasattr(array, "Rename"):
        array.Rename("b")
        mark("renamed")
        make_array(root, "c").Write(OLD)
        datasets[0].FlushCache()
        array = None
        root.DeleteMDArray("c")
        mark("deleted")
    array = root = None
    finish(datasets)
    mark("done")


def warm_up():
    """Loads the plugin and what it uses."""
    with tempfile.TemporaryDirectory() as folder:
        create_v2(folder)
        update_part(folder)
        gdal.Open(f"{folder}/a.zarr").ReadAsArray()
