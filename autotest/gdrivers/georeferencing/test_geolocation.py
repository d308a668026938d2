# SPDX-License-Identifier: MIT
"""Two-dimensional coordinate arrays, packed with a scale and an offset, give the positions of pixels."""

import numpy as np
import pytest
from config_options import set_config_option
from osgeo import gdal
from stores import write_v3, write_v3_group

ROWS, COLUMNS = 5, 7
Y, X = np.mgrid[0:ROWS, 0:COLUMNS]
LONGITUDES = 5 + X + 0.1 * Y
LATITUDES = 50 - Y + 0.1 * X


def write_packed(store, array="v", dtype="<i4", nodata=None):
    """Writes positions as Sentinel-3's OLCI does: integers of 1e-6 degrees."""
    write_v3_group(store)
    data = np.arange(ROWS * COLUMNS, dtype="<u2").reshape(ROWS, COLUMNS)
    write_v3(f"{store}/{array}", data, names=["r", "c"], attributes={"coordinates": "latitude longitude"})
    for name, values, offset in (("longitude", LONGITUDES, 0), ("latitude", LATITUDES, 45.5)):
        packed = np.rint((values - offset) * 1e6).astype(dtype)
        attributes = {"scale_factor": 1e-6, "units": "degrees_east" if name == "longitude" else "degrees_north"}
        if offset:
            attributes["add_offset"] = offset
        if nodata is not None:
            packed[0, 0] = nodata
            attributes["_FillValue"] = nodata
        write_v3(f"{store}/{name}", packed, names=["r", "c"], attributes=attributes)
    return f'ZARR:"{store}":/{array}'


def positions(name):
    domain = gdal.Open(name).GetMetadata("GEOLOCATION")
    return [gdal.Open(domain[f"{axis}_DATASET"]).ReadAsArray() for axis in "XY"]


@pytest.mark.parametrize("dtype", ["<i4", "<i8", "<f8"])
def test_datasets_of_positions_are_unpacked(store, dtype):
    longitudes, latitudes = positions(write_packed(store, dtype=dtype))
    assert longitudes == pytest.approx(LONGITUDES, abs=1e-9)
    assert latitudes == pytest.approx(LATITUDES, abs=1e-9)


def test_a_transformer_uses_the_positions(store):
    dataset = gdal.Open(write_packed(store))
    transformer = gdal.Transformer(dataset, None, ["METHOD=GEOLOC_ARRAY"])
    ok, point = transformer.TransformPoint(0, 3.5, 2.5)
    assert ok
    assert point[:2] == pytest.approx((LONGITUDES[2, 3], LATITUDES[2, 3]), abs=1e-6)
    ok, point = transformer.TransformPoint(1, LONGITUDES[2, 3], LATITUDES[2, 3])
    assert ok
    assert point[:2] == pytest.approx((3.5, 2.5), abs=0.1)


def test_pixels_may_lack_a_position(store):
    name = write_packed(store, nodata=-2147483648)
    domain = gdal.Open(name).GetMetadata("GEOLOCATION")
    unpacked = gdal.Open(domain["X_DATASET"])
    nowhere = unpacked.GetRasterBand(1).GetNoDataValue()
    assert unpacked.ReadAsArray()[0, 0] == nowhere
    assert unpacked.ReadAsArray()[1] == pytest.approx(LONGITUDES[1], abs=1e-9)
    transformer = gdal.Transformer(gdal.Open(name), None, ["METHOD=GEOLOC_ARRAY"])
    assert not transformer.TransformPoint(0, 0.5, 0.5)[0]


def test_a_name_may_have_signs_of_xml(tmp_path):
    longitudes, _ = positions(write_packed(str(tmp_path / "a&b<c>'d.zarr")))
    assert longitudes == pytest.approx(LONGITUDES, abs=1e-9)


@pytest.mark.parametrize("group", ["", "product", "product/support"])
@pytest.mark.parametrize("form", ["/{0}", "{1}{0}"])
def test_names_of_positions_may_be_paths(store, group, form):
    """CF 1.11, section 2.7: absolute, or relative to the group of the array."""
    write_packed(store)
    names = [form.format(name, "../" * len(group.split("/")) if group else "./") for name in ("latitude", "longitude")]
    path = f"{store}/{group}"
    write_v3_group(f"{store}/product")
    write_v3_group(path)
    write_v3(f"{path}/w", np.zeros((ROWS, COLUMNS), "<u2"), names=["r", "c"], attributes={"coordinates": " ".join(names)})
    array = f"/{group}/w".replace("//", "/")
    assert positions(f'ZARR:"{store}":{array}')[0] == pytest.approx(LONGITUDES, abs=1e-9)
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    found = root.OpenMDArrayFromFullname(array).GetCoordinateVariables()
    assert [variable.GetFullName() for variable in found] == ["/latitude", "/longitude"]


