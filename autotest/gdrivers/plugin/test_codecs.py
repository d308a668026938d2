# SPDX-License-Identifier: MIT
"""Codecs that need more than a library: the stores are written by the descriptions of their formats."""

import numpy as np
import pytest
from osgeo import gdal, gdal_array
from stores import open_array, write_bytes, write_json, write_v3


def write_array(path, shape, dtype, chunk, *, filters=None, compressor=None):
    """Writes an array of v2 that is one chunk."""
    meta = {
        "zarr_format": 2,
        "shape": shape,
        "chunks": shape,
        "dtype": dtype,
        "compressor": compressor,
        "filters": filters,
        "order": "C",
        "fill_value": None,
    }
    write_json(f"{path}/.zarray", meta)
    write_bytes(f"{path}/{'.'.join('0' for _ in shape)}", chunk)


def pack_bits(*numbers):
    """Packs pairs of a number and its count of bits, the lowest bits first, and fills the last byte with zeros."""
    packed, position = 0, 0
    for number, bits in numbers:
        packed |= number << position
        position += bits
    return packed.to_bytes(-(-position // 8), "little")


def make_pco(values):
    """Makes a pco file of uint32 in which all values are offsets to 0."""
    header = b"pco!\x02\x00\x04\x01"
    chunk = b"\x01" + (len(values) - 1).to_bytes(3, "little")
    bins = pack_bits((0, 8), (0, 4), (1, 15), (0, 32), (32, 6))
    return header + chunk + bins + values.astype("<u4").tobytes() + b"\x00"


# A dataset that could not write fails again when it is closed.
fails_when_closed = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

PCODEC = {"id": "pcodec", "level": 8, "mode_spec": "auto", "delta_spec": "auto", "equal_pages_up_to": 262144}


def test_pcodec(store):
    data = np.arange(12, dtype="u4").reshape(3, 4) * 1000003
    write_array(store, [3, 4], "<u4", make_pco(data.ravel()), compressor=PCODEC)
    assert np.array_equal(open_array(store).ReadAsArray(), data)
    assert np.array_equal(gdal.Open(store).ReadAsArray(), data)


def test_pcodec_that_is_damaged(store):
    write_array(store, [3, 4], "<u4", make_pco(np.arange(11)), compressor=PCODEC)
    with pytest.raises(RuntimeError, match="expected 48 bytes of numbers, got 44"):
        open_array(store).ReadAsArray()


@fails_when_closed
def test_pcodec_is_for_reading_only(store):
    options = ["CODECS=" + '[{"id": "pcodec"}]', "FORMAT=ZARR_V2"]
    with pytest.raises(RuntimeError, match="pco files cannot be encoded"):
        dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 3, 1, gdal.GDT_UInt32, options=options)
        dataset.GetRasterBand(1).WriteArray(np.ones((3, 4), "u4"))
        dataset.FlushCache()


# The chunks below were written by numcodecs 0.11.


def test_categorize(store):
    labels = {"id": "categorize", "labels": ["female", "male", "é€"], "dtype": "|O", "astype": "|u1"}
    write_array(store, [6], "|O", b"\x02\x03\x00\x01\x00\x02", filters=[labels])
    assert open_array(store).Read() == ["male", "é€", "", "female", "", "male"]


def test_categorize_of_fixed_length(store):
    labels = {"id": "categorize", "labels": ["ab", "c"], "dtype": "<U3", "astype": "<u2"}
    write_array(store, [3], "<U3", b"\x02\x00\x00\x00\x01\x00", filters=[labels])
    assert open_array(store).Read() == ["c", "", "ab"]


MSGPACK2 = {"id": "msgpack2", "raw": False, "use_bin_type": True, "use_single_float": False}


def test_msgpack2(store):
    write_array(store, [2, 2], "|O", bytes.fromhex("9492a161a16292a163c0a27c4f920202"), filters=[MSGPACK2])
    assert open_array(store).Read() == ["a", "b", "c", None]


def test_msgpack2_of_numbers(store):
    write_array(store, [4], "<i4", bytes.fromhex("9600010203a33c69349104"), filters=[MSGPACK2])
    assert open_array(store).ReadAsArray().tolist() == [0, 1, 2, 3]


def test_lists_of_numbers_are_text(store):
    chunk = bytes.fromhex("03000000040000000100fdff00000000020000000700")
    write_array(store, [3], "|O", chunk, filters=[{"id": "vlen-array", "dtype": "<i2"}])
    assert open_array(store).Read() == ["[1,-3]", "[]", "[7]"]


def make_tiff_strip(data, compression, predictor, endian):
    """The bytes with which GDAL stores an array as the one strip or tile of a TIFF file."""
    bands = np.ascontiguousarray(data.transpose(2, 0, 1) if data.ndim == 3 else data[np.newaxis])
    source = gdal_array.OpenArray(bands)
    options = ["COMPRESS=" + compression, "INTERLEAVE=PIXEL", f"BLOCKYSIZE={data.shape[0]}", "ENDIANNESS=" + endian]
    options += [f"PREDICTOR={predictor}"] if predictor > 1 else []
    gdal.GetDriverByName("GTiff").CreateCopy("/vsimem/strip.tif", source, options=options)
    dataset = gdal.Open("/vsimem/strip.tif")
    band = dataset.GetRasterBand(1)
    offset, size = (int(band.GetMetadataItem(f"BLOCK_{name}_0_0", "TIFF")) for name in ("OFFSET", "SIZE"))
    f = gdal.VSIFOpenL("/vsimem/strip.tif", "rb")
    gdal.VSIFSeekL(f, offset, 0)
    strip = gdal.VSIFReadL(1, size, f)
    gdal.VSIFCloseL(f)
    gdal.Unlink("/vsimem/strip.tif")
    return bytes(strip)


TIFF_COMPRESSIONS = {"LZW": "lzw", "DEFLATE": "zlib", "PACKBITS": "packbits", "ZSTD": "zstd", "LZMA": "lzma"}


def is_written_by_gdal(compression):
    return f">{compression}<" in gdal.GetDriverByName("GTiff").GetMetadataItem("DMD_CREATIONOPTIONLIST")


@pytest.mark.parametrize("endian", ["LITTLE", "BIG"])
@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize(
    "predictor, dtype", [(1, "u1"), (1, "i2"), (1, "f4"), (1, "f8"), (2, "u1"), (2, "i2"), (3, "f4"), (3, "f8")]
)
@pytest.mark.parametrize("compression", TIFF_COMPRESSIONS)
def test_strips_of_tiff(store, compression, predictor, dtype, samples, endian):
    """A chunk is a strip, with codecs as references to TIFF files name them."""
    if not is_written_by_gdal(compression) or (predictor > 1 and compression in ("PACKBITS", "LZMA")):
        pytest.skip("this GDAL writes no TIFF files with that compression and predictor, from which the test takes its chunks")
    shape = [30, 41] + ([samples] if samples > 1 else [])
    data = (np.arange(np.prod(shape)).reshape(shape) ** 2 % 251 / (1 if dtype[0] != "f" else 7)).astype(dtype)
    # The predictor of floats does not depend on the byte order, but libtiff writes it wrong in big-endian files.
    strip = make_tiff_strip(data, compression, predictor, "LITTLE" if predictor == 3 else endian)
    stored = data.dtype.newbyteorder("<" if endian == "LITTLE" else ">").str
    filters = None
    if predictor > 1:
        name = "imagecodecs_delta" if predictor == 2 else "imagecodecs_floatpred"
        axis = -1 if samples == 1 else -2
        filters = [{"id": name, "axis": axis, "dist": 1, "shape": shape, "dtype": stored}]
    compressor = {"id": "imagecodecs_" + TIFF_COMPRESSIONS[compression]}
    write_array(store, shape, stored, strip, filters=filters, compressor=compressor)
    assert np.array_equal(open_array(store).ReadAsArray(), data)


@pytest.mark.parametrize("endian", ["little", "big"])
def test_strips_of_tiff_in_v3(store, endian):
    data = (np.arange(12) ** 2).reshape(3, 4).astype("u2")
    meta = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [3, 4],
        "data_type": "uint16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 4]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0,
        "codecs": [
            {"name": "imagecodecs_delta", "configuration": {"axis": -1, "dist": 1}},
            {"name": "bytes", "configuration": {"endian": endian}},
            {"name": "imagecodecs_lzw"},
        ],
        "dimension_names": ["Y", "X"],
        "attributes": {},
        "storage_transformers": [],
    }
    write_json(f"{store}/zarr.json", meta)
    write_bytes(f"{store}/c/0/0", make_tiff_strip(data, "LZW", 2, endian.upper()))
    assert np.array_equal(open_array(store).ReadAsArray(), data)


