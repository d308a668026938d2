# SPDX-License-Identifier: MIT
"""GDAL builds overviews: their pixels, their metadata, and requests that are refused."""

import glob
import json
import os

import numpy as np
import pytest
from conventions import MULTISCALES, PROJ, SPATIAL
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import run_program
from pyramids import (
    FORMATS,
    METHODS,
    TRANSFORM,
    check_levels,
    compute_levels,
    create_store,
    halve,
    list_assets,
    list_sizes,
    make_image,
    read_attributes,
    read_layout,
    read_levels,
)
from stores import write_v1, write_v2, write_v3, write_v3_group


# --- pixels -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("method", METHODS)
def test_levels_are_what_gdal_makes_of_each_other(store, format, method):
    data = make_image(bands=2)
    dataset = create_store(store, data, format=format, nodata=0)
    assert dataset.BuildOverviews(method, [4, 2, 2, 8]) == gdal.CE_None
    expected = compute_levels(data, method, 3, nodata=0)
    check_levels(dataset, expected)
    dataset = None
    dataset = gdal.Open(store)
    check_levels(dataset, expected)
    assert [b.GetOverview(1).GetNoDataValue() for b in (dataset.GetRasterBand(1), dataset.GetRasterBand(2))] == [0, 0]
    np.testing.assert_array_equal(dataset.ReadAsArray(), data)


@pytest.mark.parametrize("method", ["AVERAGE", "CUBIC", "MODE"])
def test_nodata_does_not_spread(store, method):
    data = make_image(dtype="i2")
    dataset = create_store(store, data, nodata=0)
    dataset.BuildOverviews(method, [2])
    level = read_levels(dataset)[0]
    np.testing.assert_array_equal(level, halve(data, method, nodata=0))
    assert not np.array_equal(level, halve(data, method))
    assert level[0, :25, :35].max() == 0


def test_nan_is_nodata(store):
    data = make_image(dtype="f4")
    data[data == 0] = np.nan
    dataset = create_store(store, data, nodata=np.nan)
    dataset.BuildOverviews("BILINEAR", [2, 4])
    check_levels(dataset, compute_levels(data, "BILINEAR", 2, nodata=np.nan))
    assert np.isnan(read_levels(dataset)[1][0, 0, 0])


@pytest.mark.parametrize("options", [[], ["INTERLEAVE=PIXEL"]])
@pytest.mark.parametrize("method", METHODS)
def test_opaque_pixels_stay_in_all_levels(store, method, options):
    """GDAL makes a level of the preceding one, whose alpha band says which of its pixels count."""
    values = [100, 150, 200, 255]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 60, 40, 4, gdal.GDT_Byte, options)
    interpretations = (gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand)
    for band, interpretation in enumerate(interpretations):
        dataset.GetRasterBand(band + 1).Fill(values[band])
        dataset.GetRasterBand(band + 1).SetColorInterpretation(interpretation)
    dataset.BuildOverviews(method, [2, 4, 8])
    dataset = None
    dataset = gdal.Open(store)
    for level in range(3):
        found = [np.unique(dataset.GetRasterBand(band).GetOverview(level).ReadAsArray()).tolist() for band in range(1, 5)]
        assert found == [[value] for value in values]


def fill_transparent(dataset):
    image = make_image(bands=4, dtype="f4")[:, :48, :64]
    image[3] = np.where(image[3] < 60, 0, 255)
    interpretations = (gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand)
    for band, interpretation in enumerate(interpretations):
        dataset.GetRasterBand(band + 1).WriteArray(image[band])
        dataset.GetRasterBand(band + 1).SetColorInterpretation(interpretation)


@pytest.mark.parametrize("options", [["BLOCKSIZE=1,64,64"], ["BLOCKSIZE=2,64,64"], ["BLOCKSIZE=4,64,64"], ["INTERLEAVE=PIXEL"]])
@pytest.mark.parametrize("method", METHODS)
def test_levels_of_an_alpha_band_do_not_depend_on_chunks(store, method, options):
    datasets = []
    for driver, name in (("MEM", ""), ("Zarr", store)):
        dataset = gdal.GetDriverByName(driver).Create(name, 64, 48, 4, gdal.GDT_Float32, options if name else [])
        fill_transparent(dataset)
        dataset.BuildOverviews(method, [2])
        datasets.append(dataset)
    check_levels(datasets[1], read_levels(datasets[0]))


