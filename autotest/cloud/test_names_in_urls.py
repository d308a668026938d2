# SPDX-License-Identifier: MIT
"""Names with characters that mean something in a URL. Those of nodes are what the store says; the percent-encoding of a
URL counts where the user gives one."""

import json
import shutil

import numpy as np
import pytest
from config_options import set_config_option
from osgeo import gdal
from stores import consolidate_v3, open_group, write_v3, write_v3_group
from test_listings import web  # noqa: F401

NAMES = ["a b", "a%20b", "c#d", "e?f", "R&D", "100%", "a+b", "a%2Bb", "h\xf6he", "x=y;z"]


def make_data(number):
    return np.full((4, 4), number + 1, "<i4")


def write_store(path, consolidated=True):
    write_v3_group(path)
    for number, name in enumerate(NAMES):
        write_v3(f"{path}/{name}", make_data(number))
    if consolidated:
        consolidate_v3(path)


@pytest.fixture(params=["OWN", "GDAL"])
def client(request):
    with set_config_option("ZARR_HTTP_CLIENT", request.param):
        yield request.param


@pytest.mark.parametrize("prefix", ["/vsicurl/", "/vsicurl?url=", "/vsicurl_streaming/"])
def test_nodes_have_their_own_values(tmp_path, server, client, prefix):
    write_store(str(tmp_path / "s.zarr"))
    group = open_group(f'ZARR:"{prefix}{server.url}/s.zarr"')
    assert sorted(group.GetMDArrayNames()) == sorted(NAMES)
    for number, name in enumerate(NAMES):
        np.testing.assert_array_equal(group.OpenMDArray(name).ReadAsArray(), make_data(number), name)


def test_a_node_that_is_not_there_is_not_another(tmp_path, server, client):
    write_v3_group(str(tmp_path / "s.zarr"))
    write_v3(str(tmp_path / "s.zarr" / "a b"), make_data(0))
    with pytest.raises(RuntimeError, match="expected an array, got none"):
        open_group(f"/vsicurl/{server.url}/s.zarr").OpenMDArray("a%20b")


def test_lists_have_names_as_they_are(tmp_path, web, client):  # noqa: F811
    write_store(str(tmp_path / "s.zarr"), consolidated=False)
    group = open_group(f"/vsicurl/{web.url}/s.zarr")
    assert sorted(group.GetMDArrayNames()) == sorted(NAMES)
    np.testing.assert_array_equal(group.OpenMDArray("a%20b").ReadAsArray(), make_data(1))


@pytest.mark.parametrize("query", ["", "?sig=a%2Fb&x=y"])
@pytest.mark.parametrize("root", ["my store", "my%20store"])
def test_the_encoding_of_a_given_url_counts(tmp_path, server, client, root, query):
    if client == "GDAL" and " " in root:
        pytest.skip("GDAL asks for the space")
    write_store(str(tmp_path / "my store.zarr"))
    path = f"/vsicurl/{server.url}/{root}.zarr"
    server.clear()
    group = open_group(f'ZARR:"{path}{query}"')
    np.testing.assert_array_equal(group.OpenMDArray("a%20b").ReadAsArray(), make_data(1))
    assert set(server.queries) == {query[1:]}
    # A node, too, may be a part of the URL.
    for node, number in (("a%20b", 0), ("a%2520b", 1)):
        dataset = gdal.Open(f'ZARR:"{path}/{node}{query}"')
        np.testing.assert_array_equal(dataset.ReadAsArray(), make_data(number))


@pytest.mark.parametrize("name", ["my store", "my%20store"])
def test_an_archive_has_the_name_of_its_url(tmp_path, server, client, name):
    write_store(str(tmp_path / "s.zarr"))
    shutil.make_archive(str(tmp_path / "my store"), "zip", tmp_path / "s.zarr")
    group = open_group(f'ZARR:"/vsizip/{{/vsicurl/{server.url}/{name}.zip}}"')
    np.testing.assert_array_equal(group.OpenMDArray("a%20b").ReadAsArray(), make_data(1))


@pytest.mark.parametrize("name", ["my refs", "my%20refs"])
@pytest.mark.parametrize("chunk", ["my data.bin", "my%20data.bin"])
def test_references_have_urls(tmp_path, server, client, name, chunk):
    make_data(6).tofile(tmp_path / "my data.bin")
    write_v3(str(tmp_path / "a"), make_data(0))
    document = (tmp_path / "a" / "zarr.json").read_text()
    group = '{"zarr_format": 3, "node_type": "group"}'
    (tmp_path / "my refs.json").write_text(json.dumps({"zarr.json": group, "a/zarr.json": document, "a/c/0/0": [chunk]}))
    group = open_group(f"/vsicurl/{server.url}/{name}.json")
    np.testing.assert_array_equal(group.OpenMDArray("a").ReadAsArray(), make_data(6))


def test_references_to_such_nodes_are_urls(tmp_path, server, client):
    write_v3_group(str(tmp_path / "s.zarr"))
    data = np.arange(180 * 100, dtype="<i4").reshape(180, 100)
    write_v3(str(tmp_path / "s.zarr" / "a%20b#"), data)
    consolidate_v3(str(tmp_path / "s.zarr"))
    references = str(tmp_path / "refs.json")
    source = f"/vsicurl/{server.url}/s.zarr"
    gdal.MultiDimTranslate(references, source, format="Zarr", creationOptions=["FORMAT=KERCHUNK"])
    assert f'"{server.url}/s.zarr/a%2520b%23/c/0/0"' in (tmp_path / "refs.json").read_text()
    np.testing.assert_array_equal(open_group(references).OpenMDArray("a%20b#").ReadAsArray(), data)
