# SPDX-License-Identifier: MIT
"""A failed read never counts as absence; only absence is silent."""

import os
import shutil

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_group, write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group
from versions import needs_resize

DATA = np.arange(20, dtype="<f4").reshape(4, 5)
PLACE = (6.0, 2.0, 0.0, 53.0, 0.0, -1.0)
DOCUMENTS = {2: ".zarray", 3: "zarr.json"}


def hide_by_folder(path):
    """Puts a folder in place of the file, which not even root can read as a file."""
    os.remove(path)
    os.mkdir(path)


def hide_by_loop(path):
    os.remove(path)
    os.symlink(os.path.basename(path), path)


def truncate(path):
    with open(path, "r+") as f:
        f.truncate(10)


def spoil(path):
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(text.replace('"shape": [', '"shape": ["long", '))


UNREADABLE = [hide_by_folder, hide_by_loop]
BROKEN = [truncate, spoil]


def write_array(path, data, names, version=3, **attributes):
    if version == 2:
        write_v2(path, data, attributes={"_ARRAY_DIMENSIONS": names, **attributes})
    else:
        write_v3(path, data, names=names, attributes=attributes)


def write_scene(store, version=3, arrays=("data",)):
    """Writes arrays with coordinates and a grid mapping variable beside them."""
    (write_v2_group if version == 2 else write_v3_group)(store)
    for name in arrays:
        write_array(f"{store}/{name}", DATA, ["y", "x"], version, grid_mapping="crs")
    write_array(f"{store}/x", 7.0 + 2 * np.arange(5), ["x"], version)
    write_array(f"{store}/y", 52.5 - np.arange(4), ["y"], version)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32632)
    write_array(f"{store}/crs", np.array(0, "<i4"), [], version, crs_wkt=srs.ExportToWkt())


@pytest.fixture
def scene(store):
    write_scene(store)
    return store


def warnings_of(open_it):
    """Returns the result of `open_it`, and the warnings that it raises."""
    with collect_errors() as errors:
        result = open_it()
    assert all(level == gdal.CE_Warning for level, _ in errors)
    return result, [text for _, text in errors]


# --- the choice of an array --------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("harm", [*UNREADABLE, truncate])
@pytest.mark.parametrize("flags", [0, gdal.OF_UPDATE])
def test_no_other_array_is_opened_instead(store, version, harm, flags):
    write_scene(store, version)
    document = f"{store}/data/{DOCUMENTS[version]}"
    harm(document)
    with pytest.raises(RuntimeError, match=document):
        gdal.OpenEx(store, gdal.OF_RASTER | flags)


@pytest.mark.parametrize("harm", UNREADABLE + BROKEN)
@pytest.mark.parametrize("flags", [0, gdal.OF_UPDATE])
def test_listing_names_what_cannot_be_opened(store, harm, flags):
    write_scene(store, arrays=("a", "b", "c"))
    harm(f"{store}/b/zarr.json")
    dataset, warnings = warnings_of(lambda: gdal.OpenEx(store, gdal.OF_RASTER | flags))
    assert dataset.RasterCount == 0
    names = [name for name, _ in dataset.GetSubDatasets()]
    assert names == [f'ZARR:"{store}":/{name}' for name in "abc"]
    assert len(warnings) == 1 and warnings[0].startswith(f"{store}/b/zarr.json: ")
    assert np.array_equal(gdal.Open(names[0]).ReadAsArray(), DATA)
    with pytest.raises(RuntimeError, match=f"{store}/b/zarr.json"):
        gdal.Open(names[1])
    group = open_group(store)
    assert "b" in group.GetMDArrayNames()
    with pytest.raises(RuntimeError, match=f"{store}/b/zarr.json"):
        group.OpenMDArray("b")


@pytest.mark.parametrize("harm", UNREADABLE + BROKEN)
@pytest.mark.parametrize("flags", [0, gdal.OF_UPDATE])
def test_a_broken_array_leaves_the_other_to_readers(store, harm, flags):
    """For reading only, the other array is shown with a warning if the first one is known to be broken."""
    write_scene(store, arrays=("a", "b"))
    harm(f"{store}/b/zarr.json")
    dataset, warnings = warnings_of(lambda: gdal.OpenEx(store, gdal.OF_RASTER | flags))
    assert len(warnings) == 1 and warnings[0].startswith(f"{store}/b/zarr.json: ")
    if harm in BROKEN and not flags:
        assert np.array_equal(dataset.ReadAsArray(), DATA)
        return
    assert dataset.RasterCount == 0
    assert [name for name, _ in dataset.GetSubDatasets()] == [f'ZARR:"{store}":/{name}' for name in "ab"]


