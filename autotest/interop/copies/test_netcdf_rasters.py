# SPDX-License-Identifier: MIT
"""gdal_translate of netCDF variables: what GDAL tells of them by metadata items becomes attributes and coordinates of the copy."""

import numpy as np
import pytest
import sources
from compare import read_netcdf, read_store
from errors import collect_errors
from netcdf_file import netCDF4
from osgeo import gdal

pytestmark = pytest.mark.skipif(netCDF4 is None, reason="python3-netcdf4 makes the files; it is not installed")
VERSIONS = ["ZARR_V2", "ZARR_V3"]


def translate(source, variable, target, version="ZARR_V3", **more):
    opened = gdal.Open(f'NETCDF:"{source}":{variable}')
    with collect_errors() as errors:
        made = gdal.Translate(target, opened, format="Zarr", creationOptions=["FORMAT=" + version, "ARRAY_NAME=" + variable], **more)
    assert made and [text for level, text in errors if level >= gdal.CE_Failure] == []
    del made
    return opened, read_store(target)[0]


@pytest.fixture
def target(tmp_path):
    return str(tmp_path / "copy.zarr")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("make, variable", [(sources.cube, "tas"), (sources.era5, "t2m"), (sources.vertical, "t"),
                                            (sources.odd_units, "v"), (sources.single_time, "tas")])  # fmt: skip
def test_coordinates_keep_their_attributes(tmp_path, target, make, variable, version):
    source = make(tmp_path)
    expected = read_netcdf(source)[0]
    _, copied = translate(source, variable, target, version)
    for name in copied[variable].dimensions:
        assert name in expected and copied[name].dimensions == [name]
        for key, value in expected[name].attributes.items():
            assert copied[name].attributes.get(key) == value, (name, key)
        # GDAL's rasters begin in the north.
        np.testing.assert_allclose(np.sort(copied[name].values), np.sort(expected[name].values), rtol=1e-6)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("without", [["level"], ["time"], ["time", "level"]])
def test_a_cube_may_lack_coordinates(tmp_path, target, without, version):
    source = sources.uncounted(tmp_path, without)
    expected = read_netcdf(source)[0]
    _, copied = translate(source, "v", target, version)
    assert copied["v"].dimensions == ["time", "level", "lat", "lon"]
    np.testing.assert_array_equal(copied["v"].values, expected["v"].values)
    assert {**expected["v"].attributes, "NETCDF_VARNAME": "v"}.items() <= copied["v"].attributes.items()
    assert {"time", "level"} - set(copied) == set(without)
    for name in set(expected) - {"v", "w"}:
        assert expected[name].attributes.items() <= copied[name].attributes.items()


@pytest.mark.parametrize("make, name, lost", [(lambda folder: sources.uncounted(folder, []), "w", ["time", "lon"]),
                                              (sources.mesh, "nodes", []), (sources.curvilinear, "sst", [])])  # fmt: skip
def test_lost_coordinates_of_rows_are_named(tmp_path, target, make, name, lost):
    with collect_errors() as errors:
        gdal.Translate(target, f'NETCDF:"{make(tmp_path)}":{name}', format="Zarr", creationOptions=["ARRAY_NAME=" + name])
    told = [text for _, text in errors if "are not copied" in text]
    assert len(told) == len(lost) and all(f"coordinates {word} " in text for word, text in zip(lost, told))


def test_a_variable_of_two_dimensions_is_one(tmp_path, target):
    source = sources.missing(tmp_path)
    _, copied = translate(source, "a", target)
    assert copied["a"].dimensions == ["lat", "lon"]
    assert copied["lat"].attributes["units"] == "degrees_north"


WINDOWS = {
    "srcWin": {"srcWin": [1, 1, 2, 2]},
    "projWin": {"projWin": [5, 52, 7, 50]},
    "outsize": {"width": 8, "height": 6},
    "unscale": {"unscale": True, "outputType": gdal.GDT_Float32},
}


@pytest.mark.parametrize("window", WINDOWS)
def test_a_part_keeps_the_unit(tmp_path, target, window):
    _, copied = translate(sources.packed(tmp_path), "sst", target, **WINDOWS[window])
    assert copied["sst"].attributes["units"] == "K"
    assert gdal.Open(target).GetRasterBand(1).GetUnitType() == "K"


