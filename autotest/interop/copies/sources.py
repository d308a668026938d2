# SPDX-License-Identifier: MIT
"""Small files after the chapters and examples of CF 1.11, and of the products that people copy. Each function makes one in a
folder, and returns its path."""

import os

import numpy as np

try:
    import netCDF4
except ImportError:
    netCDF4 = None
try:
    import h5py
except ImportError:
    h5py = None
from osgeo import gdal, osr


class File:
    """A netCDF file that is being made."""

    def __init__(self, folder, name="a.nc", **options):
        self.path = os.path.join(str(folder), name)
        self.file = netCDF4.Dataset(self.path, "w", **options)
        self.file.set_auto_mask(False)

    def dimensions(self, **sizes):
        for name, size in sizes.items():
            self.file.createDimension(name, size)

    def add(self, name, dimensions, values, kind=None, fill=False, group=None, **attributes):
        values = np.asarray(values)
        options = {key: attributes.pop(key) for key in ("chunksizes", "zlib") if key in attributes}
        target = group if group is not None else self.file
        variable = target.createVariable(name, kind or values.dtype, dimensions, fill_value=fill, **options)
        variable.set_auto_maskandscale(False)
        if values.dtype.kind in "OUS" or values.shape == ():
            variable[...] = values
        else:
            variable[:] = values
        variable.setncatts(attributes)
        return variable

    def axes(self, ny=3, nx=4, kind="f8", **more):
        self.dimensions(lat=ny, lon=nx)
        self.add("lat", ("lat",), np.linspace(52, 50, ny), kind, standard_name="latitude", units="degrees_north", **more)
        self.add("lon", ("lon",), np.linspace(5, 8, nx), kind, standard_name="longitude", units="degrees_east", **more)

    def times(self, n=3, unit="days since 2000-01-01", **more):
        self.dimensions(time=n)
        self.add("time", ("time",), np.arange(float(n)), standard_name="time", units=unit, **more)

    def done(self, **globals_):
        self.file.setncatts({"Conventions": "CF-1.11", **globals_})
        self.file.close()
        return self.path


def ramp(*shape, kind="f4"):
    return np.arange(np.prod(shape), dtype=kind).reshape(shape)


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


def curvilinear(folder):
    """Chapter 5.2."""
    f = File(folder)
    f.dimensions(y=4, x=5)
    j, i = np.mgrid[0:4, 0:5]
    f.add("lat", ("y", "x"), 50 + 0.1 * j + 0.03 * i, standard_name="latitude", units="degrees_north")
    f.add("lon", ("y", "x"), 5 + 0.1 * i - 0.02 * j, standard_name="longitude", units="degrees_east")
    f.add("sst", ("y", "x"), ramp(4, 5), coordinates="lat lon", units="K")
    return f.done()


def mapped(folder, mapping, unit="m", size=1000.0, **more):
    f = File(folder)
    f.dimensions(y=3, x=4)
    f.add("x", ("x",), size * np.arange(4.0), standard_name="projection_x_coordinate", units=unit, **more)
    f.add("y", ("y",), size * np.arange(3.0)[::-1], standard_name="projection_y_coordinate", units=unit, **more)
    f.add("crs", (), np.int32(0), **mapping)
    f.add("v", ("y", "x"), ramp(3, 4), grid_mapping="crs", units="1")
    return f.done()


LAMBERT = {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": np.array([50.0, 50.0]),
           "longitude_of_central_meridian": 8.0, "latitude_of_projection_origin": 50.0, "earth_radius": 6371229.0}  # fmt: skip


def lambert(folder):
    """Appendix F; as HRRR."""
    return mapped(folder, LAMBERT, long_name="x oder y")


def polar_kilometres(folder):
    """Coordinates in kilometres, as OpenDrift's Arctic grid."""
    stereographic = {"grid_mapping_name": "polar_stereographic", "straight_vertical_longitude_from_pole": -32.0,
                     "latitude_of_projection_origin": 90.0, "standard_parallel": 90.0, "false_easting": 0.0,
                     "false_northing": 0.0, "earth_radius": 6371229.0, "comment": "NORKYST"}  # fmt: skip
    return mapped(folder, stereographic, "km", 4.0)


