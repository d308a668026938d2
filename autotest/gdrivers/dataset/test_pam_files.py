# SPDX-License-Identifier: MIT
"""Users add statistics, other data of GDAL's side files (PAM) and overviews to a store that is opened for reading."""

import os
import shutil
import subprocess

import numpy as np
import pytest
from errors import collect_errors
from http_server import Server
from osgeo import gdal, osr
from permissions import as_nobody, let_others_pass, let_others_read, needs_another_user
from plugin_in_use import python
from stores import open_array, open_group, write_bytes, write_v1, write_v2, write_v3, write_v3_group

DATA = np.arange(1, 64 * 48 + 1, dtype="<i2").reshape(64, 48)
STATISTICS = [1.0, 3072.0, pytest.approx(1536.5), pytest.approx(886.81, abs=0.01)]


pytestmark = pytest.mark.usefixtures("side_files")


def files(store):
    return sorted(os.path.relpath(os.path.join(d, n), store) for d, _, names in os.walk(store) for n in names)


def added(store, before):
    return [name for name in files(store) if name not in before]


def write_side_file(path, view, body, kind="DerivedDataset" if int(gdal.VersionInfo()) >= 3100000 else "Subdataset"):
    """Writes a side file as GDAL does for a view of an array. Before GDAL 3.10, views were like subdatasets."""
    text = f'<PAMDataset><{kind} name="{view}"><PAMDataset>{body}</PAMDataset></{kind}></PAMDataset>'
    write_bytes(path, text.encode())


@pytest.mark.parametrize("write, document", [(write_v3, "zarr.json"), (write_v2, ".zarray"), (write_v1, "meta")])
def test_statistics_are_kept_beside_the_array(store, write, document):
    write(store, DATA, (16, 16))
    before = files(store)
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert band.GetStatistics(False, False) in ([0, 0, 0, -1], None)
    assert band.ComputeStatistics(False) == STATISTICS
    band = dataset = None
    assert added(store, before) == [document + ".aux.xml"]
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetStatistics(False, False) == STATISTICS
    assert dataset.GetRasterBand(1).GetMinimum() == 1 and dataset.GetRasterBand(1).GetMaximum() == 3072
    assert dataset.GetFileList() == [store]
    name = os.path.basename(store).split(".")[0]
    assert f"{store}/{document}.aux.xml" in gdal.Open(f'ZARR:"{store}":/{name}').GetFileList()


def test_what_the_store_tells_is_not_copied_into_side_files(store):
    write_v3(store, np.stack([DATA, DATA]), (1, 16, 16), names=["t", "y", "x"], attributes={"secret": "plain"})
    dataset = gdal.Open(store)
    assert dataset.GetMetadataItem("secret") == "plain"
    assert dataset.GetRasterBand(2).GetMetadataItem("DIM_t_INDEX") == "1"
    dataset.GetRasterBand(2).ComputeStatistics(False)
    dataset = None
    with open(f"{store}/zarr.json.aux.xml") as f:
        text = f.read()
    assert "STATISTICS_MEAN" in text and "secret" not in text and "DIM_" not in text


def test_reading_writes_no_side_files(store):
    write_v3(store, DATA, (16, 16), attributes={"a": 1})
    before = files(store)
    dataset = gdal.Open(store)
    dataset.GetMetadata(), dataset.GetRasterBand(1).GetMetadata(), dataset.ReadAsArray(), dataset.GetFileList()
    dataset.GetRasterBand(1).ComputeRasterMinMax()
    dataset = None
    assert added(store, before) == []


def test_a_user_s_metadata_go_before_those_of_the_store(store):
    write_v3(store, DATA, attributes={"title": "old", "kept": "yes"})
    dataset = gdal.Open(store)
    dataset.SetMetadataItem("title", "new")
    dataset.SetMetadataItem("item", "value", "DOMAIN")
    assert dataset.GetMetadata_Dict() == {"title": "new", "kept": "yes"}
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetMetadata_Dict() == {"title": "new", "kept": "yes"}
    assert dataset.GetMetadataItem("title") == "new" and dataset.GetMetadataItem("kept") == "yes"
    assert {"DOMAIN", "IMAGE_STRUCTURE", ""} <= set(dataset.GetMetadataDomainList())


