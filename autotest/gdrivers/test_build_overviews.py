"""Overviews that GDAL builds: what is in them, how the store describes them, and what becomes of those that were there."""

import glob
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal, osr
from stores import write_v1, write_v2, write_v3, write_v3_group

WIDTH, HEIGHT = 203, 151  # halves of them are not whole
TRANSFORM = (500000, 10, 0, 5000000, 0, -10)
FORMATS = ["ZARR_V2", "ZARR_V3"]
TYPES = {"u1": gdal.GDT_Byte, "i2": gdal.GDT_Int16, "f4": gdal.GDT_Float32, "c8": gdal.GDT_CFloat32}
METHODS = "NEAREST AVERAGE RMS GAUSS CUBIC CUBICSPLINE LANCZOS BILINEAR MODE".split()
MULTISCALES = {"uuid": "d35379db-88df-4056-af3a-620245f8e347", "name": "multiscales"}


def image(bands=1, dtype="u1", seed=0):
    values = np.random.default_rng(seed).integers(1, 200, (bands, HEIGHT, WIDTH)).astype(dtype)
    values[:, 40:60, 30:90] = 7
    values[0, :50, :70] = 0
    return values


def create(store, data, *options, nodata=None, name="a", format="ZARR_V3", georeferenced=True):
    """A store with one array, which is returned open for update."""
    options = [f"FORMAT={format}", f"ARRAY_NAME={name}", *options]
    if not any(option.startswith("BLOCKSIZE=") for option in options):
        options.append("BLOCKSIZE=32,48")
    dataset = gdal.GetDriverByName("Zarr").Create(store, WIDTH, HEIGHT, len(data), TYPES[data.dtype.str[1:]], options)
    if georeferenced:
        crs = osr.SpatialReference()
        crs.ImportFromEPSG(32631)
        dataset.SetSpatialRef(crs)
        dataset.SetGeoTransform(TRANSFORM)
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    dataset.WriteArray(data)
    dataset = None
    return gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE)


def halved(data, method, nodata=None):
    """What GDAL makes of the same pixels in memory."""
    bands, height, width = data.shape
    memory = gdal.GetDriverByName("MEM").Create("", width, height, bands, TYPES[data.dtype.str[1:]])
    for i in range(bands):
        if nodata is not None:
            memory.GetRasterBand(i + 1).SetNoDataValue(nodata)
        memory.GetRasterBand(i + 1).WriteArray(data[i])
    memory.BuildOverviews(method, [2])
    return np.stack([memory.GetRasterBand(i + 1).GetOverview(0).ReadAsArray() for i in range(bands)])


def cascade(data, method, count, nodata=None):
    levels = []
    for _ in range(count):
        data = halved(data, method, nodata)
        levels.append(data)
    return levels


def levels_of(dataset):
    bands = [dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount)]
    return [np.stack([b.GetOverview(i).ReadAsArray() for b in bands]) for i in range(bands[0].GetOverviewCount())]


def check_levels(dataset, expected):
    got = levels_of(dataset)
    assert [level.shape for level in got] == [level.shape for level in expected]
    for level, other in zip(got, expected):
        np.testing.assert_array_equal(level, other)


def sizes(dataset):
    band = dataset.GetRasterBand(1)
    return [(band.GetOverview(i).XSize, band.GetOverview(i).YSize) for i in range(band.GetOverviewCount())]


def attributes(path):
    if os.path.exists(f"{path}/zarr.json"):
        return json.load(open(f"{path}/zarr.json"))["attributes"]
    return json.load(open(f"{path}/.zattrs")) if os.path.exists(f"{path}/.zattrs") else {}


def layout(path):
    return attributes(path)["multiscales"]["layout"]


def assets(path):
    return [(level["asset"], level.get("derived_from")) for level in layout(path)]


# --- pixels -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("method", METHODS)
def test_levels_are_what_gdal_makes_of_each_other(store, format, method):
    data = image(bands=2)
    dataset = create(store, data, format=format, nodata=0)
    assert dataset.BuildOverviews(method, [4, 2, 2, 8]) == gdal.CE_None
    expected = cascade(data, method, 3, nodata=0)
    check_levels(dataset, expected)
    dataset = None
    dataset = gdal.Open(store)
    check_levels(dataset, expected)
    assert [b.GetOverview(1).GetNoDataValue() for b in (dataset.GetRasterBand(1), dataset.GetRasterBand(2))] == [0, 0]
    np.testing.assert_array_equal(dataset.ReadAsArray(), data)


