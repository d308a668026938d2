# SPDX-License-Identifier: MIT
"""Wrong references, and references in GDAL's virtual file systems."""

import gzip
import json
import os
import subprocess
import zipfile

import numpy as np
import pytest
from http_server import Server
from config_options import set_config_option
from osgeo import gdal
from plugin_in_use import python
from reference_stores import (
    DATA,
    HEADER,
    OTHER,
    catch_error,
    check_arrays,
    folder,
    make_references,
    make_zarray,
    read_array,
    write_references,
)  # noqa: F401
from stores import open_array


# --- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, message",
    [
        (["missing.bin", 0, 12], "refers to {}/missing.bin: there is no such file"),
        (["missing.bin"], "refers to {}/missing.bin: there is no such file"),
        (["", 0, 12], 'expected a URL or a path, got ""'),
        (["data.bin", 150, 12], "refers to {}/data.bin: bytes 150 + 12 of a value of 155 bytes"),
        (["data.bin", 1 << 62, 12], "refers to {}/data.bin: bytes 4611686018427387904 + 12 of a value of 155"),
        (["data.bin", (1 << 64) - 5, 12], "refers to bytes 18446744073709551611 + 12"),
        (["data.bin", 0, 11], "11"),
        (["data.bin", 0, 1 << 40], "refers to {}/data.bin: bytes 1099511627775 + 1 of a value of 155 bytes"),
        (["x" * 16385, 0, 12], "expected a URL of at most 16384 characters, got 16385"),
        (["gopher://host/data.bin", 0, 12], "expected a path, or a URL of http, https"),
        (["zip://x::s3://b/y.zip", 0, 12], "expected a path, or a URL of http, https"),
        ([], "/a~10.0: expected a string, an object, [url], or [url, offset, length], got []"),
        (["data.bin", 0], "/a~10.0: expected a string, an object, [url], or [url, offset, length], got"),
        (["data.bin", "0", 12], "/a~10.0/1: expected a non-negative integer"),
        (["data.bin", 0, -12], "/a~10.0/2: expected a non-negative integer"),
        ([None, 0, 12], "/a~10.0/0: expected a string, got null"),
        (None, "/a~10.0: expected a string, an object, [url], or [url, offset, length], got null"),
        (12, "/a~10.0: expected a string, an object, [url], or [url, offset, length], got 12"),
        ("base64:****", '/a~10.0: the text after "base64:" is not base64'),
        ("too short", "9"),
    ],
)
def test_wrong_references_are_errors_of_their_keys(folder, value, message):
    """Reading them fails with the key, and other references work."""
    path = write_references(folder / "refs.json", make_references() | {"a/0.0": value})
    text = catch_error(f'ZARR:"{path}":/a')
    assert message.format(folder) in text and "refs.json" in text and ("a/0.0" in text or "a~10.0" in text)
    np.testing.assert_array_equal(read_array(f'ZARR:"{path}":/g/b'), OTHER)
    array = open_array(path, "a")
    np.testing.assert_array_equal(array.ReadAsArray([1, 0], [3, 6]), DATA[1:])


def test_large_references_take_no_memory_before_they_are_known(folder):
    meta = make_zarray(np.zeros((1, 1), "<i2"), (1, 1)) | {"shape": [30000, 30000], "chunks": [30000, 30000]}
    refs = {".zarray": meta, "0.0": ["data.bin", 0, 1800000000]}
    path = write_references(folder / "refs.json", refs)
    assert "bytes 0 + 1800000000 of a file of 155 bytes" in catch_error(path)