def test_side_files_fill_in_what_the_store_does_not_tell(store):
    write_v3(store, DATA, names=["y", "x"])
    srs = "<SRS dataAxisToSRSAxisMapping='1,2'>EPSG:32631</SRS><GeoTransform>1,2,0,3,0,-4</GeoTransform>"
    band = (
        "<PAMRasterBand band='1'><NoDataValue>5</NoDataValue><UnitType>m</UnitType><Offset>3</Offset><Scale>2</Scale>"
        "<ColorInterp>Gray</ColorInterp><CategoryNames><Category>zero</Category></CategoryNames></PAMRasterBand>"
    )
    write_side_file(f"{store}/zarr.json.aux.xml", "AsClassicDataset(1,0) view of /test", srs + band)
    dataset = gdal.Open(store)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32631"
    assert dataset.GetGeoTransform() == (1, 2, 0, 3, 0, -4)
    band = dataset.GetRasterBand(1)
    assert (band.GetNoDataValue(), band.GetUnitType(), band.GetOffset(), band.GetScale()) == (5, "m", 3, 2)
    assert band.GetColorInterpretation() == gdal.GCI_GrayIndex
    assert band.GetCategoryNames() == ["zero"]


def test_side_files_come_last(store):
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(4326)
    write_v3(
        store,
        DATA,
        names=["y", "x"],
        attributes={"_FillValue": 9, "units": "K", "add_offset": 1.5, "_CRS": {"wkt": crs.ExportToWkt()}},
    )
    body = (
        "<SRS>EPSG:32631</SRS><PAMRasterBand band='1'><NoDataValue>5</NoDataValue><UnitType>m</UnitType>"
        "<Offset>3</Offset></PAMRasterBand>"
    )
    write_side_file(f"{store}/zarr.json.aux.xml", "AsClassicDataset(1,0) view of /test", body)
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "4326"
    assert (band.GetNoDataValue(), band.GetUnitType(), band.GetOffset()) == (9, "K", 1.5)


@pytest.mark.parametrize(
    "dataset, view",
    [
        ("/test", "AsClassicDataset(2,1) view of /test"),
        ("/test:1", "AsClassicDataset(1,0) view of Sliced view of /test ([1])"),
        ("/deep:1:0", "AsClassicDataset(1,0) view of Sliced view of /deep ([1,0])"),
    ],
)
def test_side_files_of_newer_versions_of_gdal_are_read(store, dataset, view):
    """GDAL's built-in driver names views so."""
    write_v3_group(store)
    write_v3(f"{store}/test", np.stack([DATA, DATA]), names=["t", "y", "x"])
    write_v3(f"{store}/deep", DATA.reshape(1, 1, *DATA.shape).repeat(2, 0), names=["t", "z", "y", "x"])
    metadata = "<Metadata><MDI key='STATISTICS_MEAN'>7.5</MDI></Metadata>"
    name = dataset[1:].split(":")[0]
    body = f"<PAMRasterBand band='1'>{metadata}</PAMRasterBand>"
    write_side_file(f"{store}/{name}/zarr.json.aux.xml", view, body, "DerivedDataset")
    with open(f"{store}/{name}/zarr.json.aux.xml", "rb") as f:
        before = f.read()
    opened = gdal.Open(f'ZARR:"{store}":{dataset}')
    assert opened.GetRasterBand(1).GetMetadataItem("STATISTICS_MEAN") == "7.5"
    opened = None
    with open(f"{store}/{name}/zarr.json.aux.xml", "rb") as f:
        assert f.read() == before


def test_views_have_side_files_of_their_own(store):
    """Other axes, or one index of an array, make other rasters, which share the file."""
    write_v3(store, np.stack([DATA, DATA + 1]), (1, 16, 16), names=["t", "y", "x"])
    dataset = gdal.Open(f'ZARR:"{store}":/test:1')
    dataset.GetRasterBand(1).ComputeStatistics(False)
    dataset = None
    turned = gdal.OpenEx(store, open_options=["DIM_X=y", "DIM_Y=x"])
    unlike = [gdal.Open(store), turned, gdal.Open(f'ZARR:"{store}":/test:0')]
    assert all(d.GetRasterBand(1).GetMetadataItem("STATISTICS_MEAN") is None for d in unlike)
    same = gdal.Open(f'ZARR:"{store}":/test:1')
    assert same.GetRasterBand(1).GetMetadataItem("STATISTICS_MAXIMUM") == "3073"


