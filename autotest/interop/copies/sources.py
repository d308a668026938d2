# SPDX-License-Identifier: MIT
"""Small files after the chapters and examples of CF 1.11, and of the products that people copy. Each function makes one in a
folder, and returns its path."""

import os

import numpy as np
from netcdf_file import File, ramp
from place_sources import (
    curvilinear,
    earth_radius,
    gaussian,
    geostationary,
    incomplete_mapping,
    lambert,
    lonlat_beside_rotated_pole,
    origin_of_projection,
    polar_kilometres,
    projection_words,
    rotated_pole,
    wkt_mapping,
)

try:
    import h5py
except ImportError:
    h5py = None


def cube(folder):
    """Chapters 2 to 4: a field with time and place."""
    f = File(folder)
    f.axes()
    f.times(calendar="gregorian", long_name="Zeit", axis="T")
    f.add("tas", ("time", "lat", "lon"), ramp(3, 3, 4), units="K", standard_name="air_temperature", cell_methods="time: mean")
    return f.done(title="A cube", history="made")


def number_types(folder):
    """Chapter 2.2: attributes of each type."""
    f = File(folder)
    f.dimensions(x=2)
    numbers = {f"a_{kind}": np.dtype(kind).type(5) for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")}
    lists = {f"l_{kind}": np.array([1, 2, 3], kind) for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")}
    f.add("v", ("x",), ramp(2), **numbers, **lists, tenth=np.float32(0.1))
    return f.done(version=np.int16(3))


def value_types(folder):
    f = File(folder)
    f.dimensions(x=3)
    for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
        f.add("v_" + kind, ("x",), np.array([0, 1, 100], kind))
    return f.done()


def text(folder):
    """Chapter 2.2: strings, as values and attributes."""
    f = File(folder)
    f.dimensions(station=3)
    f.add("name", ("station",), np.array(["Aachen", "Köln", ""], object), str, long_name="Name der Station")
    f.add("flow", ("station",), ramp(3), units="m3 s-1", comment="", note="ein Ü")
    return f.done(comment="zwei\nZeilen")


def packed(folder):
    """Chapter 8.1: packed data, with ranges in the packed type (2.5.1)."""
    f = File(folder)
    f.axes()
    f.times()
    f.add("sst", ("time", "lat", "lon"), ramp(3, 3, 4, kind="i2"), fill=-32768, scale_factor=0.01, add_offset=273.15,
          units="K", valid_range=np.array([-300, 4500], "i2"))  # fmt: skip
    return f.done()


def packed_bytes(folder):
    """Unsigned bytes as netCDF-3 has them (2.2)."""
    f = File(folder, format="NETCDF3_CLASSIC")
    f.axes()
    f.add("b", ("lat", "lon"), np.arange(-6, 6, dtype="i1").reshape(3, 4), _Unsigned="true", valid_range=np.array([0, -1], "i1"))
    return f.done()


def unsigned_integers(folder):
    f = File(folder)
    f.axes()
    f.add("flags", ("lat", "lon"), np.arange(-6, 6, dtype="i4").reshape(3, 4), _Unsigned="true")
    return f.done()


def unsigned_limits(folder, kind="i2"):
    """Numbers of attributes are in the type of the file, as in files of GOES."""
    f = File(folder)
    f.axes()
    pair = np.array([3, -2], kind)
    lists = {name: pair for name in ("valid_range", "flag_values", "flag_masks", "actual_range", "other")}
    f.add("v", ("lat", "lon"), np.arange(-6, 6, dtype=kind).reshape(3, 4), fill=pair.dtype.type(-1), _Unsigned="true",
          valid_min=pair[0], valid_max=pair[1], wide=np.array([3, -2], "i8"), real=np.float32(-2), **lists)  # fmt: skip
    return f.done()


def flags(folder):
    """Chapter 3.5."""
    f = File(folder)
    f.axes()
    f.add("quality", ("lat", "lon"), ramp(3, 4, kind="i1") % 3, fill=np.int8(-1), flag_values=np.array([0, 1, 2], "i1"),
          flag_meanings="good bad ugly", standard_name="status_flag")  # fmt: skip
    f.add("masks", ("lat", "lon"), ramp(3, 4, kind="u2"), flag_masks=np.array([1, 2, 4], "u2"), flag_meanings="a b c")
    return f.done()


def missing(folder):
    """Chapter 2.5.1: missing_value and _FillValue."""
    f = File(folder)
    f.axes()
    f.add("a", ("lat", "lon"), ramp(3, 4), fill=np.float32(-9999), missing_value=np.float32(-9999))
    f.add("b", ("lat", "lon"), ramp(3, 4), missing_value=np.float32(1e20), valid_min=np.float32(0), valid_max=np.float32(50))
    f.add("c", ("lat", "lon"), ramp(3, 4), fill=np.float32("nan"))
    return f.done()


def two_nodata_values(folder):
    f = File(folder)
    f.axes()
    f.add("v", ("lat", "lon"), ramp(3, 4), fill=np.float32(-9999), missing_value=np.float32(-1))
    return f.done()


def missing_values(folder):
    """Numbers that are missing besides the nodata value of GDAL."""
    f = File(folder)
    f.axes()
    for name, fill, value in (("other", -9, -8), ("list", False, [-9, -8]), ("both", -9, [-9, -8]), ("same", -9, -9)):
        f.add(name, ("lat", "lon"), ramp(3, 4, kind="i2"), fill=fill, missing_value=np.array(value, "i2"))
    f.add("signed", ("lat", "lon"), ramp(3, 4, kind="i2"), fill=-1, missing_value=np.int16(-2), _Unsigned="true")
    f.add("packed", ("lat", "lon"), ramp(3, 4, kind="i2"), fill=-9, missing_value=np.int16(-8), scale_factor=0.5)
    return f.done()


def bounds(folder):
    """Chapter 7.1: bounds of cells, and of times (7.4)."""
    f = File(folder)
    f.dimensions(nv=2, lat=3, lon=4, time=3)
    f.add("lat", ("lat",), [50.0, 51, 52], units="degrees_north", standard_name="latitude", bounds="lat_bnds")
    f.add("lat_bnds", ("lat", "nv"), [[49.5, 50.5], [50.5, 51.5], [51.5, 52.5]])
    f.add("lon", ("lon",), [5.0, 6, 7, 8], units="degrees_east", standard_name="longitude")
    f.add("time", ("time",), [15.0, 45, 75], units="days since 2000-01-01", standard_name="time", climatology="time_bnds")
    f.add("time_bnds", ("time", "nv"), [[0.0, 30], [30, 60], [60, 90]])
    f.add("t", ("time", "lat", "lon"), ramp(3, 3, 4), cell_methods="time: mean within years")
    return f.done()


def calendar(folder, name):
    f = File(folder)
    f.times(5, calendar=name)
    f.add("t", ("time",), ramp(5))
    return f.done()


def calendar_360_day(folder):
    """Chapter 4.4.1."""
    return calendar(folder, "360_day")


def calendar_noleap(folder):
    return calendar(folder, "noleap")


def vertical(folder):
    """Chapter 4.3: pressure and depth, and sections."""
    f = File(folder)
    f.axes()
    f.dimensions(level=2, depth=3)
    f.add("level", ("level",), [850.0, 500], units="hPa", positive="down", standard_name="air_pressure")
    f.add("depth", ("depth",), [0.0, 10, 20], units="m", positive="down", standard_name="depth", axis="Z")
    f.add("t", ("level", "lat", "lon"), ramp(2, 3, 4), units="K")
    f.add("zonal", ("level", "lat"), ramp(2, 3), units="K")
    f.add("section", ("depth", "lon"), ramp(3, 4), units="degC")
    return f.done()


def parametric(folder):
    """Chapter 4.3.3: sigma coordinates."""
    f = File(folder)
    f.axes()
    f.dimensions(lev=2)
    f.add("lev", ("lev",), [0.9, 0.5], standard_name="atmosphere_sigma_coordinate", positive="down",
          formula_terms="sigma: lev ps: ps ptop: ptop")  # fmt: skip
    f.add("ptop", (), np.float64(1.0), units="Pa")
    f.add("ps", ("lat", "lon"), ramp(3, 4), units="Pa")
    f.add("u", ("lev", "lat", "lon"), ramp(2, 3, 4), units="m s-1")
    return f.done()


def scalar_coordinate(folder):
    """Chapter 5.7."""
    f = File(folder)
    f.axes()
    f.add("height", (), np.float64(2.0), units="m", standard_name="height", positive="up", axis="Z")
    f.add("tas", ("lat", "lon"), ramp(3, 4), units="K", coordinates="height")
    return f.done()


def single_time(folder):
    """A dimension of length 1."""
    f = File(folder)
    f.axes()
    f.times(1)
    f.add("tas", ("time", "lat", "lon"), ramp(1, 3, 4), units="K")
    return f.done()


def unlimited_time(folder):
    """Chunks that are longer than their dimension."""
    f = File(folder)
    f.axes()
    f.dimensions(time=None)
    f.add("time", ("time",), np.arange(4.0), units="hours since 2000-01-01", chunksizes=(512,))
    f.add("t", ("time", "lat", "lon"), ramp(4, 3, 4), chunksizes=(24, 3, 4))
    return f.done()


def german_words(folder):
    f = File(folder)
    f.dimensions(breite=3, laenge=4)
    f.add("breite", ("breite",), [50.0, 51, 52], long_name="Breite", units="degrees_north", standard_name="latitude")
    f.add("laenge", ("laenge",), [5.0, 6, 7, 8], long_name="Länge", units="degrees_east", standard_name="longitude")
    f.add("v", ("breite", "laenge"), ramp(3, 4), long_name="Höhe")
    return f.done()


def odd_units(folder):
    """Spellings of degrees (4.1), and a unit that is an empty text."""
    f = File(folder)
    f.dimensions(lat=3, lon=4)
    f.add("lat", ("lat",), [50.0, 51, 52], units="degree_N", long_name="Latitude")
    f.add("lon", ("lon",), [5.0, 6, 7, 8], units="degreesE", long_name="Longitude")
    f.add("v", ("lat", "lon"), ramp(3, 4))
    f.add("pure", ("lat", "lon"), ramp(3, 4), units="")
    return f.done()


def stations(folder):
    """Appendix H.2: time series of stations."""
    f = File(folder)
    f.times(4)
    f.dimensions(station=3)
    f.add("lat", ("station",), [50.0, 51, 52], standard_name="latitude", units="degrees_north")
    f.add("lon", ("station",), [5.0, 6, 7], standard_name="longitude", units="degrees_east")
    f.add("station_id", ("station",), np.array([11, 12, 13], "i4"), cf_role="timeseries_id")
    f.add("humidity", ("station", "time"), ramp(3, 4), coordinates="lat lon", units="1")
    return f.done(featureType="timeSeries")


def trajectory(folder):
    """Appendix H.4."""
    f = File(folder)
    f.dimensions(obs=5)
    f.add("time", ("obs",), np.arange(5.0), units="seconds since 2020-01-01", standard_name="time")
    f.add("lat", ("obs",), np.linspace(50, 51, 5), units="degrees_north", standard_name="latitude")
    f.add("o3", ("obs",), ramp(5), coordinates="time lat", units="1e-9")
    return f.done(featureType="trajectory")


def groups(folder):
    """Chapter 2.7."""
    f = File(folder)
    f.axes()
    group = f.file.createGroup("forecast")
    group.setncattr("source", "model")
    group.setncattr("number", np.int16(7))
    f.add("t", ("lat", "lon"), ramp(3, 4), group=group, units="K")
    inner = group.createGroup("deep")
    inner.createDimension("z", 2)
    f.add("w", ("z", "lat"), ramp(2, 3), group=inner, units="m s-1")
    return f.done()


def radar(folder):
    """CfRadial: rays and ranges."""
    f = File(folder)
    f.dimensions(azimuth=4, range=5)
    f.add("azimuth", ("azimuth",), [0.0, 90, 180, 270], units="degrees", standard_name="ray_azimuth_angle", axis="radial_azimuth_coordinate")
    f.add("range", ("range",), 250.0 * np.arange(5), units="metres", standard_name="projection_range_coordinate")
    f.add("DBZH", ("azimuth", "range"), ramp(4, 5), units="dBZ")
    return f.done()


def mesh(folder):
    """UGRID: a mesh and its topology."""
    f = File(folder)
    f.dimensions(node=4, face=2, three=3)
    f.add("mesh", (), np.int32(0), cf_role="mesh_topology", topology_dimension=np.int32(2), node_coordinates="x y",
          face_node_connectivity="nodes")  # fmt: skip
    f.add("x", ("node",), [0.0, 1, 1, 0], standard_name="longitude", units="degrees_east")
    f.add("y", ("node",), [0.0, 0, 1, 1], standard_name="latitude", units="degrees_north")
    f.add("nodes", ("face", "three"), np.array([[0, 1, 2], [0, 2, 3]], "i4"), start_index=np.int32(0))
    f.add("h", ("face",), ramp(2), mesh="mesh", location="face")
    return f.done()


def uncounted(folder, without):
    """A cube whose dimensions may have no coordinates, as in files of WRF, and a section along the times."""
    f = File(folder)
    f.axes()
    for name, values, unit in (("time", [0.0, 6], "hours since 2024-01-01"), ("level", [1000.0, 850, 850], "hPa")):
        f.dimensions(**{name: len(values)})
        if name not in without:
            f.add(name, (name,), values, units=unit)
    f.add("v", ("time", "level", "lat", "lon"), ramp(2, 3, 3, 4), units="Pa", FieldType=np.int32(104), description="pressure")
    f.add("w", ("time", "lon"), ramp(2, 4))
    return f.done()


def forecast(folder):
    """ECMWF's and dynamical.org's: a start and a lead time."""
    f = File(folder)
    f.axes()
    f.dimensions(init_time=2, lead_time=3)
    f.add("init_time", ("init_time",), np.array([0, 86400], "i8"), standard_name="forecast_reference_time",
          units="seconds since 2020-01-01", calendar="proleptic_gregorian")  # fmt: skip
    f.add("lead_time", ("lead_time",), np.array([0, 3600, 7200], "i8"), standard_name="forecast_period", units="seconds")
    f.add("valid_time", ("init_time", "lead_time"), ramp(2, 3, kind="i8"), standard_name="time", units="seconds since 2020-01-01")
    f.add("t2m", ("init_time", "lead_time", "lat", "lon"), ramp(2, 3, 3, 4), units="K", coordinates="valid_time")
    return f.done()


def era5(folder):
    f = File(folder)
    f.dimensions(time=2, latitude=3, longitude=4)
    f.add("longitude", ("longitude",), np.arange(4, dtype="f4"), units="degrees_east", long_name="longitude")
    f.add("latitude", ("latitude",), np.arange(3, dtype="f4")[::-1], units="degrees_north", long_name="latitude")
    f.add("time", ("time",), np.array([1000000, 1000001], "i4"), units="hours since 1900-01-01 00:00:00.0", long_name="time", calendar="gregorian")
    f.add("t2m", ("time", "latitude", "longitude"), ramp(2, 3, 4, kind="i2"), fill=np.int16(-32767), scale_factor=0.0018, add_offset=258.7,
          missing_value=np.int16(-32767), units="K", long_name="2 metre temperature")  # fmt: skip
    return f.done()


def unnamed_array(folder):
    """What xarray writes for an array without a name."""
    f = File(folder)
    f.dimensions(y=3, x=4)
    f.add("y", ("y",), np.arange(3.0))
    f.add("x", ("x",), np.arange(4.0))
    f.add("__xarray_dataarray_variable__", ("y", "x"), ramp(3, 4))
    return f.done()


def attribute_text_like_numbers(folder):
    f = File(folder)
    f.axes()
    f.add("v", ("lat", "lon"), ramp(3, 4), version="1.0", code="007", comment="5", ids=["a", "b"])
    return f.done(level="2")


def limits(folder):
    """Single numbers of several types, and a text that looks like one."""
    f = File(folder)
    f.axes()
    f.add("v", ("lat", "lon"), ramp(3, 4), valid_min=np.int16(-5), valid_max=np.float32(2.5), level=np.float32(0.1), table="128",
          large=1e20, third=1 / 3)  # fmt: skip
    return f.done(number=5)


def descending_chunks(folder):
    f = File(folder)
    f.axes(6, 8)
    f.add("v", ("lat", "lon"), ramp(6, 8), chunksizes=(4, 3), zlib=True)
    return f.done()


def irregular(folder):
    """Gaussian latitudes."""
    f = File(folder)
    f.dimensions(lat=4, lon=3)
    f.add("lat", ("lat",), [85.76, 82.31, 78.84, 75.36], units="degrees_north", standard_name="latitude")
    f.add("lon", ("lon",), [0.0, 120, 240], units="degrees_east", standard_name="longitude")
    f.add("v", ("lat", "lon"), ramp(4, 3))
    return f.done()


def hdf5(folder):
    """A plain HDF5 file, without dimensions."""
    path = os.path.join(str(folder), "a.h5")
    with h5py.File(path, "w") as f:
        data = f.create_dataset("v", data=ramp(3, 4))
        data.attrs["number"] = np.int16(7)
        data.attrs["list"] = np.array([0.5, 1.5], "f4")
        data.attrs["unit"] = "K"
        f.create_group("g").create_dataset("w", data=ramp(5, kind="u2"))
        f.attrs["title"] = "HDF5"
    return path


def records(folder):
    """Arrays of compound types, two of them alike."""
    f = File(folder)
    f.dimensions(n=2)
    place = [("i", "<i4"), ("f", "<f8")]
    types = {"one": place, "two": [("a", "<i2"), ("b", "<i2"), ("c", "<i4")], "again": place, "named": [("j", "<i4"), ("f", "<f8")]}
    for name, fields in types.items():
        values = np.array([tuple(range(k, k + len(fields))) for k in (1, 7)], fields)
        f.file.createVariable(name, f.file.createCompoundType(values.dtype, "t_" + name), ("n",))[:] = values
    return f.done()


def times_1d(folder):
    f = File(folder)
    f.times(6, "hours since 2000-01-01 12:00", bounds="time_bounds")
    f.dimensions(two=2)
    f.add("time_bounds", ("time", "two"), ramp(6, 2, kind="f8"))
    f.add("level", ("time",), ramp(6), units="m", positive="up")
    return f.done()


def zero_fill(folder):
    f = File(folder)
    f.axes()
    f.add("rain", ("lat", "lon"), ramp(3, 4), fill=np.float32(0), units="mm")
    f.add("count", ("lat", "lon"), ramp(3, 4, kind="u1"), fill=np.uint8(255))
    return f.done()


SOURCES = [
    cube, number_types, value_types, text, packed, packed_bytes, unsigned_integers, flags, missing, bounds, calendar_360_day,
    calendar_noleap, vertical, parametric, scalar_coordinate, single_time, unlimited_time, curvilinear, lambert,
    incomplete_mapping, polar_kilometres, geostationary, rotated_pole, lonlat_beside_rotated_pole, wkt_mapping, earth_radius,
    origin_of_projection, projection_words, german_words, odd_units, stations, trajectory, groups, radar, mesh, forecast, era5,
    unnamed_array, attribute_text_like_numbers, limits, descending_chunks, irregular, gaussian, hdf5, times_1d, zero_fill,
]  # fmt: skip
