"""Stores of kerchunk references: JSON that says where in other files the chunks are."""

import base64
import contextlib
import gzip
import json
import os
import zipfile

import numpy as np
import pytest
from errors import collected_errors
from http_server import Server
from osgeo import gdal
from stores import open_array, open_group, write_v3

DATA = np.arange(1, 25, dtype="<i2").reshape(4, 6)
OTHER = DATA.astype("<f4") / 4
HEADER = b"not a chunk"


def zarray(data, chunks):
    return {
        "zarr_format": 2,
        "shape": list(data.shape),
        "chunks": list(chunks),
        "dtype": data.dtype.str,
        "compressor": None,
        "filters": None,
        "order": "C",
        "fill_value": 0,
    }


def write_blob(path):
    """A file that has the rows of DATA behind a header, in reverse order, and the whole of OTHER behind them."""
    with open(path, "wb") as f:
        f.write(HEADER + b"".join(row.tobytes() for row in DATA[::-1]) + OTHER.tobytes())


def row_place(row):
    return [len(HEADER) + 12 * (3 - row), 12]


def references(url="data.bin"):
    """Two arrays and a group with one: metadata as text, as text of base64, and as objects."""
    meta = json.dumps(zarray(DATA, (1, 6)))
    attributes = '{"_ARRAY_DIMENSIONS":["y","x"]}'
    refs = {
        ".zgroup": '{"zarr_format":2}',
        ".zattrs": {"title": "all", "limit": [1, 2]},
        "a/.zarray": meta,
        "a/.zattrs": attributes,
        "g/.zgroup": "base64:" + base64.b64encode(b'{"zarr_format":2}').decode(),
        "g/b/.zarray": zarray(OTHER, (4, 6)),
        "g/b/.zattrs": json.loads(attributes),
        "g/b/0.0": [url, len(HEADER) + DATA.nbytes, OTHER.nbytes],
    }
    refs.update({f"a/{i}.0": [url, *row_place(i)] for i in range(4)})
    return refs


@contextlib.contextmanager
def config_option(name, value):
    before = gdal.GetConfigOption(name)
    gdal.SetConfigOption(name, value)
    try:
        yield
    finally:
        gdal.SetConfigOption(name, before)


def write_references(path, content):
    with open(path, "w") as f:
        f.write(content if isinstance(content, str) else json.dumps(content))
    return str(path)


@pytest.fixture
def folder(tmp_path):
    write_blob(tmp_path / "data.bin")
    return tmp_path


def read(name):
    return gdal.Open(name).ReadAsArray()


def subdatasets(name, *options):
    """The array of each subdataset, by the name behind the store."""
    dataset = gdal.OpenEx(name, allowed_drivers=["Zarr"], open_options=options)
    names = [item for key, item in dataset.GetMetadata("SUBDATASETS").items() if key.endswith("_NAME")]
    return {item.rsplit(":", 1)[1]: read(item) for item in names}


def check_arrays(name):
    arrays = subdatasets(name)
    assert sorted(arrays) == ["/a", "/g/b"]
    np.testing.assert_array_equal(arrays["/a"], DATA)
    np.testing.assert_array_equal(arrays["/g/b"], OTHER)


def error_of(name, *, flags=gdal.OF_RASTER):
    with pytest.raises(RuntimeError) as info:
        gdal.OpenEx(name, flags, allowed_drivers=["Zarr"]).ReadAsArray()
    return str(info.value)


FORMS = {
    "v0": lambda refs: refs,
    "v1": lambda refs: {"version": 1, "refs": refs},
    "v1 in another order": lambda refs: {"refs": refs, "version": 1, "metadata": {"more": [1, {"refs": {}}]}},
    "chunks first": lambda refs: dict(reversed(refs.items())),
    "v1, chunks first": lambda refs: {"templates": {}, "gen": [], "refs": dict(reversed(refs.items())), "version": 1},
    "indented": lambda refs: json.dumps({"version": 1, "refs": refs}, indent=4),
    "escaped": lambda refs: json.dumps(refs).replace("/", "\\/").replace("zarray", "\\u007aarray"),
    "many before it": lambda refs: {"version": 1, "templates": {f"t{i}": "x" * 50 for i in range(100)}, "refs": refs},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["refs.json", "refs.JSON", "refs.zarr"])