def test_statistics_of_alike_arrays_are_kept(store):
    write_v3_group(store)
    for name in "ab":
        write_v3(f"{store}/{name}", DATA)
    dataset = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    dataset.GetRasterBand(2).ComputeStatistics(False)
    dataset = None
    assert not os.path.exists(f"{store}/a/zarr.json.aux.xml")
    dataset = gdal.Open(f'ZARR:"{store}":/b')
    assert dataset.GetRasterBand(1).GetStatistics(False, False) == STATISTICS


KEEP_STATISTICS = """
import sys
from osgeo import gdal
gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "YES")
dataset = gdal.Open(sys.argv[1])
dataset.GetRasterBand(1).ComputeStatistics(False)
dataset.FlushCache()
"""


@needs_another_user
def test_statistics_without_permission_name_the_side_file(tmp_path, store):
    let_others_pass(tmp_path)
    write_v3(store, DATA)
    let_others_read(store)
    run = subprocess.run(python(KEEP_STATISTICS, store), capture_output=True, text=True, check=True, **as_nobody())
    assert f"{store}: the side file {store}/zarr.json.aux.xml cannot be written" in run.stderr
    assert "tmp-" not in run.stderr and files(store) == ["c/0/0", "zarr.json"]


def test_multidimensional_statistics_are_kept(store):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA)
    array = open_array(store, "a")
    statistics = array.GetStatistics(False, force=True)
    assert (statistics.min, statistics.max, statistics.valid_count) == (1, 3072, DATA.size)
    array = statistics = None
    assert os.path.exists(f"{store}/pam.aux.xml")
    kept = open_array(store, "a").GetStatistics(False, force=False)
    assert (kept.min, kept.max, kept.mean) == (1, 3072, pytest.approx(1536.5))


def test_overviews_are_made_beside_the_array(store):
    """gdaladdo -ro leaves the store itself as it is."""
    write_v3(store, DATA, (16, 16))
    before = {name: open(f"{store}/{name}", "rb").read() for name in files(store)}
    dataset = gdal.Open(store)
    dataset.BuildOverviews("NEAREST", [2, 4])
    expected = dataset.GetRasterBand(1).GetOverview(1).ReadAsArray()
    dataset = None
    assert all(open(f"{store}/{name}", "rb").read() == content for name, content in before.items())
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 2
    assert np.array_equal(dataset.GetRasterBand(1).GetOverview(1).ReadAsArray(), expected)
    assert np.array_equal(dataset.ReadAsArray(buf_xsize=12, buf_ysize=16), expected)


def test_an_overview_file_of_the_built_in_driver_is_used(store):
    write_v3_group(store)
    write_v3(f"{store}/a b", DATA, (16, 16))
    tiff = gdal.GetDriverByName("GTiff").Create("/vsimem/side.tif", 48, 64, 1, gdal.GDT_Int16)
    tiff.WriteArray(DATA + 7)
    tiff = None
    gdal.Open("/vsimem/side.tif").BuildOverviews("NEAREST", [2])
    side = gdal.VSIFOpenL("/vsimem/side.tif.ovr", "rb")
    write_bytes(f"{store}/a b/zarr.json.a_b.ovr", gdal.VSIFReadL(1, 10**6, side))
    gdal.VSIFCloseL(side)
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 1
    assert np.array_equal(dataset.GetRasterBand(1).GetOverview(0).ReadAsArray(), DATA[::2, ::2] + 7)


def test_side_files_in_archives_are_read_and_not_written(tmp_path):
    folder = str(tmp_path / "in.zarr")
    write_v3_group(folder)
    write_v3(f"{folder}/a", DATA, (16, 16))
    dataset = gdal.Open(folder)
    dataset.GetRasterBand(1).ComputeStatistics(False)
    dataset = None
    archive = shutil.make_archive(str(tmp_path / "in.zarr"), "zip", folder)
    dataset = gdal.Open(archive)
    assert dataset.GetRasterBand(1).GetStatistics(False, False) == STATISTICS
    dataset.GetRasterBand(1).SetMetadataItem("lost", "1")  # cannot be saved, which is no error
    dataset = None
    assert sorted(os.listdir(tmp_path)) == ["in.zarr", "in.zarr.zip"]


