# SPDX-License-Identifier: MIT
"""The part of GDAL's Python bindings that programs need to read arrays. The program ARRAY_SERVER, which can be one for another
system, calls GDAL; ZARR_EMULATOR runs it. So a script for GDAL's bindings tests a build of which there are none:

    PYTHONPATH=autotest/cross/bindings ARRAY_SERVER=build-windows/autotest/cross/array_server.exe \\
        ZARR_EMULATOR=~/.cache/zarr-windows/wine.sh script.py
"""
import functools
import json
import os
import subprocess

import numpy

OF_RASTER, OF_MULTIDIM_RASTER = 2, 16
GEDTC_NUMERIC, GEDTC_STRING, GEDTC_COMPOUND = 0, 1, 2
NUMPY_TYPES = {1: "u1", 2: "u2", 3: "i2", 4: "u4", 5: "i4", 6: "f4", 7: "f8", 10: "c8", 11: "c16", 12: "u8", 13: "i8", 14: "i1"}


@functools.cache
def _server():
    command = [*os.environ.get("ZARR_EMULATOR", "").split(), os.environ["ARRAY_SERVER"]]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _ask(**request):
    server = _server()
    server.stdin.write(json.dumps(request).encode() + b"\n")
    server.stdin.flush()
    line = server.stdout.readline()
    if not line:
        os._exit(70)  # as if GDAL had ended this process
    answer = json.loads(line)
    content = server.stdout.read(answer["bytes"])
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return answer, content


class DataType:
    def __init__(self, members):
        self._members = members

    def GetClass(self):
        return self._members["class"]

    def GetNumericDataType(self):
        return self._members["numeric"]

    def GetSize(self):
        return self._members["size"]

    def GetComponents(self):
        return [Component(members) for members in self._members["components"]]


class Component:
    def __init__(self, members):
        self._members = members

    def GetName(self):
        return self._members["name"]

    def GetOffset(self):
        return self._members["offset"]

    def GetType(self):
        return DataType(self._members["type"])


class Dimension:
    def __init__(self, size):
        self._size = size

    def GetSize(self):
        return self._size


class MDArray:
    def __init__(self, **place):
        self._place = place
        answer, _ = _ask(what="describe", **place)
        self._sizes, self._type = answer["sizes"], DataType(answer["type"])

    def GetDataType(self):
        return self._type

    def GetDimensions(self):
        return [Dimension(size) for size in self._sizes]

    def GetView(self, expression):
        return MDArray(**{**self._place, "views": [*self._place["views"], expression]})

    def Read(self):
        _, content = _ask(what="read", **self._place)
        if self._type.GetClass() != GEDTC_STRING:
            return content
        strings, at = [], 0
        while at < len(content):
            length = int.from_bytes(content[at : at + 4], "little", signed=True)
            strings.append(None if length < 0 else content[at + 4 : at + 4 + length].decode("utf-8", "surrogateescape"))
            at += 4 + max(length, 0)
        return strings

    def ReadAsArray(self, array_start_idx=None, count=None):
        part = {} if count is None else {"start": array_start_idx, "count": count}
        answer, content = _ask(what="read", **self._place, **part)
        return numpy.frombuffer(content, NUMPY_TYPES[self._type.GetNumericDataType()]).reshape(answer["count"])


class Group:
    def __init__(self, path):
        self._path = path
        self._names = _ask(what="names", path=path)[0]["names"]

    def GetMDArrayNames(self):
        return self._names

    def OpenMDArray(self, name):
        return MDArray(path=self._path, array=name, views=[])

    OpenMDArrayFromFullname = OpenMDArray


class Dataset:
    def __init__(self, path):
        self._path = path
        self._raster = None

    def GetRootGroup(self):
        return Group(self._path)

    @property
    def RasterCount(self):
        return len(self._read())

    def ReadAsArray(self):
        values = self._read()
        return values[0] if len(values) == 1 else values

    def _read(self):
        if self._raster is None:
            answer, content = _ask(what="raster", path=self._path)
            self._raster = numpy.frombuffer(content, NUMPY_TYPES[answer["numeric"]]).reshape(answer["count"])
        return self._raster


class Driver:
    def GetMetadataItem(self, _):
        return _ask(what="driver")[0]["version"]


def OpenEx(path, _flags, allowed_drivers=None):
    assert allowed_drivers == ["Zarr"]
    return Dataset(path)


def Open(path):
    return Dataset(path)


def GetDriverByName(_):
    return Driver()


def GetConfigOption(name):
    return os.environ.get(name)


def UseExceptions():
    """There is nothing else here."""


def PushErrorHandler(_):
    """Errors are raised, and not printed."""