@fails_when_closed
def test_chunks_of_lzw_are_for_reading_only(store):
    data = np.arange(4, dtype="u1")
    strip = make_tiff_strip(data[np.newaxis], "LZW", 1, "LITTLE")
    write_array(store, [4], "|u1", strip, compressor={"id": "imagecodecs_lzw"})
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray(dataset.GetRootGroup().GetMDArrayNames()[0])
    with pytest.raises(RuntimeError, match="for reading only"):
        array.Write(np.ones(4, "u1"))
    assert open_array(store).ReadAsArray().tolist() == data.tolist()


def test_strings_of_hdf5_files_in_references(store):
    """kerchunk keeps the numbers of strings as chunks, and the strings in the codec's configuration."""
    chunk = b"\x01\0\0\0" + b"\x02\0\x03\0" + b"\0\0\0\0"
    strings = {"\x01": "one", "\x02\0\x03": "zwei é", "": ""}
    codec = {"id": "fill_hdf_strings", "dtype": "|S4", "id_map": strings}
    write_array(store, [3], "|O", chunk, filters=[codec])
    assert open_array(store).Read() == ["one", "zwei é", ""]
    write_array(store, [3], "|O", chunk, filters=[{**codec, "id_map": "same"}])
    assert open_array(store).Read() == ["same"] * 3
    write_array(store, [3], "|O", chunk, filters=[{**codec, "id_map": None}])
    assert open_array(store).Read() == [None] * 3
    write_array(store, [3], "|O", chunk, filters=[{**codec, "id_map": {"\x01": "one"}}])
    with pytest.raises(RuntimeError, match="expected the number of a string in the configuration"):
        open_array(store).Read()


def test_fill_values_of_binary_digits(store):
    data = np.arange(4, dtype="f4")
    write_v3(store, data, fill=bin(0x3FC00000))
    assert open_array(store).GetNoDataValue() == 1.5