@pytest.mark.parametrize("method", ["AVERAGE", "CUBIC", "MODE"])
def test_nodata_does_not_spread(store, method):
    data = image(dtype="i2")
    dataset = create(store, data, nodata=0)
    dataset.BuildOverviews(method, [2])
    level = levels_of(dataset)[0]
    np.testing.assert_array_equal(level, halved(data, method, nodata=0))
    assert not np.array_equal(level, halved(data, method))
    assert level[0, :25, :35].max() == 0


def test_nan_is_nodata(store):
    data = image(dtype="f4")
    data[data == 0] = np.nan
    dataset = create(store, data, nodata=np.nan)
    dataset.BuildOverviews("BILINEAR", [2, 4])
    check_levels(dataset, cascade(data, "BILINEAR", 2, nodata=np.nan))
    assert np.isnan(levels_of(dataset)[1][0, 0, 0])


@pytest.mark.parametrize("method", ["NEAREST", "AVERAGE", "AVERAGE_MAGPHASE"])
def test_complex_numbers(store, method):
    data = (image(dtype="f4") + 1j * image(dtype="f4", seed=1)).astype("c8")
    dataset = create(store, data)
    dataset.BuildOverviews(method, [2, 4])
    check_levels(dataset, cascade(data, method, 2))


@pytest.mark.parametrize("options", [["INTERLEAVE=PIXEL"], ["BLOCKSIZE=3,32,32"], ["BLOCKSIZE=1,64,64"]])
def test_bands_of_one_array(store, options):
    data = image(bands=5)
    dataset = create(store, data, *([] if options[0].startswith("B") else ["BLOCKSIZE=64,64,5"]), *options)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, cascade(data, "AVERAGE", 2))
    dataset = None
    check_levels(gdal.Open(store), cascade(data, "AVERAGE", 2))


def test_without_data(store):
    dataset = create(store, image())
    dataset.BuildOverviews("NONE", [2])
    assert sizes(dataset) == [(102, 76)]
    assert not levels_of(dataset)[0].any()


# --- arrays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_layout(store, format):
    dataset = create(store, image(bands=2), format=format)
    dataset.BuildOverviews("CUBICSPLINE", [2, 4])
    dataset = None
    declared = attributes(store)["zarr_conventions"]
    assert [item["uuid"] for item in declared] == [MULTISCALES["uuid"]]
    assert assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a")]
    base, half, quarter = layout(store)
    assert base["transform"] == {"scale": [1, 1, 1], "translation": [0, 0, 0]}
    assert half["transform"]["scale"] == pytest.approx([1, 151 / 76, 203 / 102])
    assert quarter["transform"] == {"scale": [1, 2, 2], "translation": [0, 0, 0]}
    assert half["resampling_method"] == "cubic_spline"
    assert quarter["spatial:shape"] == [38, 51]
    assert quarter["spatial:transform"] == pytest.approx([2030 / 51, 0, 500000, 0, -1510 / 38, 5000000])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("convention", ["GDAL", "CF", "GDAL,CF", "SPATIAL_PROJ"])
def test_a_level_opens_at_its_place(store, format, convention):
    dataset = create(store, image(), f"GEOREFERENCING_CONVENTION={convention}", format=format)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None
    level = gdal.Open(f'ZARR:"{store}":/ovr_4x/a')
    assert level.GetGeoTransform() == pytest.approx((500000, 2030 / 51, 0, 5000000, 0, -1510 / 38))
    assert level.GetSpatialRef().GetAuthorityCode(None) == "32631"
    base = gdal.Open(f'ZARR:"{store}":/a')
    assert base.GetGeoTransform() == TRANSFORM
    assert sizes(base) == [(102, 76), (51, 38)]


def test_rotated_raster(store):
    rotated = (100, 2, 1, 200, 0.5, -3)
    dataset = create(store, image(), georeferenced=False)
    dataset.SetGeoTransform(rotated)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    x, y = 203 / 102, 151 / 76
    level = gdal.Open(f'ZARR:"{store}":/ovr_2x/a')
    assert level.GetGeoTransform() == pytest.approx((100, 2 * x, y, 200, 0.5 * x, -3 * y))
    assert gdal.Open(f'ZARR:"{store}":/a').GetGeoTransform() == rotated


