# SPDX-License-Identifier: MIT
"""Create and CreateCopy keep data bit for bit, in all formats, grids and codecs."""

import os

import numpy as np
import pytest
from osgeo import gdal, osr

from errors import collect_errors

WIDTH, HEIGHT = 70, 50
TYPES = ["Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Float32", "Float64", "CFloat32", "CFloat64"]
TYPES += ["Int8"] if hasattr(gdal, "GDT_Int8") else []
HAS_FLOAT16 = hasattr(gdal, "GDT_Float16")
TYPES += ["Float16"] if HAS_FLOAT16 else []
FORMATS = ["ZARR_V1", "ZARR_V2", "ZARR_V3"]

REGULAR = ["BLOCKSIZE=16,32"]
GRIDS = {
    "default": [],
    "regular": REGULAR,
    "one_chunk": ["BLOCKSIZE=50,70"],
    "f": [*REGULAR, "CHUNK_MEMORY_LAYOUT=F"],
    "all_bands": ["BLOCKSIZE=3,16,32"],
    "pixel": ["INTERLEAVE=PIXEL"],
}
GRIDS_V3 = {
    "shard_of_chunks": ["BLOCKSIZE=32,64", "SHARD_CHUNK_SHAPE=16,32"],
    "chunks_in_shard": ["BLOCKSIZE=16,16", "SHARD_SHAPE=32,64"],
    "rectilinear": ["CHUNK_EDGES=Y:20,7,23;X:[[16,4],6]"],
    "rectilinear_x": ["CHUNK_EDGES=X:20,30,20", "BLOCKSIZE=13,9"],
    "separator": ["DIM_SEPARATOR=.", *REGULAR],
}
CODECS = {
    "none": ["COMPRESS=NONE"],
    "blosc": ["COMPRESS=BLOSC"],
    "blosc_bit": ["COMPRESS=BLOSC", "BLOSC_CNAME=zstd", "BLOSC_SHUFFLE=BIT"],
    "zlib": ["COMPRESS=ZLIB"],
    "bz2": ["COMPRESS=BZ2"],
    "lzma": ["COMPRESS=LZMA"],
    "gzip": ["COMPRESS=GZIP"],
    "zstd": ["COMPRESS=ZSTD"],
    "lz4": ["COMPRESS=LZ4"],
    "shuffle": ["COMPRESS=ZSTD", "FILTER=SHUFFLE"],
    "json": ['CODECS=[{"id": "shuffle", "elementsize": 2}, {"id": "zlib", "level": 1}]'],
}
CODECS_OF_V1 = ["none", "blosc", "blosc_bit", "zlib", "bz2", "lzma"]


def grids():
    for zarr_format in FORMATS:
        names = {**GRIDS, **GRIDS_V3} if zarr_format == "ZARR_V3" else GRIDS
        for name, options in names.items():
            yield pytest.param(zarr_format, options, id=f"{zarr_format}-{name}")


def codecs():
    for zarr_format in FORMATS:
        for name, options in CODECS.items():
            if zarr_format != "ZARR_V1" or name in CODECS_OF_V1:
                yield pytest.param(zarr_format, options, id=f"{zarr_format}-{name}")


def source_of(gdal_type, bands):
    """Makes values of any bits, including NaN of all kinds, and chunks that are all zero."""
    dataset = gdal.GetDriverByName("MEM").Create("", WIDTH, HEIGHT, bands, gdal.GetDataTypeByName(gdal_type))
    size = gdal.GetDataTypeSize(gdal.GetDataTypeByName(gdal_type)) // 8 * WIDTH * HEIGHT * bands
    raw = np.random.default_rng(5).integers(0, 256, size, np.uint8)
    raw[: size // 3] = 0
    dataset.WriteRaster(0, 0, WIDTH, HEIGHT, raw.tobytes())
    return dataset


def check_copy(store, source, options):
    with collect_errors() as errors:
        copy = gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=options)
        assert copy.ReadRaster() == source.ReadRaster()
        copy = None
        copy = gdal.Open(store)
        assert copy.RasterCount == source.RasterCount
        assert copy.GetRasterBand(1).DataType == source.GetRasterBand(1).DataType
        assert copy.ReadRaster() == source.ReadRaster()
    assert errors == []


