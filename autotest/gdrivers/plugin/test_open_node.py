# SPDX-License-Identifier: MIT
"""A node that is opened by its own folder or document is part of the store that holds it."""

import os
import shutil

import numpy as np
import pytest
from osgeo import gdal
from stores import consolidate_v2, consolidate_v3, open_array, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(24, dtype="<f4").reshape(2, 3, 4)
COORDINATES = {"time": [10.0, 20.0], "y": [52.0, 51.0, 50.0], "x": [7.0, 9.0, 11.0, 13.0]}
PLACE = (6.0, 2.0, 0.0, 52.5, 0.0, -1.0)


def write_cube(store, version):
    """Writes `t2m` twice, in the root group and in a group `forecast`. The coordinates are in the root group."""
    write_array, write_group = (write_v2, write_v2_group) if version == 2 else (write_v3, write_v3_group)

    def write(path, data, names):
        dimensions = {"attributes": {"_ARRAY_DIMENSIONS": names}} if version == 2 else {"names": names}
        write_array(f"{store}/{path}", data, **dimensions)

    write_group(store)
    write_group(f"{store}/forecast")
    for path in ("t2m", "forecast/t2m"):
        write(path, DATA, ["time", "y", "x"])
    for name, values in COORDINATES.items():
        write(name, np.array(values), [name])
    (consolidate_v2 if version == 2 else consolidate_v3)(store)


@pytest.fixture(params=[2, 3])
def cube(store, request):
    write_cube(store, request.param)
    return store


def document_of_arrays(store):
    return ".zarray" if os.path.exists(f"{store}/.zgroup") else "zarr.json"


def time_values(dataset):
    return [dataset.GetRasterBand(i + 1).GetMetadataItem("DIM_time_VALUE") for i in range(dataset.RasterCount)]


def check_place(name):
    dataset = gdal.Open(name)
    assert dataset.GetDescription() == name
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert dataset.GetGeoTransform() == PLACE
    assert time_values(dataset) == ["10", "20"]


@pytest.mark.parametrize("path", ["t2m", "forecast/t2m"])
@pytest.mark.parametrize("form", ["{0}/{1}", "{0}/{1}/", "{0}/{1}/{2}", 'ZARR:"{0}/{1}"', 'ZARR:"{0}/{1}":/t2m'])
def test_array_finds_what_stands_above_it(cube, path, form):
    check_place(form.format(cube, path, document_of_arrays(cube)))


def test_indices_go_with_the_array(cube):
    dataset = gdal.Open(f'ZARR:"{cube}/forecast/t2m":/:1')
    assert np.array_equal(dataset.ReadAsArray(), DATA[1])
    assert dataset.GetGeoTransform() == PLACE


@pytest.mark.parametrize("form", ["{0}/forecast", 'ZARR:"{0}/forecast":/t2m'])
def test_group_finds_what_stands_above_it(cube, form):
    check_place(form.format(cube))


def test_subdatasets_of_a_group_are_named_by_the_store(cube):
    shutil.copytree(f"{cube}/forecast/t2m", f"{cube}/forecast/other")
    os.remove(f"{cube}/.zmetadata") if os.path.exists(f"{cube}/.zgroup") else write_v3_group(cube)
    for name in (f"{cube}/forecast", f'ZARR:"{cube}/forecast":/'):
        names = [name for name, _ in gdal.Open(name).GetSubDatasets()]
        assert names == [f'ZARR:"{cube}":/forecast/other', f'ZARR:"{cube}":/forecast/t2m']
        check_place(names[0])


@pytest.mark.parametrize(("folder", "name"), [("forecast", "t2m"), ("forecast/t2m", "."), ("forecast/t2m/c", "../.")])
def test_a_relative_path_finds_the_store(cube, monkeypatch, folder, name):
    os.makedirs(f"{cube}/{folder}", exist_ok=True)
    monkeypatch.chdir(f"{cube}/{folder}")
    check_place(name)
    if name == "." and document_of_arrays(cube) == "zarr.json":
        check_place("zarr.json")


def test_a_link_belongs_to_the_store_that_holds_it(cube, tmp_path):
    shutil.move(f"{cube}/forecast/t2m", tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", f"{cube}/forecast/t2m")
    check_place(f"{cube}/forecast/t2m")
    assert gdal.Open(str(tmp_path / "elsewhere")).GetGeoTransform(can_return_null=True) is None


def test_a_node_may_be_in_an_archive(cube, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "cube.zarr"), "zip", cube)
    check_place(f"/vsizip/{archive}/t2m")
    check_place(f"/vsizip/{{{archive}}}/forecast/t2m/{document_of_arrays(cube)}")


def remove_group_document(folder):
    for document in (".zgroup", "zarr.json"):
        if os.path.exists(f"{folder}/{document}"):
            os.remove(f"{folder}/{document}")


@pytest.mark.parametrize("form", ["{0}/forecast/t2m", 'ZARR:"{0}/forecast/t2m"', 'ZARR:"{0}":/forecast/t2m'])
@pytest.mark.parametrize("consolidated", [True, False])
def test_folder_without_a_document_does_not_end_the_store(cube, form, consolidated):
    remove_group_document(f"{cube}/forecast")
    if not consolidated:
        os.remove(f"{cube}/.zmetadata") if os.path.exists(f"{cube}/.zgroup") else write_v3_group(cube)
    check_place(form.format(cube))


def move_down(store, folders):
    """Puts folders without documents between the store and its array."""
    os.makedirs(f"{store}/{folders}")
    shutil.move(f"{store}/t2m", f"{store}/{folders}/t2m")
    remove_group_document(f"{store}/forecast")


