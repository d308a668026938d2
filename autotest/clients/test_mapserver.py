# SPDX-License-Identifier: MIT
"""MapServer draws stores, and serves them by WMS and WCS."""

import os

import numpy as np
import pytest
from osgeo import gdal, ogr, osr
from programs import find_program, needs_program, require_program, run
from weather import SHOWN, T2M

require_program("mapserv", "cgi-mapserver")
draws = needs_program("map2img", "mapserver-bin")
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")
RELIEF = np.load(f"{DEMO}/expected_relief.npy")

MAP = """MAP
  NAME "test"
  SIZE {columns} {rows}
  EXTENT {extent}
  PROJECTION "init=epsg:4326" END
  CONFIG "MS_ERRORFILE" "stderr"
  WEB METADATA
    "ows_title" "test" "ows_onlineresource" "http://localhost/" "ows_enable_request" "*" "ows_srs" "EPSG:4326 EPSG:3857"
  END END
  OUTPUTFORMAT NAME "floats" DRIVER "GDAL/GTiff" MIMETYPE "image/tiff" IMAGEMODE FLOAT32 EXTENSION "tif" END
  LAYER
    NAME "layer" TYPE RASTER STATUS ON
    {source}
    PROJECTION "init=epsg:4326" END
  END
END
"""


def extent_of_centres(rows):
    """The extent of the world in so many rows, as a map file has it: from the centres of pixels to centres."""
    half = 90 / rows
    return f"{half - 180} {half - 90} {180 - half} {90 - half}"


WEATHER = {"rows": 20, "columns": 30, "extent": "-9.5 40.5 19.5 59.5"}
WORLD = {"rows": 540, "columns": 1080, "extent": extent_of_centres(540)}


@pytest.fixture
def write_map(folder):
    """Writes a map of one layer, with some lines that say where its data are."""

    def write(source, view):
        with open(f"{folder}/test.map", "w", encoding="utf-8") as f:
            f.write(MAP.format(source=source, **view))
        with open(f"{folder}/mapserver.conf", "w", encoding="utf-8") as f:
            f.write('CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n  END\nEND\n')
        return f"{folder}/test.map"

    return write


def draw(path, folder):
    """The picture of a map as values of Float32."""
    environment = {"MAPSERVER_CONFIG_FILE": f"{folder}/mapserver.conf"}
    run("map2img", "-m", path, "-i", "floats", "-o", f"{folder}/picture.tif", **environment)
    return gdal.Open(f"{folder}/picture.tif").ReadAsArray()


def request(path, folder, **query):
    """Asks MapServer as a web server does. Returns the type and the bytes of its answer."""
    query = "&".join(f"{name}={value}" for name, value in {"map": path, **query}.items())
    answer = f"{folder}/answer"
    program = find_program("mapserv")
    environment = {"REQUEST_METHOD": "GET", "QUERY_STRING": query, "MAPSERVER_CONFIG_FILE": f"{folder}/mapserver.conf"}
    run("bash", "-c", f"'{program}' > '{answer}'", **environment)
    with open(answer, "rb") as f:
        head, _, body = f.read().partition(b"\r\n\r\n")
    return head.decode(), body


def values_of(body):
    gdal.FileFromMemBuffer("/vsimem/answer", body)
    dataset = gdal.Open("/vsimem/answer")
    assert dataset is not None
    return dataset.ReadAsArray()


# --- pictures ---------------------------------------------------------------------------------------------------------


@draws
def test_draw_rectilinear_chunks(write_map, relief, folder):
    np.testing.assert_array_equal(draw(write_map(f'DATA "{relief}"', WORLD), folder), RELIEF)


@draws
@pytest.mark.parametrize("form", ["'ZARR:\"{}\":/t2m'", '"{}/t2m"'])
def test_draw_a_band_of_an_array(write_map, weather, folder, form):
    source = f'DATA {form.format(weather)}\nPROCESSING "BANDS=2"'
    np.testing.assert_array_equal(draw(write_map(source, WEATHER), folder), T2M[1])


@draws
def test_draw_a_slice_by_its_time(write_map, weather, folder):
    source = f"DATA 'ZARR:\"{weather}\":/t2m:time=2024-02-01'"
    np.testing.assert_array_equal(draw(write_map(source, WEATHER), folder), T2M[1])


