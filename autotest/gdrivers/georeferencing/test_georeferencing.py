# SPDX-License-Identifier: MIT
"""Positions of arrays: precedence of the conventions, coordinates and their bounds, order of axes."""

import os

import numpy as np
import pytest
from conventions import PROJ_UUID, SPATIAL_UUID, export_wkt, read_code
from errors import collect_errors
from http_server import Server
from osgeo import gdal, osr
from stores import open_array, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(12 * 16, dtype="<u2").reshape(12, 16)
PROJ = {"uuid": PROJ_UUID}
SPATIAL = {"uuid": SPATIAL_UUID}


# --- precedence -----------------------------------------------------------------------------------------------------

# The conventions in their order of precedence, each with another code, and its place in the store.
STEPS = [
    ("array", {"zarr_conventions": [PROJ], "proj:code": "EPSG:32601"}, 32601),
    ("group", {"zarr_conventions": [PROJ], "proj:code": "EPSG:32602"}, 32602),
    ("array", {"grid_mapping": "crs"}, 32603),
    ("array", {"_CRS": {"wkt": export_wkt(32604)}}, 32604),
    ("root", {"stac_discovery": {"properties": {"proj:epsg": 32605}}}, 32605),
    ("array", {"crs": "+init=epsg:32606"}, 32606),
    ("file", {}, 32607),
    ("beside", {}, 4258),
    ("coordinates", {}, 4326),
]


def write_steps(store, steps):
    attributes = {place: {} for place, _, _ in STEPS}
    for place, more, _ in steps:
        attributes[place].update(more)
    write_v3_group(store, attributes["root"])
    write_v3_group(f"{store}/g", attributes["group"])
    write_v3(f"{store}/g/v", DATA, names=["lat", "lon"], attributes=attributes["array"])
    write_v3(f"{store}/g/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32603)})
    write_v3(f"{store}/g/lat", np.arange(12.0), names=["lat"], attributes={"units": "degrees_north"})
    write_v3(f"{store}/g/lon", np.arange(16.0), names=["lon"], attributes={"units": "degrees_east"})
    if any(place == "file" for place, _, _ in steps):
        write_pam(store, "/g/v", 32607)
    if any(place == "beside" for place, _, _ in steps):
        write_v3(f"{store}/g/spatial_ref", np.zeros((), "<i4"), attributes={"spatial_ref": export_wkt(4258, "WKT1_GDAL")})


def write_pam(store, name, epsg):
    srs = export_wkt(epsg).replace('"', "&quot;")
    with open(f"{store}/pam.aux.xml", "w") as f:
        f.write(f'<PAMDataset><Array name="{name}"><SRS dataAxisToSRSAxisMapping="1,2">{srs}</SRS></Array></PAMDataset>')


@pytest.mark.parametrize("first", range(len(STEPS)))
def test_conventions_go_in_this_order(store, monkeypatch, first):
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")
    write_steps(store, STEPS[first:])
    assert read_code(gdal.Open(f'ZARR:"{store}":/g/v')) == STEPS[first][2]
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArrayFromFullname("/g/v")
    assert int(array.GetSpatialRef().GetAuthorityCode(None)) == STEPS[first][2]


def test_geotransforms_go_in_the_same_order(store):
    """The order is coordinates, GeoZarr, rioxarray, GDAL."""
    attributes = {"grid_mapping": "crs", "zarr_conventions": [SPATIAL], "spatial:dimensions": ["y", "x"]}
    transform = {"spatial:transform": [10.0, 0.0, 100.0, 0.0, -10.0, 200.0], "gdal:geotransform": [1, 2, 0, 3, 0, -4]}
    for name, more, has_coordinates, expected in [
        ("a", transform, True, (-0.5, 1, 0, 19.5, 0, -1)),
        ("b", transform, False, (100, 10, 0, 200, 0, -10)),
        ("c", {"gdal:geotransform": [1, 2, 0, 3, 0, -4]}, False, (7, 2, 0, 8, 0, -3)),
        ("d", {"grid_mapping": None, "gdal:geotransform": [1, 2, 0, 3, 0, -4]}, False, (1, 2, 0, 3, 0, -4)),
        ("e", {"grid_mapping": None}, True, (-0.5, 1, 0, 19.5, 0, -1)),
    ]:
        path = f"{store}/{name}"
        write_v3_group(path)
        write_v3(f"{path}/v", DATA, names=["y", "x"], attributes={**attributes, **more})
        write_v3(f"{path}/crs", np.zeros((), "<i4"), attributes={"GeoTransform": "7 2 0 8 0 -3", "spatial_ref": export_wkt(32603)})
        if has_coordinates:
            write_v3(f"{path}/y", 19.0 - np.arange(12), names=["y"])
            write_v3(f"{path}/x", np.arange(16.0), names=["x"])
        assert gdal.Open(f'ZARR:"{path}":/v').GetGeoTransform() == expected


# --- the order of axes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes",
    [
        {"zarr_conventions": [PROJ], "proj:code": "EPSG:4326"},
        {"zarr_conventions": [PROJ], "proj:wkt2": export_wkt(4326)},
        {"grid_mapping": "crs"},
        {"_CRS": {"url": "http://www.opengis.net/def/crs/EPSG/0/4326"}},
        {"_CRS": "EPSG:4326"},
        {"proj:epsg": 4326},
        {},
    ],
)
def test_longitude_is_the_first_coordinate(store, attributes):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["latitude", "longitude"], attributes=attributes)
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(4326)})
    write_v3(f"{store}/latitude", 52.0 - np.arange(12) / 4, names=["latitude"])
    write_v3(f"{store}/longitude", 5.0 + np.arange(16) / 4, names=["longitude"])
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert dataset.GetGeoTransform() == (4.875, 0.25, 0, 52.125, 0, -0.25)
    assert read_code(dataset) == 4326
    utm = osr.SpatialReference()
    utm.ImportFromEPSG(32631)
    to_utm = gdal.Transformer(dataset, None, ["DST_SRS=" + utm.ExportToWkt()])
    ok, (x, y, _) = to_utm.TransformPoint(0, 0.5, 0.5)  # at 5 degrees east, 52 degrees north
    assert ok and (round(x), round(y)) == (637294, 5762927)
    assert open_array(store, "v").GetSpatialRef().GetDataAxisToSRSAxisMapping() == [1, 2]