def test_without_georeferencing(store):
    dataset = create(store, image(), georeferenced=False)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    assert sorted(os.listdir(f"{store}/ovr_2x")) == ["a", "zarr.json"]
    assert "spatial:transform" not in layout(store)[1]


def test_codecs_and_attributes_are_those_of_the_base(store):
    dataset = create(store, image(dtype="i2"), "COMPRESS=ZSTD", "ZSTD_LEVEL=3", nodata=-5, georeferenced=False)
    dataset.GetRasterBand(1).SetUnitType("m")
    dataset.GetRasterBand(1).SetScale(0.5)
    dataset.SetMetadataItem("STATISTICS_MINIMUM", "1")
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    base = json.load(open(f"{store}/a/zarr.json"))
    level = json.load(open(f"{store}/ovr_2x/a/zarr.json"))
    for member in ("codecs", "fill_value", "data_type", "dimension_names", "chunk_key_encoding", "chunk_grid"):
        assert level[member] == base[member], member
    assert base["attributes"].pop("STATISTICS_MINIMUM") == "1"
    assert level["attributes"] == base["attributes"]
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1).GetOverview(0)
    assert (band.GetNoDataValue(), band.GetScale(), band.GetUnitType()) == (-5, 0.5, "m")


def test_small_levels_have_small_chunks(store):
    dataset = create(store, image(), "BLOCKSIZE=64,128")
    dataset.BuildOverviews("NEAREST", [2, 16])
    for factor, chunk in ((2, [64, 102]), (16, [10, 13])):
        document = json.load(open(f"{store}/ovr_{factor}x/a/zarr.json"))
        assert document["chunk_grid"]["configuration"]["chunk_shape"] == chunk


def test_sharded_levels_of_a_sharded_array(store):
    data = image()
    dataset = create(store, data, "BLOCKSIZE=16,16", "SHARD_SHAPE=64,64")
    dataset.BuildOverviews("AVERAGE", [2, 4, 32])
    dataset = None
    got = levels_of(gdal.Open(store))
    assert [level.shape for level in got] == [(1, 76, 102), (1, 38, 51), (1, 5, 7)]
    for level, expected in zip(got, cascade(data, "AVERAGE", 2)):
        np.testing.assert_array_equal(level, expected)
    for factor, shard, inner in ((2, [64, 64], [16, 16]), (4, [48, 64], [16, 16]), (32, [5, 7], [5, 7])):
        document = json.load(open(f"{store}/ovr_{factor}x/a/zarr.json"))
        assert document["chunk_grid"]["configuration"]["chunk_shape"] == shard
        assert [codec["name"] for codec in document["codecs"]] == ["sharding_indexed"]
        assert document["codecs"][0]["configuration"]["chunk_shape"] == inner


@pytest.mark.parametrize("sharded", [False, True])
def test_rectilinear_array(store, sharded):
    data = image()
    more = ["SHARD_SHAPE=64,64"] if sharded else []
    edges = "Y:[[64,2],64];X:[128,64,64]" if sharded else "Y:100,51;X:[[100,2],3]"
    dataset = create(store, data, "BLOCKSIZE=32,32", *more, f"CHUNK_EDGES={edges}")
    assert json.load(open(f"{store}/a/zarr.json"))["chunk_grid"]["name"] == "rectilinear"
    dataset.BuildOverviews("AVERAGE", [2])
    check_levels(dataset, cascade(data, "AVERAGE", 1))
    document = json.load(open(f"{store}/ovr_2x/a/zarr.json"))
    assert document["chunk_grid"]["name"] == "regular"
    assert document["chunk_grid"]["configuration"]["chunk_shape"] == ([64, 128] if sharded else [76, 100])
    assert [codec["name"] == "sharding_indexed" for codec in document["codecs"]].count(True) == int(sharded)


def test_array_of_more_dimensions(store):
    write_v3_group(store)
    data = np.arange(2 * 3 * 8 * 10, dtype="<i2").reshape(2, 3, 8, 10)
    write_v3(f"{store}/g/a", data, [1, 2, 4, 4], names=["time", "level", "y", "x"])
    write_v3_group(f"{store}/g")
    dataset = gdal.OpenEx(f'ZARR:"{store}":/g/a', gdal.OF_UPDATE)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    level = gdal.Open(f'ZARR:"{store}":/g/ovr_2x/a')
    assert level.RasterCount == 6 and "multiscales" not in attributes(store)
    np.testing.assert_array_equal(level.ReadAsArray(), halved(data.reshape(6, 8, 10), "NEAREST"))
    with pytest.raises(RuntimeError, match="open it without indices"):
        gdal.OpenEx(f'ZARR:"{store}":/g/a:1:0', gdal.OF_UPDATE).BuildOverviews("NEAREST", [2])