@draws
def test_nodata_is_left_out(write_map, cube, folder):
    got = draw(write_map(f'DATA "{cube}"\nPROCESSING "BANDS=1"', WEATHER), folder)
    np.testing.assert_array_equal(got, np.where(np.isnan(SHOWN[0]), 0, T2M[0]))


@draws
def test_draw_from_an_overview(write_map, relief, folder):
    store = f"{folder}/relief.zarr"
    gdal.Translate(store, relief, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "ARRAY_NAME=relief"])
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2])
    half = {"rows": 270, "columns": 540, "extent": extent_of_centres(270)}
    expected = gdal.Open(f'ZARR:"{store}":/ovr_2x/relief').ReadAsArray()
    np.testing.assert_array_equal(draw(write_map(f'DATA "{store}"', half), folder), expected)


@draws
def test_draw_an_index_of_stores(write_map, relief, folder):
    """The world from two stores, which an index names, is what it is from two files."""
    pictures = []
    for driver, suffix in (("Zarr", "zarr"), ("GTiff", "tif")):
        index = write_index(relief, folder, driver, suffix)
        pictures.append(draw(write_map(f'TILEINDEX "{index}"\nTILEITEM "location"', WORLD), folder))
    assert len(np.unique(pictures[0][:, :540])) > 1000 and len(np.unique(pictures[0][:, 540:])) > 1000
    np.testing.assert_array_equal(*pictures)


def write_index(name, folder, driver, suffix):
    """Writes the western and the eastern half of a raster, and an index of them."""
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    path = f"{folder}/index_{suffix}.shp"
    index = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(path)
    layer = index.CreateLayer("index", srs, ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("location", ogr.OFTString))
    for half, west in (("west", -180), ("east", 0)):
        gdal.Translate(f"{folder}/{half}.{suffix}", name, format=driver, projWin=[west, 90, west + 180, -90])
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["location"] = f"{folder}/{half}.{suffix}"
        ring = f"{west} -90, {west + 180} -90, {west + 180} 90, {west} 90, {west} -90"
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POLYGON (({ring}))"))
        layer.CreateFeature(feature)
    return path


# --- services ---------------------------------------------------------------------------------------------------------


def test_web_map_service(write_map, weather, folder):
    path = write_map(f'DATA "{weather}/t2m"\nPROCESSING "BANDS=2"\nPROCESSING "SCALE=75,150"', WEATHER)
    query = {"service": "WMS", "version": "1.1.1", "request": "GetMap", "layers": "layer", "styles": ""}
    place = {"srs": "EPSG:4326", "bbox": "-10,40,20,60", "width": 30, "height": 20, "format": "image/png"}
    head, body = request(path, folder, **query, **place)
    assert "image/png" in head
    picture = values_of(body)
    assert len(np.unique(picture[0])) > 200  # of 256 greys
    assert (np.diff(picture[0].astype(int).ravel()) >= 0).all()


def test_value_at_a_place_of_a_web_map(write_map, weather, folder):
    path = write_map(f'DATA "{weather}/t2m"\nPROCESSING "BANDS=2"\nTEMPLATE "none"\nMETADATA "wms_include_items" "all" END', WEATHER)
    query = {"service": "WMS", "version": "1.1.1", "request": "GetFeatureInfo", "layers": "layer", "styles": "", "query_layers": "layer"}
    place = {"srs": "EPSG:4326", "bbox": "-10,40,20,60", "width": 30, "height": 20, "x": 11, "y": 7, "info_format": "text/plain"}
    _, body = request(path, folder, **query, **place)
    assert f"value_0 = '{T2M[1, 7, 11]:g}'" in body.decode()


def test_web_coverage_service(write_map, weather, folder):
    path = write_map(f'DATA "{weather}/t2m"', WEATHER)
    query = {"service": "WCS", "version": "1.0.0", "request": "GetCoverage", "coverage": "layer", "crs": "EPSG:4326"}
    head, body = request(path, folder, **query, bbox="-10,40,20,60", width=30, height=20, format="floats")
    assert "image/tiff" in head
    np.testing.assert_array_equal(values_of(body)[1:], T2M[1:])
