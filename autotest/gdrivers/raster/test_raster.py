# SPDX-License-Identifier: MIT
"""The classic raster API: the array that is shown, its properties, and windows of it."""

import json

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_json, write_v1, write_v2, write_v2_group, write_v3, write_v3_group

RELIEF = np.arange(37 * 53, dtype="<i2").reshape(37, 53) - 900


def open_raster(name, *options):
    return gdal.OpenEx(name, gdal.OF_RASTER, allowed_drivers=["Zarr"], open_options=options)


_OPEN = []


@pytest.fixture(autouse=True)
def close():
    yield
    _OPEN.clear()


def open_band(name, number=1):
    """Opens a band, and keeps its dataset alive, which Python would close."""
    _OPEN.append(open_raster(name))
    return _OPEN[-1].GetRasterBand(number)


def subdatasets(dataset):
    return [name for name, _ in dataset.GetSubDatasets()]


# --- which array ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_v1, write_v2, write_v3])
def test_array_at_the_root_is_the_raster(store, write):
    write(store, RELIEF, [10, 20])
    dataset = open_raster(store)
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (53, 37, 1)
    assert dataset.GetRasterBand(1).DataType == gdal.GDT_Int16
    assert np.array_equal(dataset.ReadAsArray(), RELIEF)


def test_only_array_of_two_dimensions_is_the_main_one(store):
    write_v3_group(store)
    write_v3(f"{store}/dem", RELIEF, [10, 20], names=["y", "x"])
    write_v3(f"{store}/x", np.arange(53.0), names=["x"])
    write_v3(f"{store}/y", np.arange(37.0), names=["y"])
    dataset = open_raster(store)
    assert dataset.RasterCount == 1
    assert np.array_equal(dataset.ReadAsArray(), RELIEF)


def test_several_arrays_are_subdatasets(store):
    write_v2_group(store, {"title": "two"})
    write_v2(f"{store}/a", RELIEF)
    write_v2(f"{store}/g/b", RELIEF.astype("<f4"))
    write_v2_group(f"{store}/g")
    write_v2(f"{store}/line", np.arange(4))
    dataset = open_raster(store)
    assert dataset.RasterCount == 0
    assert dataset.GetSubDatasets() == [
        (f'ZARR:"{store}":/a', "[37x53] /a (Int16)"),
        (f'ZARR:"{store}":/g/b', "[37x53] /g/b (Float32)"),
    ]
    assert dataset.GetMetadataItem("title") == "two"
    assert np.array_equal(gdal.Open(subdatasets(dataset)[1]).ReadAsArray(), RELIEF)


def test_list_all_arrays_lists_those_of_one_dimension_too(store):
    write_v2_group(store)
    write_v2(f"{store}/a", RELIEF)
    write_v2(f"{store}/line", np.arange(4))
    assert open_raster(store).RasterCount == 1
    dataset = open_raster(store, "LIST_ALL_ARRAYS=YES")
    assert subdatasets(dataset) == [f'ZARR:"{store}":/a', f'ZARR:"{store}":/line']


def test_overviews_are_not_main_arrays(store):
    write_v3_group(store)
    write_v3(f"{store}/dem", RELIEF)
    write_v3_group(f"{store}/ovr_2x")
    write_v3(f"{store}/ovr_2x/dem", RELIEF[::2, ::2])
    assert open_raster(store).RasterXSize == 53


def test_broken_array_beside_a_good_one_is_left_out_with_a_warning(store):
    write_v2_group(store)
    write_v2(f"{store}/good", RELIEF)
    write_json(f"{store}/bad/.zarray", {"zarr_format": 2})
    with collect_errors() as errors:
        dataset = open_raster(store)
    assert dataset.RasterXSize == 53
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert "bad/.zarray" in errors[0][1]


def test_strings_are_no_raster(store):
    write_v2(store, np.array([["a", "b"]], "<U1"))
    with pytest.raises(RuntimeError, match="not a numeric array"):
        open_raster(store)


# --- dimensions and bands -------------------------------------------------------------------------------------------

CUBE = np.arange(3 * 2 * 5 * 7, dtype="<i4").reshape(3, 2, 5, 7)


def test_other_dimensions_are_bands_in_c_order(store):
    write_v3(store, CUBE, [2, 1, 3, 4], names=["time", "level", "y", "x"])
    dataset = open_raster(store)
    assert dataset.RasterCount == 6
    assert np.array_equal(dataset.ReadAsArray(), CUBE.reshape(6, 5, 7))
    assert np.array_equal(dataset.GetRasterBand(4).ReadAsArray(), CUBE[1, 1])
    assert dataset.GetRasterBand(4).GetMetadata() == {"DIM_time_INDEX": "1", "DIM_level_INDEX": "1"}


