# SPDX-License-Identifier: MIT
"""References to messages in GRIB files. GDAL's GRIB driver writes the files, from south to north."""

import json
import os

import numpy as np
import pytest
from gdal_files import write_with_gdal
from config_options import set_config_option
from osgeo import gdal, osr
from reference_stores import folder  # noqa: F401

LAMBERT = "+proj=lcc +lat_1=40 +lat_2=50 +lat_0=45 +lon_0=5 +R=6371229 +units=m"
DEGREES = "+proj=longlat +R=6371229"
SHAPE = (5, 7)
DATA = 0.25 * (np.arange(35, dtype="f8").reshape(SHAPE) ** 2)  # in the order of rasters: the first row in the north
SCANNING = {DEGREES: 71, LAMBERT: 64}  # the position of the flags in the section of the grid


def make_wkt(text):
    srs = osr.SpatialReference()
    srs.ImportFromProj4(text)
    return srs.ExportToWkt()


def make_message(data=DATA, proj=DEGREES, nodata=None, scanning=None, options=("DATA_ENCODING=IEEE_FLOATING_POINT",)):
    transform = (0, 1.5, 0, 60, 0, -1.5) if proj == DEGREES else (1e5, 1e4, 0, 2e5, 0, -1e4)
    message = write_with_gdal("GRIB", data, options, geotransform=transform, srs=make_wkt(proj), nodata=nodata)
    return message if scanning is None else change_scanning(message, proj, scanning)


def find_section(message, number):
    position = 16
    while message[position + 4] != number:
        position += int.from_bytes(message[position : position + 4], "big")
    return position


def change_scanning(message, proj, scanning):
    """Changes what the message says about the order of its values, and not the values."""
    position = find_section(message, 3) + SCANNING[proj]
    assert message[position] == 0x40
    return message[:position] + bytes([scanning]) + message[position + 1 :]


def write_references(folder, arrays, message):
    """`arrays` has the variable of the codec, the type and the shape of each array."""
    with open(folder / "file.grib2", "wb") as f:
        f.write(b"another message" + message)
    refs = {".zgroup": '{"zarr_format":2}'}
    for name, (var, dtype, shape) in arrays.items():
        refs[f"{name}/.zarray"] = {
            "zarr_format": 2,
            "shape": list(shape),
            "chunks": list(shape),
            "dtype": dtype,
            "compressor": None,
            "filters": [{"id": "grib", "var": var, "dtype": np.dtype(dtype).name}],
            "order": "C",
            "fill_value": None,
        }
        chunk = f"{name}/{'.'.join('0' for _ in shape)}"
        refs[chunk] = ["file.grib2", len("another message"), len(message)]
    path = os.path.join(folder, "refs.json")
    with open(path, "w") as f:
        json.dump({"version": 1, "refs": refs}, f)
    return path


def read(path, name="t"):
    return gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray(name).ReadAsArray()


@pytest.mark.parametrize("dtype", ["<f4", "<f8"])
@pytest.mark.parametrize("shape", [SHAPE, (1, 1, *SHAPE)])
def test_values_are_in_the_order_of_the_message(folder, dtype, shape):
    path = write_references(folder, {"t": ("t", dtype, shape)}, make_message())
    assert np.array_equal(read(path).reshape(SHAPE), DATA[::-1].astype("f4"))
    assert np.array_equal(gdal.Open(path).ReadAsArray().reshape(SHAPE), DATA[::-1].astype("f4"))


@pytest.mark.parametrize("proj", [DEGREES, LAMBERT], ids=["degrees", "lambert"])
@pytest.mark.parametrize("scanning", [0x00, 0x40, 0x80, 0xC0, 0x20, 0x60, 0xA0, 0xE0])
def test_the_order_of_the_message_is_kept_whatever_it_means(folder, scanning, proj):
    path = write_references(folder, {"t": ("t", "<f8", SHAPE)}, make_message(proj=proj, scanning=scanning))
    assert np.array_equal(read(path), DATA[::-1])


@pytest.mark.parametrize("encoding", ["SIMPLE_PACKING", "COMPLEX_PACKING", "JPEG2000", "PNG"])
def test_threads_decode_messages(folder, encoding):
    messages = [make_message(DATA + i, options=[f"DATA_ENCODING={encoding}", "NBITS=16"]) for i in range(40)]
    path = write_references(folder, {"t": ("t", "<f4", (1, *SHAPE))}, b"".join(messages))
    with open(path) as f:
        refs = json.load(f)
    refs["refs"]["t/.zarray"]["shape"][0] = len(messages)
    position = len("another message")
    for i, message in enumerate(messages):
        refs["refs"][f"t/{i}.0.0"] = ["file.grib2", position, len(message)]
        position += len(message)
    with open(path, "w") as f:
        json.dump(refs, f)
    with set_config_option("GDAL_NUM_THREADS", "8"):
        got = read(path)
    assert np.allclose(got, [DATA[::-1] + i for i in range(len(messages))], atol=0.01)


def test_rows_to_and_fro_are_not_supported(folder):
    path = write_references(folder, {"t": ("t", "<f8", SHAPE)}, make_message(scanning=0x10))
    with pytest.raises(RuntimeError, match="to and fro"):
        read(path)