def test_declared_axes_are_those_of_the_multidimensional_api(store):
    write_v3_group(store)
    attributes = {
        "zarr_conventions": [PROJ, SPATIAL],
        "proj:code": "EPSG:32633",
        "spatial:dimensions": ["row", "col"],
        "spatial:transform": [10.0, 0.0, 500000.0, 0.0, -10.0, 5000000.0],
    }
    write_v3(f"{store}/v", DATA.reshape(12, 8, 2), names=["row", "col", "band"], attributes=attributes)
    assert open_array(store, "v").GetSpatialRef().GetDataAxisToSRSAxisMapping() == [2, 1]


# --- units of coordinates -------------------------------------------------------------------------------------------


X = 10 + 2.0 * np.arange(5)
Y = 40 - 5.0 * np.arange(3)
IN_KILOMETRES = "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +ellps=WGS84 +units=km"


def as_wkt(crs):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(crs)
    return srs.ExportToWkt(["FORMAT=WKT2_2019"])


@pytest.mark.parametrize(
    "unit, crs, factor",
    [
        ("m", export_wkt(3413), 1),
        ("metres", export_wkt(3413), 1),
        ("km", export_wkt(3413), 1000),
        ("kilometers", export_wkt(3413), 1000),
        ("km", IN_KILOMETRES, 1),
        ("m", IN_KILOMETRES, 0.001),
        ("", export_wkt(3413), 1),
        ("1", export_wkt(3413), 1),
        ("1000 m", export_wkt(3413), 1000),
        ("US_survey_foot", export_wkt(3413), 1200 / 3937),
        ("ft", export_wkt(2263), 0.3048 * 3937 / 1200),
        ("US survey feet", export_wkt(2263), 1),
        ("m", export_wkt(2263), 3937 / 1200),
        ("radians", export_wkt(4326), 180 / np.pi),
        ("mrad", export_wkt(4326), 0.18 / np.pi),
        ("degrees", export_wkt(4326), 1),
        ("deg", export_wkt(4326), 1),
        ("arcsec", export_wkt(4326), 1 / 3600),
        ("km", None, 1),
    ],
)
def test_units_of_coordinates_are_converted(store, unit, crs, factor):
    """Sea ice data, for instance, have coordinates in kilometres and a CRS in metres."""
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 5), "u1"), names=["y", "x"], attributes={"grid_mapping": "crs"})
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": as_wkt(crs)} if crs else {})
    write_v3(f"{store}/x", X, names=["x"], attributes={"units": unit})
    write_v3(f"{store}/y", Y, names=["y"], attributes={"units": unit})
    expected = tuple(factor * number for number in (9, 2, 0, 42.5, 0, -5))
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert (dataset.GetSpatialRef() is None) == (crs is None)
    assert dataset.GetGeoTransform() == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    "unit, crs",
    [("parsec", 3413), ("K", 3413), ("degrees_east", 32633), ("rad", 32633), ("km", 4326), ("m", 4326), ("degrees_west", 4326)],
)
def test_units_that_cannot_be_converted_give_no_place(store, unit, crs):
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 5), "u1"), names=["y", "x"], attributes={"grid_mapping": "crs"})
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(crs)})
    write_v3(f"{store}/x", X, names=["x"], attributes={"units": unit})
    write_v3(f"{store}/y", Y, names=["y"], attributes={"units": "m"})
    with collect_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{store}":/v')
        assert dataset.GetGeoTransform(can_return_null=True) is None
        dataset.GetMetadata()
    assert read_code(dataset) == crs
    assert any(f'/x: the unit "{unit}" cannot be converted to "' in text for _, text in errors)