# --- several calls ----------------------------------------------------------------------------------------------


def test_levels_are_added(store):
    data = image()
    dataset = create(store, data)
    dataset.BuildOverviews("NEAREST", [4])
    assert assets(store) == [("a", None), ("ovr_4x/a", "a")]
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [8])
    assert sizes(dataset) == [(102, 76), (51, 38), (26, 19)]
    assert assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "a"), ("ovr_8x/a", "a")]
    np.testing.assert_array_equal(levels_of(dataset)[0], halved(data, "AVERAGE"))


@pytest.mark.parametrize("format", FORMATS)
def test_levels_are_refreshed(store, format):
    data = image()
    dataset = create(store, data, format=format)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    band = dataset.GetRasterBand(1).GetOverview(0)  # of before, with blocks in GDAL's cache
    np.testing.assert_array_equal(band.ReadAsArray(), halved(data, "AVERAGE")[0])
    other = image(seed=5)
    dataset.GetRasterBand(1).WriteArray(other[0])
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, cascade(other, "AVERAGE", 2))
    np.testing.assert_array_equal(band.ReadAsArray(), halved(other, "AVERAGE")[0])
    dataset = band = None
    check_levels(gdal.Open(store), cascade(other, "AVERAGE", 2))


def test_blocks_that_wait_are_part_of_the_levels(store):
    data = image()
    dataset = create(store, data)
    data[0, 3:9, 5:99] = 111
    block = dataset.GetRasterBand(1).ReadRaster(0, 0, 48, 32)
    assert block
    dataset.WriteRaster(5, 3, 94, 6, data[0, 3:9, 5:99].tobytes())
    dataset.BuildOverviews("NEAREST", [2])
    check_levels(dataset, [halved(data, "NEAREST")])


def test_nodata_that_has_changed_is_that_of_refreshed_levels(store):
    dataset = create(store, image(), nodata=0)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset.BuildOverviews("AVERAGE", [2])
    np.testing.assert_array_equal(levels_of(dataset)[0], halved(image(), "AVERAGE", nodata=7))
    assert dataset.GetRasterBand(1).GetOverview(0).GetNoDataValue() == 7
    dataset = None
    assert gdal.Open(store).GetRasterBand(1).GetOverview(0).GetNoDataValue() == 7


def test_some_bands_are_refreshed(store):
    """The bindings always ask for all bands, gdaladdo does not."""
    data, other = image(bands=3), image(bands=3, seed=4)

    def add(*options):
        return subprocess.run(["gdaladdo", "-q", *options, store, "2"], capture_output=True, text=True)

    create(store, data).FlushCache()
    result = add("-b", "2")
    assert result.returncode != 0 and "some of the bands were left out" in result.stderr
    assert sizes(gdal.Open(store)) == []
    assert add().returncode == 0
    gdal.OpenEx(store, gdal.OF_UPDATE).WriteArray(other)
    assert add("-b", "2").returncode == 0
    before, after = halved(data, "NEAREST"), halved(other, "NEAREST")
    np.testing.assert_array_equal(levels_of(gdal.Open(store))[0], [before[0], after[1], before[2]])


def test_some_bands_are_not_refreshed_once_nodata_has_changed(store):
    """The levels are made anew then: the other bands would be lost."""
    dataset = create(store, image(bands=2), nodata=0)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset = None
    before = levels_of(gdal.Open(store))
    result = subprocess.run(["gdaladdo", "-q", "-b", "1", store, "2"], capture_output=True, text=True)
    assert result.returncode != 0 and "some of the bands were left out" in result.stderr
    np.testing.assert_array_equal(levels_of(gdal.Open(store)), before)


def test_a_band_is_regenerated_by_the_caller(store):
    """As GDAL's programs do that refresh parts of levels, from 3.8 on."""
    data = image()
    dataset = create(store, data)
    dataset.BuildOverviews("NEAREST", [2])
    band = dataset.GetRasterBand(1)
    assert gdal.RegenerateOverview(band, band.GetOverview(0), "AVERAGE") == gdal.CE_None
    check_levels(dataset, [halved(data, "AVERAGE")])
    dataset = band = None
    check_levels(gdal.Open(store), [halved(data, "AVERAGE")])