def test_missing_values_are_nan(folder):
    data = np.round(DATA)
    data[1, 2] = data[4, 0] = -9999
    message = make_message(data, nodata=-9999, options=["DATA_ENCODING=COMPLEX_PACKING"])
    got = read(write_references(folder, {"t": ("t", "<f8", SHAPE)}, message))
    expected = np.where(data == -9999, np.nan, data)[::-1]
    assert np.allclose(got, expected, atol=0.01, equal_nan=True)


def test_values_have_the_units_of_the_message(folder):
    """GDAL's GRIB driver turns Kelvin into degrees Celsius."""
    options = ["DATA_ENCODING=IEEE_FLOATING_POINT", "DISCIPLINE=0", "PDS_PDTN=0", "INPUT_UNIT=K"]
    options += ["PDS_TEMPLATE_ASSEMBLED_VALUES=0 0 2 255 255 0 0 1 0 1 0 0 255 0 0"]
    data = DATA + 250
    path = write_references(folder, {"t": ("t", "<f8", SHAPE)}, make_message(data, options=options))
    assert np.allclose(read(path), data[::-1], atol=1e-3)
    with set_config_option("GRIB_NORMALIZE_UNITS", "YES"):
        assert np.allclose(read(path), data[::-1], atol=1e-3)


def test_longitudes_of_the_whole_world_are_not_moved(folder):
    data = np.arange(5 * 36, dtype="f8").reshape(5, 36)
    transform, options = (-5, 10, 0, 60, 0, -10), ["DATA_ENCODING=IEEE_FLOATING_POINT"]
    message = write_with_gdal("GRIB", data, options, geotransform=transform, srs=make_wkt(DEGREES))
    arrays = {"t": ("t", "<f8", (5, 36)), "x": ("longitude", "<f8", (5, 36))}
    path = write_references(folder, arrays, message)
    assert np.array_equal(read(path), data[::-1])
    assert np.allclose(read(path, "x")[0], np.arange(36) * 10.0)


@pytest.mark.parametrize("scanning", [0x00, 0x40, 0xC0])
def test_latitudes_and_longitudes(folder, scanning):
    arrays = {"y": ("latitude", "<f8", SHAPE), "x": ("longitude", "<f8", SHAPE)}
    path = write_references(folder, arrays, make_message(scanning=scanning))
    y, x = read(path, "y"), read(path, "x")
    step = 1.5 if scanning & 0x40 else -1.5
    assert np.allclose(y, (y[0, 0] + step * np.arange(5))[:, np.newaxis], atol=1e-5)
    assert np.allclose(np.diff(x, axis=1) % 360, -1.5 % 360 if scanning & 0x80 else 1.5, atol=1e-5)
    assert np.allclose((x[0, 0], y[0, 0]), (0.75, 60 - 4.5 * 1.5), atol=1e-5)  # the message tells the first value's
    assert ((x >= 0) & (x < 360)).all()


def test_latitudes_and_longitudes_of_projected_grids(folder):
    arrays = {"y": ("latitude", "<f8", SHAPE), "x": ("longitude", "<f4", SHAPE)}
    path = write_references(folder, arrays, make_message(proj=LAMBERT))
    projected, degrees = osr.SpatialReference(), osr.SpatialReference()
    projected.ImportFromProj4(LAMBERT)
    degrees.ImportFromProj4(DEGREES)
    transformation = osr.CoordinateTransformation(projected, degrees)
    x, y = read(path, "x"), read(path, "y")
    for row, column in ((0, 0), (4, 0), (2, 6)):
        lon, lat, _ = transformation.TransformPoint(1e5 + (column + 0.5) * 1e4, 2e5 - (5 - row - 0.5) * 1e4)
        assert np.allclose((x[row, column], y[row, column]), (lon, lat), atol=1e-4)


def read_error(path):
    with pytest.raises(RuntimeError) as error:
        read(path)
    return str(error.value)


def test_the_shape_must_be_that_of_the_chunk(folder):
    path = write_references(folder, {"t": ("t", "<f8", (7, 5))}, make_message())
    assert "grib: expected an image of shape [7,5], got shape [5,7]" in read_error(path)


def test_other_types_are_not_supported(folder):
    path = write_references(folder, {"t": ("t", "<i4", SHAPE)}, make_message())
    assert "expected floats of 32 or 64 bits" in read_error(path)


def test_damaged_messages(folder):
    message = make_message()
    arrays = {"t": ("t", "<f8", SHAPE)}
    assert "expected a GRIB message" in read_error(write_references(folder, arrays, b"BRIG" + message[4:]))
    assert "edition 3 is not supported" in read_error(
        write_references(folder, arrays, message[:7] + b"\3" + message[8:])
    )
    grid = find_section(message, 3)
    assert "ends before its grid" in read_error(write_references(folder, arrays, message[: grid + 20]))
    path = write_references(folder, arrays, message[:grid + 80])
    assert "GDAL cannot read the GRIB message" in read_error(path)
    unknown = message[: grid + 12] + b"\x12\x34" + message[grid + 14 :]
    assert "grid template 4660 is not supported" in read_error(write_references(folder, arrays, unknown))


def test_no_change_of_a_byte_crashes(folder):
    message = make_message()
    for position in range(len(message)):
        for change in (0x01, 0x80, 0xFF):
            damaged = message[:position] + bytes([message[position] ^ change]) + message[position + 1 :]
            path = write_references(folder, {"t": ("t", "<f8", SHAPE)}, damaged)
            try:
                read(path)
            except RuntimeError:
                pass