@pytest.mark.parametrize("harm", UNREADABLE)
def test_all_that_cannot_be_opened_is_an_error(store, harm):
    write_v3_group(store)
    for name in "ab":
        write_v3(f"{store}/{name}", DATA)
        harm(f"{store}/{name}/zarr.json")
    with pytest.raises(RuntimeError, match=f"{store}/a/zarr.json"):
        gdal.Open(store)


@pytest.mark.parametrize(("harm", "flags"), [(hide_by_folder, 0), (truncate, gdal.OF_UPDATE)])
def test_bands_of_alike_arrays_do_not_move_up(store, harm, flags):
    write_v3_group(store)
    for name in ("B1", "B2", "B3"):
        write_v3(f"{store}/{name}", DATA, names=["y", "x"])
    harm(f"{store}/B2/zarr.json")
    with pytest.raises(RuntimeError, match=f"{store}/B2/zarr.json"):
        gdal.OpenEx(store, gdal.OF_RASTER | flags, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])


# --- what an array refers to -------------------------------------------------------------------------------------


@pytest.mark.parametrize("harm", UNREADABLE)
@pytest.mark.parametrize("name", ["x", "crs"])
def test_unreadable_neighbour_fails_what_needs_it(scene, name, harm):
    document = f"{scene}/{name}/zarr.json"
    harm(document)
    for path in (scene, f'ZARR:"{scene}":/data'):
        with pytest.raises(RuntimeError, match=document):
            gdal.Open(path)
    group = open_group(scene)
    with pytest.raises(RuntimeError, match=document):
        group.OpenMDArray("data").GetSpatialRef()


@pytest.mark.parametrize("harm", BROKEN)
@pytest.mark.parametrize("name", ["x", "crs"])
def test_broken_neighbour_is_warned_of_once(scene, name, harm):
    if (name, harm) == ("crs", spoil):
        write_json(f"{scene}/crs/zarr.json", {"zarr_format": 3, "node_type": "array", "shape": "none"})
    else:
        harm(f"{scene}/{name}/zarr.json")
    dataset, warnings = warnings_of(lambda: gdal.Open(f'ZARR:"{scene}":/data'))
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert len(warnings) == 1 and f"{scene}/{name}/zarr.json: " in warnings[0]
    assert (dataset.GetGeoTransform(can_return_null=True) is None) == (name == "x")
    assert (dataset.GetSpatialRef() is None) == (name == "crs")
    array, warnings = warnings_of(lambda: open_group(scene).OpenMDArray("data"))
    srs, more = warnings_of(array.GetSpatialRef)
    assert (srs is None) == (name == "crs")
    assert len(warnings + more) == 1 and f"{scene}/{name}/zarr.json: " in (warnings + more)[0]


def test_what_is_absent_is_silent_unless_it_is_named(scene):
    for name in ("x", "crs"):
        shutil.rmtree(f"{scene}/{name}")
    dataset, warnings = warnings_of(lambda: gdal.Open(scene))
    missing = f'{scene}/data/zarr.json: /attributes/grid_mapping: expected the name of an array, got "crs"'
    assert warnings == [missing]  # coordinates are not referred to, and may be absent
    assert dataset.GetSpatialRef() is None and dataset.GetGeoTransform(can_return_null=True) is None


@pytest.mark.parametrize("name", ["x", "crs"])
def test_behind_a_broken_neighbour_there_are_those_of_others(scene, name):
    """The variable of that name in the group above belongs to another place."""
    shutil.copytree(scene, f"{scene}/group")
    truncate(f"{scene}/group/{name}/zarr.json")
    dataset, warnings = warnings_of(lambda: gdal.Open(f'ZARR:"{scene}":/group/data'))
    assert len(warnings) == 1 and f"{scene}/group/{name}/zarr.json: " in warnings[0]
    assert (dataset.GetGeoTransform(can_return_null=True) is None) == (name == "x")
    assert (dataset.GetSpatialRef() is None) == (name == "crs")


