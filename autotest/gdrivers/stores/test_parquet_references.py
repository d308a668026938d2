# SPDX-License-Identifier: MIT
"""Stores of kerchunk references in Parquet: a folder with `.zmetadata`, and files of rows for the chunks of each array."""

import base64
import json
import os
import struct
import subprocess
import zipfile

import numpy as np
import parquet_files as pq
import pytest
from http_server import Server
from osgeo import gdal
from plugin_in_use import python
from reference_stores import DATA, catch_error, locate_row, make_zarray, read_array, write_blob
from stores import open_group
from zarrkit_program import run_zarrkit

STORES = os.path.join(os.path.dirname(__file__), "../../data/references/stores")
WRITERS = sorted(name for name in os.listdir(STORES) if name != "json")
PATH = b"../../data.bin"


def make_columns(rows=4, path=PATH):
    offsets, sizes = zip(*(locate_row(i) for i in range(rows)))
    return {"path": [path] * rows, "offset": list(offsets), "size": list(sizes), "raw": [None] * rows}


def write_store(folder, files, *, record_size=4, name="refs.parq", array="a", zarray=None):
    """Writes a store with one array of four chunks. `files` are its Parquet files, by number."""
    zarray = zarray or make_zarray(DATA, (1, 6))
    metadata = {".zgroup": {"zarr_format": 2}, f"{array}/.zarray": zarray, f"{array}/.zattrs": {"units": "K"}}
    os.makedirs(folder / name / array)
    with open(folder / name / ".zmetadata", "w") as f:
        json.dump({"metadata": metadata, "record_size": record_size}, f)
    for number, content in files.items():
        with open(folder / name / array / f"refs.{number}.parq", "wb") as f:
            f.write(content)
    return str(folder / name)


@pytest.fixture
def folder(tmp_path):
    write_blob(tmp_path / "data.bin")
    return tmp_path


def open_one(path, array="a"):
    return open_group(path).OpenMDArray(array)


def check_data(path):
    np.testing.assert_array_equal(open_one(path).ReadAsArray(), DATA)


# --- what others write ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("writer", WRITERS)
def test_other_writers(writer):
    group = open_group(f"{STORES}/{writer}/refs.parq")
    (name,) = group.GetMDArrayNames()
    expected = open_one(f"{STORES}/json/refs.json", name).ReadAsArray()
    np.testing.assert_array_equal(group.OpenMDArray(name).ReadAsArray(), expected)
    assert len(np.unique(expected)) > 100


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("codec", [pq.UNCOMPRESSED, pq.GZIP])
@pytest.mark.parametrize("text", [pq.PLAIN, pq.RLE_DICTIONARY, pq.DELTA_LENGTH_BYTE_ARRAY, pq.DELTA_BYTE_ARRAY])
@pytest.mark.parametrize("number", [pq.PLAIN, pq.RLE_DICTIONARY, pq.DELTA_BINARY_PACKED])
def test_encodings(folder, version, codec, text, number):
    encodings = {"path": text, "raw": text, "offset": number, "size": number}
    columns = make_columns()
    columns["path"][2], columns["raw"][2] = None, DATA[2].tobytes()
    content = pq.make_parquet(columns, encodings=encodings, codec=codec, version=version, page_rows=3)
    check_data(write_store(folder, {0: content}))