def test_remote_stores_are_not_asked_for_side_files(tmp_path):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 48))
    with Server(str(tmp_path)).serve() as server:
        name = f'ZARR:"/vsicurl/{server.url}/a.zarr"'
        dataset = gdal.Open(name)
        band = dataset.GetRasterBand(1)
        assert band.GetOverviewCount() == 0 and band.GetMaskFlags() == gdal.GMF_ALL_VALID
        assert band.ComputeStatistics(False) == STATISTICS
        assert band.GetStatistics(False, False) == STATISTICS  # available as long as it is open
        dataset.GetMetadata(), dataset.GetMetadataDomainList(), band.GetMetadata(), dataset.GetFileList()
        band = dataset = None
        array = open_group(name).OpenMDArray("a")
        assert array.GetStatistics(False, force=True).max == 3072
        array = None
        assert {path for _, path in server.log} == {"/a.zarr/zarr.json", "/a.zarr/c/0/0"}


KEEP_ELSEWHERE = """
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.Open({name!r})
statistics = dataset.GetRasterBand(1).GetStatistics(False, False)
print(statistics[1] if statistics else 0.0)  # newer versions return None if there are none
dataset.GetRasterBand(1).ComputeStatistics(False)
"""


def test_side_files_of_remote_stores_can_be_kept_elsewhere(tmp_path):
    """Uses new processes, because GDAL reads the option for the folder only once."""
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 48))
    proxies = tmp_path / "proxies"
    proxies.mkdir()
    environment = {**os.environ, "GDAL_PAM_ENABLED": "YES", "GDAL_PAM_PROXY_DIR": str(proxies)}
    with Server(str(tmp_path)).serve() as server:
        code = KEEP_ELSEWHERE.format(name=f'ZARR:"/vsicurl/{server.url}/a.zarr"')
        outputs = [subprocess.run(python(code), env=environment, capture_output=True, text=True).stdout for _ in "12"]
    assert outputs == ["0.0\n", "3072.0\n"]
    assert [name for name in os.listdir(proxies) if name.endswith(".aux.xml")] != []


# --- foreign files with the names of side files ---------------------------------------------------------------------

FOREIGN = b"<Notes>not GDAL's</Notes>"


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


def test_foreign_file_is_not_replaced_by_statistics(store):
    write_v3(store, DATA, (16, 16))
    write_bytes(f"{store}/zarr.json.aux.xml", FOREIGN)
    before = files(store)
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).ComputeStatistics(False) == STATISTICS
    with collect_errors() as errors:
        dataset = None
    assert any("zarr.json.aux.xml" in text and "stays as it is" in text for _, text in errors)
    assert read_bytes(f"{store}/zarr.json.aux.xml") == FOREIGN and files(store) == before


def test_foreign_file_fails_what_an_update_cannot_keep(store):
    write_v3(store, DATA, (16, 16))
    write_bytes(f"{store}/zarr.json.aux.xml", FOREIGN)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadata("<kept>in a side file</kept>", "xml:NOTES")
    with pytest.raises(RuntimeError, match="zarr.json.aux.xml was not written by GDAL"):
        dataset.FlushCache()
    dataset = None
    assert read_bytes(f"{store}/zarr.json.aux.xml") == FOREIGN


def test_foreign_file_is_not_replaced_by_multidimensional_statistics(store):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA)
    write_bytes(f"{store}/pam.aux.xml", FOREIGN)
    before = files(store)
    array = open_array(store, "a")
    assert array.GetStatistics(False, force=True).max == 3072
    array = None
    assert read_bytes(f"{store}/pam.aux.xml") == FOREIGN and files(store) == before


@pytest.mark.parametrize("write, name", [(write_v3, "zarr.json.test.ovr"), (write_v1, "meta.test.ovr")])
def test_foreign_file_is_not_replaced_by_overviews(store, write, name):
    write(store, DATA, (16, 16))
    path = f"{store}/{name}"
    write_bytes(path, FOREIGN)
    before = files(store)
    with pytest.raises(RuntimeError, match="is no TIFF file: it stays as it is"):
        gdal.Open(store).BuildOverviews("NEAREST", [2])
    assert read_bytes(path) == FOREIGN and files(store) == before