def test_forms(folder, form, name):
    path = write_references(folder / name, FORMS[form](references()))
    check_arrays(path)
    check_arrays(f'ZARR:"{path}"')
    group = open_group(path)
    assert group.GetMDArrayNames() == ["a"] and group.GetGroupNames() == ["g"]
    assert group.GetAttribute("title").Read() == "all"
    np.testing.assert_array_equal(group.OpenGroup("g").OpenMDArray("b").ReadAsArray(), OTHER)


def test_any_extension_with_a_prefix(folder):
    path = write_references(folder / "refs", references())
    check_arrays(f"ZARR:{path}")
    with pytest.raises(RuntimeError, match="not recognized"):
        gdal.OpenEx(path, allowed_drivers=["Zarr"])


@pytest.mark.parametrize("system", ["json_ref", "json_ref_cached"])
def test_names_of_the_built_in_driver(folder, system):
    path = write_references(folder / "refs.json", references())
    for store in (f"/vsikerchunk_{system}/{{{path}}}", f"/vsikerchunk_{system}/{path}"):
        check_arrays(store)
        check_arrays(f'ZARR:"{store}"')
        np.testing.assert_array_equal(read(store + "/a"), DATA)
        np.testing.assert_array_equal(read(f"{store}/a/.zarray"), DATA)
        np.testing.assert_array_equal(read(f'ZARR:"{store}/g":/b'), OTHER)
        np.testing.assert_array_equal(open_array(f"{store}/g", "b").ReadAsArray(), OTHER)
    for name in ("/vsikerchunk_json_ref/{x", "/vsikerchunk_json_ref/{}", "/vsikerchunk_json_ref/{x}y"):
        assert "expected /vsikerchunk_json_ref/{<file>}" in error_of(name)


@pytest.mark.parametrize("url", ["file://{}", "file:{}", "local://{}", "{}", "./data.bin", "sub/../data.bin"])
def test_local_urls(folder, url):
    os.mkdir(folder / "sub")
    path = write_references(folder / "refs.json", references(url.format(folder / "data.bin")))
    check_arrays(path)


def test_relative_to_the_references_and_not_to_the_working_folder(folder, monkeypatch):
    os.mkdir(folder / "sub")
    monkeypatch.chdir(folder / "sub")
    write_references("refs.json", references("../data.bin"))
    check_arrays("refs.json")
    monkeypatch.chdir(folder)
    check_arrays("sub/refs.json")
    check_arrays(f'ZARR:"{folder}/sub/refs.json"')


def test_whole_files(folder):
    (folder / "whole").write_bytes(OTHER.tobytes())
    refs = references() | {"g/b/0.0": ["whole"]}
    check_arrays(write_references(folder / "refs.json", refs))


@pytest.mark.parametrize("as_base64", [False, True])
def test_inline_chunks(folder, as_base64):
    """Bytes below 128 stand as characters, also the first ones: 1 is \\u0001\\u0000."""
    refs = references()
    for i in range(4):
        raw = DATA[i].tobytes()
        refs[f"a/{i}.0"] = "base64:" + base64.b64encode(raw).decode() if as_base64 else raw.decode("ascii")
    check_arrays(write_references(folder / "refs.json", refs))


def test_chunks_without_a_reference_are_the_fill_value(folder):
    refs = references()
    del refs["a/2.0"]
    expected = DATA.copy()
    expected[2] = 0
    path = write_references(folder / "refs.json", refs)
    np.testing.assert_array_equal(read(f'ZARR:"{path}":/a'), expected)


def test_v3(folder, store):
    """What kerchunk calls version 1 may hold a store of Zarr v3, here with all chunks in other files."""
    write_v3(store, DATA, (2, 6), compress=True)
    with open(f"{store}/zarr.json") as f:
        refs = {"zarr.json": json.load(f), "c/0/0": [f"{store}/c/0/0"], "c/1/0": [f"{store}/c/1/0"]}
    path = write_references(folder / "cube.json", refs)
    np.testing.assert_array_equal(read(path), DATA)
    assert open_group(path).GetMDArrayNames() == ["cube"]