@pytest.mark.parametrize("gdal_type", TYPES)
@pytest.mark.parametrize("zarr_format, options", grids())
def test_each_type_is_kept_in_each_grid(store, gdal_type, zarr_format, options):
    check_copy(store, source_of(gdal_type, 3), [f"FORMAT={zarr_format}", *options])


@pytest.mark.parametrize("gdal_type", TYPES)
@pytest.mark.parametrize("zarr_format, options", codecs())
def test_each_type_is_kept_by_each_codec(store, gdal_type, zarr_format, options):
    check_copy(store, source_of(gdal_type, 1), [f"FORMAT={zarr_format}", *REGULAR, *options])


@pytest.mark.parametrize("options", [pytest.param(o, id=n) for n, o in CODECS.items()])
def test_each_codec_works_in_shards(store, options):
    source = source_of("UInt16", 2)
    check_copy(store, source, ["FORMAT=ZARR_V3", "BLOCKSIZE=32,64", "SHARD_CHUNK_SHAPE=16,32", *options])


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("compress", ["ZSTD", "BLOSC", "ZLIB"])
@pytest.mark.parametrize("gdal_type", [t for t in TYPES if "CF" not in t])
def test_predictors_lose_nothing(store, zarr_format, compress, gdal_type):
    predictor = 3 if gdal_type.startswith("Float") else 2
    options = [f"FORMAT={zarr_format}", f"COMPRESS={compress}", f"PREDICTOR={predictor}", *REGULAR]
    check_copy(store, source_of(gdal_type, 2), options)


@pytest.mark.skipif(not HAS_FLOAT16, reason="CFloat16 is of GDAL 3.11")
@pytest.mark.parametrize("options", [[], ["BLOCKSIZE=16,20"], ["CHUNK_MEMORY_LAYOUT=F"], ["COMPRESS=GZIP"]])
def test_complex_half_floats_are_kept_in_v3(store, options):
    """Only v3 has such a type."""
    check_copy(store, source_of("CFloat16", 3), ["FORMAT=ZARR_V3", *options])


@pytest.mark.skipif(not HAS_FLOAT16, reason="CFloat16 is of GDAL 3.11")
@pytest.mark.parametrize("zarr_format", ["ZARR_V1", "ZARR_V2"])
def test_complex_half_floats_are_kept_as_floats(store, zarr_format):
    source = gdal.GetDriverByName("MEM").Create("", 3, 1, 1, gdal.GetDataTypeByName("CFloat16"))
    source.WriteArray(np.array([[1.5 - 2j, 0.25j, 65504]], "c8"))
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={zarr_format}"])
    assert (gdal.Open(store).ReadAsArray() == np.array([[1.5 - 2j, 0.25j, 65504]], "c8")).all()


@pytest.mark.skipif(not HAS_FLOAT16, reason="Float16 is of GDAL 3.11")
def test_a_nodata_value_is_rounded_as_the_pixels_are(store):
    source = gdal.GetDriverByName("MEM").Create("", 3, 1, 1, gdal.GDT_Float16)
    values = np.array([[-9999, 0.1, 5]], "f4")
    source.WriteArray(values)
    source.GetRasterBand(1).SetNoDataValue(-9999)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source)
    copy = gdal.Open(store)
    assert copy.GetRasterBand(1).GetNoDataValue() == copy.ReadAsArray()[0, 0] == -10000


@pytest.mark.skipif(not HAS_FLOAT16, reason="Float16 is of GDAL 3.11")
def test_a_nodata_value_outside_the_range_is_left_out(store):
    source = gdal.GetDriverByName("MEM").Create("", 3, 1, 1, gdal.GDT_Float16)
    source.GetRasterBand(1).SetNoDataValue(1e6)
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, strict=0)
    assert len(errors) == 1
    assert gdal.Open(store).GetRasterBand(1).GetNoDataValue() is None


