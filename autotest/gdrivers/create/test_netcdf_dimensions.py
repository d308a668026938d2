# SPDX-License-Identifier: MIT
"""Copies of rasters whose bands GDAL's netCDF driver describes keep dimensions, coordinates and attributes."""

import json
import pathlib

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr

TIMES, LEVELS = [0, 1, 2, 3], [1000, 850, 500]
ITEMS = {
    "NETCDF_DIM_EXTRA": "{time,level}",
    "NETCDF_DIM_time_DEF": "{4,4}",
    "NETCDF_DIM_time_VALUES": "{0,1,2,3}",
    "NETCDF_DIM_level_DEF": "{3,4}",
    "NETCDF_DIM_level_VALUES": "{1000,850,500}",
    "time#units": "days since 2024-01-01",
    "time#calendar": "noleap",
    "time#standard_name": "time",
    "level#units": "hPa",
    "level#positive": "down",
    "lat#standard_name": "latitude",
    "lon#standard_name": "longitude",
    "crs#grid_mapping_name": "latitude_longitude",
    "t#long_name": "temperature",
    "t#units": "K",
    "t#_FillValue": "-1",
    "NC_GLOBAL#title": "kept",
}


def change_items(change):
    return {name: value for name, value in {**ITEMS, **change}.items() if value is not None}