@pytest.mark.parametrize("method", ["NEAREST", "AVERAGE", "AVERAGE_MAGPHASE"])
def test_complex_numbers_have_levels(store, method):
    data = (make_image(dtype="f4") + 1j * make_image(dtype="f4", seed=1)).astype("c8")
    dataset = create_store(store, data)
    dataset.BuildOverviews(method, [2, 4])
    check_levels(dataset, compute_levels(data, method, 2))


@pytest.mark.parametrize("options", [["INTERLEAVE=PIXEL"], ["BLOCKSIZE=3,32,32"], ["BLOCKSIZE=1,64,64"]])
def test_bands_of_one_array_have_levels(store, options):
    data = make_image(bands=5)
    dataset = create_store(store, data, *([] if options[0].startswith("B") else ["BLOCKSIZE=64,64,5"]), *options)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, compute_levels(data, "AVERAGE", 2))
    dataset = None
    check_levels(gdal.Open(store), compute_levels(data, "AVERAGE", 2))


def test_levels_may_be_made_without_data(store):
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("NONE", [2])
    assert list_sizes(dataset) == [(102, 76)]
    assert not read_levels(dataset)[0].any()


# --- arrays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_the_layout_follows_the_convention(store, format):
    dataset = create_store(store, make_image(bands=2), format=format)
    dataset.BuildOverviews("CUBICSPLINE", [2, 4])
    dataset = None
    declared = read_attributes(store)["zarr_conventions"]
    assert [item["uuid"] for item in declared] == [c["uuid"] for c in (MULTISCALES, PROJ, SPATIAL)]
    assert list_assets(store) == [("a", None), ("ovr_2x", "a"), ("ovr_4x", "ovr_2x")]
    base, half, quarter = read_layout(store)
    assert base["transform"] == {"scale": [1, 1, 1], "translation": [0, 0, 0]}
    assert half["transform"]["scale"] == pytest.approx([1, 151 / 76, 203 / 102])
    assert quarter["transform"] == {"scale": [1, 2, 2], "translation": [0, 0, 0]}
    assert half["resampling_method"] == "CUBICSPLINE"
    assert quarter["spatial:shape"] == [38, 51]
    assert quarter["spatial:transform"] == pytest.approx([2030 / 51, 0, 500000, 0, -1510 / 38, 5000000])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("convention", ["GDAL", "CF", "GDAL,CF", "SPATIAL_PROJ"])
def test_a_level_opens_at_its_place(store, format, convention):
    dataset = create_store(store, make_image(), f"GEOREFERENCING_CONVENTION={convention}", format=format)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    level = gdal.Open(f'ZARR:"{store}":/ovr_4x/a')
    assert level.GetGeoTransform() == pytest.approx((500000, 2030 / 51, 0, 5000000, 0, -1510 / 38))
    assert level.GetSpatialRef().GetAuthorityCode(None) == "32631"
    base = gdal.Open(f'ZARR:"{store}":/a')
    assert base.GetGeoTransform() == TRANSFORM
    assert list_sizes(base) == [(102, 76), (51, 38)]


def test_a_rotated_raster_has_rotated_levels(store):
    rotated = (100, 2, 1, 200, 0.5, -3)
    dataset = create_store(store, make_image(), georeferenced=False)
    dataset.SetGeoTransform(rotated)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    x, y = 203 / 102, 151 / 76
    level = gdal.Open(f'ZARR:"{store}":/ovr_2x/a')
    assert level.GetGeoTransform() == pytest.approx((100, 2 * x, y, 200, 0.5 * x, -3 * y))
    assert gdal.Open(f'ZARR:"{store}":/a').GetGeoTransform() == rotated


def test_levels_need_no_georeferencing(store):
    dataset = create_store(store, make_image(), georeferenced=False)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    assert sorted(os.listdir(f"{store}/ovr_2x")) == ["a", "zarr.json"]
    assert "spatial:transform" not in read_layout(store)[1]