@pytest.mark.parametrize(
    "content, message",
    [
        ('{".zgroup": "{}"', "expected kerchunk references as a JSON object, got text that is not JSON at or before byte"),
        ('{".zgroup": "{}", "a" 1}', "expected kerchunk references as a JSON object, got text that is not JSON at or before byte"),
        ('{"version": 2, "refs": {".zgroup": "{}"}}', "/version: expected 1, got 2"),
        ("[1, 2]", "expected the folder of a Zarr store or a JSON file of kerchunk references, got another file"),
        ("", "expected the folder of a Zarr store or a JSON file of kerchunk references, got another file"),
        ("{}", "expected a Zarr array or group"),
        ('{"type": "FeatureCollection", "features": []}', "expected a Zarr array or group"),
        ('{"version": 1}', "expected a Zarr array or group"),
    ],
)
def test_wrong_files_are_errors(folder, content, message):
    path = write_references(folder / "refs.json", content)
    assert f"{path}: {message}" in catch_error(f'ZARR:"{path}"')


def test_a_missing_file_is_an_error(tmp_path):
    assert "refs.json: there is no such file" in catch_error(f"/vsikerchunk_json_ref/{{{tmp_path}/refs.json}}")
    assert "there is no such file or folder" in catch_error(f'ZARR:"{tmp_path}/refs.json"')


@pytest.mark.parametrize(
    "content",
    [
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {".zgroup": 1}}]},
        {"type": "Feature", "stac_version": "1.0.0", "assets": {"a/0.0": {"href": "s3://b/c.zarr"}}, "links": []},
        {"stac_version": "1.0.0", "refs": {"a": ["s3://b/c", 1, 2]}},
        {"version": 1, "refs": {"main": "0123abc", "tag": ["x"]}},
        {"version": 1, "templates": {"u": "x" * 5000}, "name": "other"},
        {"version": 2, "refs": {".zgroup": "{}"}},
        {"2019": ["a", 1, 2], "2020": ["b", 3, 4]},
        {"metadata": {".zgroup": {"zarr_format": 2}}, "zarr_consolidated_format": 1},
        {"zgroup": 1},
        {},
        [".zgroup"],
    ],
)
def test_other_json_is_left_alone(folder, content):
    path = write_references(folder / "other.json", content)
    assert gdal.IdentifyDriverEx(path, allowed_drivers=["Zarr"]) is None


def test_text_files_are_left_alone(folder):
    path = write_references(folder / "references.txt", make_references())
    assert gdal.IdentifyDriverEx(path, allowed_drivers=["Zarr"]) is None


def test_references_are_read_only(folder):
    path = write_references(folder / "refs.json", make_references())
    for name in (path, f'ZARR:"{path}":/a', f"/vsikerchunk_json_ref/{{{path}}}"):
        with pytest.raises(RuntimeError, match="takes no writes"):
            gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE, allowed_drivers=["Zarr"])


def test_deleting_removes_only_the_references(folder):
    """The files that they refer to stay, as does any other file."""
    driver = gdal.GetDriverByName("Zarr")
    path = write_references(folder / "refs.json", make_references())
    driver.Delete(path)
    write_references(folder / "out.zarr", make_references())
    source = gdal.GetDriverByName("MEM").Create("", 3, 2)
    driver.CreateCopy(str(folder / "out.zarr"), source)
    assert sorted(os.listdir(folder)) == ["data.bin", "out.zarr"] and (folder / "out.zarr").is_dir()
    with pytest.raises(RuntimeError, match="got another file"):
        driver.Delete(str(folder / "data.bin"))
    assert os.path.exists(folder / "data.bin")


# --- GDAL's file systems ----------------------------------------------------------------------------------------


def test_references_may_be_in_memory():
    blob = HEADER + b"".join(row.tobytes() for row in DATA[::-1]) + OTHER.tobytes()
    gdal.FileFromMemBuffer("/vsimem/kerchunk/data.bin", blob)
    try:
        for url in ("data.bin", "./data.bin", "../kerchunk/data.bin", "/vsimem/kerchunk/data.bin"):
            gdal.FileFromMemBuffer("/vsimem/kerchunk/refs.json", json.dumps(make_references(url)).encode())
            check_arrays("/vsimem/kerchunk/refs.json")
    finally:
        gdal.Unlink("/vsimem/kerchunk/data.bin")
        gdal.Unlink("/vsimem/kerchunk/refs.json")


