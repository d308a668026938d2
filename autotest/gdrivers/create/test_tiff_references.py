# SPDX-License-Identifier: MIT
"""References to the blocks of TIFF files have the values and the metadata that a copy has."""

import json
import os
import struct

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2
from versions import GDAL_VERSION

TYPES = {"u1": gdal.GDT_Byte, "i2": gdal.GDT_Int16, "u4": gdal.GDT_UInt32, "f4": gdal.GDT_Float32, "f8": gdal.GDT_Float64}
TYPES["c8"] = gdal.GDT_CFloat32
GEOTRANSFORM = (500000, 10, 0, 4600000, 0, -10)
WKT = 'PROJCS["WGS 84 / UTM zone 31N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
WKT += 'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
WKT += 'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",3],PARAMETER["scale_factor",0.9996],'
WKT += 'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32631"]]'


def make_values(dtype, shape):
    count = int(np.prod(shape))
    values = np.arange(count) * 37 % 251
    if np.dtype(dtype).kind in "fc":
        values = values / 8 - 7
    return values.astype(dtype).reshape(shape)


def write_tiff(path, values, options, nodata=None):
    bands, height, width = values.shape
    driver = gdal.GetDriverByName("GTiff")
    dataset = driver.Create(path, width, height, bands, TYPES[values.dtype.str[1:]], options)
    dataset.SetGeoTransform(GEOTRANSFORM)
    dataset.SetProjection(WKT)
    dataset.SetMetadataItem("title", "a test")
    for band in range(bands):
        if nodata is not None:
            dataset.GetRasterBand(band + 1).SetNoDataValue(nodata)
        dataset.GetRasterBand(band + 1).WriteArray(values[band])
    dataset = None
    return path


def refer(target, source, options=(), **arguments):
    return gdal.Translate(target, source, format="Zarr", creationOptions=["FORMAT=KERCHUNK", *options], **arguments)


def describe(name):
    """What gdalinfo tells, except what concerns chunks and names."""
    info = gdal.Info(name, format="json")
    for member in ("description", "files"):
        info.pop(member)
    info["metadata"].pop("IMAGE_STRUCTURE", None)
    info["metadata"].pop("SUBDATASETS", None)
    info["metadata"].pop("DERIVED_SUBDATASETS", None)
    for band in info["bands"]:
        band.pop("block")
    return info


def check(tmp_path, tiff, options=(), copy_format="ZARR_V2"):
    """Makes references, and compares them with the file, and with an ordinary copy."""
    references = str(tmp_path / "image.json")
    made = refer(references, tiff, options)
    expected = gdal.Open(tiff).ReadAsArray()
    assert made.ReadAsArray().tobytes() == expected.tobytes()
    made = None
    opened = gdal.Open(references)
    assert opened.GetDriver().ShortName == "Zarr"
    values = opened.ReadAsArray()
    assert values.dtype == expected.dtype
    assert values.shape == expected.shape
    assert values.tobytes() == expected.tobytes()
    copy = str(tmp_path / "copy" / "image.zarr")
    os.mkdir(tmp_path / "copy")
    interleave = gdal.Open(tiff).GetMetadataItem("INTERLEAVE", "IMAGE_STRUCTURE") or "BAND"
    gdal.Translate(copy, tiff, format="Zarr", creationOptions=[f"FORMAT={copy_format}", f"INTERLEAVE={interleave}"])
    assert describe(references) == describe(copy)
    return json.load(open(references))["refs"]


TILES = ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"]
CODINGS = [
    ("u1", []),
    ("i2", ["COMPRESS=DEFLATE"]),
    ("i2", ["COMPRESS=DEFLATE", "PREDICTOR=2"]),
    ("u4", ["COMPRESS=LZW", "PREDICTOR=2"]),
    ("f4", ["COMPRESS=ZSTD", "PREDICTOR=3"]),
    ("f8", ["COMPRESS=DEFLATE", "PREDICTOR=3"]),
    ("f4", ["COMPRESS=LZW", "PREDICTOR=2"]),
    ("u4", ["COMPRESS=LZMA"]),
    ("u1", ["COMPRESS=PACKBITS"]),
    ("c8", ["COMPRESS=ZSTD"]),
]