def test_codecs_and_attributes_are_those_of_the_base(store):
    dataset = create_store(store, make_image(dtype="i2"), "COMPRESS=ZSTD", "ZSTD_LEVEL=3", nodata=-5, georeferenced=False)
    dataset.GetRasterBand(1).SetUnitType("m")
    dataset.GetRasterBand(1).SetScale(0.5)
    dataset.GetRasterBand(1).SetMetadataItem("STATISTICS_MINIMUM", "1")
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    base = json.load(open(f"{store}/a/zarr.json"))
    level = json.load(open(f"{store}/ovr_2x/a/zarr.json"))
    for member in ("codecs", "fill_value", "data_type", "dimension_names", "chunk_key_encoding", "chunk_grid"):
        assert level[member] == base[member], member
    assert base["attributes"].pop("STATISTICS_MINIMUM") == 1
    assert level["attributes"] == base["attributes"]
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1).GetOverview(0)
    assert (band.GetNoDataValue(), band.GetScale(), band.GetUnitType()) == (-5, 0.5, "m")


def test_small_levels_have_small_chunks(store):
    dataset = create_store(store, make_image(), "BLOCKSIZE=64,128")
    dataset.BuildOverviews("NEAREST", [2, 16])
    for factor, chunk in ((2, [64, 102]), (16, [10, 13])):
        document = json.load(open(f"{store}/ovr_{factor}x/a/zarr.json"))
        assert document["chunk_grid"]["configuration"]["chunk_shape"] == chunk


def test_sharded_levels_of_a_sharded_array(store):
    data = make_image()
    dataset = create_store(store, data, "BLOCKSIZE=16,16", "SHARD_SHAPE=64,64")
    dataset.BuildOverviews("AVERAGE", [2, 4, 32])
    dataset = None
    got = read_levels(gdal.Open(store))
    assert [level.shape for level in got] == [(1, 76, 102), (1, 38, 51), (1, 5, 7)]
    for level, expected in zip(got, compute_levels(data, "AVERAGE", 2)):
        np.testing.assert_array_equal(level, expected)
    for factor, shard, inner in ((2, [64, 64], [16, 16]), (4, [48, 64], [16, 16]), (32, [5, 7], [5, 7])):
        document = json.load(open(f"{store}/ovr_{factor}x/a/zarr.json"))
        assert document["chunk_grid"]["configuration"]["chunk_shape"] == shard
        assert [codec["name"] for codec in document["codecs"]] == ["sharding_indexed"]
        assert document["codecs"][0]["configuration"]["chunk_shape"] == inner


@pytest.mark.parametrize("sharded", [False, True])
def test_a_rectilinear_array_has_regular_levels(store, sharded):
    data = make_image()
    more = ["SHARD_SHAPE=64,64"] if sharded else []
    edges = "Y:[[64,2],64];X:[128,64,64]" if sharded else "Y:100,51;X:[[100,2],3]"
    dataset = create_store(store, data, "BLOCKSIZE=32,32", *more, f"CHUNK_EDGES={edges}")
    assert json.load(open(f"{store}/a/zarr.json"))["chunk_grid"]["name"] == "rectilinear"
    dataset.BuildOverviews("AVERAGE", [2])
    check_levels(dataset, compute_levels(data, "AVERAGE", 1))
    document = json.load(open(f"{store}/ovr_2x/a/zarr.json"))
    assert document["chunk_grid"]["name"] == "regular"
    assert document["chunk_grid"]["configuration"]["chunk_shape"] == ([64, 128] if sharded else [76, 100])
    assert [codec["name"] == "sharding_indexed" for codec in document["codecs"]].count(True) == int(sharded)


def test_an_array_may_have_more_dimensions(store):
    write_v3_group(store)
    data = np.arange(2 * 3 * 8 * 10, dtype="<i2").reshape(2, 3, 8, 10)
    write_v3(f"{store}/g/a", data, [1, 2, 4, 4], names=["time", "level", "y", "x"])
    write_v3_group(f"{store}/g")
    dataset = gdal.OpenEx(f'ZARR:"{store}":/g/a', gdal.OF_UPDATE)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    level = gdal.Open(f'ZARR:"{store}":/g/ovr_2x/a')
    assert level.RasterCount == 6 and "multiscales" not in read_attributes(store)
    np.testing.assert_array_equal(level.ReadAsArray(), halve(data.reshape(6, 8, 10), "NEAREST"))
    with pytest.raises(RuntimeError, match="open it without indices"):
        gdal.OpenEx(f'ZARR:"{store}":/g/a:1:0', gdal.OF_UPDATE).BuildOverviews("NEAREST", [2])


# --- reading --------------------------------------------------------------------------------------------------------