def test_a_range_is_unpacked_with_its_values(tmp_path, target):
    source = sources.packed(tmp_path)
    _, packed = translate(source, "sst", target)
    assert packed["sst"].attributes["valid_range"] == [-300, 4500]
    _, unpacked = translate(source, "sst", target + "2", unscale=True, outputType=gdal.GDT_Float32)
    assert unpacked["sst"].attributes["valid_range"] == pytest.approx([270.15, 318.15])
    assert "scale_factor" not in unpacked["sst"].attributes


def fill_group(f, group, of_dimensions):
    for name, size, told in (("time", 2, {"units": "days since 2000-01-01", "calendar": "noleap"}), ("lat", 3, {"units": "degrees_north"}),
                             ("lon", 4, {"units": "degrees_east"})):  # fmt: skip
        of_dimensions.createDimension(name, size)
        f.add(name, (name,), np.arange(float(size)), group=of_dimensions, **told)
    f.add("v", ("time", "lat", "lon"), sources.ramp(2, 3, 4, kind="i2"), group=group, fill=-9, scale_factor=0.5, level=np.int32(7),
          valid_range=np.array([0, 10], "i2"), missing_value=np.int16(-8))  # fmt: skip


@pytest.mark.parametrize("is_above", [False, True])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_variable_of_a_group_is_copied_like_one_of_the_root(tmp_path, target, version, is_above):
    """Items begin with the full names of variables there."""
    f = sources.File(tmp_path)
    group = f.file.createGroup("of").createGroup("a")
    fill_group(f, group, f.file if is_above else group)
    f.add("v", (), np.int32(0), level="other", group=f.file.createGroup("b"))
    source = f'NETCDF:"{f.done(title="kept")}":/of/a/v'
    options = ["ARRAY_NAME=v", "FORMAT=" + version]
    gdal.Translate(target, source, format="Zarr", creationOptions=options)
    copied = read_store(target)[0]
    if not is_above:  # GDAL finds no coordinates in groups above
        assert copied["v"].dimensions == ["time", "lat", "lon"] and copied["time"].attributes["calendar"] == "noleap"
    told = {"level": 7, "valid_range": [0, 10], "NC_GLOBAL#title": "kept"}
    assert told.items() <= copied["v"].attributes.items() and not [key for key in copied["v"].attributes if key.startswith("/")]
    gdal.Translate(target + "2", source, format="Zarr", creationOptions=options, unscale=True, outputType=gdal.GDT_Float32)
    attributes = read_store(target + "2")[0]["v"].attributes
    assert attributes["valid_range"] == [0, 5] and "missing_value" not in attributes


def test_numbers_that_were_changed_are_those_of_the_copy(tmp_path, target):
    f = sources.File(tmp_path)
    f.axes()
    f.add("v", ("lat", "lon"), sources.ramp(3, 4), orbit=np.int64(123456789), start=20240101.0, part=np.float32(0.1))
    opened = gdal.Open(f.done(date=np.int32(20240131)))
    changed = {"orbit": 123456790, "start": 20240102, "date": 20240132}
    for name, value in changed.items():
        opened.SetMetadataItem(("NC_GLOBAL#" if name == "date" else "v#") + name, str(value))
        opened.GetRasterBand(1).SetMetadataItem(name, str(value) if name != "date" else None)
    gdal.GetDriverByName("Zarr").CreateCopy(target, opened, options=["ARRAY_NAME=v"])
    attributes = read_store(target)[0]["v"].attributes
    assert [attributes[name] for name in ("orbit", "start", "NC_GLOBAL#date")] == list(changed.values())
    assert attributes["part"] == pytest.approx(0.1)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_negative_scale_turns_ranges_round(tmp_path, target, version):
    """Also those of coordinates, which GDAL unpacks."""
    ranges = {"valid_range": np.array([0, 10], "i2"), "valid_min": np.int16(0), "valid_max": np.int16(10)}
    f = sources.File(tmp_path)
    f.dimensions(lat=3, lon=4)
    for name, size, word in (("lat", 3, "north"), ("lon", 4, "east")):
        f.add(name, (name,), np.arange(size, dtype="i2"), units="degrees_" + word, scale_factor=-0.5, add_offset=50.0, **ranges)
    f.add("v", ("lat", "lon"), sources.ramp(3, 4, kind="i2"), scale_factor=-0.5, add_offset=10.0, **ranges)
    _, copied = translate(f.done(), "v", target, version, unscale=True, outputType=gdal.GDT_Float32)
    for name, low, high in (("v", 5, 10), ("lat", 45, 50), ("lon", 45, 50)):
        told = [copied[name].attributes[key] for key in ("valid_range", "valid_min", "valid_max")]
        assert told == [[low, high], low, high] and "scale_factor" not in copied[name].attributes