@pytest.mark.parametrize("gdal_type, kept", [("CInt16", "CFloat32"), ("CInt32", "CFloat64")])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_complex_integers_are_kept_as_floats(store, zarr_format, gdal_type, kept):
    source = source_of(gdal_type, 1)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={zarr_format}"])
    copy = gdal.Open(store)
    assert gdal.GetDataTypeName(copy.GetRasterBand(1).DataType) == kept
    assert copy.ReadRaster(buf_type=gdal.GetDataTypeByName(gdal_type)) == source.ReadRaster()


# --- other copied properties ----------------------------------------------------------------------------------------


def described_source():
    source = gdal.GetDriverByName("MEM").Create("", 20, 10, 3, gdal.GDT_Int16)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32631)
    source.SetSpatialRef(srs)
    source.SetGeoTransform([1, 2, 0, 3, 0, -2])
    source.SetMetadataItem("TITLE", "é")
    for i in (1, 2, 3):
        band = source.GetRasterBand(i)
        band.Fill(i)
        band.SetScale(i / 10)
        band.SetNoDataValue(-i)
        band.SetUnitType(f"unit{i}")
        band.SetDescription(f"band {i}")
        band.SetMetadataItem("NUMBER", str(i))
    return source


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_an_array_for_each_band(store, zarr_format):
    source = described_source()
    options = [f"FORMAT={zarr_format}", "SINGLE_ARRAY=NO", "ARRAY_NAME=a"]
    copy = gdal.GetDriverByName("Zarr").CreateCopy(store, source, strict=1, options=options)
    copy.GetRasterBand(2).WriteArray(np.full((2, 2), 77, np.int16), 1, 1)
    assert copy.ReadAsArray()[:, 1, 1].tolist() == [1, 77, 3]
    copy = None
    names = [n for n in os.listdir(store) if not n.startswith(".") and n != "zarr.json"]
    assert sorted(names) == ["X", "Y", "a_band1", "a_band2", "a_band3", "spatial_ref"]
    for i in (1, 2, 3):
        dataset = gdal.Open(f'ZARR:"{store}":/a_band{i}')
        band = dataset.GetRasterBand(1)
        assert dataset.GetGeoTransform() == source.GetGeoTransform()
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32631"
        assert dataset.GetMetadataItem("TITLE") == "é"
        assert (band.GetScale(), band.GetNoDataValue(), band.GetUnitType()) == (i / 10, -i, f"unit{i}")
        assert (band.GetDescription(), band.GetMetadataItem("NUMBER")) == (f"band {i}", str(i))
        assert band.ReadAsArray()[0, 0] == i
    assert gdal.Open(f'ZARR:"{store}":/a_band2').ReadAsArray()[1:3, 1:3].tolist() == [[77, 77], [77, 77]]


