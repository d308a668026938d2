# SPDX-License-Identifier: MIT
"""The ground control points that products of EOPF, such as Sentinel-1's, have beside their measurements."""
import numpy as np
import pytest
from conventions import export_wkt
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group

DATA = np.arange(20 * 30, dtype="<u2").reshape(20, 30)
LINES = np.array([0, 10, 19], "<u4")
PIXELS = np.array([0, 29], "<u4")
LATITUDE = np.array([[50.0, 50.1], [49.0, 49.1], [48.0, 48.1]])
LONGITUDE = np.array([[10.0, 13.0], [9.8, 12.8], [9.6, 12.6]])
HEIGHT = np.array([[100.0, 200.0], [300.0, np.nan], [500.0, 600.0]])


def write_points(store, product, skip=(), **changes):
    arrays = {"line": LINES, "pixel": PIXELS, "latitude": LATITUDE, "longitude": LONGITUDE, "height": HEIGHT}
    names = {"line": ["azimuth_time"], "pixel": ["ground_range"]}
    arrays.update(changes)
    write_v2_group(f"{store}/{product}/conditions", {})
    write_v2_group(f"{store}/{product}/conditions/gcp", {})
    for name, values in arrays.items():
        if name in skip:
            continue
        dimensions = names.get(name, ["azimuth_time", "ground_range"]) if values.ndim == 1 else ["azimuth_time", "ground_range"]
        write_v2(f"{store}/{product}/conditions/gcp/{name}", values, attributes={"_ARRAY_DIMENSIONS": dimensions})


def write_product(store, product="S01SIWGRD_VH", **more):
    write_v2_group(store, {"stac_discovery": {"properties": {"proj:epsg": 4326}}})
    write_v2_group(f"{store}/{product}", {})
    write_v2_group(f"{store}/{product}/measurements", {})
    dimensions = {"_ARRAY_DIMENSIONS": ["azimuth_time", "ground_range"], "_eopf_attrs": {}}
    write_v2(f"{store}/{product}/measurements/grd", DATA, fill=0, attributes=dimensions)
    for name, values in (("azimuth_time", np.arange(20) * 5.0), ("ground_range", np.arange(30) * 10.0)):
        write_v2(f"{store}/{product}/measurements/{name}", values, attributes={"_ARRAY_DIMENSIONS": [name]})
    write_points(store, product, **more)
    return gdal.Open(f'ZARR:"{store}":/{product}/measurements/grd')


def list_points(dataset):
    return [(p.GCPPixel, p.GCPLine, p.GCPX, p.GCPY, p.GCPZ) for p in dataset.GetGCPs()]


EXPECTED = [
    (pixel + 0.5, line + 0.5, LONGITUDE[row, column], LATITUDE[row, column], np.nan_to_num(HEIGHT[row, column]))
    for row, line in enumerate(LINES)
    for column, pixel in enumerate(PIXELS)
]


def test_points_may_be_a_list(store):
    lines, pixels = (a.ravel() for a in np.meshgrid(LINES, PIXELS, indexing="ij"))
    flat = {"latitude": LATITUDE, "longitude": LONGITUDE, "height": HEIGHT}
    dataset = write_product(store, line=lines, pixel=pixels, **{name: values.ravel() for name, values in flat.items()})
    assert list_points(dataset) == EXPECTED


def test_a_list_of_another_length_gives_a_warning(store):
    lists = {"latitude": LATITUDE.ravel(), "longitude": LONGITUDE.ravel(), "line": LINES.repeat(2)}
    dataset = write_product(store, pixel=PIXELS, **lists)
    with collect_errors() as errors:
        assert dataset.GetGCPCount() == 0
    assert [text for _, text in errors if "_ARRAY_DIMENSIONS" not in text and "ground control points are ignored" in text]
    assert all("ground control points are ignored" in text or "_ARRAY_DIMENSIONS" in text for _, text in errors)


def test_a_product_has_ground_control_points(store):
    dataset = write_product(store)
    assert dataset.GetGCPCount() == 6
    assert dataset.GetGCPSpatialRef().GetAuthorityCode(None) == "4326"
    assert list_points(dataset) == EXPECTED
    assert len({point.Id for point in dataset.GetGCPs()}) == 6
    assert dataset.GetGeoTransform(can_return_null=True) is None
    assert dataset.GetSpatialRef() is None