@pytest.mark.parametrize("make, variable", [(sources.rotated_pole, "lat_vertices"), (sources.bounds, "lat_bnds")])
def test_bands_may_count_latitudes(tmp_path, target, make, variable):
    opened, copied = translate(make(tmp_path), variable, target)
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{target}":/{variable}').ReadAsArray(), opened.ReadAsArray())


def test_positions_of_pixels_become_arrays(tmp_path, target):
    source = sources.curvilinear(tmp_path)
    expected = read_netcdf(source)[0]
    opened, copied = translate(source, "sst", target)
    assert opened.GetMetadata("GEOLOCATION")
    turned = copied["sst"].values[0, 0] != expected["sst"].values[0, 0]  # GDAL's rasters begin in the north
    for name in ("lat", "lon", "sst"):
        values = expected[name].values[::-1] if turned else expected[name].values
        np.testing.assert_array_equal(copied[name].values, values)
    assert copied["sst"].attributes["coordinates"].split() == ["lat", "lon"]
    copy = gdal.Open(f'ZARR:"{target}":/sst')
    assert copy.GetMetadata("GEOLOCATION")
    assert gdal.Warp("", copy, format="MEM", geoloc=True).ReadAsArray().any()


@pytest.mark.parametrize("version", VERSIONS)
def test_signed_bytes_keep_their_values(tmp_path, target, version):
    f = sources.File(tmp_path)
    f.axes()
    values = np.arange(-6, 6, dtype="i1").reshape(3, 4)
    f.add("b", ("lat", "lon"), values, fill=np.int8(-6), units="1")
    opened, copied = translate(f.done(), "b", target, version)
    np.testing.assert_array_equal(copied["b"].values, values)
    assert gdal.Open(target).GetRasterBand(1).GetNoDataValue() == -6


def test_the_nodata_value_of_wide_integers_is_kept(tmp_path, target):
    f = sources.File(tmp_path)
    f.axes()
    f.add("n", ("lat", "lon"), sources.ramp(3, 4, kind="i8"), fill=np.int64(-9223372036854775806))
    translate(f.done(), "n", target)
    assert gdal.Open(target).GetRasterBand(1).GetNoDataValue() == -9223372036854775806