def test_band_metadata_have_coordinates_and_units(store):
    write_v3_group(store)
    write_v3(f"{store}/v", CUBE[:, 0].copy(), names=["time", "y", "x"])
    write_v3(f"{store}/time", np.array([0.5, 1.5, 2.5]), names=["time"], attributes={"units": "days since 2000-01-01"})
    band = open_band(store, 2)
    assert band.GetMetadata() == {
        "DIM_time_INDEX": "1",
        "DIM_time_VALUE": "1.5",
        "DIM_time_UNIT": "days since 2000-01-01",
        "DIM_time_ISO8601": "2000-01-02T12:00:00Z",
    }


def test_multiband_no_lists_slices(store):
    write_v3_group(store)
    write_v3(f"{store}/v", CUBE, names=["time", "level", "y", "x"])
    dataset = open_raster(store, "MULTIBAND=NO")
    names = subdatasets(dataset)
    assert names[3] == f'ZARR:"{store}":/v:1:1'
    assert "index 1 of time, index 1 of level" in dataset.GetSubDatasets()[3][1]
    assert np.array_equal(gdal.Open(names[3]).ReadAsArray(), CUBE[1, 1])


@pytest.mark.parametrize("indices", ["3:0", "0", "0:0:0"])
def test_indices_that_do_not_fit_are_an_error(store, indices):
    write_v3_group(store)
    write_v3(f"{store}/v", CUBE)
    with pytest.raises(RuntimeError, match="expected"):
        open_raster(f'ZARR:"{store}":/v:{indices}')


@pytest.mark.parametrize("options", [("DIM_X=time", "DIM_Y=x"), ("DIM_X=0", "DIM_Y=3")])
def test_dim_x_and_dim_y_choose_the_axes(store, options):
    write_v3(store, CUBE, names=["time", "level", "y", "x"])
    dataset = open_raster(store, *options)
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (3, 7, 10)
    assert np.array_equal(dataset.ReadAsArray(), CUBE.transpose(1, 2, 3, 0).reshape(10, 7, 3))


def test_dim_x_that_is_none_is_an_error(store):
    write_v3(store, CUBE)
    with pytest.raises(RuntimeError, match='DIM_X: expected the name or index of a dimension, got "4"'):
        open_raster(store, "DIM_X=4")


def test_x_and_y_by_name_may_come_first(store):
    write_v3(store, CUBE[0].copy(), names=["Y", "X", "Band"])
    dataset = open_raster(store)
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (5, 2, 7)
    assert dataset.GetMetadataItem("INTERLEAVE", "IMAGE_STRUCTURE") == "PIXEL"
    assert np.array_equal(dataset.ReadAsArray(), CUBE[0].transpose(2, 0, 1))


def test_one_dimension_is_one_row(store):
    write_v2(store, np.arange(9, dtype="u1"))
    assert open_raster(store).ReadAsArray().tolist() == [list(range(9))]


def test_an_axis_beyond_the_limit_of_gdal_is_an_error(store):
    write_v3(store, np.zeros((1, 1), "u1"))
    meta = json.load(open(f"{store}/zarr.json"))
    meta["shape"] = [2**31, 4]
    write_json(f"{store}/zarr.json", meta)
    with pytest.raises(RuntimeError, match="2147483648; use the multidimensional API"):
        open_raster(store)


# --- windows --------------------------------------------------------------------------------------------------------

EDGES = [[10, 1, 26], [20, 5, 28]]


@pytest.mark.parametrize("edges", [None, EDGES])
@pytest.mark.parametrize("window", [(0, 0, 53, 37), (3, 5, 40, 30), (20, 10, 5, 1), (52, 36, 1, 1)])
@pytest.mark.parametrize("threads", ["1", "4"])
def test_windows_are_read(store, edges, window, threads):
    write_v3(store, RELIEF, [10, 20], edges=edges, compress=True)
    x, y, width, height = window
    gdal.SetConfigOption("GDAL_NUM_THREADS", threads)
    try:
        got = open_band(store).ReadAsArray(*window)
    finally:
        gdal.SetConfigOption("GDAL_NUM_THREADS", None)
    assert np.array_equal(got, RELIEF[y : y + height, x : x + width])