@pytest.mark.parametrize(
    "units, factor, linear, told",
    [
        ("rad", 1, "m", False),
        ("radian", 1, "km", False),
        ("microradian", 1e6, "m", False),
        ("\u00b5rad", 1e6, "km", False),
        ("milliradians", 1e3, "m", False),
        ("degrees", 180 / np.pi, "m", False),
        (None, 1, "m", False),
        ("1", 1, "m", False),
        (None, 35786023, "m", False),
        ("m", 1, "m", True),
    ],
)
def test_angles_of_a_geostationary_view_are_converted(store, units, factor, linear, told):
    """GOES files have angles at the satellite. Times its height, they are the coordinates of the projection."""
    srs = osr.SpatialReference()
    srs.ImportFromProj4(f"+proj=geos +h=35786023 +lon_0=-75 +sweep=x +ellps=GRS80 +units={linear}")
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 5), "u1"), names=["y", "x"], attributes={"grid_mapping": "goes"})
    write_v3(f"{store}/goes", np.zeros((), "<i4"), attributes={"crs_wkt": srs.ExportToWkt(["FORMAT=WKT2_2019"])})
    attributes = {"units": units} if units else {}
    write_v3(f"{store}/x", factor * X / 2**20, names=["x"], attributes=attributes)
    write_v3(f"{store}/y", factor * Y / 2**20, names=["y"], attributes=attributes)
    scale = 35786023 / 2**20 / (1000 if linear == "km" else 1)
    expected = [scale * number for number in (9, 2, 0, 42.5, 0, -5)]
    with collect_errors() as errors:
        assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == pytest.approx(expected, rel=1e-12)
    assert any("taken as radians" in text for _, text in errors) == told