def test_a_source_that_cannot_be_read_leaves_nothing(tmp_path, target):
    f = sources.File(tmp_path)
    f.dimensions(y=400, x=400)
    f.add("v", ("y", "x"), np.random.default_rng(1).integers(1, 2**30, (400, 400), dtype="i4"), zlib=True, chunksizes=(200, 200))
    source = f.done()
    with open(source, "r+b") as file:
        file.seek(0, 2)
        file.seek(file.tell() // 2)
        file.write(bytes(4000))
    with collect_errors(), pytest.raises(RuntimeError):
        gdal.MultiDimTranslate(target, source, format="Zarr")
    assert not (tmp_path / "copy.zarr").exists()


def copy_missing_values(tmp_path, target, name, *options, **more):
    source = f'NETCDF:"{sources.missing_values(tmp_path)}":{name}'
    with collect_errors() as errors:
        gdal.Translate(target, source, format="Zarr", creationOptions=["ARRAY_NAME=" + name, *options], **more)
    return [text for _, text in errors if "missing_value is not copied" in text]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name, expected", [("other", -8), ("list", [-9, -8]), ("both", [-9, -8]), ("same", None), ("signed", 65534)])
def test_other_missing_values_stay(tmp_path, target, name, expected, version):
    """As in multidimensional copies. In v2, a number would become the nodata value."""
    is_lost = version == "ZARR_V2" and isinstance(expected, int)
    assert len(copy_missing_values(tmp_path, target, name, "FORMAT=" + version)) == is_lost
    assert read_store(target)[0][name].attributes.get("missing_value") == (None if is_lost else expected)
    assert gdal.Open(target).GetRasterBand(1).GetNoDataValue() == (65535 if name == "signed" else -9)


def test_a_missing_value_that_cannot_stay_is_named(tmp_path, target):
    assert copy_missing_values(tmp_path, target, "packed", "FORMAT=ZARR_V3", **WINDOWS["unscale"])


def make_calendars(folder):
    f = sources.File(folder)
    f.axes()
    f.times(unit="days since 2000-01-01", calendar="noleap", comment="kept", count=np.int32(5))
    f.add("v", ("time", "lat", "lon"), sources.ramp(3, 3, 4, kind="i2"), fill=-9, level=np.int32(7), missing_value=np.array([-9, -8], "i2"))
    return f.done()


@pytest.mark.parametrize("options, arrays", [(["ARRAY_NAME=v"], ["v"]), (["ARRAY_NAME=time"], ["time"]),
                                             (["ARRAY_NAME=v", "SINGLE_ARRAY=NO"], ["v_band1", "v_band3"])])  # fmt: skip
@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_of_a_dimension_that_the_copy_lacks_are_those_of_the_array(tmp_path, target, options, arrays, version):
    """So are those of a variable, and each has its type, if each band is an array."""
    gdal.Translate(target, f'NETCDF:"{make_calendars(tmp_path)}":v', format="Zarr", creationOptions=["FORMAT=" + version, *options])
    copied = read_store(target)[0]
    told = {"calendar": "noleap", "comment": "kept", "count": 5}
    for name in arrays:
        attributes = copied[name].attributes
        assert (attributes["level"], attributes["missing_value"]) == (7, [-9, -8])
        if "time" in copied[name].dimensions:
            assert told.items() <= copied["time"].attributes.items() and not [key for key in attributes if key.startswith("time#")]
        else:
            assert {"time#" + key: value for key, value in told.items()}.items() <= attributes.items()
        assert not [key for key in attributes if key.startswith("lat#")] and copied["lat"].attributes["standard_name"] == "latitude"


def test_attributes_of_the_dimension_of_a_single_band_stay(tmp_path, target):
    translate(make_calendars(tmp_path), "v", target, bandList=[2])
    assert read_store(target)[0]["v"].attributes["time#calendar"] == "noleap"


def test_a_grid_mapping_that_gdal_does_not_know_stays(tmp_path, target):
    f = sources.File(tmp_path)
    f.dimensions(y=3, x=4)
    f.add("v", ("y", "x"), sources.ramp(3, 4), grid_mapping="crs")
    f.add("crs", (), np.int32(0), grid_mapping_name="healpix", healpix_nside=np.int32(8))
    _, copied = translate(f.done(), "v", target)
    told = {"crs#grid_mapping_name": "healpix", "crs#healpix_nside": 8}
    assert told.items() <= copied["v"].attributes.items()


# What GDAL tells by other means than items, or cannot keep: nodata, packing, the grid mapping, coordinates that are not copied.
TOLD_OTHERWISE = {"_FillValue", "missing_value", "scale_factor", "add_offset", "grid_mapping", "coordinates", "units"}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("make, variable", [(sources.cube, "tas"), (sources.era5, "t2m"), (sources.packed, "sst"),
                                            (sources.geostationary, "CMI"), (sources.limits, "v"),
                                            (sources.attribute_text_like_numbers, "v")])  # fmt: skip
def test_attributes_keep_their_types(tmp_path, target, make, variable, version):
    source = make(tmp_path)
    expected = read_netcdf(source)[0][variable].attributes
    _, copied = translate(source, variable, target, version)
    for name in set(expected) - TOLD_OTHERWISE:
        value = copied[variable].attributes.get(name)
        assert value == expected[name] and isinstance(value, str) == isinstance(expected[name], str), name


def test_a_limit_through_a_vrt_is_a_number(tmp_path, target):
    vrt = str(tmp_path / "a.vrt")
    gdal.Translate(vrt, f'NETCDF:"{sources.limits(tmp_path)}":v', format="VRT")
    gdal.Translate(target, vrt, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "ARRAY_NAME=v"])
    attributes = read_store(target)[0]["v"].attributes
    assert (attributes["valid_min"], attributes["valid_max"]) == (-5, 2.5)


@pytest.mark.parametrize("version", VERSIONS)
def test_limits_of_unsigned_numbers_are_unsigned(tmp_path, target, version):
    _, copied = translate(sources.unsigned_limits(tmp_path), "v", target, version)
    attributes = copied["v"].attributes
    for name in ("valid_range", "flag_values", "flag_masks", "actual_range", "other"):
        assert attributes[name] == [3, 65534], name
    assert (attributes["valid_min"], attributes["valid_max"]) == (3, 65534)
    assert (attributes["wide"], attributes["real"]) == ([3, -2], -2)
    assert "_Unsigned" not in attributes and "gdal:bands" not in attributes
    assert copied["v"].values.dtype == np.uint16


