# SPDX-License-Identifier: MIT
"""AdviseRead fills the cache, at the scale that is wanted, and never makes a read fail."""

import ctypes

import numpy as np
import pytest
from conventions import MULTISCALES_UUID
from errors import collect_errors
from osgeo import _gdal, gdal
from stores import open_array, write_bytes, write_v3, write_v3_group

DATA = np.arange(40 * 40, dtype="<u2").reshape(40, 40)
CONVENTION = {"uuid": MULTISCALES_UUID}


LIBRARY = ctypes.CDLL(_gdal.__file__)  # GDAL is one of its dependencies
ADVISE_READ = LIBRARY.GDALRasterAdviseRead
ADVISE_READ.argtypes = [ctypes.c_void_p, *[ctypes.c_int] * 7, ctypes.POINTER(ctypes.c_char_p)]


def advise_read(band, window, size=None, *options):
    """Passes all arguments; Python's bindings only take the window."""
    strings = (ctypes.c_char_p * (len(options) + 1))(*[option.encode() for option in options], None)
    return ADVISE_READ(int(band.this), *window, *(size or window[2:]), gdal.GDT_UInt16, strings)


def remote(server, array="a"):
    return f'ZARR:"/vsicurl/{server.url}/test.zarr":/{array}'


def chunks(server):
    """Returns the chunks of the array and of its overview that were requested since the last call."""
    paths = [path for _, path in server.log if "/a/c/" in path or "/small/c/" in path]
    found = sorted({path.split("/c/")[1] for path in paths})
    server.log.clear()
    return found


def write_store(store, pyramid=False):
    layout = {"layout": [{"asset": "a"}, {"asset": "small"}]}
    write_v3_group(store, {"zarr_conventions": [CONVENTION], "multiscales": layout} if pyramid else {})
    write_v3(f"{store}/a", DATA, (10, 10), names=["y", "x"])
    if pyramid:
        write_v3(f"{store}/small", DATA[::4, ::4], (5, 5), names=["y", "x"])


def test_an_advised_window_is_read_once(store, server):
    write_store(store)
    dataset = gdal.Open(remote(server))
    band = dataset.GetRasterBand(1)
    assert advise_read(band, (5, 5, 10, 10)) == gdal.CE_None
    assert chunks(server) == ["0/0", "0/1", "1/0", "1/1"]
    assert np.array_equal(band.ReadAsArray(0, 0, 20, 20), DATA[:20, :20])
    assert chunks(server) == []


def test_arrays_are_advised_of_too(store, server):
    write_store(store)
    array = open_array(f'ZARR:"/vsicurl/{server.url}/test.zarr"', "a")
    assert array.AdviseRead([0, 20], [10, 10], ["NUM_THREADS=1"]) == gdal.CE_None
    assert chunks(server) == ["0/2"]
    assert np.array_equal(array.ReadAsArray([0, 20], [10, 10]), DATA[:10, 20:30])
    assert chunks(server) == []


def test_zoomed_out_the_overview_alone_is_read(store, server):
    write_store(store, pyramid=True)
    dataset = gdal.Open(remote(server))
    assert advise_read(dataset.GetRasterBand(1), (0, 0, 40, 40), (10, 10)) == gdal.CE_None
    assert {path for _, path in server.log if "/a/c/" in path} == set()
    assert chunks(server) == ["0/0", "0/1", "1/0", "1/1"]
    assert np.array_equal(dataset.ReadAsArray(buf_xsize=10, buf_ysize=10), DATA[::4, ::4])
    assert chunks(server) == []


def test_zoomed_out_without_overviews_nothing_is_read(store, server):
    write_store(store)
    dataset = gdal.Open(remote(server))
    assert advise_read(dataset.GetRasterBand(1), (0, 0, 40, 40), (10, 10)) == gdal.CE_None
    assert chunks(server) == []


@pytest.mark.parametrize("size, most", [("0", 0), ("250", 1), ("1000", 5)])
def test_the_option_cache_size_is_a_limit(store, server, size, most):
    write_store(store)
    gdal.SetConfigOption("ZARR_CACHE_SIZE", "2000")  # an eighth of it is one chunk
    try:
        dataset = gdal.Open(remote(server))
        assert advise_read(dataset.GetRasterBand(1), (0, 0, 40, 40), None, "CACHE_SIZE=" + size) == gdal.CE_None
        assert len(chunks(server)) == most
        assert np.array_equal(dataset.ReadAsArray(5, 5, 10, 2), DATA[5:7, 5:15])
    finally:
        gdal.SetConfigOption("ZARR_CACHE_SIZE", None)
        gdal.Open(remote(server))  # opening applies the default


def test_a_failure_is_reported_by_the_read(store):
    write_store(store)
    write_bytes(f"{store}/a/c/0/0", b"short")
    dataset = gdal.Open(store)
    with collect_errors() as errors:
        assert advise_read(dataset.GetRasterBand(1), (0, 0, 40, 40)) == gdal.CE_None
        assert open_array(store, "a").AdviseRead() == gdal.CE_None
    assert errors == []
    assert np.array_equal(dataset.ReadAsArray(20, 20, 10, 10), DATA[20:30, 20:30])
    with pytest.raises(RuntimeError, match="c/0/0"):
        dataset.ReadAsArray()