def test_window_of_another_type_is_rounded_as_gdal_does(store):
    write_v3(store, np.array([[1.5, -2.5, 300.0, np.nan]]), fill="NaN")
    got = np.frombuffer(open_band(store).ReadRaster(buf_type=gdal.GDT_Byte), "u1")
    assert got.tolist() == [2, 0, 255, 0]


def test_the_callers_buffer_may_have_any_spacing(store):
    write_v3(store, CUBE[0].copy(), [1, 2, 3])
    dataset = open_raster(store)
    out = dataset.ReadRaster(buf_pixel_space=8, buf_line_space=56, buf_band_space=4)
    assert np.array_equal(np.frombuffer(out, "<i4").reshape(5, 7, 2), CUBE[0].transpose(1, 2, 0))


def test_bands_may_be_read_in_any_order(store):
    write_v3(store, CUBE[:, 0].copy())
    got = open_raster(store).ReadRaster(band_list=[3, 1, 2])
    assert np.array_equal(np.frombuffer(got, "<i4").reshape(3, 5, 7), CUBE[[2, 0, 1], 0])


def test_a_read_may_be_resampled(store):
    write_v3(store, RELIEF, [10, 20])
    got = open_band(store).ReadAsArray(0, 0, 52, 36, 26, 18)
    expected = gdal.GetDriverByName("MEM").Create("", 53, 37, 1, gdal.GDT_Int16)
    expected.WriteArray(RELIEF)
    assert np.array_equal(got, expected.GetRasterBand(1).ReadAsArray(0, 0, 52, 36, 26, 18))


def test_blocks_are_chunks_and_cut_at_the_edge(store):
    data = np.arange(300 * 200, dtype="<u2").reshape(300, 200)
    write_v3(store, data, [128, 96])
    band = open_band(store)
    assert band.GetBlockSize() == [96, 128]
    block = np.frombuffer(band.ReadBlock(2, 2), "<u2").reshape(128, 96)
    assert np.array_equal(block[:44, :8], data[256:, 192:])


def test_blocks_of_a_rectilinear_grid_follow_the_prevailing_edge(store):
    data = np.zeros((400, 300), "u1")
    write_v3(store, data, edges=[[100, 100, 70, 130], [8] * 37 + [4]])
    assert open_band(store).GetBlockSize() == [64, 100]


def test_missing_chunks_are_the_fill_value(store):
    write_v3(store, RELIEF, [10, 20], fill=-5, skip={(1, 1)})
    expected = RELIEF.copy()
    expected[10:20, 20:40] = -5
    assert np.array_equal(open_raster(store).ReadAsArray(), expected)


def test_truncated_chunk_is_one_error_and_no_values(store):
    write_v3(store, RELIEF, [10, 20])
    with open(f"{store}/c/1/2", "r+b") as f:
        f.truncate(100)
    with pytest.raises(RuntimeError, match=r"test.zarr/c/1/2: bytes: expected 400 bytes, got 100 \(chunk \[1,2\]\)"):
        open_raster(store).ReadAsArray()
    assert np.array_equal(open_raster(store).ReadAsArray(0, 0, 40, 10), RELIEF[:10, :40])


def test_progress_can_cancel(store):
    write_v3(store, RELIEF, [2, 2])
    with pytest.raises(RuntimeError, match="cancelled"):
        open_band(store).ReadRaster(callback=lambda share, message, data: 0)


# --- metadata of values ----------------------------------------------------------------------------------------------


def test_attributes_describe_the_values(store):
    attributes = {
        "_FillValue": -9999,
        "scale_factor": 0.1,
        "add_offset": 20,
        "units": "K",
        "long_name": "temperature",
        "levels": [1, 2],
    }
    write_v3(store, RELIEF, attributes=attributes)
    dataset = open_raster(store)
    band = dataset.GetRasterBand(1)
    assert band.GetNoDataValue() == -9999
    assert (band.GetScale(), band.GetOffset(), band.GetUnitType()) == (0.1, 20, "K")
    assert dataset.GetMetadata() == {"long_name": "temperature", "levels": "{1,2}"}


def test_nodata_of_64_bits_is_exact(store):
    write_v2(store, np.zeros((2, 2), "<u8"), fill=2**64 - 1)
    assert open_band(store).GetNoDataValue() == 2**64 - 1


def test_color_interpretation_is_read(store):
    attributes = {"COLOR_INTERPRETATION": ["Red", "Green", "Blue"]}
    write_v3(store, CUBE[:, 0].copy(), attributes=attributes)
    dataset = open_raster(store)
    colors = [dataset.GetRasterBand(i).GetColorInterpretation() for i in (1, 2, 3)]
    assert colors == [gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand]