@pytest.mark.parametrize("name", ["lat", "lon"])
def test_unreadable_positions_of_pixels_are_an_error(store, name):
    write_v3_group(store)
    write_array(f"{store}/data", DATA, ["j", "i"], coordinates="lat lon")
    write_array(f"{store}/lat", DATA, ["j", "i"], standard_name="latitude")
    write_array(f"{store}/lon", DATA, ["j", "i"], standard_name="longitude")
    assert gdal.Open(store).GetMetadata("GEOLOCATION")
    hide_by_folder(f"{store}/{name}/zarr.json")
    with pytest.raises(RuntimeError, match=f"{store}/{name}/zarr.json"):
        gdal.Open(store)


def test_unreadable_values_of_coordinates_are_an_error(scene):
    write_v3(f"{scene}/y", 52.5 - np.arange(4), names=["y"], compress=True)
    assert gdal.Open(scene).GetGeoTransform() == PLACE
    write_bytes(f"{scene}/y/c/0", b"no gzip")
    dataset, warnings = warnings_of(lambda: gdal.Open(scene))
    assert len(warnings) == 1 and f"{scene}/y/c/0: " in warnings[0]
    assert dataset.GetGeoTransform(can_return_null=True) is None
    hide_by_folder(f"{scene}/y/c/0")
    with pytest.raises(RuntimeError, match=f"{scene}/y/c/0"):
        gdal.Open(scene)


@pytest.mark.parametrize("harm", [hide_by_folder, hide_by_loop, truncate])
def test_a_group_that_may_tell_the_place_is_not_ignored(scene, harm):
    os.mkdir(f"{scene}/group")
    shutil.move(f"{scene}/data", f"{scene}/group")
    write_v3_group(f"{scene}/group")
    harm(f"{scene}/group/zarr.json")
    name = f'ZARR:"{scene}":/group/data'
    if harm == truncate:
        dataset, warnings = warnings_of(lambda: gdal.Open(name))
        assert dataset.GetGeoTransform() == PLACE
        assert len(warnings) == 1 and f"{scene}/group/zarr.json: " in warnings[0]
    else:
        with pytest.raises(RuntimeError, match=f"{scene}/group/zarr.json"):
            gdal.Open(name)


@pytest.mark.parametrize("harm", [hide_by_folder, hide_by_loop, truncate])
def test_a_level_that_cannot_be_opened_is_reported(store, harm):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 64, 64, 1, gdal.GDT_Byte, ["ARRAY_NAME=a"])
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    shutil.rmtree(f"{store}/.zmetadata", ignore_errors=True)
    [level] = [f"{store}/ovr_4x/a/{name}" for name in DOCUMENTS.values() if os.path.isfile(f"{store}/ovr_4x/a/{name}")]
    harm(level)
    options = ["USE_CONSOLIDATED_METADATA=NO"]
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER, open_options=options)
    if harm == truncate:
        count, warnings = warnings_of(dataset.GetRasterBand(1).GetOverviewCount)
        assert count == 1 and len(warnings) == 1 and level in warnings[0]
        return
    for _ in range(2):
        with pytest.raises(RuntimeError, match=level):
            dataset.GetRasterBand(1).GetOverviewCount()


# --- changes -----------------------------------------------------------------------------------------------------


def shape_of(store, name):
    group = open_group(store)
    return group.OpenMDArray(name).shape


@needs_resize
@pytest.mark.parametrize("harm", UNREADABLE)
@pytest.mark.parametrize("name", ["x", "b"])
def test_nothing_is_resized_if_an_array_that_may_follow_cannot_be_read(store, name, harm):
    write_scene(store, arrays=("a", "b"))
    document = f"{store}/{name}/zarr.json"
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    shutil.copy(document, f"{store}/kept")
    harm(document)
    with pytest.raises(RuntimeError, match=document):
        array.Resize([4, 9])
    assert array.shape == (4, 5)
    del array, dataset
    shutil.rmtree(document) if os.path.isdir(document) else os.remove(document)
    shutil.move(f"{store}/kept", document)
    assert [shape_of(store, n) for n in ("a", "b", "x")] == [(4, 5), (4, 5), (5,)]


@needs_resize
def test_broken_array_that_may_follow_is_warned_of(store):
    write_scene(store, arrays=("a", "b"))
    truncate(f"{store}/b/zarr.json")
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    _, warnings = warnings_of(lambda: array.Resize([4, 9]))
    assert len(warnings) == 1 and f"{store}/b/zarr.json: " in warnings[0]
    assert [shape_of(store, n) for n in ("a", "x")] == [(4, 9), (9,)]