def test_consolidated_metadata(folder):
    refs = {key: value for key, value in references().items() if ".z" not in key or key == ".zgroup"}
    documents = {key: value for key, value in references().items() if isinstance(value, dict)}
    documents |= {".zgroup": {"zarr_format": 2}, "a/.zarray": zarray(DATA, (1, 6)), "g/.zgroup": {"zarr_format": 2}}
    refs[".zmetadata"] = json.dumps({"zarr_consolidated_format": 1, "metadata": documents})
    check_arrays(write_references(folder / "refs.json", refs))


def test_duplicate_keys(folder):
    """As in Python, the last one counts."""
    text = json.dumps(references())
    twice = text.replace('"a/0.0"', '"a/0.0": ["nowhere", 0, 12], "a/0.0"')
    check_arrays(write_references(folder / "refs.json", twice))


def test_arrays_opened_at_once_share_the_file(folder):
    path = write_references(folder / "refs.json", references())
    first = gdal.Open(f'ZARR:"{path}":/a')
    refs = references()
    refs["a/0.0"] = [*refs["a/3.0"]]
    write_references(path, refs)
    second = gdal.Open(f'ZARR:"{path}":/a')
    np.testing.assert_array_equal(first.ReadAsArray(), DATA)
    np.testing.assert_array_equal(second.ReadAsArray()[0], DATA[3])


def test_no_side_files(folder):
    """There is no folder in which they could be."""
    path = write_references(folder / "refs.json", references())
    with config_option("GDAL_PAM_ENABLED", "YES"), collected_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{path}":/a')
        assert dataset.GetRasterBand(1).ComputeStatistics(False)[0] == 1
        del dataset
    assert errors == []
    assert sorted(os.listdir(folder)) == ["data.bin", "refs.json"]


def test_file_list(folder):
    path = write_references(folder / "refs.json", references())
    assert gdal.Open(path).GetFileList() == [path]


def test_options(folder):
    path = write_references(folder / "refs.json", references())
    np.testing.assert_array_equal(subdatasets(path, "CACHE_KERCHUNK_JSON=YES", "CACHE_TILE_PRESENCE=YES")["/a"], DATA)
    with pytest.raises(RuntimeError, match="CACHE_KERCHUNK_JSON.*expected YES or NO"):
        gdal.OpenEx(path, open_options=["CACHE_KERCHUNK_JSON=perhaps"])


def test_threads(folder):
    """Many chunks, of two files."""
    data = np.arange(256 * 256, dtype="<u4").reshape(256, 256)
    (folder / "x.bin").write_bytes(data.tobytes())
    (folder / "y.bin").write_bytes(b"12345" + data.tobytes())
    refs = {".zarray": zarray(data, (1, 256))}
    refs |= {f"{i}.0": [f"{'xy'[i % 2]}.bin", i * 1024 + 5 * (i % 2), 1024] for i in range(256)}
    path = write_references(folder / "refs.json", refs)
    with config_option("GDAL_NUM_THREADS", "8"):
        np.testing.assert_array_equal(read(path), data)


# --- templates and generators -----------------------------------------------------------------------------------


def test_templates(folder):
    refs = references()
    refs["a/0.0"][0] = "{{u}}/data.bin"
    refs["a/1.0"][0] = "{{ f(c='data') }}"
    refs["a/2.0"][0] = "{{f(c = 'da' + part)}}"
    refs["a/3.0"][0] = "{{nested}}"
    refs["g/b/0.0"][0] = "data{{ '.' }}bin"
    templates = {"u": str(folder), "part": "ta", "f": "{{c}}.bin", "nested": "{{u}}/data.bin"}
    check_arrays(write_references(folder / "refs.json", {"version": 1, "templates": templates, "refs": refs}))


def test_braces_without_templates(folder):
    (folder / "{{u}}.bin").write_bytes((folder / "data.bin").read_bytes())
    check_arrays(write_references(folder / "refs.json", {"version": 1, "refs": references("{{u}}.bin")}))


def test_generated_references(folder):
    refs = references()
    for i in range(4):
        del refs[f"a/{i}.0"]
    refs["g/b/0.0"] = ["nowhere", 0, 1]
    generators = [
        {
            "key": "a/{{i}}.{{j}}",
            "url": "{{u}}.bin",
            "offset": f"{{{{{len(HEADER)} + (3 - i) * 12 + j}}}}",
            "length": "12",
            "dimensions": {"i": {"stop": 4}, "j": [0]},
        },
        {"key": "g/{{n}}/0.0", "url": "{{n}}{{2 * k // 3 % 5}}.bin", "dimensions": {"n": ["b"], "k": {"start": 9, "stop": 3, "step": -6}}},
    ]
    (folder / "b1.bin").write_bytes(OTHER.tobytes())
    content = {"version": 1, "gen": generators, "templates": {"u": "data"}, "refs": refs}
    check_arrays(write_references(folder / "refs.json", content))


