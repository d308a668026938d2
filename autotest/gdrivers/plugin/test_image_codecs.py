# SPDX-License-Identifier: MIT
"""Chunks that are images, as references to image files have them. GDAL's drivers of these formats write them."""

import base64

import numpy as np
import pytest
from gdal_files import make_tiff_block, read_gdal, write_with_gdal
from osgeo import gdal
from stores import open_array, write_bytes, write_json


def write_image(path, shape, dtype, chunk, codec_id, **codec):
    meta = {
        "zarr_format": 2,
        "shape": shape,
        "chunks": shape,
        "dtype": dtype,
        "compressor": {"id": codec_id, **codec},
        "filters": None,
        "order": "C",
        "fill_value": 0,
    }
    write_json(f"{path}/.zarray", meta)
    write_bytes(f"{path}/{'.'.join('0' for _ in shape)}", chunk)


def make_bands(count, size=(30, 41)):
    """Smooth bands that differ."""
    rows, columns = np.mgrid[: size[0], : size[1]]
    return np.array([rows * 3 + columns * (b + 1) + 7 * b for b in range(count)]).astype("u1")


def test_grey_jpeg(store):
    image = write_with_gdal("JPEG", make_bands(1)[0])
    write_image(store, [30, 41], "|u1", image, "imagecodecs_jpeg", level=None, colorspace_data=None, tables=None)
    assert np.array_equal(open_array(store).ReadAsArray(), read_gdal(image))
    assert np.array_equal(gdal.Open(store).ReadAsArray(), read_gdal(image))


@pytest.mark.parametrize("colours", [{}, {"colorspace_data": 2}, {"colorspace_data": "RGB", "colorspace_jpeg": "YCBCR"}])
@pytest.mark.parametrize("progressive", ["NO", "YES"])
def test_jpeg_in_colours(store, colours, progressive):
    image = write_with_gdal("JPEG", make_bands(3), ["PROGRESSIVE=" + progressive])
    write_image(store, [1, 30, 41, 3], "|u1", image, "imagecodecs_jpeg", **colours)
    assert np.array_equal(open_array(store).ReadAsArray()[0], read_gdal(image).transpose(1, 2, 0))


def test_jpeg_of_other_colours_than_the_array(store):
    image = write_with_gdal("JPEG", make_bands(3))
    write_image(store, [30, 41], "|u1", image, "imagecodecs_jpeg")
    with pytest.raises(RuntimeError, match=r"imagecodecs_jpeg: expected an image of shape \[30,41\], got .*\[30,41,3\]"):
        open_array(store).ReadAsArray()


def test_strips_of_jpeg_in_tiff_have_their_tables_elsewhere(store):
    data = make_bands(1)[0]
    content = write_with_gdal("GTiff", data, ["COMPRESS=JPEG", "JPEGTABLESMODE=1", "BLOCKYSIZE=32"])
    gdal.FileFromMemBuffer("/vsimem/tables.tif", content)
    dataset = gdal.Open("/vsimem/tables.tif")
    band = dataset.GetRasterBand(1)
    tables = bytes.fromhex(band.GetMetadataItem("JPEGTABLES", "TIFF"))
    offset, size = (int(band.GetMetadataItem(f"BLOCK_{name}_0_0", "TIFF")) for name in ("OFFSET", "SIZE"))
    dataset = None
    gdal.Unlink("/vsimem/tables.tif")
    strip = content[offset : offset + size]
    write_image(store, [30, 41], "|u1", strip, "imagecodecs_jpeg", tables=base64.b64encode(tables).decode())
    assert np.array_equal(open_array(store).ReadAsArray(), read_gdal(content))
    write_image(store, [30, 41], "|u1", strip, "imagecodecs_jpeg")
    with pytest.raises(RuntimeError, match="the JPEG image cannot be read: "):
        open_array(store).ReadAsArray()


def test_truncated_jpeg_is_an_error(store):
    image = write_with_gdal("JPEG", make_bands(1)[0])
    write_image(store, [30, 41], "|u1", image[: len(image) * 3 // 4], "imagecodecs_jpeg")
    with pytest.raises(RuntimeError, match="the JPEG image cannot be read: [PC]"):
        open_array(store).ReadAsArray()


@pytest.mark.parametrize("bands, options", [(3, {}), (4, {}), (3, {"hasalpha": False}), (4, {"hasalpha": True})])
def test_webp(store, bands, options):
    data = np.maximum(make_bands(bands), 1)  # colours may get lost where alpha is 0
    image = write_with_gdal("WEBP", data, ["LOSSLESS=YES"])
    write_image(store, [30, 41, bands], "|u1", image, "imagecodecs_webp", **options)
    assert np.array_equal(open_array(store).ReadAsArray().transpose(2, 0, 1), data)


def test_webp_with_loss(store):
    image = write_with_gdal("WEBP", make_bands(3), ["QUALITY=60"])
    write_image(store, [30, 41, 3], "|u1", image, "imagecodecs_webp", level=60, lossless=False)
    assert np.array_equal(open_array(store).ReadAsArray().transpose(2, 0, 1), read_gdal(image))
    write_image(store, [30, 41, 4], "|u1", image, "imagecodecs_webp")
    with pytest.raises(RuntimeError, match=r"expected an image of shape \[30,41,4\], got shape \[30,41,3\]"):
        open_array(store).ReadAsArray()


def make_lerc(data, compress="LERC"):
    if f">{compress}<" not in gdal.GetDriverByName("GTiff").GetMetadataItem("DMD_CREATIONOPTIONLIST"):
        pytest.skip(f"this GDAL writes no TIFF files with the compression {compress}, from which the test takes its chunk")
    return make_tiff_block(data, ["COMPRESS=" + compress, "INTERLEAVE=PIXEL"])


@pytest.mark.parametrize("compress", ["LERC", "LERC_DEFLATE", "LERC_ZSTD"])
@pytest.mark.parametrize("dtype", ["u1", "i2", "u2", "i4", "u4", "f4", "f8"])
def test_lerc(store, dtype, compress):
    data = make_bands(1)[0].astype(dtype) * 2
    chunk = make_lerc(data, compress)
    write_image(store, [30, 41], np.dtype(dtype).str, chunk, "imagecodecs_lerc", level=0, planar=None)
    assert np.array_equal(open_array(store).ReadAsArray(), data)


def test_lerc_of_several_samples(store):
    data = make_bands(3).astype("f4")
    write_image(store, [30, 41, 3], "<f4", make_lerc(data), "imagecodecs_lerc")
    assert np.array_equal(open_array(store).ReadAsArray(), data.transpose(1, 2, 0))


def test_lerc_of_another_type(store):
    chunk = make_lerc(make_bands(1)[0].astype("f4"))
    write_image(store, [30, 41], "<i4", chunk, "imagecodecs_lerc")
    with pytest.raises(RuntimeError, match="imagecodecs_lerc: expected LERC's data type 4, got 6"):
        open_array(store).ReadAsArray()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["jpeg", "webp", "lerc"])
def test_images_are_for_reading_only(store, name):
    options = ['CODECS=[{"id": "imagecodecs_%s"}]' % name, "FORMAT=ZARR_V2"]
    with pytest.raises(RuntimeError, match="images cannot be encoded"):
        dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 3, 1, gdal.GDT_Byte, options=options)
        dataset.GetRasterBand(1).WriteArray(np.ones((3, 4), "u1"))
        dataset.FlushCache()