def test_longitudes_in_radians_are_degrees(store):
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 5), "u1"), names=["lat", "lon"])
    for name, direction, values in (("lat", "latitude", Y), ("lon", "longitude", X)):
        attributes = {"standard_name": direction, "units": "radian"}
        write_v3(f"{store}/{name}", np.radians(values), names=[name], attributes=attributes)
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert read_code(dataset) == 4326
    assert dataset.GetGeoTransform() == pytest.approx((9, 2, 0, 42.5, 0, -5))


# --- GDAL's side file -----------------------------------------------------------------------------------------------


def open_with_file(store, name):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA.reshape(2, 6, 16), names=["band", "y", "x"])
    write_pam(store, name, 32633)
    return gdal.Open(f'ZARR:"{store}":/v')


@pytest.mark.parametrize("name", ["/v", "Sliced view of /v ([1,::,::])", "AsClassicDataset(2,1) view of /v"])
def test_the_side_file_gives_an_srs(store, monkeypatch, name):
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")
    assert read_code(open_with_file(store, name)) == 32633


@pytest.mark.parametrize("name", ["/v2", "/g/v", "Sliced view of /v2 ([1,::,::])", ""])
def test_the_side_file_gives_no_srs_of_other_arrays(store, monkeypatch, name):
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")
    assert read_code(open_with_file(store, name)) is None


def test_a_broken_or_unwanted_side_file_is_ignored(store, monkeypatch):
    assert read_code(open_with_file(store, "/v")) is None  # conftest.py sets GDAL_PAM_ENABLED=NO
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")
    with open(f"{store}/pam.aux.xml", "w") as f:
        f.write("<PAMDataset><Array")
    with collect_errors() as errors:
        assert read_code(gdal.Open(f'ZARR:"{store}":/v')) is None
    assert errors == []


def test_side_file_is_not_asked_for_behind_a_network(tmp_path, monkeypatch):
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")
    open_with_file(str(tmp_path / "a.zarr"), "/v")
    with Server(str(tmp_path)).serve() as server:
        assert read_code(gdal.Open(f'ZARR:"/vsicurl/{server.url}/a.zarr":/v')) is None
        assert server.find_requests("pam.aux.xml") == []


# --- EOPF, as its Sentinel-2 products are ----------------------------------------------------------------------------


def test_an_eopf_product_is_georeferenced(store):
    stac = {"type": "Feature", "properties": {"platform": "sentinel-2a", "proj:epsg": 32632}}
    write_v2_group(store, {"stac_discovery": stac, "other_metadata": {}})
    folder = ""
    for step in ("measurements", "reflectance", "r10m"):
        folder += "/" + step
        write_v2_group(store + folder, {})
    eopf = {"_eopf_attrs": {"dtype": "<u2", "fill_value": 0, "scale_factor": 0.0001, "add_offset": -0.1}}
    proj = {"proj:bbox": [300000.0, 4999880.0, 300160.0, 5000000.0], "proj:epsg": 32632, "proj:shape": [12, 16]}
    more = {"_ARRAY_DIMENSIONS": ["y", "x"], "scale_factor": 0.0001, "add_offset": -0.1}
    write_v2(f"{store}{folder}/b02", DATA, fill=0, attributes={**eopf, **proj, **more})
    write_v2(f"{store}{folder}/b03", DATA, fill=0, attributes={**eopf, **more})
    write_v2(f"{store}{folder}/x", 300005 + 10 * np.arange(16), attributes={"_ARRAY_DIMENSIONS": ["x"]})
    write_v2(f"{store}{folder}/y", 4999995 - 10 * np.arange(12), attributes={"_ARRAY_DIMENSIONS": ["y"]})
    for name in ("b02", "b03"):
        dataset = gdal.Open(f'ZARR:"{store}":{folder}/{name}')
        assert read_code(dataset) == 32632
        assert dataset.GetGeoTransform() == (300000, 10, 0, 5000000, 0, -10)
        band = dataset.GetRasterBand(1)
        assert (band.GetScale(), band.GetOffset(), band.GetNoDataValue()) == (0.0001, -0.1, 0)


