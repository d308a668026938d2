# SPDX-License-Identifier: MIT
"""The grid mappings of CF 1.11, appendix F, and their equivalents in PROJ."""

WGS84 = {"semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
GRS80 = {"semi_major_axis": 6378137.0, "inverse_flattening": [298.257222101]}
CLARKE = {"semi_major_axis": 6378206.4, "semi_minor_axis": 6356583.8}

# For each, its PROJ string, and a place (longitude, latitude) with the coordinates that PROJ gives it.
MAPPINGS = {
    "utm": (
        {
            "grid_mapping_name": "transverse_mercator",
            "scale_factor_at_central_meridian": 0.9996,
            "longitude_of_central_meridian": 15.0,
            "latitude_of_projection_origin": 0.0,
            "false_easting": 500000.0,
            "false_northing": 0.0,
            **WGS84,
        },
        "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9996 +x_0=500000 +y_0=0 +a=6378137 +rf=298.257223563",
    ),
    "lcc two": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": [33, 45],
            "longitude_of_central_meridian": -96,
            "latitude_of_projection_origin": 23,
            **CLARKE,
        },
        "+proj=lcc +lat_1=33 +lat_2=45 +lat_0=23 +lon_0=-96 +a=6378206.4 +b=6356583.8",
    ),
    "lcc one": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": 25.0,
            "longitude_of_central_meridian": 265.0,
            "latitude_of_projection_origin": 25.0,
            "earth_radius": 6371229.0,
        },
        "+proj=lcc +lat_1=25 +lat_0=25 +lon_0=265 +R=6371229",
    ),
    "albers": (
        {
            "grid_mapping_name": "albers_conical_equal_area",
            "standard_parallel": [29.5, 45.5],
            "longitude_of_central_meridian": -96,
            "latitude_of_projection_origin": 23,
            "false_easting": 100.0,
            "false_northing": 200.0,
            **GRS80,
        },
        "+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +x_0=100 +y_0=200 +a=6378137 +rf=298.257222101",
    ),
    "polar north": (
        {
            "grid_mapping_name": "polar_stereographic",
            "straight_vertical_longitude_from_pole": -45,
            "latitude_of_projection_origin": 90,
            "standard_parallel": 70,
            **WGS84,
        },
        "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +a=6378137 +rf=298.257223563",
    ),
    "polar south": (
        {
            "grid_mapping_name": "polar_stereographic",
            "straight_vertical_longitude_from_pole": 0,
            "latitude_of_projection_origin": -90,
            "standard_parallel": -71,
            **WGS84,
        },
        "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +a=6378137 +rf=298.257223563",
    ),
    "mercator": (
        {
            "grid_mapping_name": "mercator",
            "longitude_of_projection_origin": 10,
            "standard_parallel": 20,
            **WGS84,
        },
        "+proj=merc +lon_0=10 +lat_ts=20 +a=6378137 +rf=298.257223563",
    ),
    "laea": (
        {
            "grid_mapping_name": "lambert_azimuthal_equal_area",
            "longitude_of_projection_origin": 10,
            "latitude_of_projection_origin": 52,
            "false_easting": 4321000,
            "false_northing": 3210000,
            **GRS80,
        },
        "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +a=6378137 +rf=298.257222101",
    ),
    "sinusoidal": (
        {"grid_mapping_name": "sinusoidal", "longitude_of_projection_origin": 0, "earth_radius": 6371007.181},
        "+proj=sinu +lon_0=0 +R=6371007.181",
    ),
    "polar north, by its newer name": (
        {
            "grid_mapping_name": "polar_stereographic",
            "longitude_of_projection_origin": -45,
            "latitude_of_projection_origin": 90,
            "standard_parallel": 70,
            "scale_factor_at_projection_origin": 1.0,
            **WGS84,
        },
        "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +a=6378137 +rf=298.257223563",
    ),
    "polar south, by its scale": (
        {
            "grid_mapping_name": "polar_stereographic",
            "longitude_of_projection_origin": 30,
            "latitude_of_projection_origin": -90,
            "scale_factor_at_projection_origin": 0.994,
            "false_easting": 2000000.0,
            "false_northing": 1000000.0,
            **WGS84,
        },
        "+proj=stere +lat_0=-90 +k=0.994 +lon_0=30 +x_0=2000000 +y_0=1000000 +a=6378137 +rf=298.257223563",
    ),
    "mercator, by its scale": (
        {
            "grid_mapping_name": "mercator",
            "longitude_of_projection_origin": 110,
            "scale_factor_at_projection_origin": 0.997,
            "false_easting": 3900000,
            **WGS84,
        },
        "+proj=merc +lon_0=110 +k=0.997 +x_0=3900000 +a=6378137 +rf=298.257223563",
    ),
    "albers, one parallel": (
        {
            "grid_mapping_name": "albers_conical_equal_area",
            "standard_parallel": [40.0],
            "longitude_of_central_meridian": -96,
            "latitude_of_projection_origin": 23,
            **GRS80,
        },
        "+proj=aea +lat_1=40 +lat_2=40 +lat_0=23 +lon_0=-96 +a=6378137 +rf=298.257222101",
    ),
    "azimuthal equidistant": (
        {
            "grid_mapping_name": "azimuthal_equidistant",
            "latitude_of_projection_origin": 40.0,
            "longitude_of_projection_origin": -100.0,
            "false_easting": 1000.0,
            **WGS84,
        },
        "+proj=aeqd +lat_0=40 +lon_0=-100 +x_0=1000 +a=6378137 +rf=298.257223563",
    ),
    "geostationary": (
        {
            "grid_mapping_name": "geostationary",
            "perspective_point_height": 35785831.0,
            "longitude_of_projection_origin": -75.0,
            "latitude_of_projection_origin": 0.0,
            **WGS84,
        },
        "+proj=geos +h=35785831 +lon_0=-75 +a=6378137 +rf=298.257223563",
    ),
    "geostationary, sweep x": (
        {
            "grid_mapping_name": "geostationary",
            "perspective_point_height": 35786023.0,
            "longitude_of_projection_origin": -75.0,
            "sweep_angle_axis": "x",
            **GRS80,
        },
        "+proj=geos +sweep=x +h=35786023 +lon_0=-75 +a=6378137 +rf=298.257222101",
    ),
    "geostationary, fixed y": (
        {
            "grid_mapping_name": "geostationary",
            "perspective_point_height": 35786023.0,
            "longitude_of_projection_origin": -75.0,
            "fixed_angle_axis": "y",
            **GRS80,
        },
        "+proj=geos +sweep=x +h=35786023 +lon_0=-75 +a=6378137 +rf=298.257222101",
    ),
    "geostationary, fixed x": (
        {
            "grid_mapping_name": "geostationary",
            "perspective_point_height": 35786023.0,
            "longitude_of_projection_origin": -75.0,
            "fixed_angle_axis": "x",
            **GRS80,
        },
        "+proj=geos +sweep=y +h=35786023 +lon_0=-75 +a=6378137 +rf=298.257222101",
    ),
    "lambert cylindrical": (
        {
            "grid_mapping_name": "lambert_cylindrical_equal_area",
            "longitude_of_central_meridian": 0.0,
            "standard_parallel": 30.0,
            **WGS84,
        },
        "+proj=cea +lon_0=0 +lat_ts=30 +a=6378137 +rf=298.257223563",
    ),
    "lambert cylindrical, by its scale": (  # the scale for WGS 84's ellipsoid at 30 degrees
        {
            "grid_mapping_name": "lambert_cylindrical_equal_area",
            "longitude_of_central_meridian": 0.0,
            "scale_factor_at_projection_origin": 0.8667510025721987,
            **WGS84,
        },
        "+proj=cea +lon_0=0 +lat_ts=30 +a=6378137 +rf=298.257223563",
    ),
    "oblique mercator": (
        {
            "grid_mapping_name": "oblique_mercator",
            "azimuth_of_central_line": 35.0,
            "latitude_of_projection_origin": 45.0,
            "longitude_of_projection_origin": -90.0,
            "scale_factor_at_projection_origin": 0.9996,
            "false_easting": 50000.0,
            **WGS84,
        },
        "+proj=omerc +lat_0=45 +lonc=-90 +alpha=35 +k=0.9996 +x_0=50000 +a=6378137 +rf=298.257223563",
    ),
    "orthographic": (
        {
            "grid_mapping_name": "orthographic",
            "latitude_of_projection_origin": 30.0,
            "longitude_of_projection_origin": -80.0,
            "earth_radius": 6371229.0,
        },
        "+proj=ortho +lat_0=30 +lon_0=-80 +R=6371229",
    ),
    "stereographic": (
        {
            "grid_mapping_name": "stereographic",
            "latitude_of_projection_origin": 51.5,
            "longitude_of_projection_origin": -94.0,
            "scale_factor_at_projection_origin": 0.9999,
            **WGS84,
        },
        "+proj=stere +lat_0=51.5 +lon_0=-94 +k=0.9999 +a=6378137 +rf=298.257223563",
    ),
    "vertical perspective": (
        {
            "grid_mapping_name": "vertical_perspective",
            "latitude_of_projection_origin": 30.0,
            "longitude_of_projection_origin": -80.0,
            "perspective_point_height": 5000000.0,
            **WGS84,
        },
        "+proj=nsper +lat_0=30 +lon_0=-80 +h=5000000 +a=6378137 +rf=298.257223563",
    ),
    "lcc, by GDAL's names": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel_1": 33,
            "standard_parallel_2": 45,
            "longitude_of_projection_origin": -96,
            "latitude_of_projection_origin": 23,
            **CLARKE,
        },
        "+proj=lcc +lat_1=33 +lat_2=45 +lat_0=23 +lon_0=-96 +a=6378206.4 +b=6356583.8",
    ),
    "lcc, by its scale": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "longitude_of_central_meridian": -96,
            "latitude_of_projection_origin": 23,
            "scale_factor_at_projection_origin": 0.99,
            **CLARKE,
        },
        "+proj=lcc +lat_1=23 +lat_0=23 +k=0.99 +lon_0=-96 +a=6378206.4 +b=6356583.8",
    ),
    "lcc, radius by its older name": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": 25.0,
            "longitude_of_central_meridian": 265.0,
            "latitude_of_projection_origin": 25.0,
            "spherical_earth_radius_meters": 6371229.0,
        },
        "+proj=lcc +lat_1=25 +lat_0=25 +lon_0=265 +R=6371229",
    ),
    "transverse mercator, scale by another name": (
        {
            "grid_mapping_name": "transverse_mercator",
            "scale_factor_at_projection_origin": 0.9996,
            "longitude_of_projection_origin": 15.0,
            **WGS84,
        },
        "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9996 +a=6378137 +rf=298.257223563",
    ),
    "stereographic, longitude by another name": (
        {
            "grid_mapping_name": "stereographic",
            "latitude_of_projection_origin": 51.5,
            "longitude_of_central_meridian": -94.0,
            **WGS84,
        },
        "+proj=stere +lat_0=51.5 +lon_0=-94 +a=6378137 +rf=298.257223563",
    ),
    "numbers as text": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": "33, 45",
            "longitude_of_central_meridian": "-96",
            "latitude_of_projection_origin": ["23.0"],
            "semi_major_axis": "6378206.4",
            "semi_minor_axis": "6356583.8",
        },
        "+proj=lcc +lat_1=33 +lat_2=45 +lat_0=23 +lon_0=-96 +a=6378206.4 +b=6356583.8",
    ),
}

PLACES = {
    "polar south": (30, -70),
    "polar south, by its scale": (20, -80),
    "polar north": (30, 70),
    "polar north, by its newer name": (30, 70),
    "utm": (17, 50),
    "transverse mercator, scale by another name": (17, 50),
    "laea": (20, 50),
    "mercator": (20, 50),
    "mercator, by its scale": (120, 50),
}