# --- georeferencing -------------------------------------------------------------------------------------------------


def utm():
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    return srs


def write_georeferenced(store, attributes, x=None, y=None, more=None):
    write_v3_group(store)
    write_v3(f"{store}/dem", RELIEF, names=["y", "x"], attributes=attributes)
    write_v3(f"{store}/x", 500000.0 + 30 * np.arange(53) if x is None else x, names=["x"])
    write_v3(f"{store}/y", 5000000.0 - 30 * np.arange(37) if y is None else y, names=["y"])
    for name, value in (more or {}).items():
        write_v3(f"{store}/{name}", np.zeros((), "<i4"), attributes=value)
    return open_raster(f'ZARR:"{store}":/dem')


def test_coordinates_are_those_of_pixel_centres(store):
    dataset = write_georeferenced(store, {})
    assert dataset.GetGeoTransform() == (499985.0, 30.0, 0.0, 5000015.0, 0.0, -30.0)
    assert dataset.GetSpatialRef() is None


def test_coordinates_that_are_not_regular_give_no_geotransform(store):
    x = 500000.0 + 30 * np.arange(53)
    x[7] += 1
    assert write_georeferenced(store, {}, x=x).GetGeoTransform(can_return_null=True) is None


def test_descending_float32_coordinates_are_regular(store):
    y = (89.95 - 0.1 * np.arange(37)).astype("<f4")
    x = (-179.95 + 0.1 * np.arange(53)).astype("<f4")
    got = write_georeferenced(store, {}, x=x, y=y).GetGeoTransform()
    assert got == pytest.approx((-180.0, 0.1, 0.0, 90.0, 0.0, -0.1), abs=1e-14, rel=1e-14)


@pytest.mark.parametrize(
    "crs",
    [
        {"url": "http://www.opengis.net/def/crs/EPSG/0/32633"},
        {"wkt": utm().ExportToWkt()},
        {"projjson": json.loads(utm().ExportToPROJJSON())},
        utm().ExportToWkt(),
        "EPSG:32633",
    ],
)
def test_the_crs_of_gdal_is_read(store, crs):
    srs = write_georeferenced(store, {"_CRS": crs}).GetSpatialRef()
    assert srs.IsSame(utm())


@pytest.mark.parametrize("mapping", ["spatial_ref", "spatial_ref: x y", "/spatial_ref"])
def test_the_crs_of_a_cf_grid_mapping_is_read(store, mapping):
    variable = {"crs_wkt": utm().ExportToWkt(), "grid_mapping_name": "transverse_mercator"}
    dataset = write_georeferenced(store, {"grid_mapping": mapping}, more={"spatial_ref": variable})
    assert dataset.GetSpatialRef().IsSame(utm())
    assert "grid_mapping" not in dataset.GetMetadata()


def test_the_geotransform_of_rioxarray_is_read(store):
    variable = {"spatial_ref": utm().ExportToWkt(), "GeoTransform": "100.0 10.0 0.0 200.0 0.0 -10.0"}
    x = np.append(500000.0 + 30 * np.arange(52), 0)  # not regular
    dataset = write_georeferenced(store, {"grid_mapping": "spatial_ref"}, x=x, more={"spatial_ref": variable})
    assert dataset.GetGeoTransform() == (100, 10, 0, 200, 0, -10)


def test_geographic_axes_are_longitude_first(store):
    srs = write_georeferenced(store, {"_CRS": "EPSG:4326"}).GetSpatialRef()
    assert srs.GetDataAxisToSRSAxisMapping() == [2, 1]


def test_crs_that_is_none_is_a_warning(store):
    with collect_errors() as errors:
        assert write_georeferenced(store, {"_CRS": "nonsense"}).GetSpatialRef() is None
    message = f'{store}/dem/zarr.json: /attributes/_CRS: expected a coordinate reference system, got "nonsense"'
    assert errors == [(gdal.CE_Warning, message)]


@pytest.mark.parametrize("fill", [0, 513])
def test_a_window_may_be_larger_than_the_caches(store, fill):
    """The window has 32 MiB or more, for which rows are written past the processor's caches."""
    data = np.random.default_rng(1).integers(0, 60000, (4099, 4200), "u2")
    data[500:1000, 601:1202] = fill
    write_v2(store, data, chunks=(500, 601), fill=fill, skip={(1, 1)})
    assert (gdal.Open(store).ReadAsArray() == data).all()
