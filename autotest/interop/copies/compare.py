# SPDX-License-Identifier: MIT
"""Reads a file and its copies without the driver, and tells what differs: variables, dimensions, values, and each attribute with
its value and kind."""

import base64
import dataclasses
import json
import os
import struct

import numpy as np

try:
    import netCDF4
except ImportError:
    netCDF4 = None
try:
    import h5py
except ImportError:
    h5py = None
try:
    import zarr
except ImportError:
    zarr = None
from osgeo import gdal


@dataclasses.dataclass
class Variable:
    dimensions: list  # names; None where there is none
    values: np.ndarray
    attributes: dict


def plain(value):
    """A number or text of Python, or a list of them."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def read_netcdf(path):
    found, attributes = {}, {}

    def visit(group, prefix):
        attributes[prefix.rstrip("/")] = {name: plain(group.getncattr(name)) for name in group.ncattrs()}
        for name, variable in group.variables.items():
            variable.set_auto_maskandscale(False)
            variable.set_auto_chartostring(False)
            own = {key: plain(variable.getncattr(key)) for key in variable.ncattrs()}
            found[prefix + name] = Variable(list(variable.dimensions), np.asarray(variable[...]), own)
        for name, inner in group.groups.items():
            visit(inner, prefix + name + "/")

    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        visit(file, "")
    return found, attributes


def read_hdf5(path):
    found, attributes = {}, {}
    with h5py.File(path) as file:
        attributes[""] = {name: plain(value) for name, value in file.attrs.items()}

        def visit(name, node):
            own = {key: plain(value) for key, value in node.attrs.items()}
            if isinstance(node, h5py.Dataset):
                found[name] = Variable([None] * node.ndim, node[...], own)
            else:
                attributes[name] = own

        file.visititems(visit)
    return found, attributes


def read_values(store, name, version):
    """By zarr-python where it reads the version, else by GDAL."""
    if zarr is not None and (version == 2 or int(zarr.__version__.split(".")[0]) >= 3):
        return np.asarray(zarr.open(store, mode="r")[name][...])
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArrayFromFullname("/" + name)
    if array.GetDataType().GetClass() == gdal.GEDTC_STRING:
        return np.array(array.Read(), object)
    return array.ReadAsArray()


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return json.load(f)


def decode_fill_value(attributes):
    """xarray writes `_FillValue` to v3 as the base64 of a Float64."""
    value = attributes.get("_FillValue")
    if isinstance(value, str) and len(value) == 12 and value.endswith("="):
        attributes["_FillValue"] = struct.unpack("<d", base64.b64decode(value))[0]
    return attributes


def take_fill_value(attributes, document):
    """xarray takes the fill value of v2 for `_FillValue`."""
    value = document["fill_value"]
    if value is None or "_FillValue" in attributes or document["dtype"] == "|O":
        return attributes
    is_float = document["dtype"][1] == "f"
    return {**attributes, "_FillValue": float(value) if is_float else value}


def read_store(store):
    found, attributes = {}, {}
    for folder, _, files in os.walk(store):
        name = os.path.relpath(folder, store).replace(os.sep, "/")
        name = "" if name == "." else name
        if "zarr.json" in files:
            document = load(folder, "zarr.json")
            own, version = document.get("attributes", {}), 3
            is_array = document["node_type"] == "array"
            names = document.get("dimension_names") or [None] * len(document.get("shape", []))
        elif ".zarray" in files or ".zgroup" in files:
            own, version = load(folder, ".zattrs") if ".zattrs" in files else {}, 2
            is_array = ".zarray" in files
            names = own.pop("_ARRAY_DIMENSIONS", None)
            if is_array:
                document = load(folder, ".zarray")
                names = names or [None] * len(document["shape"])
                own = take_fill_value(own, document)
        else:
            continue
        if is_array:
            found[name] = Variable(names, read_values(store, name, version), decode_fill_value(own))
        else:
            attributes[name] = own
    return found, attributes


def is_same(a, b):
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (np.isnan(a) and np.isnan(b))
    return type(a) is type(b) and a == b


def have_same_values(a, b):
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "OUS" or b.dtype.kind in "OUS":
        return [str(x) for x in a.ravel()] == [str(x) for x in b.ravel()]
    return a.dtype.kind == b.dtype.kind and a.dtype.itemsize == b.dtype.itemsize and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def compare(source, copy):
    """Lists what differs, each as (place, what it was, what it is)."""
    (variables, groups), (copied, copied_groups) = source, copy
    differences = []
    for name in sorted(set(variables) | set(copied)):
        if name not in copied or name not in variables:
            differences.append((name, name in variables and "there", name in copied and "there"))
            continue
        a, b = variables[name], copied[name]
        if a.dimensions != b.dimensions and a.dimensions != [None] * len(a.dimensions):
            differences.append((f"{name}: dimensions", a.dimensions, b.dimensions))
        if not have_same_values(a.values, b.values):
            differences.append((f"{name}: values", f"{a.values.dtype} {a.values.ravel()[:4]}", f"{b.values.dtype} {b.values.ravel()[:4]}"))
        differences += compare_attributes(name, a.attributes, b.attributes)
    for name in sorted(set(groups) | set(copied_groups)):
        differences += compare_attributes(name + "/", groups.get(name, {}), copied_groups.get(name, {}))
    return differences


def compare_attributes(name, a, b):
    return [(f"{name}@{key}", a.get(key), b.get(key)) for key in sorted(set(a) | set(b))
            if key not in a or key not in b or not is_same(a[key], b[key])]  # fmt: skip