@pytest.mark.parametrize("size, group_rows", [(1, 1), (2, 1), (3, 2), (4, 3), (1000, 2)])
def test_files_and_row_groups(folder, size, group_rows):
    rows = make_columns()
    files = {}
    for begin in range(0, 4, size):
        columns = {name: values[begin : begin + size] for name, values in rows.items()}
        files[begin // size] = pq.make_parquet(columns, group_rows=group_rows)
    check_data(write_store(folder, files, record_size=size))


def test_narrow_integers_and_other_columns(folder):
    """Some writers use INT32, or have a column of nulls of any type, or columns that are not needed."""
    columns = {**make_columns(), "index": [0, 1, 2, 3]}
    content = pq.make_parquet(columns, kinds={"offset": pq.INT32, "raw": pq.INT32})
    check_data(write_store(folder, {0: content}))


@pytest.mark.parametrize("missing", ["raw", "path"])
def test_a_column_may_be_missing(folder, missing):
    columns = make_columns()
    columns["raw"] = [row.tobytes() for row in DATA] if missing == "path" else columns["raw"]
    del columns[missing]
    check_data(write_store(folder, {0: pq.make_parquet(columns)}))


def test_values_in_the_references(folder):
    """As bytes, or as base64, which fsspec decodes."""
    columns = make_columns()
    columns["raw"][0] = DATA[0].tobytes()
    columns["raw"][1] = b"base64:" + base64.b64encode(DATA[1].tobytes())
    check_data(write_store(folder, {0: pq.make_parquet(columns)}))


def test_a_whole_file(folder):
    """Offset and size are 0, or missing."""
    with open(folder / "row.bin", "wb") as f:
        f.write(DATA[1].tobytes())
    columns = make_columns()
    columns["path"][1], columns["offset"][1], columns["size"][1] = b"../../row.bin", 0, 0
    check_data(write_store(folder, {0: pq.make_parquet(columns)}))
    write_store(folder, {0: pq.make_parquet({"path": [b"../../row.bin"] * 4})}, name="whole.parq")
    np.testing.assert_array_equal(open_one(str(folder / "whole.parq")).ReadAsArray(), DATA[[1, 1, 1, 1]])


def test_nested_arrays_and_other_chunk_keys(folder):
    zarray = {**make_zarray(DATA, (1, 6)), "dimension_separator": "/"}
    content = pq.make_parquet(make_columns(path=str(folder / "data.bin").encode()))
    path = write_store(folder, {0: content}, array="g/h/a", zarray=zarray)
    np.testing.assert_array_equal(read_array(f'ZARR:"{path}":/g/h/a'), DATA)
    assert "4 chunks" in run_zarrkit("check", f'ZARR:"{path}"')


def test_a_scalar_and_an_empty_array(folder):
    scalar = {**make_zarray(DATA, (1, 6)), "shape": [], "chunks": []}
    write_store(folder, {0: pq.make_parquet({"raw": [b"\x07\x00"]})}, zarray=scalar)
    assert open_one(str(folder / "refs.parq")).Read() == struct.pack("<h", 7)
    empty = {**make_zarray(DATA, (1, 6)), "shape": [0, 6]}
    path = write_store(folder, {}, zarray=empty, name="empty.parq")
    assert [d.GetSize() for d in open_one(path).GetDimensions()] == [0, 6]


# --- absent chunks --------------------------------------------------------------------------------------------------


def test_absent_chunks(folder):
    """A row without path and value, and a file that does not exist."""
    columns = {name: values[:2] for name, values in make_columns().items()}
    columns["path"][1] = None
    path = write_store(folder, {0: pq.make_parquet(columns)}, record_size=2)
    expected = np.where(np.arange(4)[:, None] == 0, DATA, 0)
    np.testing.assert_array_equal(open_one(path).ReadAsArray(), expected)
    columns["path"][1] = b""
    write_store(folder, {0: pq.make_parquet(columns)}, record_size=2, name="empty path.parq")
    np.testing.assert_array_equal(open_one(str(folder / "empty path.parq")).ReadAsArray(), expected)


def test_coverage(folder):
    columns = make_columns()
    columns["path"][1] = None
    path = write_store(folder, {0: pq.make_parquet(columns)})
    dataset = gdal.Open(f'ZARR:"{path}":/a')
    band = dataset.GetRasterBand(1)
    statuses = [band.GetDataCoverageStatus(0, row, 6, 1)[0] for row in range(4)]
    data, empty = gdal.GDAL_DATA_COVERAGE_STATUS_DATA, gdal.GDAL_DATA_COVERAGE_STATUS_EMPTY
    assert [bool(s & data) for s in statuses] == [True, False, True, True]
    assert statuses[1] == empty
    assert list(band.GetDataCoverageStatus(0, 0, 6, 4)) == [data | empty, 75.0]


@pytest.mark.parametrize("separator", [".", "/"])
def test_coverage_of_many_chunks(folder, separator):
    """More chunks than are looked up one by one are listed."""
    zarray = {**make_zarray(np.zeros((60, 60), "<i2"), (1, 1)), "dimension_separator": separator}
    path = [PATH if i % 3 == 0 else None for i in range(3600)]
    columns = {"path": path, "offset": [0] * 3600, "size": [2] * 3600}
    files = {i: pq.make_parquet({k: v[i * 1000 : i * 1000 + 1000] for k, v in columns.items()}) for i in (0, 2, 3)}
    name = write_store(folder, files, record_size=1000, zarray=zarray)
    dataset = gdal.Open(name)
    status, percent = dataset.GetRasterBand(1).GetDataCoverageStatus(0, 0, 60, 60)
    there = sum(p is not None for i, p in enumerate(path) if not 1000 <= i < 2000)
    assert status == gdal.GDAL_DATA_COVERAGE_STATUS_DATA | gdal.GDAL_DATA_COVERAGE_STATUS_EMPTY and percent == pytest.approx(100 * there / 3600)


def test_zarrkit(folder):
    columns = make_columns()
    columns["path"][3] = None
    path = write_store(folder, {0: pq.make_parquet(columns)})
    assert "1 arrays, 3 chunks, 0 errors" in run_zarrkit("check", f'ZARR:"{path}"')
    for chunk, answer in {"1,0": "yes", "3,0": "no"}.items():
        assert f"present         {answer}" in run_zarrkit("stat", f'ZARR:"{path}"', "--array", "a", "--chunk", chunk)
    run_zarrkit("map", f'ZARR:"{path}"', str(folder / "map.svg"), "--array", "a")
    assert (folder / "map.svg").stat().st_size > 0
    assert run_zarrkit("check", path) == run_zarrkit("check", f'ZARR:"{path}"')


# --- names ----------------------------------------------------------------------------------------------------------


def test_names(folder):
    path = write_store(folder, {0: pq.make_parquet(make_columns())})
    write_store(folder, {0: pq.make_parquet(make_columns())}, name="any name")
    for name in (path, path + "/", path + "/.zmetadata", f'ZARR:"{path}"', f"/vsikerchunk_parquet_ref/{{{path}}}", str(folder / "any name")):
        check_data(name)
    for name in (f'ZARR:"{path}":/a', f'ZARR:"/vsikerchunk_parquet_ref/{{{path}}}":/a', f"/vsikerchunk_parquet_ref/{{{path}}}/a", path):
        np.testing.assert_array_equal(read_array(name), DATA)
    assert open_one(path).GetUnit() == "K"
    assert "expected /vsikerchunk_parquet_ref/{<folder>}" in catch_error(f"/vsikerchunk_parquet_ref/{path}")


def test_in_a_zip_archive(folder):
    write_store(folder, {0: pq.make_parquet(make_columns())})
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(folder / "data.bin", "data.bin")
        for name in (".zmetadata", "a/refs.0.parq"):
            archive.write(folder / "refs.parq" / name, f"refs.parq/{name}")
    check_data(f"/vsizip/{folder}/all.zip/refs.parq")


def test_in_memory(folder):
    write_store(folder, {0: pq.make_parquet(make_columns())})
    gdal.MkdirRecursive("/vsimem/parquet/refs.parq/a", 0o755)
    for name in ("data.bin", "refs.parq/.zmetadata", "refs.parq/a/refs.0.parq"):
        with open(folder / name, "rb") as f:
            gdal.FileFromMemBuffer(f"/vsimem/parquet/{name}", f.read())
    try:
        check_data("/vsimem/parquet/refs.parq")
    finally:
        gdal.RmdirRecursive("/vsimem/parquet")


def test_references_are_not_changed(folder):
    path = write_store(folder, {0: pq.make_parquet(make_columns())})
    before = sorted(os.walk(folder))
    with pytest.raises(RuntimeError, match="takes no writes"):
        gdal.OpenEx(path, gdal.OF_UPDATE | gdal.OF_RASTER, allowed_drivers=["Zarr"])
    assert sorted(os.walk(folder)) == before


# --- networks -------------------------------------------------------------------------------------------------------


def read_from_server(folder, name, *, failures=None, options=None):
    """Reads in another process: GDAL remembers what a server has answered."""
    program = "import sys\nfrom osgeo import gdal\ngdal.UseExceptions()\nprint(gdal.Open(sys.argv[1]).ReadAsArray().sum())"
    with Server(str(folder)).serve() as server:
        server.failures = failures or {}
        environment = {**os.environ, "GDAL_HTTP_MAX_RETRY": "0", **(options or {})}
        command = python(program, name.replace("URL", f"/vsicurl/{server.url}"))
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
        return done.stdout.strip() or done.stderr, server.log


def test_on_a_web_server(folder):
    columns = {name: values[:2] for name, values in make_columns().items()}
    write_store(folder, {0: pq.make_parquet(columns)}, record_size=2)
    for name in ("URL/refs.parq", 'ZARR:"URL/refs.parq":/a'):
        text, log = read_from_server(folder, name)
        assert text == str(DATA[:2].sum())
        # By this document, the folder is recognized. The file that does not exist, and thus has the fill value, is requested once.
        for file in (".zmetadata", "a/refs.1.parq"):
            assert [path for _, path in log].count("/refs.parq/" + file) == 1


@pytest.mark.parametrize("failure", [403, 500, "cut"])
def test_a_failure_is_not_absence(folder, failure):
    write_store(folder, {0: pq.make_parquet(make_columns())})
    text, _ = read_from_server(folder, 'ZARR:"URL/refs.parq":/a', failures={"refs.0.parq": failure})
    assert "refs.0.parq" in text


def test_remote_references_do_not_name_local_files(folder):
    content = pq.make_parquet(make_columns(path=str(folder / "data.bin").encode()))
    write_store(folder, {0: content})
    text, _ = read_from_server(folder, 'ZARR:"URL/refs.parq":/a')
    assert "references on a network name the local file" in text
    text, _ = read_from_server(
        folder, 'ZARR:"URL/refs.parq":/a', options={"GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE": "YES"}
    )
    assert text == str(DATA.sum())


# --- errors ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", 'expected a Parquet file, which ends in "PAR1", got a file of 0 bytes'),
        (b"not a Parquet file", 'expected a Parquet file, which ends in "PAR1"'),
        (b"PAR1\x00\x00\x00\x00PARE", "got an encrypted one"),
        (b"PAR1\xff\x00\x00\x00PAR1", "expected metadata within the file"),
        (pq.make_parquet({"other": [1] * 4}), "expected a Parquet file with a column path or raw"),
        (pq.make_parquet(make_columns(rows=2)), "expected at least 4 rows, got 2"),
        (pq.make_parquet({**make_columns(), "offset": [b"x"] * 4}), "column offset: expected integers"),
        (pq.make_parquet({**make_columns(), "offset": [-1] * 4}), "column offset: expected a number of bytes in row 0"),
        (pq.make_parquet({**make_columns(), "path": [1] * 4}, kinds={"path": pq.INT64}), "column path: expected strings"),
        (pq.make_parquet(make_columns(), codec=pq.BROTLI), "got BROTLI"),
        (pq.make_parquet(make_columns(), codec=99), "got number 99"),
        (pq.make_parquet(make_columns(), encodings={"size": pq.BYTE_STREAM_SPLIT}), "column size: expected PLAIN"),
        (pq.make_parquet({**make_columns(), "raw": [b"base64:!"] * 4}), "are not base64"),
        (pq.make_parquet({**make_columns(), "path": [b"../../no.bin"] * 4}), "no.bin: there is no such file"),
    ],
)
def test_errors_name_the_file(folder, content, message):
    path = write_store(folder, {0: content})
    # A file that is too short has its first rows.
    text = catch_error(f'ZARR:"{path}":/a')
    assert message in text and ("refs.0.parq" in text or "no.bin" in text), text