def geostationary(folder):
    """GOES-R: angles in radians."""
    f = File(folder)
    f.dimensions(y=3, x=4)
    f.add("x", ("x",), np.arange(4, dtype="i2"), scale_factor=np.float32(5.6e-05), add_offset=np.float32(-0.1), units="rad",
          axis="X", standard_name="projection_x_coordinate")  # fmt: skip
    f.add("y", ("y",), np.arange(3, dtype="i2"), scale_factor=np.float32(-5.6e-05), add_offset=np.float32(0.1), units="rad",
          axis="Y", standard_name="projection_y_coordinate")  # fmt: skip
    f.add("goes_imager_projection", (), np.int32(0), grid_mapping_name="geostationary", perspective_point_height=35786023.0,
          semi_major_axis=6378137.0, semi_minor_axis=6356752.31414, longitude_of_projection_origin=-75.0,
          sweep_angle_axis="x")  # fmt: skip
    f.add("CMI", ("y", "x"), ramp(3, 4, kind="i2"), fill=np.int16(-1), scale_factor=np.float32(0.01), add_offset=np.float32(0),
          units="K", grid_mapping="goes_imager_projection", valid_range=np.array([0, 4095], "i2"))  # fmt: skip
    return f.done()


def rotated_pole(folder):
    """CORDEX: a rotated pole, with true coordinates in two dimensions and their vertices."""
    f = File(folder)
    f.dimensions(rlat=3, rlon=4, vertices=4, time=2)
    f.add("rlat", ("rlat",), [-1.0, 0, 1], standard_name="grid_latitude", units="degrees", axis="Y")
    f.add("rlon", ("rlon",), [-2.0, -1, 0, 1], standard_name="grid_longitude", units="degrees", axis="X")
    f.add("time", ("time",), [0.0, 1], units="days since 1949-12-01", calendar="365_day", standard_name="time")
    j, i = np.mgrid[0:3, 0:4]
    f.add("lat", ("rlat", "rlon"), 50.0 + j, standard_name="latitude", units="degrees_north", bounds="lat_vertices")
    f.add("lon", ("rlat", "rlon"), 5.0 + i, standard_name="longitude", units="degrees_east")
    f.add("lat_vertices", ("rlat", "rlon", "vertices"), ramp(3, 4, 4, kind="f8"), units="degrees_north")
    f.add("rotated_pole", (), np.int32(0), grid_mapping_name="rotated_latitude_longitude", grid_north_pole_latitude=39.25,
          grid_north_pole_longitude=-162.0)  # fmt: skip
    f.add("tas", ("time", "rlat", "rlon"), ramp(2, 3, 4), grid_mapping="rotated_pole", coordinates="lat lon", units="K")
    return f.done()


def lonlat_beside_rotated_pole(folder):
    f = File(folder)
    f.dimensions(rlat=3, rlon=4)
    f.axes()
    f.add("rlat", ("rlat",), [-1.0, 0, 1], standard_name="grid_latitude", units="degrees")
    f.add("rlon", ("rlon",), [-2.0, -1, 0, 1], standard_name="grid_longitude", units="degrees")
    f.add("rotated_pole", (), np.int32(0), grid_mapping_name="rotated_latitude_longitude", grid_north_pole_latitude=39.25,
          grid_north_pole_longitude=-162.0)  # fmt: skip
    f.add("tas", ("rlat", "rlon"), ramp(3, 4), grid_mapping="rotated_pole")
    f.add("q", ("lat", "lon"), ramp(3, 4))
    return f.done()


def wkt_mapping(folder):
    """Chapter 5.6: crs_wkt, and an ellipsoid."""
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    f = File(folder)
    f.axes()
    f.add("crs", (), np.int32(0), grid_mapping_name="latitude_longitude", semi_major_axis=6378137.0,
          inverse_flattening=298.257223563, crs_wkt=srs.ExportToWkt(), horizontal_datum_name="WGS 84")  # fmt: skip
    f.add("v", ("lat", "lon"), ramp(3, 4), grid_mapping="crs")
    return f.done()