# --- a first look without reading data -------------------------------------------------------------------------------

STATISTICS = {f"STATISTICS_{n}": v for n, v in zip(("MINIMUM", "MAXIMUM", "MEAN", "STDDEV"), (1, 250.5, "90.25", 30))}


def chunkless(store, attributes, data=DATA):
    """Writes an array whose chunks cannot be read."""
    write_v3(store, data, attributes=attributes)
    for folder, _, files in os.walk(f"{store}/c"):
        for file in files:
            os.truncate(f"{folder}/{file}", 1)
    return gdal.Open(store)


def test_attributes_give_statistics(store):
    dataset = chunkless(store, STATISTICS)
    band = dataset.GetRasterBand(1)
    assert band.GetStatistics(True, False) == [1, 250.5, 90.25, 30]
    assert (band.GetMinimum(), band.GetMaximum()) == (1, 250.5)
    assert band.ComputeRasterMinMax(True) == (1, 250.5)


def test_attributes_give_statistics_per_band(store):
    attributes = {name: [value, value] for name, value in STATISTICS.items()}
    attributes["STATISTICS_MINIMUM"] = [1, -7]
    dataset = chunkless(store, attributes, DATA.reshape(2, 6, 16))
    assert dataset.GetRasterBand(2).GetStatistics(True, False)[0] == -7


@pytest.mark.parametrize("change", [{"STATISTICS_MINIMUM": [1, 2]}, {"STATISTICS_MINIMUM": "low"}, {"STATISTICS_MINIMUM": None}])
def test_wrong_statistics_are_ignored(store, change):
    dataset = chunkless(store, {**STATISTICS, **change})
    assert dataset.GetRasterBand(1).GetMinimum() is None


def test_statistics_of_an_array_are_not_those_of_its_slice(store):
    chunkless(store, STATISTICS, DATA.reshape(2, 6, 16))
    for name in (store, f'ZARR:"{store}":/test:1'):
        dataset = gdal.Open(name)
        assert dataset.GetRasterBand(1).GetMinimum() is None


@pytest.mark.parametrize("attributes", [{"valid_range": [2, 90]}, {"actual_range": [2, 90]}, {"valid_min": 2, "valid_max": 90}])
def test_attributes_give_ranges(store, attributes):
    dataset = chunkless(store, attributes)
    assert dataset.GetRasterBand(1).ComputeRasterMinMax(True) == (2, 90)


def test_a_warning_tells_that_irregular_coordinates_are_overwritten(store):
    write_v3_group(store)
    for name, values in (("lat", [60.0, 55.0, 45.0]), ("lon", [0.0, 10.0, 20.0])):
        write_v3(f"{store}/{name}", np.array(values), names=[name])
    write_v3(f"{store}/t", np.zeros((3, 3), "u1"), names=["lat", "lon"])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/t', gdal.OF_UPDATE)
    with collect_errors() as errors:
        dataset.SetGeoTransform((-5, 10, 0, 65, 0, -10))
    assert len(errors) == 1 and "/lat: these coordinates were not regular" in errors[0][1]


@pytest.mark.parametrize("convention", ["GDAL", "CF", "SPATIAL_PROJ"])
@pytest.mark.parametrize("size", [(4, 1), (1, 4), (1, 1)])
def test_a_single_row_or_column_keeps_its_place(store, convention, size):
    source = gdal.GetDriverByName("MEM").Create("", *size, 1)
    source.SetGeoTransform((100, 10, 0, 200, 0, -10))
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"GEOREFERENCING_CONVENTION={convention}"])
    assert gdal.Open(store).GetGeoTransform() == (100, 10, 0, 200, 0, -10)


# --- CRSs of other kinds -----------------------------------------------------------------------------------------------