@pytest.mark.parametrize("name", ["test.zarr", "plain"])
@pytest.mark.parametrize("depth", [1, 4, 8])
def test_folders_between_may_have_no_documents(tmp_path, name, depth):
    store = str(tmp_path / name)
    write_cube(store, 2)
    os.remove(f"{store}/.zmetadata")
    folders = "/".join("abcdefgh"[:depth])
    move_down(store, folders)
    check_place(f"{store}/{folders}/t2m")
    dataset = gdal.OpenEx(f"{store}/{folders}/t2m", gdal.OF_MULTIDIM_RASTER)
    array = dataset.GetRootGroup().OpenMDArray("t2m")
    assert array.GetDimensions()[1].GetIndexingVariable().ReadAsArray().tolist() == COORDINATES["y"]


def test_search_over_folders_without_documents_has_an_end(tmp_path):
    store = str(tmp_path / "plain")
    write_cube(store, 2)
    os.remove(f"{store}/.zmetadata")
    folders = "/".join("abcdefghi")
    move_down(store, folders)
    dataset = gdal.Open(f"{store}/{folders}/t2m")
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert dataset.GetGeoTransform(can_return_null=True) is None


def test_folder_called_as_a_store_needs_no_document(tmp_path):
    store = str(tmp_path / "implied.zarr")
    write_cube(store, 2)
    for document in (".zmetadata", ".zgroup", "forecast/.zgroup"):
        os.remove(f"{store}/{document}")
    check_place(f'ZARR:"{store}":/forecast/t2m')
    check_place(f"{store}/forecast/t2m")


def test_group_below_folders_without_documents_is_removed_by_itself(tmp_path):
    store = str(tmp_path / "plain")
    write_v2_group(store)
    write_v2_group(f"{store}/between/group")
    write_v2(f"{store}/between/group/a", DATA)
    os.remove(f"{store}/between/.zgroup") if os.path.exists(f"{store}/between/.zgroup") else None
    gdal.GetDriverByName("Zarr").Delete(f"{store}/between/group")
    assert not os.path.exists(f"{store}/between/group") and os.path.exists(f"{store}/.zgroup")


def test_group_called_as_a_store_is_one(tmp_path):
    write_v3_group(str(tmp_path))
    write_v3(str(tmp_path / "x"), np.array(COORDINATES["x"]), names=["x"])
    write_v3(str(tmp_path / "y"), np.array(COORDINATES["y"]), names=["y"])
    write_v3_group(str(tmp_path / "in.zarr"))
    write_v3(str(tmp_path / "in.zarr" / "a"), DATA[0], names=["y", "x"])
    for name in (str(tmp_path / "in.zarr"), str(tmp_path / "in.zarr" / "a")):
        assert gdal.Open(name).GetGeoTransform(can_return_null=True) is None


def test_node_that_consolidated_metadata_do_not_know_opens_alone(cube):
    shutil.copytree(f"{cube}/t2m", f"{cube}/late")
    dataset = gdal.Open(f"{cube}/late")
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert dataset.GetGeoTransform(can_return_null=True) is None


def test_broken_store_above_is_no_obstacle(cube):
    with open(f"{cube}/{'.zmetadata' if document_of_arrays(cube) == '.zarray' else 'zarr.json'}", "w") as f:
        f.write("{")
    assert np.array_equal(gdal.Open(f"{cube}/t2m").ReadAsArray(), DATA)


def test_change_reaches_the_consolidated_metadata(cube):
    dataset = gdal.OpenEx(f"{cube}/forecast/t2m", gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadataItem("title", "changed")
    dataset = None
    assert open_array(f"{cube}/forecast/t2m").GetAttribute("title").Read() == "changed"
    group = gdal.OpenEx(cube, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert group.GetStructuralInfo()["CONSOLIDATED"] == "YES"
    assert group.OpenMDArrayFromFullname("/forecast/t2m").GetAttribute("title").Read() == "changed"


# --- on a network ------------------------------------------------------------------------------------------------


def test_a_node_may_be_on_a_network(cube, server):
    check_place(f'ZARR:"/vsicurl/{server.url}/test.zarr/t2m"')
    check_place(f'ZARR:"/vsicurl/{server.url}/test.zarr/forecast/t2m"')
    assert {path.startswith("/test.zarr/") for _, path in server.log} == {True}


def test_query_of_a_url_is_kept(cube, server):
    server.required_query = "token=a/b"
    check_place(f'ZARR:"/vsicurl/{server.url}/test.zarr/t2m?token=a/b"')


def test_one_look_per_level(server, tmp_path):
    write_v2(str(tmp_path / "folder" / "a"), DATA[0])
    write_v2_group(str(tmp_path / "folder"))
    write_v2_group(str(tmp_path))
    server.failures["folder/.zgroup"] = 403
    assert gdal.Open(f'ZARR:"/vsicurl/{server.url}/folder/a"').RasterXSize == 4
    assert {path for _, path in server.log if not path.startswith("/folder/a/")} == {"/folder/.zgroup"}


def test_no_look_where_a_name_or_a_document_tells_a_store(server, tmp_path):
    write_v3(str(tmp_path / "a.zarr"), DATA[0])
    write_v3_group(str(tmp_path / "b"))
    write_v3(str(tmp_path / "b" / "v"), DATA[0])
    consolidate_v3(str(tmp_path / "b"))
    for name in ("a.zarr", "b"):
        assert gdal.Open(f'ZARR:"/vsicurl/{server.url}/{name}"').RasterXSize == 4
    assert "/zarr.json" not in {path for _, path in server.log}
