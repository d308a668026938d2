# SPDX-License-Identifier: MIT
"""Small files that say where their values are: grid mappings, rotated poles, curvilinear and Gaussian grids."""

import numpy as np
from netcdf_file import File, ramp
from osgeo import osr


def curvilinear(folder):
    """Chapter 5.2."""
    f = File(folder)
    f.dimensions(y=4, x=5)
    j, i = np.mgrid[0:4, 0:5]
    f.add("lat", ("y", "x"), 50 + 0.1 * j + 0.03 * i, standard_name="latitude", units="degrees_north")
    f.add("lon", ("y", "x"), 5 + 0.1 * i - 0.02 * j, standard_name="longitude", units="degrees_east")
    f.add("sst", ("y", "x"), ramp(4, 5), coordinates="lat lon", units="K")
    return f.done()


def mapped(folder, mapping, unit="m", size=1000.0, name="crs", **more):
    f = File(folder)
    f.dimensions(y=3, x=4)
    f.add("x", ("x",), size * np.arange(4.0), standard_name="projection_x_coordinate", units=unit, **more)
    f.add("y", ("y",), size * np.arange(3.0)[::-1], standard_name="projection_y_coordinate", units=unit, **more)
    f.add(name, (), np.int32(0), **mapping)
    f.add("v", ("y", "x"), ramp(3, 4), grid_mapping=name, units="1")
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


def incomplete_mapping(folder):
    """GDAL takes what is missing for 0; this driver reads no CRS of it."""
    return mapped(folder, {"grid_mapping_name": "stereographic", "false_easting": 5.0, "note": "n"}, name="incomplete")


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


def gaussian(folder, south_up=False):
    """A Gaussian grid of 64 latitudes, of which GDAL makes an even one."""
    f = File(folder)
    f.dimensions(lat=64, lon=128)
    latitudes = np.rad2deg(np.arcsin(np.polynomial.legendre.leggauss(64)[0]))
    f.add("lat", ("lat",), latitudes if south_up else latitudes[::-1], units="degrees_north", standard_name="latitude")
    f.add("lon", ("lon",), np.arange(128) * 2.8125, units="degrees_east", standard_name="longitude")
    f.add("v", ("lat", "lon"), ramp(64, 128))
    return f.done()