@pytest.mark.parametrize("endian", ["LITTLE", "BIG"])
@pytest.mark.parametrize("interleave", ["PIXEL", "BAND"])
@pytest.mark.parametrize("dtype,coding", CODINGS)
def test_tiles(tmp_path, dtype, coding, interleave, endian):
    options = [*TILES, *coding, f"INTERLEAVE={interleave}", f"ENDIANNESS={endian}"]
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values(dtype, (3, 50, 70)), options, nodata=7)
    refs = check(tmp_path, tiff)
    array = json.loads(refs["image/.zarray"])
    assert array["chunks"] == ([16, 32, 3] if interleave == "PIXEL" else [1, 16, 32])
    blocks = [reference for reference in refs.values() if isinstance(reference, list)]
    assert len(blocks) == (12 if interleave == "PIXEL" else 36)
    assert {block[0] for block in blocks} == {tiff}


@pytest.mark.parametrize("dtype,coding", CODINGS)
@pytest.mark.parametrize("bands,interleave", [(1, "BAND"), (3, "PIXEL"), (3, "BAND")])
@pytest.mark.parametrize("rows", [1, 10, 25, 60])
def test_strips(tmp_path, dtype, coding, bands, interleave, rows):
    options = [f"BLOCKYSIZE={rows}", *coding, f"INTERLEAVE={interleave}"]
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values(dtype, (bands, 50, 31)), options)
    refs = check(tmp_path, tiff)
    assert "image/.zarray" in refs


@pytest.mark.parametrize("dtype,coding", CODINGS)
@pytest.mark.parametrize("bands,interleave", [(1, "BAND"), (3, "PIXEL"), (3, "BAND")])
def test_the_last_strip_is_short(tmp_path, dtype, coding, bands, interleave):
    options = ["BLOCKYSIZE=20", *coding, f"INTERLEAVE={interleave}"]
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values(dtype, (bands, 50, 31)), options)
    refs = check(tmp_path, tiff, copy_format="ZARR_V3")
    grid = json.loads(refs["image/zarr.json"])["chunk_grid"]
    assert grid["name"] == "rectilinear"


@pytest.mark.parametrize("options", [["BIGTIFF=YES"], ["COPY_SRC_OVERVIEWS=YES"], ["COG"]])
def test_other_files(tmp_path, options):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("i2", (1, 300, 600)), [])
    other = str(tmp_path / "b.tif")
    cog = options == ["COG"]
    creation = ["BLOCKSIZE=128", "COMPRESS=DEFLATE"] if cog else [*options, *TILES]
    gdal.Translate(other, tiff, format="COG" if cog else "GTiff", creationOptions=creation)
    check(tmp_path, other)


@pytest.mark.parametrize("bands,options", [(1, []), (3, ["PHOTOMETRIC=YCBCR"]), (3, ["PHOTOMETRIC=RGB"])])
def test_jpeg(tmp_path, bands, options):
    options = [*TILES, "COMPRESS=JPEG", "INTERLEAVE=PIXEL", *options]
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (bands, 64, 96)), options)
    check(tmp_path, tiff)


def test_webp_with_opaque_blocks(tmp_path):
    values = make_values("u1", (4, 64, 96))
    values[3] = 255
    values[3, :8, :8] = values[3, -8:, -8:] = 7  # in the first block and in the last one
    options = [*TILES, "COMPRESS=WEBP", "WEBP_LOSSLESS=YES", "INTERLEAVE=PIXEL", "PHOTOMETRIC=RGB", "ALPHA=YES"]
    check(tmp_path, write_tiff(str(tmp_path / "a.tif"), values, options))


