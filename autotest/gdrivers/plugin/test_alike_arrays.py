# SPDX-License-Identifier: MIT
"""The open option ALIKE_ARRAYS_AS_BANDS."""

import json

import numpy as np
import pytest
from conventions import MULTISCALES_UUID
from foreign_files import read_tree
from http_server import Server
from osgeo import gdal
from stores import consolidate_v3, write_json, write_v2, write_v2_group, write_v3, write_v3_group

BANDS = {name: np.full((4, 6), i, "<u2") + np.arange(6, dtype="<u2") for i, name in enumerate(("B02", "B03", "B10"))}
OPTION = ["ALIKE_ARRAYS_AS_BANDS=YES"]


def write_bands(folder, bands=BANDS, chunks=(2, 3), **attributes):
    for i, (name, data) in enumerate(bands.items()):
        write_v3(f"{folder}/{name}", data, chunks, names=["y", "x"], attributes={"number": i, **attributes})


def descriptions(dataset):
    return [dataset.GetRasterBand(i + 1).GetDescription() for i in range(dataset.RasterCount)]


def test_alike_arrays_are_bands(store):
    write_v3_group(store, {"mission": "x"})
    write_bands(store, units="1", scale_factor=0.5, add_offset=-1.0, _FillValue=7)
    assert gdal.Open(store).RasterCount == 0
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert descriptions(dataset) == list(BANDS)
    assert dataset.GetMetadataItem("mission") == "x"
    assert dataset.GetSubDatasets() == []
    alone = gdal.Open(f'ZARR:"{store}":/B02')
    assert np.array_equal(dataset.ReadAsArray(), list(BANDS.values()))
    assert np.array_equal(dataset.ReadAsArray(1, 1, 3, 2), [a[1:3, 1:4] for a in BANDS.values()])
    for i in range(3):
        band = dataset.GetRasterBand(i + 1)
        assert (band.GetScale(), band.GetOffset(), band.GetUnitType(), band.GetNoDataValue()) == (0.5, -1, "1", 7)
        assert band.GetMetadataItem("number") == str(i) and band.GetMetadata_Dict()["number"] == str(i)
        assert band.GetBlockSize() == alone.GetRasterBand(1).GetBlockSize()


def test_numbers_in_names_count_by_their_value(store):
    write_v2_group(store)
    for name in ("B10", "B2", "B1", "B02a", "A"):
        write_v2(f"{store}/{name}", BANDS["B02"])
    assert descriptions(gdal.OpenEx(store, open_options=OPTION)) == ["A", "B1", "B2", "B02a", "B10"]


@pytest.mark.parametrize(
    "other",
    [
        {"data": np.zeros((4, 5), "<u2")},
        {"data": np.zeros((4, 6), "<i2")},
        {"data": np.zeros((4, 6), "<u2"), "chunks": (4, 6)},
        {"data": np.zeros((4, 6), "<u2"), "names": ["lat", "lon"]},
    ],
)
def test_others_are_subdatasets(store, other):
    write_v3_group(store)
    write_bands(store)
    write_v3(f"{store}/other", **{"chunks": (2, 3), "names": ["y", "x"], **other})
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert descriptions(dataset) == list(BANDS)
    assert [name.rsplit(":", 1)[1] for name, _ in dataset.GetSubDatasets()] == ["/other"]


def test_without_alike_arrays_all_is_as_ever(store):
    write_v3_group(store)
    write_v3(f"{store}/a", np.zeros((4, 6), "<u2"))
    write_v3(f"{store}/b", np.zeros((4, 7), "<u2"))
    assert len(gdal.OpenEx(store, open_options=OPTION).GetSubDatasets()) == 2
    assert gdal.OpenEx(f'ZARR:"{store}":/a', open_options=OPTION).RasterCount == 1


def test_groups_that_have_some_are_listed(store):
    write_v3_group(store)
    for group in ("r10", "r20"):
        write_v3_group(f"{store}/{group}", {"name": group})
        write_bands(f"{store}/{group}")
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert dataset.GetSubDatasets() == [
        (f'ZARR:"{store}":/r10', "[3 arrays] /r10"),
        (f'ZARR:"{store}":/r20', "[3 arrays] /r20"),
    ]
    one = gdal.OpenEx(f'ZARR:"{store}":/r20', open_options=OPTION)
    assert descriptions(one) == list(BANDS) and one.GetMetadataItem("name") == "r20"


def test_levels_of_a_pyramid_are_overviews(store):
    convention = {"uuid": MULTISCALES_UUID}
    write_v3_group(
        store, {"zarr_conventions": [convention], "multiscales": {"layout": [{"asset": "0"}, {"asset": "1"}]}}
    )
    for group, step in (("0", 1), ("1", 2)):
        write_v3_group(f"{store}/{group}")
        write_bands(f"{store}/{group}", {name: data[::step, ::step] for name, data in BANDS.items()})
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert (dataset.RasterXSize, dataset.RasterCount) == (6, 3)
    for name, i in zip(BANDS, (1, 2, 3)):
        assert np.array_equal(dataset.GetRasterBand(i).GetOverview(0).ReadAsArray(), BANDS[name][::2, ::2])
    assert dataset.GetSubDatasets() == []


