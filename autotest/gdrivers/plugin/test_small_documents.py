# SPDX-License-Identifier: MIT
"""Stores of a few kB that exaggerate: nested types, bands, lengths, repeated names. Each is opened, described and read from, as
programs do, in a process with little memory and time."""

import json
import os
import resource
import subprocess

import pytest
from plugin_in_use import python
from sanitizer import skip_with_sanitizer
from stores import write_json, write_v2_group, write_v3_group

MOST_BYTES = 20_000
ADDRESS_SPACE = 1536 << 20
SECONDS = 30  # of the processor: a slow machine takes 10

DESCRIBE = """
import sys
from osgeo import gdal
gdal.UseExceptions()
gdal.SetErrorHandler(lambda level, number, message: print(message))


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except RuntimeError as error:
        print(error)


def describe_band(band):
    functions = [
        band.GetDescription, band.GetMetadata, band.GetUnitType, band.GetNoDataValue, band.GetScale, band.GetMinimum,
        band.GetColorInterpretation, band.GetCategoryNames, band.GetOverviewCount,
    ]
    for function in functions:
        attempt(function)
    colors = attempt(band.GetColorTable)
    if colors:
        colors.GetCount()


def describe_raster(dataset):
    for function in (dataset.GetGeoTransform, dataset.GetSpatialRef, dataset.GetGCPCount, dataset.GetFileList):
        attempt(function)
    for domain in attempt(dataset.GetMetadataDomainList) or []:
        attempt(dataset.GetMetadata, domain)
    for i in range(dataset.RasterCount):
        describe_band(dataset.GetRasterBand(i + 1))
    if dataset.RasterCount:
        width, height = min(4, dataset.RasterXSize), min(4, dataset.RasterYSize)
        attempt(dataset.GetRasterBand(dataset.RasterCount).ReadRaster, 0, 0, width, height)


def describe_array(array):
    for dimension in array.GetDimensions():
        attempt(dimension.GetIndexingVariable)
    for attribute in attempt(array.GetAttributes) or []:
        attempt(attribute.Read)
    functions = [
        array.GetCoordinateVariables, array.GetSpatialRef, array.GetUnit, array.GetNoDataValueAsDouble, array.GetBlockSize,
        array.GetStructuralInfo, array.GetDataType,
    ]
    for function in functions:
        attempt(function)
    rank = array.GetDimensionCount()
    attempt(array.Read, [0] * rank, [1] * rank)


def describe_group(group):
    for attribute in group.GetAttributes():
        attempt(attribute.Read)
    for name in group.GetMDArrayNames() or []:
        array = attempt(group.OpenMDArray, name)
        if array:
            describe_array(array)
    for name in group.GetGroupNames() or []:
        describe_group(group.OpenGroup(name))


store, name, *options = sys.argv[1:]
dataset = attempt(gdal.OpenEx, name, gdal.OF_RASTER, ["Zarr"], options)
if dataset:
    describe_raster(dataset)
    dataset = None
dataset = attempt(gdal.OpenEx, store, gdal.OF_MULTIDIM_RASTER, ["Zarr"])
if dataset:
    describe_group(dataset.GetRootGroup())
print("described")
"""


def write_array(path, shape, chunks=None, *, names=None, data_type="uint8", fill=0, attributes=None, grid=None, codecs=None):
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": grid or {"name": "regular", "configuration": {"chunk_shape": chunks or shape}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": fill,
        "codecs": codecs or [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": attributes or {},
    }
    if names:
        document["dimension_names"] = names
    write_json(f"{path}/zarr.json", document)


def write_v2_type(path, data_type):
    document = {"zarr_format": 2, "shape": [4, 4], "chunks": [4, 4], "dtype": data_type, "order": "C"}
    write_json(f"{path}/.zarray", {**document, "fill_value": None, "filters": None, "compressor": None})


def nest_v2(levels, innermost="|u1"):
    data_type = [["a", innermost]]
    for _ in range(levels - 1):
        data_type = [["f", data_type]]
    return data_type


def write_nested(store, levels, **field):
    write_v2_type(store, nest_v2(levels, **field))


def write_nested_v3(store, levels):
    data_type = "uint8"
    for _ in range(levels):
        data_type = {"name": "struct", "configuration": {"fields": [{"name": "f", "data_type": data_type}]}}
    write_array(store, [4, 4], data_type=data_type, fill=None)


def write_list_of_nested(store):
    write_v2_type(store, [["list", nest_v2(30), [10_000]]])


def write_list_of_bytes(store):
    write_v2_type(store, [["list", "|V10000", [1600]]])


