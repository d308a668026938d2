# SPDX-License-Identifier: MIT
"""Errors name what is there: near names, the axis, the name that GDAL knows, the folder that is missing or closed."""

import os
import shutil
import subprocess

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from permissions import as_nobody, let_others_pass, needs_another_user
from plugin_in_use import python
from stores import write_v3, write_v3_group

DATA = np.zeros((4, 6), "u1")


def message_of(name, flags=gdal.OF_RASTER, **more):
    with pytest.raises(RuntimeError) as error:
        gdal.OpenEx(name, flags, **more)
    return str(error.value)


def write_group(store, names):
    write_v3_group(store)
    for name in names:
        write_v3(f"{store}/{name}", DATA)
    return store


def test_a_wrong_array_name_lists_near_ones(store):
    write_group(store, ["sst", "ice", "anomaly", "error", "counts", "weights"])
    message = message_of(f'ZARR:"{store}":/sstt')
    assert message == f"{store}/sstt: expected an array, got none; nodes that are there: sst, ice, counts, error, weights"


def test_nodes_of_that_name_in_other_groups_are_listed(store):
    write_group(store, [])
    for group in ("north", "north/summer", "south"):
        write_group(f"{store}/{group}", [])
    for group in ("north/summer", "south"):
        write_v3(f"{store}/{group}/temp", DATA)
    assert "nodes that are there: south/temp, north/summer/temp, " in message_of(f'ZARR:"{store}":/temp')


def test_a_wrong_name_of_a_group_lists_groups(store):
    write_group(store, [])
    write_group(f"{store}/north", ["temp"])
    write_group(f"{store}/south", [])
    assert "nodes that are there: north/temp, north, south" in message_of(f'ZARR:"{store}":/nort/temp')


def test_a_wrong_name_in_a_group_lists_that_group(store):
    write_group(store, ["other"])
    write_group(f"{store}/sub", ["Band1", "Band2"])
    assert "nodes that are there: Band1, Band2" in message_of(f'ZARR:"{store}":/sub/band1')


def test_an_empty_group_lists_nothing(store):
    write_v3_group(store)
    assert message_of(f'ZARR:"{store}":/a').endswith("/a: expected an array, got none")


@pytest.mark.parametrize("flags", [gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER, gdal.OF_UPDATE])
def test_a_missing_folder_is_said_to_be_missing(store, flags):
    assert message_of(f'ZARR:"{store}"', flags) == f"{store}: there is no such file or folder"


def test_a_folder_without_metadata_is_said_to_be_no_store(store):
    os.makedirs(store)
    assert "expected a Zarr array or group" in message_of(f'ZARR:"{store}"')


OPEN = """
import sys
from osgeo import gdal
gdal.UseExceptions()
try:
    gdal.Open(sys.argv[1])
except RuntimeError as error:
    print(error)
"""


@needs_another_user
@pytest.mark.parametrize("prefix", ["", "ZARR:"])
def test_a_folder_that_may_not_be_read_says_so(tmp_path, prefix):
    let_others_pass(tmp_path)
    store = str(write_v3(f"{tmp_path}/a.zarr", DATA) or f"{tmp_path}/a.zarr")
    os.chmod(store, 0o700)
    result = subprocess.run(python(OPEN, prefix + store), capture_output=True, text=True, check=True, **as_nobody())
    assert "Permission denied" in result.stdout and store in result.stdout


@pytest.mark.parametrize("edges, expected", [("X:3,2", "CHUNK_EDGES: X: expected edges whose sum"), ("X:3,3;Y:2,two", "CHUNK_EDGES: Y: invalid JSON")])
def test_edges_name_their_axis(store, edges, expected):
    with pytest.raises(RuntimeError, match=expected):
        gdal.GetDriverByName("Zarr").Create(store, 6, 4, 1, gdal.GDT_Byte, ["FORMAT=ZARR_V3", f"CHUNK_EDGES={edges}"])