def test_overview_bands_can_be_written_to(store):
    """As programs do that compute levels, or parts of them, themselves."""
    dataset = create(store, image())
    dataset.BuildOverviews("NEAREST", [2])
    band = dataset.GetRasterBand(1).GetOverview(0)
    expected = band.ReadAsArray()
    expected[10:30, 20:70] = 99
    assert band.WriteArray(expected[10:30, 20:70], 20, 10) == gdal.CE_None
    dataset = band = None
    np.testing.assert_array_equal(levels_of(gdal.Open(store))[0][0], expected)


# --- several arrays ---------------------------------------------------------------------------------------------


def add_array(store, data, name, format):
    create_options = [f"FORMAT={format}", f"ARRAY_NAME={name}", "APPEND_SUBDATASET=YES", "BLOCKSIZE=32,32"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, WIDTH, HEIGHT, len(data), gdal.GDT_Byte, create_options)
    dataset.WriteArray(data)
    return dataset


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("reopened", [True, False])
def test_two_arrays_of_a_group(store, format, reopened):
    first, second = image(), image(seed=3)
    dataset = create(store, first, format=format)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    other = add_array(store, second, "b", format)
    assert sizes(other) == []
    if reopened:
        other = None
        other = gdal.OpenEx(f'ZARR:"{store}":/b', gdal.OF_UPDATE)
    other.BuildOverviews("NEAREST", [2, 4, 8])
    check_levels(other, cascade(second, "NEAREST", 3))
    other = None
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE)
    check_levels(dataset, cascade(first, "AVERAGE", 2))
    dataset.BuildOverviews("NEAREST", [2])
    check_levels(dataset, [halved(first, "NEAREST"), cascade(first, "AVERAGE", 2)[1]])
    dataset = None
    check_levels(gdal.Open(f'ZARR:"{store}":/b'), cascade(second, "NEAREST", 3))
    pyramid_of_b = [("ovr_2x/b", "b"), ("ovr_4x/b", "ovr_2x/b"), ("ovr_8x/b", "ovr_4x/b")]
    assert assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a"), *pyramid_of_b]

    for name in "ab":
        dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE)
        assert dataset.BuildOverviews("", []) == gdal.CE_None
        assert sizes(dataset) == []
        dataset = None
        assert not glob.glob(f"{store}/ovr_*/{name}")
        if name == "a":
            check_levels(gdal.Open(f'ZARR:"{store}":/b'), cascade(second, "NEAREST", 3))
            assert assets(store) == [("b", None), *pyramid_of_b]
    assert not glob.glob(f"{store}/ovr_*")
    assert attributes(store) == {}
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/b').ReadAsArray(), second[0])


def test_smaller_array_beside_is_no_overview(store):
    write_v3_group(store)
    write_v3(f"{store}/a", image()[0], [64, 64])
    write_v3(f"{store}/b", image()[0, :76, :102], [64, 64])
    for name in "ab":
        gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE).BuildOverviews("NEAREST", [2])
    assert sizes(gdal.Open(f'ZARR:"{store}":/a')) == [(102, 76)]
    assert sizes(gdal.Open(f'ZARR:"{store}":/b')) == [(51, 38)]
    assert open_level(store, "ovr_2x/a").shape == (76, 102)


def open_level(store, path):
    return gdal.Open(f'ZARR:"{store}":/{path}').ReadAsArray()


def gdal_layout(*levels):
    items = [{"asset": a} if not f else {"asset": a, "derived_from": f, "transform": {"scale": [2, 2]}} for a, f in levels]
    return {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": items}, "title": "kept"}


def test_pyramid_as_gdal_writes_it_is_extended(store):
    """Its levels are groups, in which there may be levels of several arrays."""
    write_v3_group(store, gdal_layout(("a", None), ("ovr_2x", "a")))
    write_v3_group(f"{store}/ovr_2x")
    for name in "ab":
        write_v3(f"{store}/{name}", image()[0], [64, 64])
        write_v3(f"{store}/ovr_2x/{name}", np.zeros((76, 102), "u1"), [64, 64])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE)
    assert sizes(dataset) == [(102, 76)]
    dataset.BuildOverviews("NEAREST", [2, 4])
    check_levels(dataset, cascade(image(), "NEAREST", 2))
    dataset = None
    assert assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a"), ("ovr_2x/b", "b")]
    assert attributes(store)["title"] == "kept"
    assert sizes(gdal.Open(f'ZARR:"{store}":/b')) == [(102, 76)]
    assert not open_level(store, "ovr_2x/b").any()