@pytest.mark.parametrize("size", ["0", "-1", "null", '"3"', "1.5", "[]"])
def test_wrong_record_sizes(folder, size):
    path = write_store(folder, {})
    with open(f"{path}/.zmetadata") as f:
        text = f.read()
    with open(f"{path}/.zmetadata", "w") as f:
        f.write(text.replace('"record_size": 4', f'"record_size": {size}'))
    assert ".zmetadata: /record_size: expected a number of rows" in catch_error(path)


def test_a_grid_that_is_not_regular(folder):
    """The array can be opened, but its chunks must not count as absent."""
    path = write_store(folder, {0: pq.make_parquet(make_columns())}, zarray={**make_zarray(DATA, (1, 6)), "chunks": [0, 6]})
    with pytest.raises(RuntimeError):
        open_one(path).ReadAsArray()


def test_references_of_another_dataset(folder):
    """What one dataset has read of a file is not used for another."""
    path = write_store(folder, {0: pq.make_parquet(make_columns())})
    check_data(path)
    columns = make_columns()
    columns["offset"].reverse()
    with open(f"{path}/a/refs.0.parq", "wb") as f:
        f.write(pq.make_parquet(columns))
    np.testing.assert_array_equal(open_one(path).ReadAsArray(), DATA[::-1])