def write_many_opaque(store):
    write_v3_group(store)
    codecs = [{"name": "bytes"}]
    for i in range(20):
        write_array(f"{store}/a{i}", [1], data_type="r80000", fill=None, codecs=codecs, attributes={"coordinates": "a1 a2 " * 50})


def write_long_axis(store, length, edge, **x):
    write_v3_group(store)
    write_array(f"{store}/a", [2, length], [2, 512], names=["y", "x"])
    write_array(f"{store}/x", [length], [edge], names=["x"], data_type="float64", fill=0.0, attributes={"units": "degrees_east", **x})
    write_array(f"{store}/y", [2], names=["y"], data_type="float64", fill=1.0)
    if "bounds" in x:
        write_array(f"{store}/b", [length, 2], [edge, 2], names=["x", "n"], data_type="float64", fill=1.0)
    return "/a"


def write_long_bounds(store):
    return write_long_axis(store, 2_000_000, 2_000_000, bounds="b")


def write_control_points(store, count):
    write_v3_group(store)
    for group in ("measurements", "conditions", "conditions/gcp"):
        write_v3_group(f"{store}/{group}")
    write_array(f"{store}/measurements/a", [4, 4], names=["y", "x"])
    for name in ("latitude", "longitude", "line", "pixel"):
        write_array(f"{store}/conditions/gcp/{name}", [count, count], data_type="float64")
    return "/measurements/a"


def write_times(store):
    units = {"units": "days since 2000-01-01"}
    write_array(store, [100_000_000], [1_000_000], names=["time"], data_type="float64", fill=0.0, attributes=units)


def write_selected(store, data_type, units):
    write_v3_group(store)
    write_array(f"{store}/a", [4_000_000, 4, 4], [1, 4, 4], names=["time", "y", "x"])
    write_array(f"{store}/time", [4_000_000], data_type=data_type, names=["time"], attributes={"units": units})
    return "/a", "SELECT=time=0"


def write_selected_far(store):
    write_selected(store, "float64", "m")
    write_array(f"{store}/a", [400_000_000, 4, 4], [1, 4, 4], names=["time", "y", "x"])
    write_array(f"{store}/time", [400_000_000], data_type="float64", names=["time"])
    return "/a", "SELECT=time=0"


def write_bands(store, attributes=None, name="band", coordinates=None, grid=None, size=(4, 4), count=65_536):
    write_v3_group(store)
    write_array(f"{store}/a", [count, *size], [1, *size], names=[name, "y", "x"], attributes=attributes, grid=grid)
    if coordinates:
        codecs = [{"name": "vlen-utf8"}]
        units = {"units": "u" * 2000}
        write_array(f"{store}/{name}", [count], data_type="string", fill=coordinates, codecs=codecs, names=[name], attributes=units)
    return "/a"


def write_uneven_bands(store):
    edges = [1 + i % 2 for i in range(2000)]
    grid = {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[[1, 65_536]], edges, [4]]}}
    return write_bands(store, grid=grid, size=(sum(edges), 4))


def write_coordinates(store, words):
    write_v3_group(store)
    write_array(f"{store}/a", [4, 4], names=["y", "x"], attributes={"coordinates": words})
    for name in ("lon", "lat"):
        write_array(f"{store}/{name}", [4, 4], names=["y", "x"], data_type="float64", fill=1.0)
    write_array(f"{store}/raw", [1], data_type="r80000", fill=None, codecs=[{"name": "bytes"}])
    return "/a"


def write_grid_mapping(store):
    names = [f"d{i}" for i in range(30)]
    attributes = {"grid_mapping": "a: " + "b " * 3000, "_ARRAY_DIMENSIONS": [*names, "y", "x"]}
    write_array(store, [1] * 30 + [4, 4], names=[*names, "y", "x"], attributes=attributes)


def write_alike(store, arrays, bands, length):
    write_v3_group(store)
    for i in range(arrays):
        write_array(f"{store}/a{i}", [bands, 4, 4], [1, 4, 4], names=["k", "y", "x"], attributes={"note": "x" * length})
    return None, "ALIKE_ARRAYS_AS_BANDS=YES"


def write_level_of_other_rank(store):
    """Levels whose arrays have one dimension, and one whose array has three."""
    layout = [
        {"asset": "0"},
        {"asset": "1", "derived_from": "0"},
        {"asset": "2", "derived_from": "1", "transform": {"scale": [1, 2, 2]}},
    ]
    convention = {"uuid": "d35379db-88df-4056-af3a-620245f8e347", "name": "multiscales"}
    write_v3_group(store, {"zarr_conventions": [convention], "multiscales": {"layout": layout}})
    for name, shape in (("0", [7]), ("1", [3]), ("2", [2, 4, 4])):
        write_v3_group(f"{store}/{name}")
        write_array(f"{store}/{name}/a", shape, data_type="int16")
    return "/2/a"