GENERATOR = {"key": "a/{{i}}.0", "url": "data.bin", "offset": "0", "length": "12", "dimensions": {"i": {"stop": 2}}}


@pytest.mark.parametrize(
    "change, message",
    [
        ({"key": None}, "/gen/0/key: expected a string"),
        ({"key": "a/{{i}}/"}, '/gen/0: expected a key, got a/0/'),
        ({"key": "{{ '%03d' | format(i) }}"}, "/gen/0/key: expected a name, or a simple expression"),
        ({"key": "{{ j }}"}, '/gen/0/key: there is no template "j"'),
        ({"key": "{% for x in y %}"}, "/gen/0/key: statements and comments"),
        ({"key": "{{ i // 0 }}"}, "/gen/0/key: expected a name, or a simple expression"),
        ({"offset": None}, "/gen/0/offset: expected a string or an integer"),
        ({"dimensions": {"i": {}}}, '/gen/0/dimensions/i: expected a member "stop"'),
        ({"dimensions": {"i": {"stop": 3, "step": 0}}}, "/gen/0/dimensions/i: expected a step other than 0"),
        ({"dimensions": {"i": {"stop": 10**6}, "j": {"stop": 10**6}}}, "/gen/0/dimensions: more than 4194304"),
        ({"dimensions": {"i": {"stop": 1e99}}}, "/gen/0/dimensions/i/stop: expected an integer"),
    ],
)
def test_wrong_generators(folder, change, message):
    content = {"version": 1, "gen": [GENERATOR | change], "refs": references()}
    path = write_references(folder / "refs.json", content)
    assert f"{path}: {message}" in error_of(path)


def test_an_offset_that_is_no_number(folder):
    content = {"version": 1, "gen": [GENERATOR | {"offset": "{{i - 1}}"}], "refs": references()}
    path = write_references(folder / "refs.json", content)
    assert "/gen/0/offset: expected what gives an integer of at least 0, got -1" in error_of(f'ZARR:"{path}":/a')


@pytest.mark.parametrize(
    "templates, url, message",
    [
        ({"u": 1}, "x", "/templates/u: expected a string"),
        ({"u": "x"}, "{{v}}", '/refs/a~10.0/0: there is no template "v"'),
        ({"u": "x"}, "{{u", '/refs/a~10.0/0: "{{" without "}}"'),
        ({"u": "{{u}}"}, "{{u}}", "/refs/a~10.0/0: templates that use each other"),
        ({f"u{i}": f"{{{{u{i + 1}}}}}" * 9 for i in range(20)} | {"u20": ""}, "{{u0}}", "/refs/a~10.0/0: templates that use"),
        ({"u": "x" * 9000, "v": "{{u}}" * 9}, "{{v}}", "/refs/a~10.0/0: a template gives more than 65536"),
    ],
)
def test_wrong_templates(folder, templates, url, message):
    refs = references()
    refs["a/0.0"][0] = url
    path = write_references(folder / "refs.json", {"version": 1, "templates": templates, "refs": refs})
    assert f"{path}: {message}" in error_of(f'ZARR:"{path}":/a').replace("refs.json/a/0.0: ", "refs.json: ")


