# SPDX-License-Identifier: MIT
"""Stores of kerchunk references: a JSON file tells where chunks are in other files."""

import base64
import json
import os

import numpy as np
import pytest
from errors import collect_errors
from config_options import set_config_option
from osgeo import gdal
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
    read_subdatasets,
    write_references,
)  # noqa: F401
from stores import open_array, open_group, write_v3


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
def test_all_forms_of_references_are_read(folder, form, name):
    path = write_references(folder / name, FORMS[form](make_references()))
    check_arrays(path)
    check_arrays(f'ZARR:"{path}"')
    group = open_group(path)
    assert group.GetMDArrayNames() == ["a"] and group.GetGroupNames() == ["g"]
    assert group.GetAttribute("title").Read() == "all"
    np.testing.assert_array_equal(group.OpenGroup("g").OpenMDArray("b").ReadAsArray(), OTHER)


def test_a_prefix_allows_any_extension(folder):
    path = write_references(folder / "refs", make_references())
    check_arrays(f"ZARR:{path}")
    with pytest.raises(RuntimeError, match="not recognized"):
        gdal.OpenEx(path, allowed_drivers=["Zarr"])


@pytest.mark.parametrize("system", ["json_ref", "json_ref_cached"])
def test_names_of_the_built_in_driver_are_known(folder, system):
    path = write_references(folder / "refs.json", make_references())
    for store in (f"/vsikerchunk_{system}/{{{path}}}", f"/vsikerchunk_{system}/{path}"):
        check_arrays(store)
        check_arrays(f'ZARR:"{store}"')
        np.testing.assert_array_equal(read_array(store + "/a"), DATA)
        np.testing.assert_array_equal(read_array(f"{store}/a/.zarray"), DATA)
        np.testing.assert_array_equal(read_array(f'ZARR:"{store}/g":/b'), OTHER)
        np.testing.assert_array_equal(open_array(f"{store}/g", "b").ReadAsArray(), OTHER)
    for name in ("/vsikerchunk_json_ref/{x", "/vsikerchunk_json_ref/{}", "/vsikerchunk_json_ref/{x}y"):
        assert "expected /vsikerchunk_json_ref/{<file>}" in catch_error(name)


@pytest.mark.parametrize("url", ["file://{}", "file:{}", "local://{}", "{}", "./data.bin", "sub/../data.bin"])
def test_local_urls_are_followed(folder, url):
    os.mkdir(folder / "sub")
    path = write_references(folder / "refs.json", make_references(url.format(folder / "data.bin")))
    check_arrays(path)


def test_paths_are_relative_to_the_references(folder, monkeypatch):
    os.mkdir(folder / "sub")
    monkeypatch.chdir(folder / "sub")
    write_references("refs.json", make_references("../data.bin"))
    check_arrays("refs.json")
    monkeypatch.chdir(folder)
    check_arrays("sub/refs.json")
    check_arrays(f'ZARR:"{folder}/sub/refs.json"')


def test_a_reference_may_be_a_whole_file(folder):
    (folder / "whole").write_bytes(OTHER.tobytes())
    refs = make_references() | {"g/b/0.0": ["whole"]}
    check_arrays(write_references(folder / "refs.json", refs))


@pytest.mark.parametrize("as_base64", [False, True])
def test_chunks_may_be_inline(folder, as_base64):
    """Bytes below 128 are characters, including control characters: 1 is \\u0001\\u0000."""
    refs = make_references()
    for i in range(4):
        raw = DATA[i].tobytes()
        refs[f"a/{i}.0"] = "base64:" + base64.b64encode(raw).decode() if as_base64 else raw.decode("ascii")
    check_arrays(write_references(folder / "refs.json", refs))


def test_chunks_without_a_reference_are_the_fill_value(folder):
    refs = make_references()
    del refs["a/2.0"]
    expected = DATA.copy()
    expected[2] = 0
    path = write_references(folder / "refs.json", refs)
    np.testing.assert_array_equal(read_array(f'ZARR:"{path}":/a'), expected)