def make_cube(items=ITEMS, times=TIMES, levels=LEVELS, code=4326):
    """As GDAL's netCDF driver shows a variable t(time, level, lat, lon)."""
    dataset = gdal.GetDriverByName("MEM").Create("", 5, 4, len(times) * len(levels), gdal.GDT_Int16)
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(code)
    dataset.SetSpatialRef(crs)
    dataset.SetGeoTransform((0, 1, 0, 60, 0, -1) if code == 4326 else (500000, 1000, 0, 5900000, 0, -1000))
    dataset.SetMetadata(items)
    for i in range(dataset.RasterCount):
        band = dataset.GetRasterBand(i + 1)
        place = {"NETCDF_DIM_time": times[i // len(levels)], "NETCDF_DIM_level": levels[i % len(levels)]}
        others = {"NETCDF_VARNAME": "t", "units": "K", "_FillValue": "-1", "long_name": "temperature", "grid_mapping": "crs"}
        band.SetMetadata({name: str(value) for name, value in {**place, **others}.items()})
        band.SetUnitType("K")
        band.SetNoDataValue(-1)
        band.WriteArray(np.full((4, 5), i))
    return dataset


def copy(store, source, *options):
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["FORMAT=ZARR_V3", "ARRAY_NAME=a", *options])
    return json.load(open(f"{store}/a/zarr.json"))


def open_root(store):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()


def read_coordinates(store, name):
    array = open_root(store).OpenMDArray(name)
    return array.ReadAsArray().tolist(), json.load(open(f"{store}/{name}/zarr.json"))["attributes"]


def test_dimensions_and_coordinates_are_kept(store):
    document = copy(store, make_cube())
    assert document["dimension_names"] == ["time", "level", "lat", "lon"] and document["shape"] == [4, 3, 4, 5]
    values, attributes = read_coordinates(store, "time")
    assert (values, attributes["units"], attributes["calendar"]) == (TIMES, "days since 2024-01-01", "noleap")
    values, attributes = read_coordinates(store, "level")
    assert (values, attributes) == (LEVELS, {"units": "hPa", "positive": "down"})
    dataset = gdal.Open(f'ZARR:"{store}":/a')
    band = dataset.GetRasterBand(5)
    assert band.GetDescription() == "2024-01-02T00:00:00Z, level=850 hPa"
    assert band.ReadAsArray().tolist() == np.full((4, 5), 4).tolist()


def test_packed_and_missing_coordinates_are_told_as_they_are_meant(store):
    items = {
        "level#scale_factor": "0.5", "level#add_offset": "10", "level#valid_range": "{0,2000}", "time#_FillValue": "3",
        "time#scale_factor": "2",
    }  # fmt: skip
    copy(store, make_cube(change_items(items)))
    values, attributes = read_coordinates(store, "level")
    assert values == [510, 435, 260] and attributes == {"units": "hPa", "positive": "down", "valid_range": [10, 1010]}
    assert read_coordinates(store, "time")[0][:3] == [0, 2, 4] and np.isnan(read_coordinates(store, "time")[0][3])
    dataset = gdal.Open(f'ZARR:"{store}":/a')
    assert dataset.GetRasterBand(4).GetDescription() == "2024-01-03T00:00:00Z, level=510 hPa"
    assert dataset.GetRasterBand(10).GetMetadataItem("DIM_time_ISO8601") is None


@pytest.mark.parametrize("kind, levels, shown", [(1, [-56, -3, 5], [200, 253, 5]), (4, [-1, 3, 4], [2**32 - 1, 3, 4])])
def test_unsigned_coordinates_are_told_as_they_are_meant(store, kind, levels, shown):
    items = {
        "NETCDF_DIM_level_DEF": f"{{3,{kind}}}", "NETCDF_DIM_level_VALUES": f"{{{','.join(map(str, levels))}}}",
        "level#_Unsigned": "true", "level#valid_max": "-1", "level#scale_factor": "0.5",
    }  # fmt: skip
    copy(store, make_cube(change_items(items), levels=levels))
    values, attributes = read_coordinates(store, "level")
    assert values == [value / 2 for value in shown]
    assert attributes == {"units": "hPa", "positive": "down", "valid_max": (256**kind - 1) / 2}
    assert float(gdal.Open(f'ZARR:"{store}":/a').GetRasterBand(1).GetMetadataItem("DIM_level_VALUE")) == shown[0] / 2


def test_wide_unsigned_levels_keep_their_meaning(store):
    """GDAL's 64-bit numbers of bands are not changed: the copied attribute says what they mean."""
    items = {"NETCDF_DIM_level_DEF": "{2,10}", "NETCDF_DIM_level_VALUES": "{-1,3}", "level#_Unsigned": "true"}
    copy(store, make_cube(change_items(items), levels=[-1, 3]))
    level = json.load(open(f"{store}/level/zarr.json"))
    assert (level["data_type"], level["attributes"].get("_Unsigned")) in (("int64", "true"), ("uint64", None))


def test_one_step_is_a_dimension(store):
    items = {"NETCDF_DIM_time_DEF": "{1,4}", "NETCDF_DIM_time_VALUES": "2", "NETCDF_DIM_level_DEF": "{1,4}", "NETCDF_DIM_level_VALUES": "850"}
    array = copy(store, make_cube(change_items(items), [2], [850]))
    assert array["dimension_names"] == ["time", "level", "lat", "lon"] and array["shape"][:2] == [1, 1]
    time = json.load(open(f"{store}/time/zarr.json"))
    assert time["attributes"]["units"] == "days since 2024-01-01" and time["attributes"]["calendar"] == "noleap"


def test_metadata_say_nothing_twice(store):
    attributes = copy(store, make_cube())["attributes"]
    assert "gdal:bands" not in attributes
    assert not [name for name in attributes if "#" in name and not name.startswith("NC_GLOBAL#")]
    assert (attributes["long_name"], attributes["units"], attributes["NETCDF_VARNAME"]) == ("temperature", "K", "t")
    assert attributes["NC_GLOBAL#title"] == "kept"
    assert not [name for name in attributes if name.startswith("NETCDF_DIM")]
    assert gdal.Open(f'ZARR:"{store}":/a').GetRasterBand(1).GetNoDataValue() == -1


PROJECTED = {
    "lat#standard_name": None, "lon#standard_name": None, "y#standard_name": "projection_y_coordinate", "x#standard_name": "projection_x_coordinate",
    "y#units": "m", "x#units": "m",
}  # fmt: skip
BARE = {"lat#standard_name": None, "lon#standard_name": None, "lat#comment": "kept", "lon#comment": "kept"}


@pytest.mark.parametrize(
    "change, start, code, names",
    [
        ({}, 4326, 4258, ["lat", "lon"]),
        ({}, 4326, 32631, ["Y", "X"]),
        (BARE, 4326, 4258, ["lat", "lon"]),
        (BARE, 4326, 32631, ["Y", "X"]),
        (PROJECTED, 32631, 3035, ["y", "x"]),
        (PROJECTED, 32631, 4326, ["Y", "X"]),
    ],
)
def test_a_warped_raster_has_the_axes_of_its_crs(store, change, start, code, names):
    """Other formats keep the items of the file that was warped."""
    warped = gdal.Warp("", make_cube(change_items(change), code=start), format="MEM", dstSRS=f"EPSG:{code}")
    document = copy(store, warped)
    assert document["dimension_names"] == ["time", "level", *names]
    words = ["latitude", "longitude"] if code in (4326, 4258) else ["projection_y_coordinate", "projection_x_coordinate"]
    assert [read_coordinates(store, name)[1]["standard_name"] for name in names] == words
    kept = document["attributes"] if "X" in names else read_coordinates(store, names[0])[1]
    assert change is not BARE or "kept" in (kept.get("lat#comment"), kept.get("comment"))


def test_a_part_of_the_bands_has_a_part_of_the_coordinates(store):
    part = gdal.Translate("", make_cube(), format="VRT", bandList=[4, 6, 10, 12])
    document = copy(store, part)
    assert document["dimension_names"][:2] == ["time", "level"] and document["shape"][:2] == [2, 2]
    assert read_coordinates(store, "time")[0] == [1, 3]
    assert read_coordinates(store, "level")[0] == [1000, 500]


def test_bands_that_are_no_grid_keep_their_places(store):
    part = gdal.Translate("", make_cube(), format="VRT", bandList=[1, 2, 4])
    assert copy(store, part)["dimension_names"][0] == "Band"
    assert gdal.Open(f'ZARR:"{store}":/a').GetRasterBand(3).GetMetadataItem("DIM_time_VALUE") == "1"


@pytest.mark.parametrize(
    "change",
    [
        {"NETCDF_DIM_time_VALUES": None},
        {"NETCDF_DIM_time_VALUES": "{0,1}"},
        {"NETCDF_DIM_time_DEF": "{5,4}"},
        {"NETCDF_DIM_time_VALUES": "{5,6,7,8}"},
        {"NETCDF_DIM_EXTRA": "{time"},
        {"NETCDF_DIM_EXTRA": ""},
    ],
)
def test_items_that_contradict_each_other_are_metadata(store, change):
    with collect_errors() as errors:
        document = copy(store, make_cube(change_items(change)))
    assert [text for _, text in errors if "do not give each band a place" in text]
    assert document["dimension_names"] == ["Band", "Y", "X"]
    assert "NETCDF_DIM_level_VALUES" in document["attributes"]


COUNTED = {"NETCDF_DIM_level_DEF": None, "NETCDF_DIM_level_VALUES": None, "level#units": None, "level#positive": None}


@pytest.mark.parametrize("bands, sizes", [(None, [4, 3]), ([4, 6, 10, 12], [2, 2])])
def test_a_dimension_may_have_no_coordinates(store, bands, sizes):
    """GDAL counts its indices from 1."""
    source = make_cube(change_items(COUNTED), levels=[1, 2, 3])
    document = copy(store, gdal.Translate("", source, format="VRT", bandList=bands) if bands else source)
    assert document["dimension_names"] == ["time", "level", "lat", "lon"] and document["shape"][:2] == sizes
    assert read_coordinates(store, "time")[1]["calendar"] == "noleap"
    assert sorted(path.name for path in pathlib.Path(store).iterdir() if path.is_dir()) == ["a", "lat", "lon", "spatial_ref", "time"]
    assert (document["attributes"]["long_name"], document["attributes"]["units"]) == ("temperature", "K")
    values = gdal.Open(f'ZARR:"{store}":/a').ReadAsArray()[:, 0, 0].tolist()
    assert values == ([number - 1 for number in bands] if bands else list(range(12)))


@pytest.mark.parametrize("values, is_kept", [("{a,a,b}", True), ("{a,b,c,d}", False), ("{abc}", False)])
def test_coordinates_may_be_text(store, values, is_kept):
    """GDAL does not give text in bands, and strings with commas cannot be told apart."""
    items = change_items({**COUNTED, "NETCDF_DIM_level_DEF": "{3,12}", "NETCDF_DIM_level_VALUES": values, "level#note": "n"})
    with collect_errors() as errors:
        document = copy(store, make_cube(items, levels=["", "", ""]))
    assert document["dimension_names"] == ["time", "level", "lat", "lon"] and document["shape"][:2] == [4, 3]
    assert bool([text for _, text in errors if "coordinates level are not copied" in text]) != is_kept
    if is_kept:
        assert open_root(store).OpenMDArray("level").Read() == ["a", "a", "b"]
    assert document["attributes"].get("level#note") == (None if is_kept else "n")


def test_codes_of_digits_stay_text(store):
    items = change_items({**COUNTED, "NETCDF_DIM_level_DEF": "{3,12}", "NETCDF_DIM_level_VALUES": "{007,008,010}", "level#note": "007"})
    copy(store, make_cube(items, levels=["", "", ""]))
    level = open_root(store).OpenMDArray("level")
    assert level.Read() == ["007", "008", "010"] and level.GetAttribute("note").Read() == "007"


def test_years_have_no_times(store):
    values, attributes = read_coordinates_of(store, {**ITEMS, "time#units": "years since 2000-01-01"})
    assert (values, attributes["units"]) == (TIMES, "years since 2000-01-01")


def read_coordinates_of(store, items):
    copy(store, make_cube(items))
    return read_coordinates(store, "time")


@pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL has no netCDF driver")
def test_a_netcdf_file_becomes_the_cube_that_it_was(store, tmp_path):
    source = str(tmp_path / "source.zarr")
    copy(source, make_cube())
    multidim = gdal.MultiDimTranslate(str(tmp_path / "cube.nc"), source, format="netCDF")
    del multidim
    cube = gdal.Open(f"NETCDF:{tmp_path}/cube.nc:a")
    assert cube.RasterCount == 12
    document = copy(store, cube)
    assert document["dimension_names"] == ["time", "level", "lat", "lon"]
    assert read_coordinates(store, "time")[0] == TIMES and read_coordinates(store, "level")[0] == LEVELS
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/a').ReadAsArray()[:, 0, 0], np.arange(12))


@pytest.mark.parametrize("transform, is_kept", [("{1,0,0,0,1,56,0,0,1}", False), ("{1,0,0,0,1,56}", False), ("linear", True)])
def test_the_transform_of_rasterio_is_left_out(store, transform, is_kept):
    """GDAL may have turned the rows round, so that it contradicts that of the raster."""
    source = make_cube({**ITEMS, "t#transform": transform})
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["ARRAY_NAME=t"])
        assert gdal.Open(f'ZARR:"{store}":/t').GetGeoTransform() == source.GetGeoTransform()
    assert errors == []
    array = open_root(store).OpenMDArray("t")
    assert ("transform" in [attribute.GetName() for attribute in array.GetAttributes()]) == is_kept