def test_levels_of_other_names_are_refreshed_in_their_place(store):
    write_v3_group(store, gdal_layout(("0", None), ("1", None)))
    write_v3(f"{store}/0", image()[0], [64, 64])
    write_v3(f"{store}/1", np.zeros((76, 102), "u1"), [64, 64])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/0', gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, cascade(image(), "AVERAGE", 2))
    dataset = None
    assert assets(store) == [("0", None), ("1", "0"), ("ovr_4x/0", "1")]
    with pytest.raises(RuntimeError, match="level of another one's pyramid"):
        gdal.OpenEx(f'ZARR:"{store}":/1', gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2])


def test_pyramid_of_the_group_above_is_not_removed(store):
    write_v3_group(store, gdal_layout(("r10", None), ("r20", "r10")))
    for group, data in (("r10", image()[0]), ("r20", image()[0, ::2, ::2].copy())):
        write_v3_group(f"{store}/{group}")
        write_v3(f"{store}/{group}/a", data, [64, 64])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/r10/a', gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="another group"):
        dataset.BuildOverviews("", [])
    assert sizes(dataset) == [(102, 76)]
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, cascade(image(), "AVERAGE", 2))
    np.testing.assert_array_equal(open_level(store, "r20/a"), image()[0, ::2, ::2])
    assert assets(f"{store}/r10") == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a")]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("remains", ["whole group", "group without its document", "levels without a layout"])
def test_what_a_stopped_process_left_is_replaced(store, format, remains):
    data = image()
    dataset = create(store, data, format=format)
    dataset.FlushCache()
    kept = shutil.copytree(store, store + ".before")
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    shutil.move(f"{store}/ovr_2x", f"{kept}/ovr_2x")
    document = "zarr.json" if format == "ZARR_V3" else ".zgroup"
    if remains == "group without its document":
        os.remove(f"{kept}/ovr_2x/{document}")
    if remains == "levels without a layout":  # consolidated metadata do not name them
        for name in os.listdir(f"{kept}/ovr_2x"):
            if name not in ("a", document):
                shutil.rmtree(f"{kept}/ovr_2x/{name}")
    dataset = gdal.OpenEx(kept, gdal.OF_UPDATE)
    assert sizes(dataset) == []
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    check_levels(gdal.Open(kept), cascade(data, "AVERAGE", 2))
    assert gdal.Open(f'ZARR:"{kept}":/ovr_2x/a').GetGeoTransform()[1] == pytest.approx(2030 / 102)
    gdal.OpenEx(kept, gdal.OF_UPDATE).BuildOverviews("", [])
    assert not glob.glob(f"{kept}/ovr_*")


# --- reading them -----------------------------------------------------------------------------------------------


def test_zoomed_out_read_uses_the_level(store):
    dataset = create(store, image())
    dataset.BuildOverviews("NEAREST", [2, 4])
    marked = np.full((38, 51), 77, "u1")
    dataset.GetRasterBand(1).GetOverview(1).WriteArray(marked)
    assert (dataset.ReadAsArray(buf_xsize=51, buf_ysize=38) == 77).all()
    dataset = None
    assert (gdal.Open(store).ReadAsArray(buf_xsize=51, buf_ysize=38) == 77).all()


@pytest.mark.parametrize("format", FORMATS)
def test_consolidated_metadata_name_the_levels(store, format):
    dataset = create(store, image(), format=format)
    dataset.BuildOverviews("NEAREST", [2, 4])
    dataset = None

    def consolidated():
        if format == "ZARR_V2":
            return json.load(open(f"{store}/.zmetadata"))["metadata"]
        return json.load(open(f"{store}/zarr.json"))["consolidated_metadata"]["metadata"]

    array = "ovr_4x/a/.zarray" if format == "ZARR_V2" else "ovr_4x/a"
    assert consolidated()[array]["shape"] == [38, 51]
    assert sizes(gdal.Open(store)) == [(102, 76), (51, 38)]
    gdal.OpenEx(store, gdal.OF_UPDATE).BuildOverviews("", [])
    assert not [name for name in consolidated() if "ovr" in name]
    assert sizes(gdal.OpenEx(store, open_options=["USE_CONSOLIDATED_METADATA=NO"])) == []


