# SPDX-License-Identifier: MIT
"""QGIS loads Zarr stores as raster layers: what it shows is what it shows of the same data as GeoTIFF."""

import calendar
import json
import os
import shutil

import numpy as np
import pytest
import sentinel2
from conventions import MULTISCALES_UUID, PROJ_UUID, SPATIAL_UUID
from http_server import Server
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group
from zarrkit_program import run_zarrkit

pytest.importorskip("qgis.core", reason="QGIS is not installed for this Python: bash cmake/deps.sh qgis")
pytestmark = pytest.mark.usefixtures("qgis")

from pictures import draw, open_layer, pixels, set_colors, set_grey  # noqa: E402
from qgis.core import (  # noqa: E402
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsProviderRegistry,
    QgsRaster,
    QgsRectangle,
    QgsUnitTypes,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor, QImage  # noqa: E402

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
RELIEFS = ["relief_v1", "relief_v2", "relief_v3", "relief_v3_sharded", "relief_v3_rectilinear"]
RELIEF = np.load(f"{DATA}/demo/expected_relief.npy")
MULTISCALES = {"uuid": MULTISCALES_UUID}
GEOZARR = {
    "zarr_conventions": [
        {"uuid": PROJ_UUID},
        {"uuid": SPATIAL_UUID},
    ],
    "proj:code": "EPSG:32633",
    "spatial:dimensions": ["y", "x"],
    "spatial:transform": [100.0, 0.0, 400000.0, 0.0, -100.0, 5500000.0],
}


def demo(name):
    return f"{DATA}/demo/{name}.zarr"


def identify(layer, x, y):
    result = layer.dataProvider().identify(QgsPointXY(x, y), QgsRaster.IdentifyFormatValue)
    assert result.isValid()
    return result.results()


def as_geotiff(name, path):
    gdal.Translate(path, gdal.Open(name), format="GTiff")
    return path


def write_pyramid(store):
    """Three levels, whose values tell them from each other."""
    levels = {"full": RELIEF, "half": RELIEF[::2, ::2] // 2, "quarter": -RELIEF[::4, ::4]}
    layout = {"layout": [{"asset": name} for name in levels]}
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": layout})
    for name, data in levels.items():
        write_v3(f"{store}/{name}", data.astype("<i2"), [128, 128], names=["y", "x"], attributes=GEOZARR)
    return f'ZARR:"{store}":/full', levels


def write_month(folder, month):
    """A netCDF file, in the classic format, of one value a day at each place of a grid of half degrees."""
    days = calendar.monthrange(2023, month)[1]
    path = str(folder / f"m{month:02}.nc")
    dataset = gdal.GetDriverByName("netCDF").CreateMultiDimensional(path, [], ["FORMAT=NC"])
    root = dataset.GetRootGroup()
    coordinates = {
        "time": (np.arange(days), f"days since 2023-{month:02}-01"),
        "lat": (49.75 - 0.5 * np.arange(20), "degrees_north"),
        "lon": (5.25 + 0.5 * np.arange(30), "degrees_east"),
    }
    dimensions = [root.CreateDimension(name, None, None, len(values)) for name, (values, _) in coordinates.items()]
    for dimension, (values, unit) in zip(dimensions, coordinates.values()):
        array = root.CreateMDArray(dimension.GetName(), [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
        array.SetUnit(unit)
        array.Write(values.astype("f8"))
    array = root.CreateMDArray("tas", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Float32))
    array.SetUnit("K")
    array.Write(270 + 30 * np.random.default_rng(month).random((days, 20, 30)).astype("f4"))
    return path


def test_the_plugin_is_in_use():
    assert gdal.GetDriverByName("Zarr").GetMetadataItem("ZARRLIB_VERSION").startswith("zarrlib ")


# --- layers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RELIEFS)
@pytest.mark.parametrize("form", ["{}", 'ZARR:"{}"'])
def test_store_is_a_layer(name, form):
    layer = open_layer(form.format(demo(name)))
    assert (layer.width(), layer.height(), layer.bandCount()) == (1080, 540, 1)
    if name != "relief_v1":  # which has no way to say where it lies
        assert layer.crs().authid() == "EPSG:4326"
        corners = [layer.extent().xMinimum(), layer.extent().yMinimum(), layer.extent().xMaximum(), layer.extent().yMaximum()]
        assert corners == pytest.approx([-180, -90, 180, 90], abs=1e-9)


def test_zip_file_of_a_store_is_a_layer(tmp_path):
    name = shutil.make_archive(str(tmp_path / "relief.zarr"), "zip", demo("relief_v3_sharded"))
    assert identify(open_layer(name), 10.1, 46.2) == {1: RELIEF[131, 570]}


def test_url_of_a_store_is_a_layer():
    with Server(f"{DATA}/demo").serve() as server:
        layer = open_layer(f'ZARR:"/vsicurl/{server.url}/relief_v3_sharded.zarr":/relief')
        assert identify(layer, 10.1, 46.2) == {1: RELIEF[131, 570]}


def test_bands_of_a_cube():
    layer = open_layer(demo("sea_surface_temperature_v3_rectilinear"))
    assert (layer.width(), layer.height(), layer.bandCount()) == (180, 90, 12)


def test_bands_of_a_cube_are_called_after_times():
    layer = open_layer(demo("sea_surface_temperature_v3_rectilinear"))
    assert layer.bandName(1) == "Band 01: 0001-01-16T06:00:00Z"
    assert layer.bandName(8) == "Band 08: 0001-08-17T07:23:42Z"


@pytest.mark.parametrize("version", [2, 3])
def test_arrays_of_a_store_are_sublayers(store, version):
    data = {name: np.full((20, 30), i, "<i2") for i, name in enumerate(["first", "second", "third"])}
    (write_v2_group if version == 2 else write_v3_group)(store)
    for name, values in data.items():
        (write_v2 if version == 2 else write_v3)(f"{store}/{name}", values)
    found = QgsProviderRegistry.instance().querySublayers(store)
    assert [sublayer.uri() for sublayer in found] == [f'ZARR:"{store}":/{name}' for name in data]
    for sublayer, values in zip(found, data.values()):
        assert identify(open_layer(sublayer.uri()), 3.5, -4.5) == {1: values[0, 0]}


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RELIEFS[1:])
@pytest.mark.parametrize("longitude, latitude", [(10.1, 46.2), (-179.9, 89.9), (179.9, -89.9), (86.9, 27.9)])
def test_value_at_a_place(name, longitude, latitude):
    expected = RELIEF[int((90 - latitude) * 3), int((longitude + 180) * 3)]
    assert identify(open_layer(demo(name)), longitude, latitude) == {1: expected}


def test_value_at_a_pixel_of_v1():
    assert identify(open_layer(demo("relief_v1")), 700.5, -100.5) == {1: RELIEF[100, 700]}


def test_values_of_all_bands():
    cube = np.load(f"{DATA}/demo/expected_sst.npy")
    got = identify(open_layer(demo("sea_surface_temperature_v3_rectilinear")), 201, 1)
    row, column = 45, 90  # of 2 degrees, from 20 E and from 90 S
    assert [got[i + 1] for i in range(12)] == pytest.approx(cube[:, row, column].tolist())


# --- a year of files --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def year(tmp_path_factory):
    """The folder of twelve netCDF files of daily values, which zarrkit has stacked, and the names of the files."""
    if gdal.GetDriverByName("netCDF") is None:
        pytest.skip("GDAL has no netCDF driver here: the files of the year cannot be made")
    folder = tmp_path_factory.mktemp("year")
    files = [write_month(folder, month) for month in range(1, 13)]
    for name in ("year.json", "year.icechunk"):
        run_zarrkit("stack", "--along", "time", *files, "-o", str(folder / name))
    return folder, files


@pytest.mark.parametrize("name", ["year.json", "year.icechunk"])
def test_a_year_of_netcdf_files_is_a_layer(year, name):
    """Months differ in length, so that the stack has chunks of several lengths. Each day is a band."""
    folder, files = year
    layer = open_layer(str(folder / name))
    assert (layer.width(), layer.height(), layer.bandCount(), layer.crs().authid()) == (30, 20, 365, "EPSG:4326")
    edges = json.loads(gdal.Open(str(folder / name)).GetMetadataItem("CHUNK_EDGES", "IMAGE_STRUCTURE"))
    assert edges[0] == [31, 28, 31, 30, 31, 30, [31, 2], 30, 31, 30, 31]
    assert layer.bandName(1).endswith("2023-01-01T00:00:00Z")
    assert layer.bandName(365).endswith("2023-12-31T00:00:00Z")
    days = [(month, day) for month in range(1, 13) for day in range(calendar.monthrange(2023, month)[1])]
    place = identify(layer, 5 + 0.5 * 7.5, 50 - 0.5 * 3.5)
    for band in (1, 31, 32, 59, 60, 212, 213, 243, 244, 335, 365):  # the first and last days of months, and the year's
        month, day = days[band - 1]
        values = gdal.Open(f'NETCDF:"{files[month - 1]}":tas').ReadAsArray()[day]
        assert place[band] == values[3, 7]
        block = layer.dataProvider().block(band, layer.extent(), 30, 20)
        assert np.array_equal([[block.value(row, column) for column in range(30)] for row in range(20)], values)


@pytest.mark.parametrize("name", ["year.json", "year.icechunk"])
def test_a_day_of_a_year_is_drawn_as_that_of_its_file(year, name):
    folder, files = year
    drawn = []
    for source, band in ((str(folder / name), 31 + 28 + 14), (f'NETCDF:"{files[2]}":tas', 14)):
        layer = open_layer(source)
        set_grey(layer, 270, 300, band)
        drawn.append(pixels(draw([layer], 120, 80)))
    assert len(np.unique(drawn[0])) > 20
    assert np.array_equal(*drawn)


# --- pictures -------------------------------------------------------------------------------------------------------


def check_same(name, geotiff, size, extent=None, look=lambda layer: set_grey(layer, -8000, 6000)):
    drawn = []
    for source in (name, geotiff):
        layer = open_layer(source)
        look(layer)
        drawn.append(pixels(draw([layer], *size, extent)))
    assert len(np.unique(drawn[0])) > 20
    assert np.array_equal(*drawn)


# Larger than the data, smaller, part of it, and what is beyond its edge.
VIEWS = {
    "one to one": ((1080, 540), None),
    "zoomed out": ((211, 97), None),
    "zoomed in": ((400, 300), (5, 44, 13, 50)),
    "across chunks": ((500, 300), (-75.3, -31.1, 22.7, 47.3)),
    "edge": ((300, 200), (150, 60, 210, 100)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", RELIEFS)
def test_picture_is_that_of_the_geotiff(name, view, tmp_path):
    size, corners = VIEWS[view]
    if name == "relief_v1" and corners:  # in pixels, from the upper left one
        corners = [(corners[0] + 180) * 3, (corners[1] - 90) * 3, (corners[2] + 180) * 3, (corners[3] - 90) * 3]
    geotiff = as_geotiff(demo(name), str(tmp_path / "same.tif"))
    check_same(demo(name), geotiff, size, corners and QgsRectangle(*corners))


def test_picture_of_a_band_with_nodata(tmp_path):
    name = demo("sea_surface_temperature_v3_rectilinear")
    geotiff = as_geotiff(name, str(tmp_path / "same.tif"))
    check_same(name, geotiff, (540, 270), look=lambda layer: set_grey(layer, -2, 32, band=8))
    assert (pixels(draw([open_layer(name)], 54, 27)) == [255, 0, 255]).all(-1).any()  # land: the background


@pytest.mark.parametrize("level, size", [("full", (1080, 540)), ("half", (540, 270)), ("quarter", (270, 135))])
def test_pyramid_is_drawn_from_the_level_that_fits(store, tmp_path, level, size):
    name, levels = write_pyramid(store)
    assert open_layer(name).dataProvider().buildPyramidList()
    geotiff = as_geotiff(f'ZARR:"{store}":/{level}', str(tmp_path / "level.tif"))
    check_same(name, geotiff, size)


def test_a_product_of_sentinel_2(store, tmp_path):
    sentinel2.write_product(store)
    found = QgsProviderRegistry.instance().querySublayers(store)
    assert len(found) == 13
    name = f'ZARR:"{store}":/{sentinel2.REFLECTANCE}/r10m/b02'
    layer = open_layer(name)
    assert layer.crs().authid() == f"EPSG:{sentinel2.CODE}"
    corners = [layer.extent().xMinimum(), layer.extent().yMinimum(), layer.extent().xMaximum(), layer.extent().yMaximum()]
    west, north, extent = sentinel2.WEST, sentinel2.NORTH, sentinel2.EXTENT
    assert corners == [west, north - extent, west + extent, north]
    built = [pyramid.getXDim() for pyramid in layer.dataProvider().buildPyramidList() if pyramid.getExists()]
    assert layer.dataProvider().hasPyramids()
    assert 360 in built  # r20m, half of r10m
    assert identify(layer, west + 15, north - 25) == {1: int(sentinel2.make_band("b02", "r10m")[2, 1])}
    level = f'ZARR:"{store}":/{sentinel2.REFLECTANCE}/r20m/b02'
    geotiff = as_geotiff(level, str(tmp_path / "level.tif"))
    check_same(name, geotiff, (360, 360), look=lambda layer: set_grey(layer, 0, 1500))


# --- the picture of the page ----------------------------------------------------------------------------------------

COLORS = [
    (-6000, "#0a2a52"), (-5000, "#12406f"), (-4000, "#1c568a"), (-3000, "#2a6ea3"), (-2000, "#418aba"), (-1000, "#62a6cd"),
    (-200, "#8cc3df"), (0, "#bcdfee"), (200, "#5d8f57"), (500, "#86a864"), (1000, "#b5b878"), (2000, "#c9a66b"),
    (3500, "#a97c50"), (10000, "#f4f1ec"),
]  # fmt: skip


def edges_of(store, array):
    """Where chunks begin and end along each axis, from the metadata as the specification has them."""
    with open(f"{store}/{array}/zarr.json") as f:
        meta = json.load(f)
    result = []
    for length, runs in zip(meta["shape"], meta["chunk_grid"]["configuration"]["chunk_shapes"]):
        edges = [e for run in runs for e in ([run[0]] * run[1] if isinstance(run, list) else [run])]
        ends = np.concatenate([[0], np.cumsum(edges)])
        result.append([int(end) for end in ends if end <= length])
    return result


def lines_layer(rows, columns):
    lines = QgsVectorLayer("LineString?crs=EPSG:4326", "chunks", "memory")
    ends = [((-180, 90 - row / 3), (180, 90 - row / 3)) for row in rows]
    ends += [((column / 3 - 180, 90), (column / 3 - 180, -90)) for column in columns]
    features = []
    for pair in ends:
        feature = QgsFeature()
        feature.setGeometry(QgsGeometry.fromPolylineXY([QgsPointXY(*end) for end in pair]))
        features.append(feature)
    lines.dataProvider().addFeatures(features)
    symbol = lines.renderer().symbol()
    symbol.setColor(QColor("#d62728"))
    symbol.setOutputUnit(QgsUnitTypes.RenderPixels)
    symbol.setWidth(2)
    return lines


def test_picture_of_a_rectilinear_grid(tmp_path):
    """The relief with the edges of its chunks over it. ZARR_PICTURE names the file that it is kept in."""
    store = demo("relief_v3_rectilinear")
    rows, columns = edges_of(store, "relief")
    assert rows == [0, 90, 180, 225, 270, 315, 360, 405, 450, 540]
    assert columns == [0, 120, 240, 360, 600, 840, 1080]
    layer = open_layer(store)
    set_colors(layer, COLORS)
    image = draw([lines_layer(rows, columns), layer], 1080, 540)
    drawn = pixels(image)
    red = (drawn == [0xD6, 0x27, 0x28]).all(-1)
    assert all(red[row - 1 : row + 1].all() for row in rows[1:-1])
    assert all(red[:, column - 1 : column + 1].all() for column in columns[1:-1])
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) == len(COLORS) + 1
    path = os.environ.get("ZARR_PICTURE", str(tmp_path / "chunks.png"))
    assert image.convertToFormat(QImage.Format_Indexed8).save(path, "PNG", 0)
    assert os.path.getsize(path) < 150_000