def test_zoomed_out_read_uses_the_level(store):
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("NEAREST", [2, 4])
    marked = np.full((38, 51), 77, "u1")
    dataset.GetRasterBand(1).GetOverview(1).WriteArray(marked)
    assert (dataset.ReadAsArray(buf_xsize=51, buf_ysize=38) == 77).all()
    dataset = None
    assert (gdal.Open(store).ReadAsArray(buf_xsize=51, buf_ysize=38) == 77).all()


@pytest.mark.parametrize("format", FORMATS)
def test_consolidated_metadata_name_the_levels(store, format):
    dataset = create_store(store, make_image(), format=format)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None

    def consolidated():
        if format == "ZARR_V2":
            return json.load(open(f"{store}/.zmetadata"))["metadata"]
        return json.load(open(f"{store}/zarr.json"))["consolidated_metadata"]["metadata"]

    array = "ovr_4x/a/.zarray" if format == "ZARR_V2" else "ovr_4x/a"
    assert consolidated()[array]["shape"] == [38, 51]
    assert list_sizes(gdal.Open(store)) == [(102, 76), (51, 38)]
    gdal.OpenEx(store, gdal.OF_UPDATE).BuildOverviews("", [])
    assert not [name for name in consolidated() if "ovr" in name]
    assert list_sizes(gdal.OpenEx(store, open_options=["USE_CONSOLIDATED_METADATA=NO"])) == []


def test_no_file_beside_the_store(store):
    create_store(store, make_image()).BuildOverviews("NEAREST", [2])
    assert os.listdir(os.path.dirname(store)) == [os.path.basename(store)]
    assert not glob.glob(f"{store}/**/*.ovr", recursive=True)


# --- refusals ---------------------------------------------------------------------------------------------------


def test_a_read_only_dataset_gets_a_file(store):
    """gdaladdo -ro leaves the store as it is. The store's own levels take precedence over those in the file."""
    create_store(store, make_image()).FlushCache()
    dataset = gdal.Open(store)
    dataset.BuildOverviews("NEAREST", [4])
    dataset = None
    assert "multiscales" not in read_attributes(store) and not glob.glob(f"{store}/ovr_*")
    assert len(glob.glob(f"{store}/**/*.ovr", recursive=True)) == 1
    assert list_sizes(gdal.Open(store)) == [(51, 38)]
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2])
    check_levels(dataset, [halve(make_image(), "AVERAGE")])
    dataset.BuildOverviews("", [])
    assert list_sizes(dataset) == []
    dataset = None
    assert list_sizes(gdal.Open(store)) == []


@pytest.mark.parametrize("method, factors, message", [("SUM", [2], "resampling method"), ("NEAREST", [1], "factors of 2")])
def test_wrong_requests_are_refused(store, method, factors, message):
    dataset = create_store(store, make_image())
    with pytest.raises(RuntimeError, match=message):
        dataset.BuildOverviews(method, factors)
    assert not glob.glob(f"{store}/ovr_*")


@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_array_that_is_a_store_has_none(store, write):
    write(store, make_image()[0], [64, 64])
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="has nothing beside it"):
        dataset.BuildOverviews("NEAREST", [2])


def test_v1_has_them_in_a_file(store):
    write_v1(store, make_image()[0], [64, 64])
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    assert len(glob.glob(f"{store}/*.ovr")) == 1
    check_levels(gdal.Open(store), [halve(make_image(), "AVERAGE", nodata=0)])  # the fill value
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [])
    dataset = None
    assert not glob.glob(f"{store}/*.ovr")


def test_building_can_be_cancelled(store):
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("NEAREST", [4])
    with pytest.raises(RuntimeError):
        dataset.BuildOverviews("NEAREST", [2], lambda *_: 0)
    assert list_sizes(dataset) == [(51, 38)]
    dataset = None
    assert not os.path.exists(f"{store}/ovr_2x")
    assert list_assets(store) == [("a", None), ("ovr_4x", "a")]


def test_progress_is_reported(store):
    shares = []
    dataset = create_store(store, make_image(bands=3))
    dataset.BuildOverviews("NEAREST", [2, 4], lambda share, *_: shares.append(share) or 1)
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1) and len(set(shares)) > 3