def test_georeferencing_is_that_of_the_arrays(store):
    write_v3_group(store)
    write_bands(store)
    write_v3(f"{store}/x", np.arange(6) + 0.5, names=["x"], attributes={"standard_name": "longitude"})
    write_v3(f"{store}/y", 10 - np.arange(4, dtype="<f8"), names=["y"], attributes={"standard_name": "latitude"})
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert dataset.GetGeoTransform() == (0, 1, 0, 10.5, 0, -1)
    assert dataset.GetSpatialRef().IsGeographic()


def test_arrays_of_three_dimensions_have_several_bands_each(store):
    write_v3_group(store)
    data = np.arange(24, dtype="<i4").reshape(2, 3, 4)
    for name in "ab":
        write_v3(f"{store}/{name}", data, names=["t", "y", "x"])
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert descriptions(dataset) == ["a 1", "a 2", "b 1", "b 2"]
    assert np.array_equal(dataset.GetRasterBand(4).ReadAsArray(), data[1])
    assert dataset.GetRasterBand(4).GetMetadataItem("DIM_t_INDEX") == "1"


def test_64_bit_nodata_is_exact(store):
    write_v3_group(store)
    for name in "ab":
        write_v3(f"{store}/{name}", np.zeros((2, 2), "<i8"), fill=2**62 + 1)
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert dataset.GetRasterBand(2).GetNoDataValue() == 2**62 + 1


def test_what_cannot_be_opened_is_no_band(store):
    write_v3_group(store)
    write_bands(store)
    write_v3(f"{store}/B03", BANDS["B03"], (2, 3), names=["y", "x"])
    with open(f"{store}/B03/zarr.json") as f:
        metadata = json.load(f)
    write_json(f"{store}/B03/zarr.json", {**metadata, "codecs": 5})
    consolidate_v3(store)
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert descriptions(dataset) == ["B02", "B10"]


def test_coordinates_are_read_once(store, tmp_path):
    write_v3_group(store)
    write_bands(store)
    write_v3(f"{store}/x", np.arange(6.0), names=["x"])
    write_v3(f"{store}/y", np.arange(4.0), names=["y"])
    consolidate_v3(store)
    with Server(str(tmp_path)).serve() as server:
        dataset = gdal.OpenEx(f'ZARR:"/vsicurl/{server.url}/test.zarr"', open_options=OPTION)
        assert dataset.RasterCount == 3
        assert server.find_requests("/x/c/0") == ["GET"] and server.find_requests("/y/c/0") == ["GET"]
        assert server.find_requests("zarr.json") == ["GET"]


def test_what_is_set_is_what_is_read_back(tmp_path):
    path = str(tmp_path / "a.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 4, 3, 2)
    source.GetRasterBand(1).SetDescription("red")
    source.SetMetadata({"A": "1"})
    assert gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=["SINGLE_ARRAY=NO", "ARRAY_NAME=q"])

    def open_alike(flags=0):
        return gdal.OpenEx(path, gdal.OF_RASTER | flags, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])

    dataset = open_alike(gdal.OF_UPDATE)
    assert dataset.GetMetadata() == {"A": "1"}
    assert [dataset.GetRasterBand(n).GetDescription() for n in (1, 2)] == ["red", "q_band2"]
    dataset.SetMetadata({"B": "2"})
    dataset.GetRasterBand(1).SetMetadataItem("C", "3")
    dataset.GetRasterBand(2).SetDescription("green")
    assert dataset.GetRasterBand(2).GetDescription() == "green"
    del dataset
    dataset = open_alike()
    assert dataset.GetMetadata() == {"B": "2"}
    assert dataset.GetRasterBand(1).GetMetadata() == {"B": "2", "C": "3"}
    assert [dataset.GetRasterBand(n).GetDescription() for n in (1, 2)] == ["red", "green"]


def write_empty_bands(store, counts, note):
    write_v3_group(store)
    for i, count in enumerate(counts):
        data = np.zeros((count, 1, 1), "u1")
        write_v3(f"{store}/a{i}", data, names=["k", "y", "x"], attributes={"note": note}, skip=[(0, 0, 0)])


def test_arrays_of_too_many_bands_are_refused(store):
    write_empty_bands(store, [32_768, 32_768], "")
    assert gdal.OpenEx(store, open_options=OPTION).RasterCount == 65_536
    write_empty_bands(store, [21_846] * 3, "")
    with pytest.raises(RuntimeError, match="expected arrays of at most 65536 bands together, got 65538"):
        gdal.OpenEx(store, open_options=OPTION)