# --- what is wrong ----------------------------------------------------------------------------------------------


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
        (["data.bin", 0, 1 << 40], "1099511627776"),
        (["gopher://host/data.bin", 0, 12], "expected a path, or a URL of http, https"),
        (["zip://x::s3://b/y.zip", 0, 12], "expected a path, or a URL of http, https"),
        ([], "/a~10.0: expected a string, an object, [url], or [url, offset, length], got []"),
        (["data.bin", 0], "/a~10.0: expected a string, an object, [url], or [url, offset, length], got"),
        (["data.bin", "0", 12], "/a~10.0/1: expected a non-negative integer"),
        (["data.bin", 0, -12], "/a~10.0/2: expected a non-negative integer"),
        ([None, 0, 12], "/a~10.0/0: expected a string, got null"),
        (None, "/a~10.0: expected a string, an object, [url], or [url, offset, length], got null"),
        (12, "/a~10.0: expected a string, an object, [url], or [url, offset, length], got 12"),
        ("base64:****", '/a~10.0: what follows "base64:" is not base64'),
        ("too short", "9"),
    ],
)
def test_wrong_references(folder, value, message):
    """They fail when they are read, with the key, and do not hinder others."""
    path = write_references(folder / "refs.json", references() | {"a/0.0": value})
    text = error_of(f'ZARR:"{path}":/a')
    assert message.format(folder) in text and "refs.json" in text and ("a/0.0" in text or "a~10.0" in text)
    np.testing.assert_array_equal(read(f'ZARR:"{path}":/g/b'), OTHER)
    array = open_array(path, "a")
    np.testing.assert_array_equal(array.ReadAsArray([1, 0], [3, 6]), DATA[1:])


def test_large_references_take_no_memory_before_they_are_known(folder):
    meta = zarray(np.zeros((1, 1), "<i2"), (1, 1)) | {"shape": [30000, 30000], "chunks": [30000, 30000]}
    refs = {".zarray": meta, "0.0": ["data.bin", 0, 1800000000]}
    path = write_references(folder / "refs.json", refs)
    assert "bytes 0 + 1800000000 of a file of 155 bytes" in error_of(path)


@pytest.mark.parametrize(
    "content, message",
    [
        ('{".zgroup": "{}"', "expected kerchunk references, a JSON object, got what is none at or before byte"),
        ('{".zgroup": "{}", "a" 1}', "expected kerchunk references, a JSON object, got what is none at or before byte"),
        ('{"version": 2, "refs": {".zgroup": "{}"}}', "/version: expected 1, got 2"),
        ("[1, 2]", "expected the folder of a Zarr store, or a file of kerchunk references in JSON, got another file"),
        ("", "expected the folder of a Zarr store, or a file of kerchunk references in JSON, got another file"),
        ("{}", "expected a Zarr array or group"),
        ('{"type": "FeatureCollection", "features": []}', "expected a Zarr array or group"),
        ('{"version": 1}', "expected a Zarr array or group"),
    ],
)
def test_wrong_files(folder, content, message):
    path = write_references(folder / "refs.json", content)
    assert f"{path}: {message}" in error_of(f'ZARR:"{path}"')


def test_missing_file(tmp_path):
    assert "refs.json: there is no such file" in error_of(f"/vsikerchunk_json_ref/{{{tmp_path}/refs.json}}")
    assert "expected a Zarr array or group" in error_of(f'ZARR:"{tmp_path}/refs.json"')


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
    path = write_references(folder / "references.txt", references())
    assert gdal.IdentifyDriverEx(path, allowed_drivers=["Zarr"]) is None


def test_only_for_reading(folder):
    path = write_references(folder / "refs.json", references())
    for name in (path, f'ZARR:"{path}":/a', f"/vsikerchunk_json_ref/{{{path}}}"):
        with pytest.raises(RuntimeError, match="not recognized|takes no writes"):
            gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE, allowed_drivers=["Zarr"])


def test_delete(folder):
    """The references go, and what they refer to stays; so does any other file."""
    driver = gdal.GetDriverByName("Zarr")
    path = write_references(folder / "refs.json", references())
    driver.Delete(path)
    write_references(folder / "out.zarr", references())
    source = gdal.GetDriverByName("MEM").Create("", 3, 2)
    driver.CreateCopy(str(folder / "out.zarr"), source)
    assert sorted(os.listdir(folder)) == ["data.bin", "out.zarr"] and (folder / "out.zarr").is_dir()
    with pytest.raises(RuntimeError, match="got another file"):
        driver.Delete(str(folder / "data.bin"))
    assert os.path.exists(folder / "data.bin")


def test_parquet(folder):
    """The folder looks like a store without chunks, which would be all fill value."""
    os.mkdir(folder / "refs.parq")
    metadata = {".zgroup": {"zarr_format": 2}, "a/.zarray": zarray(DATA, (1, 6))}
    write_references(folder / "refs.parq/.zmetadata", {"metadata": metadata, "record_size": 1000})
    for with_root in (False, True):
        if with_root:
            write_references(folder / "refs.parq/.zgroup", {"zarr_format": 2})
        assert "kerchunk references in Parquet are not supported" in error_of(f"{folder}/refs.parq")
    name = f"/vsikerchunk_parquet_ref/{{{folder}/refs.parq}}"
    assert "kerchunk references in Parquet are not supported" in error_of(name)