def test_references_may_be_in_a_zip_file(folder):
    path = write_references(folder / "refs.json", make_references())
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(path, "sub/refs.json")
        archive.write(folder / "data.bin", "sub/data.bin")
    check_arrays(f"/vsizip/{folder}/all.zip/sub/refs.json")
    check_arrays(f'ZARR:"/vsizip/{{{folder}/all.zip}}/sub/refs.json"')


def test_references_may_be_gzipped(folder):
    """The folder of the gzipped file decides where relative paths lead."""
    with gzip.open(folder / "refs.json.gz", "wt") as f:
        json.dump(make_references(str(folder / "data.bin")), f)
    check_arrays(f'ZARR:"/vsigzip/{folder}/refs.json.gz"')


@pytest.fixture
def server(folder):
    gdal.VSICurlClearCache()
    with Server(str(folder)).serve() as server:
        yield server


def test_references_may_be_on_a_network(folder, server):
    for name in ("refs.json", "refs.zarr"):
        write_references(folder / name, make_references())
        check_arrays(f"/vsicurl/{server.url}/{name}")
    check_arrays(f'ZARR:"/vsicurl/{server.url}/refs.json"')
    write_references(folder / "far.json", make_references(f"{server.url}/data.bin"))
    check_arrays(str(folder / "far.json"))
    os.mkdir(folder / "sub")
    write_references(folder / "sub/refs.json", make_references("../data.bin"))
    check_arrays(f"/vsicurl/{server.url}/sub/refs.json")


def test_references_on_a_network_may_have_a_query(folder, server):
    """The query that gives access to the references is used for the files beside them too."""
    server.required_query = "token=a/b"
    write_references(folder / "refs.json", make_references())
    for name in ("/vsicurl/{}/refs.json?token=a/b", 'ZARR:"/vsicurl/{}/refs.json?token=a/b"'):
        check_arrays(name.format(server.url))


def test_references_are_requested_once(folder, server):
    """The references are read once, and no other file is looked for."""
    write_references(folder / "refs.json", make_references())
    np.testing.assert_array_equal(read_array(f'ZARR:"/vsicurl/{server.url}/refs.json":/a'), DATA)
    assert server.find_requests("refs.json") == ["GET"]
    assert {path for _, path in server.log} == {"/refs.json", "/data.bin"}


def test_failures_of_a_network_are_errors(folder, server):
    path = write_references(folder / "far.json", make_references(f"{server.url}/data.bin"))
    server.failures["data.bin"] = 403
    assert f"a/0.0: refers to /vsicurl/{server.url}/data.bin: cannot be opened" in catch_error(f'ZARR:"{path}":/a')
    server.failures["data.bin"] = 404
    gdal.VSICurlClearCache()
    assert "there is no such file" in catch_error(f'ZARR:"{path}":/a')


def test_references_on_a_network_may_not_name_local_files(folder, server):
    for url in (
        "{}/data.bin",
        "file://{}/data.bin",
        "/vsizip/{}/x.zip/data.bin",
        "/vsicached?chunk_size=1&file={}/data.bin",
        "/vsicurl/file://{}/data.bin",
        "/vsicurl?url=file%3A//{}/data.bin",
        "../../../../../../../..{}/data.bin",
    ):
        write_references(folder / "refs.json", make_references(url.format(folder)))
        gdal.VSICurlClearCache()
        text = catch_error(f'ZARR:"/vsicurl/{server.url}/refs.json":/a')
        assert "references on a network name the local file" in text and "GDAL_ALLOW_REMOTE_RESOURCE" in text
    write_references(folder / "refs.json", make_references(str(folder / "data.bin")))
    gdal.VSICurlClearCache()
    with set_config_option("GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE", "YES"):
        check_arrays(f'ZARR:"/vsicurl/{server.url}/refs.json"')


