# SPDX-License-Identifier: MIT
"""Small chunks that are neighbours in one file on a server: references to them are followed with few requests."""

import json
import os

import numpy as np
import parquet_files as pq
import pytest
from osgeo import gdal
from reference_stores import make_zarray

DATA = (np.arange(160 * 160) * 37 % 251).astype("u1").reshape(160, 160)
TILE = 16
TILES = [(y, x) for y in range(10) for x in range(10)]
SIZE = TILE * TILE


def write_tiff(path):
    options = ["TILED=YES", f"BLOCKXSIZE={TILE}", f"BLOCKYSIZE={TILE}"]
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), 160, 160, 1, gdal.GDT_Byte, options)
    dataset.WriteArray(DATA)
    dataset = None


def write_tiles(path):
    with open(path, "wb") as f:
        f.write(b"".join(DATA[y * TILE :, x * TILE :][:TILE, :TILE].tobytes() for y, x in TILES))


def refer_by_json(folder, server):
    write_tiles(folder / "data.bin")
    refs = {".zgroup": {"zarr_format": 2}, "a/.zarray": make_zarray(DATA, (TILE, TILE))}
    refs |= {f"a/{y}.{x}": [f"{server.url}/data.bin", i * SIZE, SIZE] for i, (y, x) in enumerate(TILES)}
    (folder / "refs.json").write_text(json.dumps(refs))
    return f'ZARR:"{folder}/refs.json":/a'


def refer_by_parquet(folder, server):
    write_tiles(folder / "data.bin")
    os.makedirs(folder / "refs.parq" / "a")
    metadata = {".zgroup": {"zarr_format": 2}, "a/.zarray": make_zarray(DATA, (TILE, TILE)), "a/.zattrs": {}}
    (folder / "refs.parq" / ".zmetadata").write_text(json.dumps({"metadata": metadata, "record_size": 100}))
    columns = {
        "path": [f"{server.url}/data.bin".encode()] * 100,
        "offset": [i * SIZE for i in range(100)],
        "size": [SIZE] * 100,
        "raw": [None] * 100,
    }
    (folder / "refs.parq" / "a" / "refs.0.parq").write_bytes(pq.make_parquet(columns))
    return f'ZARR:"{folder}/refs.parq":/a'


def refer_by_icechunk(folder, server):
    write_tiff(folder / "data.bin")
    target = str(folder / "a.icechunk")
    options = ["FORMAT=ICECHUNK", "VIRTUAL=YES"]
    gdal.Translate(target, f"/vsicurl/{server.url}/data.bin", format="Zarr", creationOptions=options)
    gdal.VSICurlClearCache()
    return target


FORMS = {"json": refer_by_json, "parquet": refer_by_parquet, "icechunk": refer_by_icechunk}


@pytest.fixture(params=FORMS)
def name(request, tmp_path, server):
    """References to a file on the server with 100 chunks, one after the other."""
    result = FORMS[request.param](tmp_path, server)
    server.clear()
    return result


def test_a_window_takes_few_requests(server, name):
    dataset = gdal.Open(name)
    server.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert 1 <= server.count() <= 2


def test_single_elements_take_few_requests(server, name):
    array = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = array.OpenMDArray(array.GetMDArrayNames()[0])
    server.clear()
    values = array.ReadAsArray(array_start_idx=[3, 5], count=[10, 10], array_step=[16, 16])
    np.testing.assert_array_equal(values, DATA[3::16, 5::16])
    assert 1 <= server.count() <= 2


def test_chunks_in_the_cache_are_not_requested_again(server, name):
    dataset = gdal.Open(name)
    dataset.ReadAsArray(0, 0, 160, 16)
    server.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, 160, 16), DATA[:16])
    assert server.count() == 0


def test_a_damaged_request_is_sent_again(server, name):
    gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", "3")
    gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", "0.01")
    dataset = gdal.Open(name)
    server.clear()
    server.fail("503", "data.bin", times=2)
    try:
        np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    finally:
        gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", None)
        gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", None)
    assert server.count() <= 4


@pytest.mark.parametrize("fault", ["403", "503"])
def test_errors_name_a_chunk(server, name, fault):
    dataset = gdal.Open(name)
    server.fail(fault, "data.bin")
    with pytest.raises(RuntimeError, match=r"(a/0\.0|c/0/0): refers to /vsicurl/http.*data\.bin: cannot be opened"):
        dataset.ReadAsArray()


def test_a_file_that_is_too_short_is_an_error_of_the_chunk_that_is_not_in_it(tmp_path, server, name):
    options = ["IGNORE_TIMESTAMP_ETAG=YES"] if name.endswith(".icechunk") else []
    dataset = gdal.OpenEx(name, gdal.OF_RASTER, open_options=options)
    os.truncate(tmp_path / "data.bin", os.path.getsize(tmp_path / "data.bin") - 1)
    gdal.VSICurlClearCache()
    with pytest.raises(RuntimeError, match=r"(a/9\.9|c/9/9): refers to .*data\.bin"):
        dataset.ReadAsArray()


def test_a_file_that_was_changed_is_an_error(tmp_path, server):
    dataset = gdal.Open(refer_by_icechunk(tmp_path, server))
    with open(tmp_path / "data.bin", "ab") as f:
        f.write(b"more")
    gdal.VSICurlClearCache()
    with pytest.raises(RuntimeError, match=r"c/0/0: .*expected the ETag .* the file was changed"):
        dataset.ReadAsArray()


def test_absent_and_inline_chunks_are_among_them(tmp_path, server):
    refer_by_json(tmp_path, server)
    refs = json.loads((tmp_path / "refs.json").read_text())
    del refs["a/0.1"]
    refs["a/5.5"] = "~" * SIZE
    (tmp_path / "refs.json").write_text(json.dumps(refs))
    expected = DATA.copy()
    expected[:16, 16:32] = 0
    expected[80:96, 80:96] = ord("~")
    server.clear()
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{tmp_path}/refs.json":/a').ReadAsArray(), expected)
    assert server.count() <= 2


def test_chunks_that_are_far_from_each_other_are_not_read_with_what_is_between(tmp_path, server):
    step = 1 << 20
    with open(tmp_path / "data.bin", "wb") as f:
        for i in range(4):
            f.seek(i * step)
            f.write(bytes([i + 1]) * SIZE)
    refs = {".zgroup": {"zarr_format": 2}, "a/.zarray": make_zarray(DATA[:64, :16], (TILE, TILE))}
    refs |= {f"a/{i}.0": [f"{server.url}/data.bin", i * step, SIZE] for i in range(4)}
    (tmp_path / "refs.json").write_text(json.dumps(refs))
    dataset = gdal.Open(f'ZARR:"{tmp_path}/refs.json":/a')
    np.testing.assert_array_equal(dataset.ReadAsArray(), np.repeat([1, 2, 3, 4], 16)[:, None] * np.ones(16, "u1"))
    assert server.count() == 4