def test_references_may_hold_v3(folder, store):
    """Version 1 of kerchunk's format may hold a store of Zarr v3, here with all chunks in other files."""
    write_v3(store, DATA, (2, 6), compress=True)
    with open(f"{store}/zarr.json") as f:
        refs = {"zarr.json": json.load(f), "c/0/0": [f"{store}/c/0/0"], "c/1/0": [f"{store}/c/1/0"]}
    path = write_references(folder / "cube.json", refs)
    np.testing.assert_array_equal(read_array(path), DATA)
    assert open_group(path).GetMDArrayNames() == ["cube"]


def test_references_may_hold_consolidated_metadata(folder):
    refs = {key: value for key, value in make_references().items() if ".z" not in key or key == ".zgroup"}
    documents = {key: value for key, value in make_references().items() if isinstance(value, dict)}
    documents |= {".zgroup": {"zarr_format": 2}, "a/.zarray": make_zarray(DATA, (1, 6)), "g/.zgroup": {"zarr_format": 2}}
    refs[".zmetadata"] = json.dumps({"zarr_consolidated_format": 1, "metadata": documents})
    check_arrays(write_references(folder / "refs.json", refs))


def test_the_last_of_equal_keys_counts(folder):
    """The last one counts, as in Python."""
    text = json.dumps(make_references())
    twice = text.replace('"a/0.0"', '"a/0.0": ["nowhere", 0, 12], "a/0.0"')
    check_arrays(write_references(folder / "refs.json", twice))


def test_arrays_opened_at_once_share_the_file(folder):
    path = write_references(folder / "refs.json", make_references())
    first = gdal.Open(f'ZARR:"{path}":/a')
    refs = make_references()
    refs["a/0.0"] = [*refs["a/3.0"]]
    write_references(path, refs)
    second = gdal.Open(f'ZARR:"{path}":/a')
    np.testing.assert_array_equal(first.ReadAsArray(), DATA)
    np.testing.assert_array_equal(second.ReadAsArray()[0], DATA[3])


def test_references_have_no_side_files(folder):
    """There is no folder for them."""
    path = write_references(folder / "refs.json", make_references())
    with set_config_option("GDAL_PAM_ENABLED", "YES"), collect_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{path}":/a')
        assert dataset.GetRasterBand(1).ComputeStatistics(False)[0] == 1
        del dataset
    assert errors == []
    assert sorted(os.listdir(folder)) == ["data.bin", "refs.json"]


def test_the_file_list_names_the_references(folder):
    path = write_references(folder / "refs.json", make_references())
    assert gdal.Open(path).GetFileList() == [path]


def test_open_options_work_with_references(folder):
    path = write_references(folder / "refs.json", make_references())
    np.testing.assert_array_equal(read_subdatasets(path, "CACHE_KERCHUNK_JSON=YES", "CACHE_TILE_PRESENCE=YES")["/a"], DATA)
    with pytest.raises(RuntimeError, match="CACHE_KERCHUNK_JSON.*expected YES or NO"):
        gdal.OpenEx(path, open_options=["CACHE_KERCHUNK_JSON=perhaps"])


def test_several_threads_read_chunks(folder):
    """Reads many chunks of two files."""
    data = np.arange(256 * 256, dtype="<u4").reshape(256, 256)
    (folder / "x.bin").write_bytes(data.tobytes())
    (folder / "y.bin").write_bytes(b"12345" + data.tobytes())
    refs = {".zarray": make_zarray(data, (1, 256))}
    refs |= {f"{i}.0": [f"{'xy'[i % 2]}.bin", i * 1024 + 5 * (i % 2), 1024] for i in range(256)}
    path = write_references(folder / "refs.json", refs)
    with set_config_option("GDAL_NUM_THREADS", "8"):
        np.testing.assert_array_equal(read_array(path), data)