def write_zmetadata(store):
    """Names of types and nodes alone."""
    document = {"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": "|V10000", "order": "C"}
    array = {**document, "fill_value": None, "filters": None, "compressor": None}
    nodes = {f"a{i}/.zarray": array for i in range(100)}
    write_v2_group(store)
    write_json(f"{store}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, **nodes}})


def write_v2_array(path, dtype, filters=None):
    document = {"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": dtype, "fill_value": "x", "order": "C"}
    write_json(f"{path}/.zarray", {**document, "filters": filters, "compressor": None})


def write_long_texts(store):
    write_v2_group(store)
    for i in range(100):
        write_v2_array(f"{store}/a{i}", "<U4194304" if i % 2 else "<U262144")


def write_labels(store):
    labels = {"id": "categorize", "labels": [str(i) for i in range(1800)], "dtype": "<U262144", "astype": "<i4"}
    write_v2_array(store, "<U262144", [labels])


CASES = {
    "30 structs in each other": lambda store: write_nested(store, 30),
    "90 structs in each other": lambda store: write_nested(store, 90),
    "30 structs in each other, v3": lambda store: write_nested_v3(store, 30),
    "a long name in 60 structs": lambda store: write_v2_type(store, [["f", nest_v2(60), [1]], ["n" * 8000, "|u1"]]),
    "a list of structs in each other": write_list_of_nested,
    "a list of opaque bytes": write_list_of_bytes,
    "opaque bytes": write_many_opaque,
    "arrays of long text": write_long_texts,
    "labels of long text": write_labels,
    "opaque bytes, consolidated": write_zmetadata,
    "long coordinates": lambda store: write_long_axis(store, 200_000_000, 200_000_000),
    "many chunks of coordinates": lambda store: write_long_axis(store, 4_000_000, 1),
    "as many coordinates as may be": lambda store: write_long_axis(store, 4_194_304, 1_048_576),
    "long bounds": write_long_bounds,
    "ground control points": lambda store: write_control_points(store, 5000),
    "as many ground control points as may be": lambda store: write_control_points(store, 512),
    "times": write_times,
    "selected numbers": lambda store: write_selected(store, "float32", "m"),
    "selected times": lambda store: write_selected(store, "float64", "days since 2000-01-01"),
    "selected integers": lambda store: write_selected(store, "int64", "m"),
    "selected, too long": write_selected_far,
    "a unit of many bands": lambda store: write_bands(store, {"units": "u" * 8000}),
    "categories of many bands": lambda store: write_bands(store, {"flag_values": [4095], "flag_meanings": "x"}),
    "colours of many bands": lambda store: write_bands(store, {"flag_values": [65535], "flag_colors": "#000000"}),
    "texts along many bands": lambda store: write_bands(store, coordinates="x" * 8000),
    "a long name of a dimension": lambda store: write_bands(store, name="n" * 200),
    "attributes of many bands": lambda store: write_bands(store, {f"a{i}": 1 for i in range(1000)}),
    "runs of chunks and many bands": write_uneven_bands,
    "coordinates, repeated": lambda store: write_coordinates(store, "raw lon lat " * 800),
    "coordinates that are not there": lambda store: write_coordinates(store, " ".join(f"c{i}" for i in range(2000))),
    "words of a grid mapping": write_grid_mapping,
    "alike arrays of many bands": lambda store: write_alike(store, 12, 65_536, 1),
    "alike arrays with a long attribute": lambda store: write_alike(store, 2, 30_000, 5000),
    "a level of another rank": write_level_of_other_rank,
}


def limit_process():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def count_bytes(folder):
    return sum(os.path.getsize(os.path.join(path, name)) for path, _, names in os.walk(folder) for name in names)


@pytest.mark.parametrize("case", CASES)
def test_small_documents_take_little(store, case):
    skip_with_sanitizer("it takes terabytes of addresses, so that they cannot be limited")
    written = CASES[case](store)
    array, *options = written if isinstance(written, tuple) else (written,)
    assert count_bytes(store) < MOST_BYTES
    name = f'ZARR:"{store}":{array}' if array else store
    child = subprocess.run(
        python(DESCRIBE, store, name, *options),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "GDAL_CACHEMAX": "64MB"},
        capture_output=True,
        text=True,
        preexec_fn=limit_process,
    )
    printed = child.stdout + child.stderr
    assert child.returncode == 0 and "\ndescribed\n" in "\n" + child.stdout, printed[-2000:]
    assert "memory" not in printed.lower(), printed[-2000:]
