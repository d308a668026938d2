# SPDX-License-Identifier: MIT
"""Compressors that a program registers in GDAL (CPLRegisterCompressor) are used in v2, as by GDAL's built-in driver."""

import ctypes
import glob
import json

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2

DATA = np.arange(48, dtype="u1").reshape(6, 8)
FUNCTION = ctypes.CFUNCTYPE(
    ctypes.c_bool,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.POINTER(ctypes.c_char_p),
    ctypes.c_void_p,
)
seen_options = []
kept = []  # GDAL calls the function until the process ends


class Compressor(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int),
        ("id", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("metadata", ctypes.c_void_p),
        ("function", FUNCTION),
        ("user_data", ctypes.c_void_p),
    ]


def find_library():
    with open("/proc/self/maps") as maps:
        library = ctypes.CDLL(next(line.split()[-1] for line in maps if "/libgdal.so" in line))
    library.VSIMalloc.restype = ctypes.c_void_p
    library.VSIMalloc.argtypes = [ctypes.c_size_t]
    library.CPLRegisterCompressor.restype = library.CPLRegisterDecompressor.restype = ctypes.c_bool
    return library


@pytest.fixture(scope="module")
def registered():
    """The compressor "invert255", for the rest of the process: GDAL cannot forget one."""
    library = find_library()

    def invert(data, size, out, out_size, options, _):
        seen_options[:] = [options[0]] if options and options[0] else []
        inverted = bytes(byte ^ 255 for byte in ctypes.string_at(data, size))
        if out and out[0] is None:
            out[0] = library.VSIMalloc(size)
        elif out and out_size[0] < size:
            out_size[0] = size
            return False
        if out:
            ctypes.memmove(out[0], inverted, size)
        out_size[0] = size
        return True

    function = FUNCTION(invert)
    compressor = Compressor(1, b"invert255", 0, None, function, None)
    assert library.CPLRegisterCompressor(ctypes.byref(compressor))
    assert library.CPLRegisterDecompressor(ctypes.byref(compressor))
    kept.extend((function, compressor))
    return "invert255"


def write(store, compressor, data=DATA):
    write_v2(store, data, data.shape)
    with open(f"{store}/.zarray") as f:
        document = json.load(f)
    document["compressor"] = compressor
    with open(f"{store}/.zarray", "w") as f:
        json.dump(document, f)
    with open(f"{store}/0.0", "wb") as f:
        f.write((data ^ 255).tobytes())


def test_a_compressor_of_a_program_is_used(store, registered):
    write(store, {"id": registered, "level": 3})
    np.testing.assert_array_equal(gdal.Open(store).ReadAsArray(), DATA)
    assert seen_options == [b"level=3"]


def test_an_array_is_created_with_it(store, registered):
    options = ["FORMAT=ZARR_V2", "COMPRESS=INVERT255", "FILTER=NONE"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 8, 6, 1, gdal.GDT_Byte, options)
    dataset.WriteArray(DATA)
    del dataset
    (document,) = glob.glob(f"{store}/**/.zarray", recursive=True, include_hidden=True)
    with open(document) as f:
        assert json.load(f)["compressor"] == {"id": registered}
    with open(document.replace(".zarray", "0.0"), "rb") as f:
        assert f.read() == (DATA ^ 255).tobytes()
    np.testing.assert_array_equal(gdal.Open(store).ReadAsArray(), DATA)


def test_a_chunk_that_it_does_not_decode_is_an_error(store, registered):
    write(store, {"id": registered})
    with open(f"{store}/0.0", "wb") as f:
        f.write(b"1234567")
    with pytest.raises(RuntimeError, match="0.0"):
        gdal.Open(store).ReadAsArray()


def test_other_names_stay_unknown(store, registered):
    write(store, {"id": "invert256"})
    with pytest.raises(RuntimeError, match='unknown codec "numcodecs.invert256"'):
        gdal.Open(store).ReadAsArray()
    with pytest.raises(RuntimeError, match="expected one of NONE, BLOSC"):
        gdal.GetDriverByName("Zarr").Create(f"{store}2", 8, 6, 1, gdal.GDT_Byte, ["FORMAT=ZARR_V2", "COMPRESS=INVERT256"])


def test_v3_has_no_name_for_it(store, registered):
    with pytest.raises(RuntimeError, match="has no name in v3"):
        gdal.GetDriverByName("Zarr").Create(store, 8, 6, 1, gdal.GDT_Byte, ["FORMAT=ZARR_V3", "COMPRESS=INVERT255"])