def earth_radius(folder):
    """A rotated pole on a sphere, as models of climate have it."""
    f = File(folder)
    f.dimensions(rlat=3, rlon=4)
    f.add("rlat", ("rlat",), [-1.0, 0, 1], units="degrees", standard_name="grid_latitude")
    f.add("rlon", ("rlon",), [5.0, 6, 7, 8], units="degrees", standard_name="grid_longitude")
    f.add("pole", (), np.int32(0), grid_mapping_name="rotated_latitude_longitude", earth_radius=np.int32(6371007),
          grid_north_pole_latitude=38.0, grid_north_pole_longitude=190.0)  # fmt: skip
    f.add("v", ("rlat", "rlon"), ramp(3, 4), grid_mapping="pole")
    f.add("container", (), np.int32(0), grid_mapping="pole", geometry_type="polygon")
    return f.done()


def origin_of_projection(folder):
    """Parameters that are not those of CF for this grid mapping, but that GDAL reads."""
    f = File(folder)
    f.dimensions(y=3, x=4)
    f.add("y", ("y",), [2000.0, 1000, 0], units="m", standard_name="projection_y_coordinate")
    f.add("x", ("x",), [0.0, 1000, 2000, 3000], units="m", standard_name="projection_x_coordinate")
    f.add("crs", (), np.int32(0), grid_mapping_name="transverse_mercator", longitude_of_projection_origin=-2.0,
          latitude_of_projection_origin=49.0, scale_factor_at_projection_origin=0.9996012717, false_easting=4e5,
          false_northing=-1e5, semi_major_axis=6377563.396, semi_minor_axis=6356256.91, inverse_flattening=299.3249646)  # fmt: skip
    f.add("v", ("y", "x"), ramp(3, 4), grid_mapping="crs")
    return f.done()


def projection_words(folder):
    f = File(folder)
    f.dimensions(y=3, x=4)
    for name, values in (("x", [0.0, 1, 2, 3]), ("y", [50.0, 49, 48])):
        words = {"long_name": f"{name} coordinate of projection", "standard_name": f"projection_{name}_coordinate", "units": "m"}
        f.add(name, (name,), values, **words)
    f.add("crs", (), np.int32(0), crs_wkt='GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],UNIT["degree",0.0174532925199433]]')
    f.add("v", ("y", "x"), ramp(3, 4), grid_mapping="crs")
    return f.done()


def german_words(folder):
    f = File(folder)
    f.dimensions(breite=3, laenge=4)
    f.add("breite", ("breite",), [50.0, 51, 52], long_name="Breite", units="degrees_north", standard_name="latitude")
    f.add("laenge", ("laenge",), [5.0, 6, 7, 8], long_name="Länge", units="degrees_east", standard_name="longitude")
    f.add("v", ("breite", "laenge"), ramp(3, 4), long_name="Höhe")
    return f.done()


def odd_units(folder):
    """Spellings of degrees (4.1)."""
    f = File(folder)
    f.dimensions(lat=3, lon=4)
    f.add("lat", ("lat",), [50.0, 51, 52], units="degree_N", long_name="Latitude")
    f.add("lon", ("lon",), [5.0, 6, 7, 8], units="degreesE", long_name="Longitude")
    f.add("v", ("lat", "lon"), ramp(3, 4))
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


def gaussian(folder, south_up=False):
    """A Gaussian grid of 64 latitudes, of which GDAL makes an even one."""
    f = File(folder)
    f.dimensions(lat=64, lon=128)
    latitudes = np.rad2deg(np.arcsin(np.polynomial.legendre.leggauss(64)[0]))
    f.add("lat", ("lat",), latitudes if south_up else latitudes[::-1], units="degrees_north", standard_name="latitude")
    f.add("lon", ("lon",), np.arange(128) * 2.8125, units="degrees_east", standard_name="longitude")
    f.add("v", ("lat", "lon"), ramp(64, 128))
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
    polar_kilometres, geostationary, rotated_pole, lonlat_beside_rotated_pole, wkt_mapping, earth_radius, origin_of_projection, projection_words, german_words, odd_units, stations,
    trajectory, groups, radar, mesh, forecast, era5, unnamed_array, attribute_text_like_numbers, limits, descending_chunks, irregular,
    gaussian, hdf5, times_1d, zero_fill,
]  # fmt: skip