def test_lines_and_pixels_may_be_grids(store):
    lines, pixels = np.meshgrid(LINES, PIXELS, indexing="ij")
    assert list_points(write_product(store, line=lines, pixel=pixels)) == EXPECTED


def test_points_without_a_place_are_left_out(store):
    longitude = LONGITUDE.copy()
    longitude[1, 1] = np.nan
    points = list_points(write_product(store, longitude=longitude, skip=["height"]))
    assert len(points) == 5
    assert {point[4] for point in points} == {0}


def test_points_are_used_to_warp(store):
    write_product(store)
    warped = gdal.Warp("", f'ZARR:"{store}":/S01SIWGRD_VH/measurements/grd', format="MEM", dstSRS="EPSG:4326", tps=True)
    transform = warped.GetGeoTransform()
    assert transform[0] == pytest.approx(9.6, abs=0.3)
    assert transform[3] == pytest.approx(50.1, abs=0.3)
    assert warped.ReadAsArray().max() > 0


@pytest.mark.parametrize("missing", ["latitude", "longitude", "line", "pixel"])
def test_a_product_that_lacks_an_array_has_no_points(store, missing):
    with collect_errors() as errors:
        dataset = write_product(store, skip=[missing])
        assert dataset.GetGCPCount() == 0
    assert errors == []
    assert dataset.GetGeoTransform(can_return_null=True) is not None


def test_arrays_that_do_not_fit_give_a_warning(store):
    with collect_errors() as errors:
        assert write_product(store, line=np.arange(4)).GetGCPCount() == 0
    assert len(errors) == 1 and "S01SIWGRD_VH/conditions/gcp" in errors[0][1]


def test_an_array_beside_the_measurements_has_no_points(store):
    write_product(store)
    write_v2(f"{store}/S01SIWGRD_VH/other", DATA, attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    assert gdal.Open(f'ZARR:"{store}":/S01SIWGRD_VH/other').GetGCPCount() == 0


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_points_keep_all_digits(tmp_path, side_files, version):
    points = [(1 / 3, 2 / 3, 10 + 1 / 7, 50 - 1e-13, 1 / 9), (1e-7, 19.99999999, -1e-15, 1e15 / 3, 0.0), (5, 5, 1, 2, -3.25)]
    store = str(tmp_path / "a.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 30, 20)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    source.SetGCPs([gdal.GCP(x, y, z, pixel, line, f"{i}", "<a>") for i, (pixel, line, x, y, z) in enumerate(points)], srs)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={version}"])
    opened = gdal.Open(store)
    assert list_points(opened) == points
    assert [(p.Info, p.Id) for p in opened.GetGCPs()] == [(f"{i}", "<a>") for i in range(3)]
    opened.GetRasterBand(1).ComputeStatistics(False)  # saves the side file again
    del opened
    assert list_points(gdal.Open(store)) == points


# --- points in the side file ------------------------------------------------------------------------------------------