@pytest.mark.parametrize("length, is_told", [(1_000, True), (100_000, False)])
def test_bands_have_the_metadata_of_their_array_if_it_is_not_much(store, length, is_told):
    write_empty_bands(store, [500, 500], "n" * length)
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert dataset.GetMetadataItem("note") == "n" * length
    band = dataset.GetRasterBand(1000)
    assert (band.GetMetadataItem("note") is not None) == is_told
    assert ("note" in band.GetMetadata()) == is_told
    assert band.GetMetadataItem("DIM_k_INDEX") == "499"


def test_the_largest_set_is_found_among_many(store):
    """Arrays that differ in shape, type, names of dimensions or chunks are of several kinds."""
    write_v3_group(store)
    data = np.zeros((4, 6), "u1")
    others = [(data[:, :5], (2, 3)), (data.astype("i1"), (2, 3)), (data, (2, 2)), (data, (3, 3))]
    for i, (values, chunks) in enumerate(others):
        for j in range(2):
            write_v3(f"{store}/o{i}{j}", values, chunks, names=["y", "x"])
    write_v3(f"{store}/n0", data, (2, 3), names=["lat", "lon"])
    for name in ("b10", "b2", "b1"):
        write_v3(f"{store}/{name}", data, (2, 3), names=["y", "x"])
    assert descriptions(gdal.OpenEx(store, open_options=OPTION)) == ["b1", "b2", "b10"]


def test_an_alpha_band_is_the_mask_of_the_bands_of_other_arrays(store):
    source = gdal.GetDriverByName("MEM").Create("", 4, 3, 4, gdal.GDT_Byte)
    interpretations = (gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand)
    for band, interpretation in enumerate(interpretations):
        source.GetRasterBand(band + 1).SetColorInterpretation(interpretation)
        source.GetRasterBand(band + 1).Fill(9)
    source.GetRasterBand(4).WriteArray(np.full((1, 4), 255, "u1"))
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["SINGLE_ARRAY=NO"])
    dataset = gdal.OpenEx(store, open_options=OPTION)
    of_dataset = gdal.GMF_ALPHA | gdal.GMF_PER_DATASET
    assert [dataset.GetRasterBand(band).GetMaskFlags() for band in range(1, 5)] == [of_dataset] * 3 + [gdal.GMF_ALL_VALID]
    mask = dataset.GetRasterBand(1).GetMaskBand().ReadAsArray()
    assert mask[0].min() == 255 and mask[1].max() == 9


@pytest.mark.parametrize("flags", [gdal.OF_RASTER, gdal.OF_RASTER | gdal.OF_UPDATE])
def test_opening_changes_no_file(store, flags):
    write_v3_group(store, {"mission": "x", "proj:code": "EPSG:32632"})
    write_bands(store)
    before = read_tree(store)
    dataset = gdal.OpenEx(store, flags, open_options=OPTION)
    assert dataset.GetMetadataItem("mission") == "x"
    dataset.ReadAsArray()
    dataset = None
    assert read_tree(store) == before


def test_what_all_side_files_say_is_shown(store, side_files):
    write_v3_group(store)
    write_bands(store)
    for name in BANDS:
        dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE)
        dataset.SetMetadata({"A": "B"}, "ALL")
        dataset.SetMetadata({"A": name}, "EACH")
        dataset.SetMetadata({"LINE_OFF": "5"}, "RPC")
        dataset.SetGCPs([gdal.GCP(1, 2, 3, 4, 5)], "")
        dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE, open_options=OPTION)
    assert (dataset.GetMetadata("ALL"), dataset.GetMetadata("EACH")) == ({"A": "B"}, {})
    assert dataset.GetMetadata("RPC") == {"LINE_OFF": "5"}
    assert [(p.GCPX, p.GCPPixel) for p in dataset.GetGCPs()] == [(1, 4)]
    copy = gdal.GetDriverByName("GTiff").CreateCopy("/vsimem/stack.tif", dataset)
    assert copy.GetGCPCount() == 1 and copy.GetMetadata("RPC") == {"LINE_OFF": "5"}
    dataset.SetMetadataItem("NEW", "X", "EACH")
    dataset.SetMetadataItem("NEW", "X", "OTHER")
    dataset.SetGCPs([gdal.GCP(7, 2, 3, 4, 5), gdal.GCP(8, 2, 3, 4, 5)], "")
    dataset = None
    dataset = gdal.OpenEx(store, open_options=OPTION)
    assert dataset.GetMetadataItem("NEW", "OTHER") == "X" and dataset.GetGCPCount() == 2
    gdal.Open(f'ZARR:"{store}":/B03').SetGCPs([gdal.GCP(9, 2, 3, 4, 5)], "")
    assert gdal.OpenEx(store, open_options=OPTION).GetGCPCount() == 0


def test_a_copy_to_several_arrays_has_control_points(store, side_files):
    source = gdal.GetDriverByName("MEM").Create("", 6, 4, 2)
    source.SetGCPs([gdal.GCP(1, 2, 3, 4, 5)], "")
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["SINGLE_ARRAY=NO"]).FlushCache()
    assert gdal.OpenEx(store, open_options=OPTION).GetGCPCount() == 1