def test_bands_that_one_array_cannot_hold(store):
    """They are left out with a warning, or are an error if the copy must be exact."""
    with pytest.raises(RuntimeError, match="SINGLE_ARRAY=NO"):
        gdal.GetDriverByName("Zarr").CreateCopy(store, described_source(), strict=1)
    gdal.GetDriverByName("Zarr").CreateCopy(store + "2", described_source(), strict=0)
    dataset = gdal.Open(store + "2")
    for i in (1, 2, 3):
        band = dataset.GetRasterBand(i)
        assert (band.GetScale(), band.GetNoDataValue(), band.GetUnitType()) == (None, None, "")
        assert (band.GetDescription(), band.GetMetadataItem("NUMBER")) == (f"band {i}", str(i))


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_arrays_can_be_added_to_a_store(store, zarr_format):
    """Arrays on the same grid share their coordinates; others have their own."""
    driver = gdal.GetDriverByName("Zarr")
    source = described_source()
    driver.CreateCopy(store, source, strict=0, options=[f"FORMAT={zarr_format}", "ARRAY_NAME=one"])
    elsewhere = gdal.GetDriverByName("MEM").CreateCopy("", source)
    elsewhere.SetGeoTransform([100, 2, 0, 3, 0, -2])
    smaller = gdal.Translate("", source, format="MEM", srcWin=[2, 2, 7, 5])
    for name, other in (("two", elsewhere), ("three", smaller), ("four", source)):
        driver.CreateCopy(store, other, strict=0, options=["APPEND_SUBDATASET=YES", f"ARRAY_NAME={name}"])
    for name, other in (("one", source), ("two", elsewhere), ("three", smaller), ("four", source)):
        dataset = gdal.Open(f'ZARR:"{store}":/{name}')
        assert dataset.GetGeoTransform() == other.GetGeoTransform()
        assert dataset.ReadRaster() == other.ReadRaster()
    names = [n for n in os.listdir(store) if n[-1] in "XY"]
    assert sorted(names) == ["X", "Y", "three_X", "three_Y", "two_X", "two_Y"]
    with pytest.raises(RuntimeError, match="there is a node at this path already"):
        driver.Create(store, 5, 5, 1, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=two"])


def test_copying_a_part_does_not_copy_the_place_of_the_whole(store):
    """Attributes about an array's place are not copied as metadata."""
    options = ["GEOREFERENCING_CONVENTION=SPATIAL_PROJ", "FORMAT=ZARR_V3"]
    gdal.GetDriverByName("Zarr").CreateCopy(store, described_source(), strict=0, options=options)
    gdal.Translate(store + "2", store, format="Zarr", srcWin=[5, 5, 5, 5], bandList=[2])
    dataset = gdal.Open(store + "2")
    assert dataset.GetGeoTransform() == (11, 2, 0, -7, 0, -2)
    assert dataset.GetMetadata() == {"TITLE": "é", "AREA_OR_POINT": "Area"}


def test_progress_can_cancel_a_copy(store):
    shares = []

    def progress(share, text, data):
        shares.append(share)
        return 0 if share > 0.3 else 1

    source = gdal.GetDriverByName("MEM").Create("", 2000, 2000, 3)
    with pytest.raises(RuntimeError, match="terminated|cancelled|interrupt"):
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, callback=progress)
    assert max(shares) < 1


def test_a_name_may_have_the_prefix(store):
    gdal.GetDriverByName("Zarr").CreateCopy(f'ZARR:"{store}"', described_source(), strict=0)
    assert gdal.Open(store).RasterCount == 3


@pytest.mark.parametrize("there", [False, True])
def test_the_name_of_an_array_cannot_be_created(store, there):
    """Options name arrays."""
    driver = gdal.GetDriverByName("Zarr")
    if there:
        driver.Create(store, 5, 5, 1)
    before = sorted(os.listdir(store)) if there else []
    name = f'ZARR:"{store}":/q2'
    calls = [lambda: driver.Create(name, 5, 5, 1), lambda: driver.CreateMultiDimensional(name)]
    calls += [lambda: driver.CreateCopy(name, source_of("Byte", 1))]
    gdal.DontUseExceptions()
    try:
        for call in calls:
            with collect_errors() as errors:
                assert call() is None
            assert len(errors) == 1 and "ARRAY_NAME=q2, and APPEND_SUBDATASET=YES" in errors[0][1]
    finally:
        gdal.UseExceptions()
    assert (sorted(os.listdir(store)) if os.path.exists(store) else []) == before


@pytest.mark.parametrize("size, bands", [((2, 2), 0)])
def test_impossible_sizes_are_refused(store, size, bands):
    with pytest.raises(RuntimeError, match="at least one"):
        gdal.GetDriverByName("Zarr").Create(store, *size, bands)


def test_an_existing_store_is_refused(store):
    """Newer versions of GDAL delete the store first, as they do with files. The driver itself refuses."""
    gdal.GetDriverByName("Zarr").CreateCopy(store, described_source(), strict=0)
    try:
        gdal.GetDriverByName("Zarr").Create(store, 5, 5, 1)
    except RuntimeError as error:
        assert "there is a Zarr store already" in str(error)
        assert f"gdalmanage delete -f Zarr {store}" in str(error)
        assert gdal.Open(store).RasterCount == 3
    else:
        assert gdal.Open(store).RasterCount == 1