SOME_POINTS = [gdal.GCP(x, y, 0, x / 2, y / 2) for x, y in ((0, 0), (0, 4), (4, 0))]
PLACE = (20, 0.5, 0, 60, 0, -0.5)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_points_and_a_geotransform_replace_each_other(store, side_files, zarr_format):
    driver = gdal.GetDriverByName("Zarr")
    dataset = driver.Create(store, 4, 4, options=[f"FORMAT={zarr_format}", "ARRAY_NAME=a"])
    dataset.SetGeoTransform(PLACE)
    dataset = None

    def change(function):
        dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
        with collect_errors() as errors:
            function(dataset)
            dataset.FlushCache()
        dataset = gdal.OpenEx(store, gdal.OF_RASTER)
        told = [text.split(": ")[-1] for _, text in errors]
        return told, dataset.GetGeoTransform(can_return_null=True), dataset.GetGCPCount()

    assert change(lambda dataset: dataset.SetGCPs([], "")) == ([], PLACE, 0)
    warning = "the geotransform is removed, because ground control points are set"
    assert change(lambda dataset: dataset.SetGCPs(SOME_POINTS, export_wkt(4326))) == ([warning], None, 3)
    assert change(lambda dataset: dataset.SetGeoTransform([0, 1, 0, 0, 0, 1])) == ([], None, 3)
    warning = "the ground control points are removed, because a geotransform is set"
    assert change(lambda dataset: dataset.SetGeoTransform(PLACE)) == ([warning], PLACE, 0)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_a_copy_has_both_points_and_a_geotransform(store, side_files, zarr_format):
    source = gdal.Open(
        '<VRTDataset rasterXSize="4" rasterYSize="4"><GeoTransform>20, 0.5, 0, 60, 0, -0.5</GeoTransform><GCPList>'
        + "".join(f'<GCP Pixel="{p.GCPPixel}" Line="{p.GCPLine}" X="{p.GCPX}" Y="{p.GCPY}"/>' for p in SOME_POINTS)
        + '</GCPList><VRTRasterBand dataType="Byte" band="1"/></VRTDataset>'
    )
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={zarr_format}"])
    assert errors == []
    copy = gdal.Open(store)
    assert (copy.GetGeoTransform(), copy.GetGCPCount()) == (PLACE, 3)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize(
    "crs, has_transform, removed",
    [
        (32632, True, "geotransform and the CRS are"),
        (32632, False, "CRS is"),
        (4326, True, "geotransform is"),
        (4326, False, None),
    ],
)
@pytest.mark.parametrize("crs_of_points", [4326, None])
@pytest.mark.parametrize("closes", [False, True])
def test_points_replace_the_crs(store, side_files, zarr_format, crs, has_transform, removed, crs_of_points, closes):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, options=[f"FORMAT={zarr_format}"])
    dataset.SetProjection(export_wkt(crs))
    if has_transform:
        dataset.SetGeoTransform(PLACE)
    if closes:
        dataset = None
        dataset = gdal.Open(store, gdal.GA_Update)
    with collect_errors() as errors:
        dataset.SetGCPs(SOME_POINTS, export_wkt(crs_of_points) if crs_of_points else "")
    if not crs_of_points:
        removed = "geotransform and the CRS are" if has_transform else "CRS is"
    assert [text.split(": ")[-1] for _, text in errors] == (
        [f"the {removed} removed, because ground control points are set"] if removed else []
    )
    for _ in range(2):
        assert dataset.GetSpatialRef() is None and dataset.GetGeoTransform(can_return_null=True) is None
        srs = dataset.GetGCPSpatialRef()
        assert dataset.GetGCPCount() == 3 and (srs and int(srs.GetAuthorityCode(None))) == crs_of_points
        dataset = None
        dataset = gdal.Open(store)
    gdal.Open(store, gdal.GA_Update).SetGeoTransform(PLACE)
    dataset = gdal.Open(store)
    srs = dataset.GetSpatialRef()
    assert (srs and int(srs.GetAuthorityCode(None))) == crs_of_points
    assert (dataset.GetGeoTransform(), dataset.GetGCPCount()) == (PLACE, 0)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("closes", [False, True])
@pytest.mark.parametrize("code", [32632, None])
def test_a_crs_set_after_points_is_theirs(store, side_files, zarr_format, closes, code):
    """GeoTIFF has one CRS, too."""

    def read_codes(dataset):
        crs = [dataset.GetSpatialRef(), dataset.GetGCPSpatialRef()]
        return [each and each.GetAuthorityCode(None) for each in crs]

    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, options=[f"FORMAT={zarr_format}"])
    dataset.SetGCPs(SOME_POINTS, export_wkt(4326))
    if closes:
        dataset = None
        dataset = gdal.Open(store, gdal.GA_Update)
    with collect_errors() as errors:
        dataset.SetProjection(export_wkt(code) if code else "")
    assert read_codes(dataset) == [None, code and str(code)]
    before = list_points(dataset)
    dataset = None
    dataset = gdal.Open(store)
    assert read_codes(dataset) == [None, code and str(code)]
    assert list_points(dataset) == before and len(before) == 3
    assert errors == []


def test_points_that_cannot_replace_shared_coordinates_change_nothing(store, side_files):
    for name in "ab":
        options = ["FORMAT=ZARR_V3", f"ARRAY_NAME={name}"] + (["APPEND_SUBDATASET=YES"] if name == "b" else [])
        dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, options=options)
        dataset.SetProjection(export_wkt(32632))
        dataset.SetGeoTransform(PLACE)
        dataset = None
    dataset = gdal.Open(f'ZARR:"{store}":/a', gdal.GA_Update)
    with collect_errors() as errors, pytest.raises(RuntimeError, match="other arrays use these coordinates"):
        dataset.SetGCPs(SOME_POINTS, export_wkt(4326))
    assert not [text for _, text in errors if "removed" in text]
    assert dataset.GetGeoTransform() == PLACE and dataset.GetGCPCount() == 0
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32632"