@pytest.mark.parametrize("format", FORMATS)
def test_gdaladdo_builds_and_removes_levels(store, format):
    create_store(store, make_image(), format=format).FlushCache()
    for options, expected in (([], [(102, 76), (51, 38)]), (["-clean"], [])):
        command = ["gdaladdo", "-q", *options, store, *(["2", "4"] if not options else [])]
        result = run_program(command, capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert list_sizes(gdal.Open(store)) == expected
    assert read_attributes(store) == {}


@pytest.mark.skipif(int(gdal.VersionInfo()) < 3080000, reason="needs GDAL 3.8 or later")
def test_part_of_the_levels_is_refreshed(store):
    data = make_image()
    dataset = create_store(store, data)
    dataset.BuildOverviews("NEAREST", [2])
    old = read_levels(dataset)[0]
    other = make_image(seed=9)
    dataset.WriteArray(other)
    dataset = None
    window = [str(v) for v in (500000, 5000000, 500000 + 64 * 10, 5000000 - 64 * 10)]
    command = ["gdaladdo", "-q", "--partial-refresh-from-projwin", *window, "-r", "nearest", store]
    result = run_program(command, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    new, whole = read_levels(gdal.Open(store))[0], halve(other, "NEAREST")
    np.testing.assert_array_equal(new[0, :31, :31], whole[0, :31, :31])
    np.testing.assert_array_equal(new[0, 34:, 34:], old[0, 34:, 34:])


@pytest.mark.parametrize("method", ["AVERAGE", "GAUSS"])
def test_means_of_a_palette_are_those_of_its_colors(store, method):
    """The mean of the indices 0 and 3 is not a colour between theirs."""
    colors = gdal.ColorTable()
    for index, color in enumerate([(0, 0, 0), (0, 255, 0), (0, 0, 255), (200, 0, 0)]):
        colors.SetColorEntry(index, color)
    data = np.where(np.random.default_rng(1).random((64, 64)) < 0.5, 0, 3).astype("u1")
    levels = []
    for driver, name in (("MEM", ""), ("Zarr", store)):
        dataset = gdal.GetDriverByName(driver).Create(name, 64, 64, 1, gdal.GDT_Byte)
        band = dataset.GetRasterBand(1)
        band.SetColorTable(colors)
        band.SetColorInterpretation(gdal.GCI_PaletteIndex)
        band.WriteArray(data)
        dataset.BuildOverviews(method, [2, 4])
        levels.append([band.GetOverview(i).ReadAsArray() for i in range(2)])
        del band, dataset
    for expected, level in zip(*levels):
        np.testing.assert_array_equal(level, expected)
        assert set(np.unique(level)) <= {0, 3}


@pytest.mark.parametrize("format", ["ZARR_V1", "ZARR_V3"])
@pytest.mark.parametrize("options", [[], ["REFRESH_OVERVIEWS=YES"]])
def test_those_in_a_file_do_not_follow_changes_in_silence(store, format, options):
    gdal.GetDriverByName("Zarr").Create(store, 100, 70, 1, options=[f"FORMAT={format}"]).FlushCache()
    gdal.Open(store).BuildOverviews("NEAREST", [2])
    with collect_errors() as errors:
        gdal.OpenEx(store, gdal.OF_UPDATE, open_options=options).ReadAsArray()
    assert errors == []
    with collect_errors() as errors:
        dataset = gdal.OpenEx(store, gdal.OF_UPDATE, open_options=options)
        dataset.GetRasterBand(1).Fill(9)
        del dataset
    assert len(errors) == 1 and "build them again" in errors[0][1]
    if format != "ZARR_V1":
        return
    with collect_errors() as errors:
        dataset = gdal.OpenEx(store, gdal.OF_UPDATE, open_options=options)
        dataset.GetRasterBand(1).Fill(7)
        dataset.FlushCache()
        dataset.BuildOverviews("NEAREST", [2])
        del dataset
    dataset = gdal.Open(store)
    assert errors == [] and dataset.GetRasterBand(1).GetOverview(0).ReadAsArray().max() == 7


def test_those_in_a_file_that_gdal_refreshes_are_not_said_to_be_old(store):
    gdal.GetDriverByName("Zarr").Create(store, 100, 70, 1).FlushCache()
    gdal.Open(store).BuildOverviews("NEAREST", [2])
    with collect_errors() as errors:
        dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
        band = dataset.GetRasterBand(1)
        band.Fill(9)
        gdal.RegenerateOverviews(band, [band.GetOverview(0)], "NEAREST")
        del band, dataset
    assert errors == [] and gdal.Open(store).GetRasterBand(1).GetOverview(0).ReadAsArray().min() == 9