# --- templates and generators -----------------------------------------------------------------------------------


def test_templates_are_resolved(folder):
    refs = make_references()
    refs["a/0.0"][0] = "{{u}}/data.bin"
    refs["a/1.0"][0] = "{{ f(c='data') }}"
    refs["a/2.0"][0] = "{{f(c = 'da' + part)}}"
    refs["a/3.0"][0] = "{{nested}}"
    refs["g/b/0.0"][0] = "data{{ '.' }}bin"
    templates = {"u": str(folder), "part": "ta", "f": "{{c}}.bin", "nested": "{{u}}/data.bin"}
    check_arrays(write_references(folder / "refs.json", {"version": 1, "templates": templates, "refs": refs}))


def test_braces_without_templates_stay(folder):
    (folder / "{{u}}.bin").write_bytes((folder / "data.bin").read_bytes())
    check_arrays(write_references(folder / "refs.json", {"version": 1, "refs": make_references("{{u}}.bin")}))


def test_references_are_generated(folder):
    refs = make_references()
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
        ({"key": "{{ '%03d' | format(i) }}"}, "/gen/0/key: expected a name or a simple expression"),
        ({"key": "{{ j }}"}, '/gen/0/key: there is no template "j"'),
        ({"key": "{% for x in y %}"}, "/gen/0/key: statements and comments"),
        ({"key": "{{ i // 0 }}"}, "/gen/0/key: expected a name or a simple expression"),
        ({"offset": None}, "/gen/0/offset: expected a string or an integer"),
        ({"dimensions": {"i": {}}}, '/gen/0/dimensions/i: expected a member "stop"'),
        ({"dimensions": {"i": {"stop": 3, "step": 0}}}, "/gen/0/dimensions/i: expected a step other than 0"),
        ({"dimensions": {"i": {"stop": 10**6}, "j": {"stop": 10**6}}}, "/gen/0/dimensions: expected at most 4194304 combinations (ZARR_MAX_REFERENCES), got more"),
        ({"dimensions": {"i": {"stop": 1e99}}}, "/gen/0/dimensions/i/stop: expected an integer"),
    ],
)
def test_wrong_generators_are_errors(folder, change, message):
    content = {"version": 1, "gen": [GENERATOR | change], "refs": make_references()}
    path = write_references(folder / "refs.json", content)
    assert f"{path}: {message}" in catch_error(path)


def test_an_offset_must_be_a_number(folder):
    content = {"version": 1, "gen": [GENERATOR | {"offset": "{{i - 1}}"}], "refs": make_references()}
    path = write_references(folder / "refs.json", content)
    assert "/gen/0/offset: expected text that gives an integer of at least 0, got -1" in catch_error(f'ZARR:"{path}":/a')


@pytest.mark.parametrize(
    "templates, url, message",
    [
        ({"u": 1}, "x", "/templates/u: expected a string"),
        ({"u": "x"}, "{{v}}", '/refs/a~10.0/0: there is no template "v"'),
        ({"u": "x"}, "{{u", '/refs/a~10.0/0: "{{" without "}}"'),
        ({"u": "{{u}}"}, "{{u}}", "/refs/a~10.0/0: templates use each other"),
        ({f"u{i}": f"{{{{u{i + 1}}}}}" * 9 for i in range(20)} | {"u20": ""}, "{{u0}}", "/refs/a~10.0/0: templates use each other more than"),
        ({"u": "x" * 9000, "v": "{{u}}" * 9}, "{{v}}", "/refs/a~10.0/0: a template gives more than 65536"),
    ],
)
def test_wrong_templates_are_errors(folder, templates, url, message):
    refs = make_references()
    refs["a/0.0"][0] = url
    path = write_references(folder / "refs.json", {"version": 1, "templates": templates, "refs": refs})
    assert f"{path}: {message}" in catch_error(f'ZARR:"{path}":/a').replace("refs.json/a/0.0: ", "refs.json: ")