@pytest.mark.parametrize(
    "url, name",
    [
        ("https://example.com/a.zarr", "/vsicurl/https://example.com/a.zarr"),
        ("s3://bucket/a.zarr", "/vsis3/bucket/a.zarr"),
        ("gs://bucket/a.zarr", "/vsigs/bucket/a.zarr"),
        ("az://container/a.zarr", "/vsiaz/container/a.zarr"),
    ],
)
def test_a_url_says_gdals_name(url, name):
    for asked in (url, url + "/", url + "?token=1"):
        assert f'ZARR:"{name}' in message_of(asked)
    assert f'ZARR:"{name}"' in message_of(f'ZARR:"{url}"')
    assert f'ZARR:"{name}":/a:3' in message_of(f'ZARR:"{url}":/a:3')


def test_a_remote_store_of_another_name_opens_if_zarr_is_asked_for_alone(tmp_path, server):
    write_v3(str(tmp_path / "plain"), DATA + 3)
    name = f"/vsicurl/{server.url}/plain"
    message_of(name)  # other drivers may know it
    dataset = gdal.OpenEx(name, gdal.OF_RASTER, allowed_drivers=["Zarr"])
    assert (dataset.ReadAsArray() == 3).all()
    message_of(f"/vsicurl/{server.url}/nothing", allowed_drivers=["Zarr"])


@pytest.mark.parametrize("flags", [gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER, gdal.OF_UPDATE])
@pytest.mark.parametrize("form", ["{}/t3m", "{}/t3m/", "{}/t3m/zarr.json", 'ZARR:"{}/t3m"', "ZARR:{}/t3m", 'ZARR:"{}/t3m":/t3m'])
def test_a_path_of_no_node_lists_near_names(store, form, flags):
    write_group(store, ["t2m", "precipitation"])
    expected = f"{store}/t3m: expected an array or a group, got none; nodes that are there: t2m, precipitation"
    assert message_of(form.format(store), flags) == expected


def test_a_path_of_no_node_lists_the_nearest_group(store):
    write_group(store, ["t2m"])
    write_group(f"{store}/north", ["ice"])
    assert message_of(f"{store}/north/ixe").endswith("/north/ixe: expected an array or a group, got none; nodes that are there: ice")
    assert "nodes that are there: north/ice, north, t2m" in message_of(f"{store}/nort/ice")


def test_a_path_in_an_archive_of_no_node_lists_near_names(tmp_path):
    write_group(f"{tmp_path}/plain", ["t2m"])
    shutil.make_archive(f"{tmp_path}/a.zarr", "zip", f"{tmp_path}/plain")
    for name in (f"/vsizip/{tmp_path}/a.zarr.zip/t3m", f'ZARR:"/vsizip/{tmp_path}/a.zarr.zip/t3m"', f"{tmp_path}/a.zarr.zip/t3m"):
        assert message_of(name).endswith("t3m: expected an array or a group, got none; nodes that are there: t2m")