@pytest.mark.parametrize("of_band", [True, False])
def test_limits_are_unsigned_through_a_vrt(tmp_path, target, of_band):
    vrt = str(tmp_path / "a.vrt")
    opened = gdal.Translate(vrt, f'NETCDF:"{sources.unsigned_limits(tmp_path)}":v', format="VRT")
    if not of_band:
        opened.GetRasterBand(1).SetMetadata({"NETCDF_VARNAME": "v"})
    del opened
    gdal.Translate(target, vrt, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "ARRAY_NAME=v"])
    attributes = read_store(target)[0]["v"].attributes
    assert (attributes["valid_range"], attributes["flag_values"], attributes["valid_max"]) == ([3, 65534], [3, 65534], 65534)


def test_unsigned_limits_of_converted_numbers_may_be_lost(tmp_path, target):
    source = f'NETCDF:"{sources.unsigned_limits(tmp_path)}":v'
    with collect_errors() as errors:
        gdal.Translate(target, source, format="Zarr", outputType=gdal.GDT_Float32, creationOptions=["ARRAY_NAME=v"])
    attributes = read_store(target)[0]["v"].attributes
    assert "valid_max" not in attributes and "_Unsigned" not in attributes and attributes["valid_min"] == 3
    assert attributes.get("valid_range", [3, 65534]) == [3, 65534]
    assert [text for _, text in errors if "valid_max is not copied" in text]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("south_up", [False, True])
def test_gaussian_latitudes_stay_uneven(tmp_path, target, version, south_up):
    source = sources.gaussian(tmp_path, south_up)
    opened, copied = translate(source, "v", target, version)
    np.testing.assert_allclose(np.sort(copied["lat"].values), np.sort(read_netcdf(source)[0]["lat"].values), rtol=1e-15)
    assert (np.diff(copied["lat"].values) < 0).all()
    copy = gdal.Open(target)
    assert copy.GetGeoTransform() == opened.GetGeoTransform()
    np.testing.assert_array_equal(copy.ReadAsArray(), opened.ReadAsArray())


@pytest.mark.parametrize("version", VERSIONS)
def test_coordinates_of_another_array_stay(tmp_path, target, version):
    even = gdal.GetDriverByName("MEM").Create("", 128, 64)
    even.SetGeoTransform((-1.40625, 2.8125, 0, 90, 0, -2.8125))
    names = ["ARRAY_NAME=a", "FORMAT=" + version]
    gdal.Translate(target, even, format="Zarr", creationOptions=names)
    before = read_store(target)[0]
    gdal.Translate(target, f'NETCDF:"{sources.gaussian(tmp_path)}":v', format="Zarr",
                   creationOptions=["APPEND_SUBDATASET=YES", "ARRAY_NAME=v", "FORMAT=" + version])  # fmt: skip
    gdal.Translate(target, f'NETCDF:"{sources.gaussian(tmp_path, True)}":v', format="Zarr",
                   creationOptions=["APPEND_SUBDATASET=YES", "ARRAY_NAME=w", "FORMAT=" + version])  # fmt: skip
    after = read_store(target)[0]
    for name, array in before.items():
        np.testing.assert_array_equal(after[name].values, array.values)
        assert after[name].attributes == array.attributes


@pytest.mark.parametrize("version", VERSIONS)
def test_shared_latitudes_that_are_even_stay(tmp_path, target, version):
    """GDAL makes the same transform of both files."""
    source = f'NETCDF:"{sources.gaussian(tmp_path)}":v'
    transform = gdal.Open(source).GetGeoTransform()
    f = sources.File(tmp_path, "even.nc")
    f.dimensions(lat=64, lon=128)
    f.add("lat", ("lat",), transform[3] + transform[5] * (0.5 + np.arange(64)), units="degrees_north", standard_name="latitude")
    f.add("lon", ("lon",), np.arange(128) * 2.8125, units="degrees_east", standard_name="longitude")
    f.add("v", ("lat", "lon"), sources.ramp(64, 128))
    _, before = translate(f.done(), "v", target, version)
    options = ["APPEND_SUBDATASET=YES", "ARRAY_NAME=w", "FORMAT=" + version]
    with collect_errors() as errors:
        gdal.Translate(target, source, format="Zarr", creationOptions=options)
    after = read_store(target)[0]
    for name, array in before.items():
        np.testing.assert_array_equal(after[name].values, array.values)
    assert [text for _, text in errors if "shares these latitudes" in text]