@pytest.mark.parametrize("nodata", [None, -5])
def test_absent_blocks_are_absent(tmp_path, nodata):
    path = str(tmp_path / "a.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 64, 64, 1, gdal.GDT_Int16, [*TILES, "SPARSE_OK=TRUE"])
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    dataset.GetRasterBand(1).WriteArray(np.full((16, 32), 3, "i2"), 32, 16)
    dataset = None
    refs = check(tmp_path, path)
    assert [key for key, value in refs.items() if isinstance(value, list)] == ["image/1.1"]


def test_a_file_of_a_million_blocks(tmp_path):
    path = str(tmp_path / "a.tif")
    width = 16 * 1024
    options = ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16", "SPARSE_OK=TRUE", "BIGTIFF=YES"]
    dataset = gdal.GetDriverByName("GTiff").Create(path, width, width, 1, gdal.GDT_Byte, options)
    dataset.GetRasterBand(1).WriteArray(np.full((16, 64), 9, "u1"), width - 64, width - 16)
    dataset = None
    references = str(tmp_path / "image.json")
    refer(references, path)
    assert sum(isinstance(value, list) for value in json.load(open(references))["refs"].values()) == 4
    opened = gdal.Open(references)
    assert opened.ReadAsArray(width - 64, width - 17, 64, 2).tolist() == [[0] * 64, [9] * 64]


@pytest.mark.parametrize("relative", [True, False])
def test_names_of_files(tmp_path, monkeypatch, relative):
    monkeypatch.chdir(tmp_path)
    os.mkdir("data")
    values = make_values("u1", (1, 20, 20))
    write_tiff("data/a.tif", values, [])
    refer("image.json", "data/a.tif", [f"RELATIVE={'YES' if relative else 'NO'}"])
    refs = json.load(open("image.json"))["refs"]
    names = {value[0] for value in refs.values() if isinstance(value, list)}
    assert names == {"data/a.tif" if relative else f"{tmp_path}/data/a.tif"}
    monkeypatch.chdir("/")
    assert gdal.Open(f"{tmp_path}/image.json").ReadAsArray().tobytes() == values.tobytes()


def test_a_file_elsewhere_has_no_relative_name(tmp_path):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)), [])
    os.mkdir(tmp_path / "below")
    with pytest.raises(RuntimeError, match="expected a source in the folder .*below/, with RELATIVE=YES, got .*a.tif"):
        refer(str(tmp_path / "below" / "image.json"), tiff, ["RELATIVE=YES"])
    assert os.listdir(tmp_path / "below") == []


def test_a_file_on_a_server(tmp_path, server):
    values = make_values("i2", (1, 40, 40))
    write_tiff(str(tmp_path / "a.tif"), values, TILES)
    references = str(tmp_path / "image.json")
    refer(references, f"/vsicurl/{server.url}/a.tif")
    refs = json.load(open(references))["refs"]
    assert {value[0] for value in refs.values() if isinstance(value, list)} == {f"{server.url}/a.tif"}
    assert gdal.Open(references).ReadAsArray().tobytes() == values.tobytes()


def refused(tmp_path, tiff, match, options=()):
    target = str(tmp_path / "out" / "image.json")
    os.makedirs(tmp_path / "out", exist_ok=True)
    with pytest.raises(RuntimeError, match=match):
        refer(target, tiff, options)
    assert os.listdir(tmp_path / "out") == []


@pytest.mark.parametrize("option", ["COMPRESS=ZSTD", "BLOCKSIZE=10,10", "SINGLE_ARRAY=NO", "APPEND_SUBDATASET=YES"])
def test_options_of_chunks_are_refused(tmp_path, option):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)), [])
    refused(tmp_path, tiff, f"creation option {option.split('=')[0]}: expected no such option", [option])


@pytest.mark.parametrize("options,match", [(["NBITS=4"], "expected 8 bits a sample, got 4"), (["COMPRESS=LERC"], "34887")])
def test_files_that_cannot_be_described(tmp_path, options, match):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)) % 16, options)
    refused(tmp_path, tiff, match)


def test_a_changed_raster_is_refused(tmp_path):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)), [])
    with pytest.raises(RuntimeError, match="expected an unchanged raster in a TIFF file"):
        refer(str(tmp_path / "image.json"), tiff, srcWin=[0, 0, 10, 10])
    assert os.listdir(tmp_path) == ["a.tif"]