@pytest.mark.parametrize("harm", [hide_by_folder, truncate])
def test_coordinates_that_an_unknown_array_may_have_are_kept(store, harm):
    """A new geotransform would move that array too."""
    write_scene(store, arrays=("a", "b"))
    harm(f"{store}/b/zarr.json")
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError):
        dataset.SetGeoTransform((0, 1, 0, 0, 0, -1))
    dataset = None
    assert gdal.Open(f'ZARR:"{store}":/a').GetGeoTransform() == PLACE


# --- what lies above ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("harm", UNREADABLE)
@pytest.mark.parametrize("flags", [0, gdal.OF_UPDATE])
def test_an_unreadable_store_above_is_an_error(scene, harm, flags):
    harm(f"{scene}/zarr.json")
    with pytest.raises(RuntimeError, match=f"{scene}.*zarr.json"):
        gdal.OpenEx(f"{scene}/data", gdal.OF_RASTER | flags)


def test_broken_store_above_is_warned_of(scene):
    truncate(f"{scene}/zarr.json")
    dataset, warnings = warnings_of(lambda: gdal.Open(f"{scene}/data"))
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert len(warnings) == 1 and f"{scene}/zarr.json: " in warnings[0]


@pytest.mark.parametrize("harm", UNREADABLE)
def test_documents_beside_other_files_are_ignored(tmp_path, harm):
    write_json(str(tmp_path / "zarr.json"), {})
    harm(str(tmp_path / "zarr.json"))
    file = str(tmp_path / "a.tif")
    gdal.GetDriverByName("GTiff").Create(file, 2, 2)
    dataset, warnings = warnings_of(lambda: gdal.Open(file))
    assert dataset.RasterXSize == 2 and warnings == []


# --- on a network ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x", "crs"])
@pytest.mark.parametrize("status", [500, 503])
def test_a_failing_server_is_an_error(scene, server, name, status):
    server.failures[f"/{name}/zarr.json"] = status
    url = f"/vsicurl/{server.url}/test.zarr"
    with pytest.raises(RuntimeError, match=f"{url}/{name}/zarr.json: .*HTTP response code: {status}"):
        gdal.Open(f'ZARR:"{url}":/data').GetSpatialRef()  # the place is read when it is asked for


def test_a_server_may_recover(scene, server):
    """A failure is not remembered as absence."""
    server.failures["/crs/zarr.json"] = 503
    server.failures["/x/zarr.json"] = 503
    group = open_group(f'ZARR:"/vsicurl/{server.url}/test.zarr"')
    with pytest.raises(RuntimeError, match="HTTP response code: 503"):
        group.OpenMDArray("data")
    del server.failures["/x/zarr.json"]
    array = group.OpenMDArray("data")
    with pytest.raises(RuntimeError, match="HTTP response code: 503"):
        array.GetSpatialRef()
    server.failures.clear()
    assert array.GetSpatialRef().GetAuthorityCode(None) == "32632"
    assert array.GetDimensions()[1].GetIndexingVariable().GetName() == "x"


def test_a_server_may_fail_above_the_store(server, tmp_path):
    write_v3_group(str(tmp_path / "folder"))
    write_v3(str(tmp_path / "folder" / "a"), DATA)
    server.failures["folder/zarr.json"] = 503
    with pytest.raises(RuntimeError, match="HTTP response code: 503"):
        gdal.Open(f'ZARR:"/vsicurl/{server.url}/folder/a"')


@pytest.mark.parametrize("hide", UNREADABLE)
def test_metadata_of_a_band_are_not_set_without_its_coordinates(store, hide):
    """What the coordinates tell would be saved as well."""
    write_v3_group(store)
    write_v3(f"{store}/data", np.stack([DATA, DATA]), (1, 4, 5), names=["time", "y", "x"])
    write_v3(f"{store}/time", np.arange(2), names=["time"])
    before = gdal.Open(f'ZARR:"{store}":/data')
    wanted = {**before.GetRasterBand(1).GetMetadata(), "A": "1"}
    assert "DIM_time_VALUE" in wanted
    hide(f"{store}/time/c/0")
    dataset = gdal.OpenEx(f'ZARR:"{store}":/data', gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="time/c/0"):
        dataset.GetRasterBand(1).SetMetadata(wanted)
    del dataset
    with open(f"{store}/data/zarr.json") as file:
        assert "gdal:bands" not in file.read()