def test_generated_keys_are_bounded(tmp_path):
    """A few characters can make many keys."""
    generator = {"key": "a/{{i}}" + "x" * 60000, "url": "d.bin", "dimensions": {"i": {"stop": 4000000}}}
    path = f"{tmp_path}/refs.json"
    with open(path, "w") as f:
        json.dump({"version": 1, "refs": {}, "gen": [generator]}, f)
    with pytest.raises(RuntimeError, match=r"refs\.json: /gen/0: expected at most 268435456 bytes of keys \(ZARR_MAX_REFERENCE_KEYS_SIZE\), got more"):
        gdal.Open(f'ZARR:"{path}"')


@pytest.mark.parametrize("length, refused", [(65536, False), (65537, True)])
@pytest.mark.parametrize("in_name", [False, True])
def test_texts_of_dimensions_are_bounded(tmp_path, length, refused, in_name):
    """A few of them can make much work, with every key."""
    text = "x" * length
    dimensions = {"i": {"stop": 3}, **({text: [1]} if in_name else {"s": [text]})}
    generator = {"key": "a/{{i}}", "url": "d.bin", "dimensions": dimensions}
    path = f"{tmp_path}/refs.json"
    with open(path, "w") as f:
        json.dump({"version": 1, "refs": {".zgroup": '{"zarr_format":2}'}, "gen": [generator]}, f)
    if not refused:
        assert gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER) is not None
        return
    with pytest.raises(RuntimeError, match=r"refs\.json: /gen/0/dimensions/.*: expected at most 65536 characters of a dimension, got 65537"):
        gdal.OpenEx(f'ZARR:"{path}"', gdal.OF_MULTIDIM_RASTER)


def test_texts_of_dimensions_count_as_work(tmp_path):
    generator = {"key": "a/{{i}}", "url": "d.bin", "dimensions": {"i": {"stop": 4000}, "s": ["x" * 60000]}}
    path = f"{tmp_path}/refs.json"
    refs = {".zgroup": '{"zarr_format":2}'}

    def open_generated():
        with open(path, "w") as f:
            json.dump({"version": 1, "refs": refs, "gen": [generator]}, f)
        return gdal.OpenEx(f'ZARR:"{path}"', gdal.OF_MULTIDIM_RASTER)

    assert open_generated() is not None  # a text that no key has costs nothing
    generator["key"] = "a/{{i}}{{g(s=s)}}"
    with open(path, "w") as f:
        json.dump({"version": 1, "templates": {"g": "{{1}}"}, "refs": refs, "gen": [generator]}, f)
    with set_config_option("ZARR_MAX_REFERENCE_WORK", "1000000"):
        with pytest.raises(RuntimeError, match=r"refs\.json: .*ZARR_MAX_REFERENCE_WORK"):
            gdal.OpenEx(f'ZARR:"{path}"', gdal.OF_MULTIDIM_RASTER)


OPEN_ARRAY = """
import sys
from osgeo import gdal
gdal.UseExceptions()
try:
    gdal.Open(sys.argv[1]).ReadAsArray()
except RuntimeError as error:
    print(error)
"""


@pytest.mark.parametrize("url", ["{0}", "file://{0}", "/vsisubfile/0_12,{0}", "/vsigzip/{0}", "/vsizip/{0}/a", "/vsizip/{{{0}}}/a"])
@pytest.mark.parametrize("part", [[], [0, 12]])
def test_references_to_pipes_are_refused(folder, url, part):
    """Opening one would wait for a writer."""
    pipe = f"{folder}/pipe"
    os.mkfifo(pipe)
    value = [url.format(pipe), *part]
    path = write_references(folder / "refs.json", make_references() | {"a/0.0": value})
    command = python(OPEN_ARRAY, f'ZARR:"{path}":/a')
    output = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    assert "a/0.0" in output and "expected a file, got something else" in output


def test_keys_are_utf_8(tmp_path):
    path = f"{tmp_path}/refs.json"
    with open(path, "wb") as f:
        f.write(b'{"version": 1, "refs": {".zgroup": "{\\"zarr_format\\":2}", "\xff/.zgroup": "{}"}}')
    with pytest.raises(RuntimeError, match=r"refs\.json: invalid JSON: .*UTF-8"):
        gdal.Open(path)