# --- GDAL's file systems ----------------------------------------------------------------------------------------


def test_memory():
    blob = HEADER + b"".join(row.tobytes() for row in DATA[::-1]) + OTHER.tobytes()
    gdal.FileFromMemBuffer("/vsimem/kerchunk/data.bin", blob)
    try:
        for url in ("data.bin", "./data.bin", "../kerchunk/data.bin", "/vsimem/kerchunk/data.bin"):
            gdal.FileFromMemBuffer("/vsimem/kerchunk/refs.json", json.dumps(references(url)).encode())
            check_arrays("/vsimem/kerchunk/refs.json")
    finally:
        gdal.Unlink("/vsimem/kerchunk/data.bin")
        gdal.Unlink("/vsimem/kerchunk/refs.json")


def test_zip(folder):
    path = write_references(folder / "refs.json", references())
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(path, "sub/refs.json")
        archive.write(folder / "data.bin", "sub/data.bin")
    check_arrays(f"/vsizip/{folder}/all.zip/sub/refs.json")
    check_arrays(f'ZARR:"/vsizip/{{{folder}/all.zip}}/sub/refs.json"')


def test_gzip(folder):
    """What its folder is called decides where relative paths lead."""
    with gzip.open(folder / "refs.json.gz", "wt") as f:
        json.dump(references(str(folder / "data.bin")), f)
    check_arrays(f'ZARR:"/vsigzip/{folder}/refs.json.gz"')


@pytest.fixture
def server(folder):
    gdal.VSICurlClearCache()
    with Server(str(folder)).running() as server:
        yield server


def test_network(folder, server):
    for name in ("refs.json", "refs.zarr"):
        write_references(folder / name, references())
        check_arrays(f"/vsicurl/{server.url}/{name}")
    check_arrays(f'ZARR:"/vsicurl/{server.url}/refs.json"')
    write_references(folder / "far.json", references(f"{server.url}/data.bin"))
    check_arrays(str(folder / "far.json"))
    os.mkdir(folder / "sub")
    write_references(folder / "sub/refs.json", references("../data.bin"))
    check_arrays(f"/vsicurl/{server.url}/sub/refs.json")


def test_network_with_a_query(folder, server):
    """What lets the references be read lets what is beside them be read."""
    server.required_query = "token=a/b"
    write_references(folder / "refs.json", references())
    for name in ("/vsicurl/{}/refs.json?token=a/b", 'ZARR:"/vsicurl/{}/refs.json?token=a/b"'):
        check_arrays(name.format(server.url))


def test_network_requests(folder, server):
    """The references are read once, and nothing beside them is looked for."""
    write_references(folder / "refs.json", references())
    np.testing.assert_array_equal(read(f'ZARR:"/vsicurl/{server.url}/refs.json":/a'), DATA)
    assert server.requests("refs.json") == ["HEAD", "GET"]
    assert {path for _, path in server.log} == {"/refs.json", "/data.bin"}


def test_network_failures(folder, server):
    path = write_references(folder / "far.json", references(f"{server.url}/data.bin"))
    server.failures["data.bin"] = 403
    assert f"a/0.0: refers to /vsicurl/{server.url}/data.bin: cannot be opened" in error_of(f'ZARR:"{path}":/a')
    server.failures["data.bin"] = 404
    gdal.VSICurlClearCache()
    assert "there is no such file" in error_of(f'ZARR:"{path}":/a')


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
        write_references(folder / "refs.json", references(url.format(folder)))
        gdal.VSICurlClearCache()
        text = error_of(f'ZARR:"/vsicurl/{server.url}/refs.json":/a')
        assert "references on a network name the local file" in text and "GDAL_ALLOW_REMOTE_RESOURCE" in text
    write_references(folder / "refs.json", references(str(folder / "data.bin")))
    gdal.VSICurlClearCache()
    with config_option("GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE", "YES"):
        check_arrays(f'ZARR:"/vsicurl/{server.url}/refs.json"')