@pytest.mark.parametrize("options", [[], ["INTERLEAVE=PIXEL"]])
def test_positions_are_copied_with_several_bands(store, tmp_path, options):
    write_v3_group(store)
    for name, values, unit in (("lon", LONGITUDES, "degrees_east"), ("lat", LATITUDES, "degrees_north")):
        write_v3(f"{store}/{name}", values.astype("f8"), names=["y", "x"], attributes={"units": unit})
    data = np.arange(2 * LONGITUDES.size).reshape(2, *LONGITUDES.shape).astype("i4")
    write_v3(f"{store}/t", data, names=["b", "y", "x"], attributes={"coordinates": "lat lon"})
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, f'ZARR:"{store}":/t', format="Zarr", creationOptions=["ARRAY_NAME=t", *options])
    name = f'ZARR:"{target}":/t'
    assert np.array_equal(gdal.Open(name).ReadAsArray(), data)
    longitudes, latitudes = positions(name)
    assert np.array_equal(longitudes, LONGITUDES) and np.array_equal(latitudes, LATITUDES)


def write_tiff_of_packed(path, values, scale):
    """Writes positions as multiples of a scale. The first one is missing."""
    dataset = gdal.GetDriverByName("GTiff").Create(path, COLUMNS, ROWS, 1, gdal.GDT_Int16 if scale != 1 else gdal.GDT_Float32)
    band = dataset.GetRasterBand(1)
    packed = np.rint(values / scale) if scale != 1 else values.copy()
    packed[0, 0] = -777
    band.WriteArray(packed)
    band.SetNoDataValue(-777)
    band.SetScale(scale)
    dataset = None
    return path


def make_source_with_domain(tmp_path, scale, items=None):
    source = gdal.GetDriverByName("MEM").Create("", COLUMNS, ROWS, 1, gdal.GDT_Byte)
    domain = {"PIXEL_OFFSET": "0", "LINE_OFFSET": "0", "PIXEL_STEP": "1", "LINE_STEP": "1", "X_BAND": "1", "Y_BAND": "1"}
    domain["X_DATASET"] = write_tiff_of_packed(str(tmp_path / "x.tif"), LONGITUDES, scale)
    domain["Y_DATASET"] = write_tiff_of_packed(str(tmp_path / "y.tif"), LATITUDES, scale)
    source.SetMetadata(domain | {"GEOREFERENCING_CONVENTION": "PIXEL_CENTER"} | (items or {}), "GEOLOCATION")
    return source


@pytest.mark.parametrize("item", [("GEOREFERENCING_CONVENTION", "TOP_LEFT_CORNER"), ("SRS", "EPSG:4230"), ("SRS", "EPSG:4326")])
def test_other_positions_stay_in_their_domain(tmp_path, item):
    """Arrays of positions are those of the centres of pixels, in WGS 84."""
    source = make_source_with_domain(tmp_path, 1, dict([item]))
    target = str(tmp_path / "copy.zarr")
    with set_config_option("GDAL_PAM_ENABLED", "YES"):
        gdal.GetDriverByName("Zarr").CreateCopy(target, source, options=["ARRAY_NAME=t"])
        domain = gdal.Open(target).GetMetadata("GEOLOCATION")
    names = gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()
    if item[1] == "EPSG:4326":
        assert {"lon", "lat"} <= set(names)
    else:
        assert names == ["t"]
        assert domain == source.GetMetadata("GEOLOCATION")


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("scale", [1, 0.1])
def test_copies_of_packed_positions_are_unpacked(tmp_path, scale, format):
    source = make_source_with_domain(tmp_path, scale)
    target = str(tmp_path / "copy.zarr")
    gdal.GetDriverByName("Zarr").CreateCopy(target, source, options=[f"FORMAT={format}", "ARRAY_NAME=t"])
    root = gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    for name, values in (("lon", LONGITUDES), ("lat", LATITUDES)):
        array = root.OpenMDArray(name)
        read = array.ReadAsArray()
        assert array.GetNoDataValue() == read[0, 0] == (-777 if scale == 1 else -9999)
        assert read.ravel()[1:] == pytest.approx(values.ravel()[1:], abs=1e-5)
    transformer = gdal.Transformer(gdal.Open(f'ZARR:"{target}":/t'), None, ["METHOD=GEOLOC_ARRAY"])
    assert not transformer.TransformPoint(0, 0.5, 0.5)[0]
    assert transformer.TransformPoint(0, 3.5, 2.5)[0]


@pytest.mark.parametrize("times", [1, 2])
def test_positions_may_have_one_time(store, times):
    """As in products of Sentinel-5P. GDAL's transformer has positions of one time only."""
    write_v3_group(store)
    names = ["time", "r", "c"]
    for name, values, attributes in (
        ("v", X, {"coordinates": "longitude latitude"}),
        ("longitude", LONGITUDES, {"units": "degrees_east"}),
        ("latitude", LATITUDES, {"units": "degrees_north"}),
    ):
        write_v3(f"{store}/{name}", np.stack([values.astype("<f4")] * times), names=names, attributes=attributes)
    name = f'ZARR:"{store}":/v'
    if times > 1:
        assert not gdal.Open(name).GetMetadata("GEOLOCATION")
        return
    assert positions(name)[1] == pytest.approx(LATITUDES, abs=1e-5)
    ok, point = gdal.Transformer(gdal.Open(name), None, ["METHOD=GEOLOC_ARRAY"]).TransformPoint(0, 3.5, 2.5)
    assert ok and point[:2] == pytest.approx((LONGITUDES[2, 3], LATITUDES[2, 3]), abs=1e-5)