def test_no_file_beside_the_store(store):
    create(store, image()).BuildOverviews("NEAREST", [2])
    assert os.listdir(os.path.dirname(store)) == [os.path.basename(store)]
    assert not glob.glob(f"{store}/**/*.ovr", recursive=True)


# --- refusals ---------------------------------------------------------------------------------------------------


def test_read_only(store):
    """As gdaladdo -ro asks: the store stays as it is, and its own levels go before those in the file."""
    create(store, image()).FlushCache()
    dataset = gdal.Open(store)
    dataset.BuildOverviews("NEAREST", [4])
    dataset = None
    assert "multiscales" not in attributes(store) and not glob.glob(f"{store}/ovr_*")
    assert len(glob.glob(f"{store}/**/*.ovr", recursive=True)) == 1
    assert sizes(gdal.Open(store)) == [(51, 38)]
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2])
    check_levels(dataset, [halved(image(), "AVERAGE")])
    dataset.BuildOverviews("", [])
    assert sizes(dataset) == []
    dataset = None
    assert sizes(gdal.Open(store)) == []


@pytest.mark.parametrize("method, factors, message", [("SUM", [2], "method of resampling"), ("NEAREST", [1], "factors of 2")])
def test_wrong_requests(store, method, factors, message):
    dataset = create(store, image())
    with pytest.raises(RuntimeError, match=message):
        dataset.BuildOverviews(method, factors)
    assert not glob.glob(f"{store}/ovr_*")


@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_array_that_is_a_store_has_none(store, write):
    write(store, image()[0], [64, 64])
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="has nothing beside it"):
        dataset.BuildOverviews("NEAREST", [2])


def test_v1_has_them_in_a_file(store):
    write_v1(store, image()[0], [64, 64])
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    assert len(glob.glob(f"{store}/*.ovr")) == 1
    check_levels(gdal.Open(store), [halved(image(), "AVERAGE", nodata=0)])  # the fill value
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [])
    dataset = None
    assert not glob.glob(f"{store}/*.ovr")


def test_cancelled(store):
    dataset = create(store, image())
    dataset.BuildOverviews("NEAREST", [4])
    with pytest.raises(RuntimeError):
        dataset.BuildOverviews("NEAREST", [2], lambda *_: 0)
    assert sizes(dataset) == [(51, 38)]
    dataset = None
    assert not os.path.exists(f"{store}/ovr_2x")
    assert assets(store) == [("a", None), ("ovr_4x/a", "a")]


def test_progress(store):
    shares = []
    dataset = create(store, image(bands=3))
    dataset.BuildOverviews("NEAREST", [2, 4], lambda share, *_: shares.append(share) or 1)
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1) and len(set(shares)) > 3


@pytest.mark.parametrize("format", FORMATS)
def test_gdaladdo(store, format):
    create(store, image(), format=format).FlushCache()
    for options, expected in (([], [(102, 76), (51, 38)]), (["-clean"], [])):
        command = ["gdaladdo", "-q", *options, store, *(["2", "4"] if not options else [])]
        result = subprocess.run(command, capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert sizes(gdal.Open(store)) == expected
    assert attributes(store) == {}


@pytest.mark.skipif(int(gdal.VersionInfo()) < 3080000, reason="GDAL 3.8 has it first")
def test_part_of_the_levels_is_refreshed(store):
    data = image()
    dataset = create(store, data)
    dataset.BuildOverviews("NEAREST", [2])
    old = levels_of(dataset)[0]
    other = image(seed=9)
    dataset.WriteArray(other)
    dataset = None
    window = [str(v) for v in (500000, 5000000, 500000 + 64 * 10, 5000000 - 64 * 10)]
    command = ["gdaladdo", "-q", "--partial-refresh-from-projwin", *window, "-r", "nearest", store]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    new, whole = levels_of(gdal.Open(store))[0], halved(other, "NEAREST")
    np.testing.assert_array_equal(new[0, :31, :31], whole[0, :31, :31])
    np.testing.assert_array_equal(new[0, 34:, 34:], old[0, 34:, 34:])