OTHER_KINDS = {
    "engineering": 'ENGCRS["Site",EDATUM["Site datum"],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["metre",1]]',
    "local": 'LOCAL_CS["Site",UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]',
    "geocentric": "EPSG:4978",
    "rotated": "+proj=ob_tran +o_proj=longlat +o_lat_p=30 +o_lon_p=0 +lon_0=10 +datum=WGS84 +type=crs",
    "compound": "EPSG:32633+5773",
    # WKT1 has no such variant with a scale factor
    "stereographic": """PROJCRS["of GRIB",BASEGEOGCRS["of GRIB",DATUM["unknown",ELLIPSOID["Sphere",6371229,0]]],
        CONVERSION["A",METHOD["Polar Stereographic (variant A)",ID["EPSG",9810]],
            PARAMETER["Latitude of natural origin",60,ANGLEUNIT["degree",0.0174532925199433]],
            PARAMETER["Longitude of natural origin",249,ANGLEUNIT["degree",0.0174532925199433]],
            PARAMETER["Scale factor at natural origin",90,SCALEUNIT["unity",1]],
            PARAMETER["False easting",0,LENGTHUNIT["metre",1]],PARAMETER["False northing",0,LENGTHUNIT["metre",1]]],
        CS[Cartesian,2],AXIS["(E)",south,MERIDIAN[90,ANGLEUNIT["degree",0.0174532925199433]]],
        AXIS["(N)",south,MERIDIAN[180,ANGLEUNIT["degree",0.0174532925199433]]],LENGTHUNIT["metre",1]]""",
}


def make_plane_with_the_code_of_heights():
    srs = osr.SpatialReference()
    srs.SetGeogCS("NZGD2000", "New_Zealand_Geodetic_Datum_2000", "GRS 1980", 6378137, 298.257222101004)
    srs.SetAuthority("GEOGCS", "EPSG", 4959)
    return srs


def make_srs_of_esri():
    srs = osr.SpatialReference()
    srs.SetProjCS("Transverse Mercator Earth")
    srs.SetTM(0, -117, 0.9996, 0, 0)
    srs.SetGeogCS("GCS_Earth", "D_North_American_Datum_1927", "North_American_Datum_1927", 6378206.4, 0)
    return srs


@pytest.mark.parametrize("make", [make_plane_with_the_code_of_heights, make_srs_of_esri])
@pytest.mark.parametrize("convention", ["GDAL,CF", "SPATIAL_PROJ"])
@pytest.mark.parametrize("version", [2, 3])
def test_all_that_is_written_of_a_crs_is_read_as_one(store, make, convention, version):
    srs = make()
    source = gdal.GetDriverByName("MEM").Create("", 4, 3)
    source.SetSpatialRef(srs)
    source.SetGeoTransform((10, 0.5, 0, 20, 0, -0.5))
    options = [f"FORMAT=ZARR_V{version}", f"GEOREFERENCING_CONVENTION={convention}"]
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=options)
        read = gdal.Open(store).GetSpatialRef()
    assert errors == []
    assert read.GetName() == srs.GetName()
    assert read.GetSemiMajor() == srs.GetSemiMajor()
    assert read.GetInvFlattening() == pytest.approx(srs.GetInvFlattening())


@pytest.mark.parametrize("kind", OTHER_KINDS)
@pytest.mark.parametrize("version", [2, 3])
def test_other_kinds_of_crs_are_kept_without_a_word(tmp_path, kind, version):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(OTHER_KINDS[kind])
    path = str(tmp_path / "a.zarr")
    with collect_errors() as errors:
        dataset = gdal.GetDriverByName("Zarr").Create(path, 4, 3, 1, gdal.GDT_Byte, [f"FORMAT=ZARR_V{version}"])
        dataset.SetSpatialRef(srs)
        dataset.SetGeoTransform((10, 0.5, 0, 20, 0, -0.5))
        del dataset
        dataset = gdal.Open(path)
        assert dataset.GetSpatialRef().IsSame(srs)
        assert dataset.GetGeoTransform() == (10, 0.5, 0, 20, 0, -0.5)
    assert errors == []