def test_a_truncated_block_is_named(tmp_path):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 32, 32)), ["COMPRESS=DEFLATE", *TILES])
    dataset = gdal.Open(tiff)
    offset = int(dataset.GetRasterBand(1).GetMetadataItem("BLOCK_OFFSET_0_1", "TIFF"))
    dataset = None
    with open(tiff, "r+b") as f:
        f.seek(offset)
        f.write(struct.pack("<Q", 0))
    refused(tmp_path, tiff, r'a.tif: array "image": .* \(block \[1,0\]\)')


def test_what_cannot_be_made_again_stays(tmp_path):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)), [])
    lerc = write_tiff(str(tmp_path / "b.tif"), make_values("u1", (1, 20, 20)), ["COMPRESS=LERC"])
    references = str(tmp_path / "image.json")
    refer(references, tiff)
    before = open(references).read()
    with pytest.raises(RuntimeError):
        refer(references, lerc)
    assert open(references).read() == before
    refer(references, tiff)
    assert open(references).read() == before
    assert sorted(os.listdir(tmp_path)) == ["a.tif", "b.tif", "image.json"]


@pytest.mark.parametrize("options", [["FORMAT=KERCHUNK"], ["FORMAT=ICECHUNK", "VIRTUAL=YES"]])
def test_what_references_cannot_have_is_said(tmp_path, options):
    """The coefficients of a store are in a side file."""
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)), [])
    dataset = gdal.Open(tiff, gdal.GA_Update)
    numbers = " ".join(["0"] * 20)
    offsets = {f"{name}_{part}": "1" for name in ("LINE", "SAMP", "LAT", "LONG", "HEIGHT") for part in ("OFF", "SCALE")}
    coefficients = {f"{name}_COEFF": numbers for name in ("LINE_NUM", "LINE_DEN", "SAMP_NUM", "SAMP_DEN")}
    dataset.SetMetadata({**offsets, **coefficients}, "RPC")
    dataset = None
    driver = gdal.GetDriverByName("Zarr")
    target = str(tmp_path / "out" / "image.json")
    os.mkdir(tmp_path / "out")
    with pytest.raises(RuntimeError, match="RPC"):
        driver.CreateCopy(target, gdal.Open(tiff), 1, options)
    assert os.listdir(tmp_path / "out") == []
    with collect_errors() as errors:
        driver.CreateCopy(target, gdal.Open(tiff), 0, options)
    assert any("rational polynomial coefficients (RPC) of the source cannot be written" in str(error) for error in errors)


def test_files_of_others_stay(tmp_path):
    tiff = write_tiff(str(tmp_path / "a.tif"), make_values("u1", (1, 20, 20)), [])
    target = tmp_path / "image.json"
    target.write_text('{"mine": 1}')
    with pytest.raises(RuntimeError):
        refer(str(target), tiff)
    assert target.read_text() == '{"mine": 1}'
    write_v2(str(tmp_path / "store.json"), np.arange(3), [3])
    (tmp_path / "store.json" / "mine").write_text("1")
    with pytest.raises(RuntimeError):
        refer(str(tmp_path / "store.json"), tiff)
    assert (tmp_path / "store.json" / "mine").read_text() == "1"


def test_references_are_made_of_a_source(tmp_path):
    driver = gdal.GetDriverByName("Zarr")
    with pytest.raises(RuntimeError, match="creation option FORMAT: expected ZARR_V2"):
        driver.Create(str(tmp_path / "a.json"), 4, 4, 1, gdal.GDT_Byte, ["FORMAT=KERCHUNK"])
    with pytest.raises(RuntimeError, match="creation option FORMAT: expected ZARR_V2"):
        driver.CreateMultiDimensional(str(tmp_path / "b.json"), [], ["FORMAT=KERCHUNK"])
    assert os.listdir(tmp_path) == []
    assert GDAL_VERSION >= 306