def test_adding_an_array_to_a_group_that_is_none_lists_near_names(store):
    write_group(store, [])
    write_group(f"{store}/north", ["ice"])
    source = gdal.GetDriverByName("MEM").Create("", 2, 2)
    with pytest.raises(RuntimeError, match="/nort: expected an array or a group, got none; nodes that are there: north"):
        gdal.GetDriverByName("Zarr").CreateCopy(f"{store}/nort", source, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=a"])


def test_other_missing_files_are_told_by_gdal(tmp_path, store):
    write_v3(store, DATA)  # a store that is an array has no other nodes
    for path in (f"{tmp_path}/none/t3m", f"{store}/t3m"):
        assert path in message_of(path) and "expected" not in message_of(path)


def test_a_file_can_be_made_in_a_store(store):
    write_group(store, ["t2m"])
    gdal.GetDriverByName("GTiff").Create(f"{store}/new.tif", 2, 2)
    gdal.GetDriverByName("Zarr").Create(f"{store}/inner.zarr", 2, 2)
    assert gdal.Open(f"{store}/new.tif") and gdal.Open(f"{store}/inner.zarr")


ADVICE = "; name an array, such as ZARR:\"{0}\":/a; arrays that are there: /a, /b"
CHANGES_OF_A_GROUP = {
    "overviews": lambda dataset: dataset.BuildOverviews("NEAREST", [2]),
    "CRS": lambda dataset: dataset.SetSpatialRef(osr.SpatialReference()),
    "geotransform": lambda dataset: dataset.SetGeoTransform([0, 1, 0, 0, 0, -1]),
    "ground control points": lambda dataset: dataset.SetGCPs([], ""),
    "metadata that can be set here": lambda dataset: dataset.SetMetadata({"a": "b"}),
}


@pytest.mark.parametrize("what", CHANGES_OF_A_GROUP)
def test_changes_of_a_group_ask_for_an_array(store, what):
    write_group(store, ["a", "b"])
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    with pytest.raises(RuntimeError) as error:
        CHANGES_OF_A_GROUP[what](dataset)
    assert str(error.value) == f"{store}: a group has no {what}" + ADVICE.format(store)


def test_a_metadata_item_of_a_group_asks_for_an_array(store):
    write_group(store, ["a", "b", "c", "d", "e", "f"])
    with pytest.raises(RuntimeError, match="such as ZARR:.*; arrays that are there: /a, /b, /c, /d, /e, ...$"):
        gdal.OpenEx(store, gdal.OF_UPDATE).SetMetadataItem("a", "b")
    dataset = gdal.Open(store)
    assert dataset.SetMetadataItem("a", "b") == gdal.CE_None and dataset.GetMetadataItem("a") == "b"


def test_a_group_that_was_open_for_update_has_no_bands_to_change(store):
    """gdal_edit.py -a_nodata calls nothing but the bands."""
    write_group(store, ["a", "b"])
    with collect_errors() as errors:
        dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
        assert errors == []
        dataset = None
    message = f"{store}: a group has no bands, so nothing was changed" + ADVICE.format(store)
    assert errors == [(gdal.CE_Warning, message)]
    with collect_errors() as errors:
        dataset = gdal.Open(store)
        dataset = None
    assert dataset is None and errors == []


def test_overviews_in_an_archive_are_refused_with_advice(tmp_path):
    archive = f"{tmp_path}/a.zarr.zip"
    write_group(f"{tmp_path}/plain", ["a", "b"])
    shutil.make_archive(f"{tmp_path}/a.zarr", "zip", f"{tmp_path}/plain")
    for name in (archive, f'ZARR:"{archive}":/a'):
        with pytest.raises(RuntimeError, match="a ZIP archive is written once, as a whole, and cannot be changed: unpack it to a folder"):
            gdal.Open(name).BuildOverviews("NEAREST", [2])


def test_overviews_on_a_server_are_refused_because_it_takes_no_writes(store, server):
    write_group(store, ["a", "b"])
    url = f"/vsicurl/{server.url}/test.zarr"
    for name in (url, f'ZARR:"{url}":/a'):
        with pytest.raises(RuntimeError, match=f"^{url}: this kind of store takes no writes"):
            gdal.Open(name).BuildOverviews("NEAREST", [2])


def test_a_missing_file_of_another_format_has_the_message_of_gdal(tmp_path):
    for flags in (gdal.OF_RASTER | gdal.OF_VERBOSE_ERROR, gdal.OF_MULTIDIM_RASTER | gdal.OF_VERBOSE_ERROR):
        message = message_of(f"{tmp_path}/none.tif", flags)
        assert f"{tmp_path}/none.tif: No such file or directory" in message


def test_a_group_that_is_only_looked_at_in_update_mode_is_no_failure(tmp_path):
    write_group(f"{tmp_path}/a.zarr", ["a", "b"])
    with collect_errors() as errors:
        gdal.OpenEx(f"{tmp_path}/a.zarr", gdal.OF_RASTER | gdal.OF_UPDATE)
    assert [level for level, _ in errors] == [gdal.CE_Warning]


@needs_another_user
@pytest.mark.parametrize("closed", ["", "/g"])
def test_what_may_not_be_looked_at_is_not_said_to_be_missing(tmp_path, closed):
    let_others_pass(tmp_path)
    store = f"{tmp_path}/a.zarr"
    write_group(store, ["a", "b"])
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/c", DATA)
    os.chmod(store + closed, 0o700)
    result = subprocess.run(python(OPEN, f"{store}/g/c"), capture_output=True, text=True, check=True, **as_nobody())
    assert f"{store}/g/c" in result.stdout and "got none" not in result.stdout
