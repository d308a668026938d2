# SPDX-License-Identifier: MIT
"""The stores of other programs in autotest/data/stores have the values that their writers read back."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal

AUTOTEST = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(AUTOTEST, "data", "stores")

with open(os.path.join(FOLDER, "index.json")) as f:
    EVERY_ROW = json.load(f)
ROWS = [row for row in EVERY_ROW if "expected" in row]


def load(row, member):
    return np.load(os.path.join(FOLDER, row[member])) if member in row else None


def open_row(row):
    path = os.path.join(FOLDER, row["store"])
    if path.endswith(".zip"):
        path = "/vsizip/" + path
    group = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER, allowed_drivers=["Zarr"]).GetRootGroup()
    if row["array"]:
        return group.OpenMDArrayFromFullname("/" + row["array"])
    return group.OpenMDArray(group.GetMDArrayNames()[0])


def bits(values):
    """Returns the bytes of numbers in native order, so that -0.0 differs from 0.0, and a NaN equals itself."""
    return np.ascontiguousarray(values).view("u1").reshape(values.shape + (-1,)) if values.ndim else values.tobytes()


def check_numbers(array, expected, mask):
    if expected.dtype.kind in "mM":
        expected = expected.view(expected.dtype.str.replace("M", "i").replace("m", "i").split("[")[0])
    got = array.ReadAsArray()
    # Types that GDAL lacks are read as wider ones: bool, and in some versions float16 and int8.
    expected = expected.astype(got.dtype).reshape(got.shape)
    if mask is not None:
        got, expected = got[mask], expected[mask]
    same = np.asarray(bits(got) == bits(expected))
    if same.ndim > 1:
        same = same.all(-1)
    assert same.all(), f"{np.count_nonzero(~same)} of {same.size} differ, for instance at {np.argwhere(~same)[0]}"


def check_texts(array, expected, mask):
    got = array.Read()
    got = np.array([text or "" for text in got] if isinstance(got, list) else [got or ""], object)
    keep = mask.ravel() if mask is not None else np.full(got.shape, True)
    texts = np.char.decode(expected, "utf-8") if expected.dtype.kind == "S" else expected
    assert got[keep].tolist() == texts.ravel()[keep].tolist()


def check_fields(array, expected, mask):
    """Checks each field of a struct as an array of its own. Lists of numbers in fields are structs themselves."""
    names = [component.GetName() for component in array.GetDataType().GetComponents()]
    assert names == [name for name in expected.dtype.names if name]
    for name in names:
        if expected[name].ndim == expected.ndim:
            check(array.GetView(f"['{name}']"), expected[name], mask)


def check(array, expected, mask):
    kind = array.GetDataType().GetClass()
    if kind == gdal.GEDTC_STRING:
        check_texts(array, expected, mask)
    elif kind == gdal.GEDTC_NUMERIC:
        check_numbers(array, expected, mask)
    elif expected.dtype.names:
        check_fields(array, expected, mask)
    else:
        assert bytes(array.Read()) == expected.tobytes()


def name_of(row):
    return "/".join(filter(None, [row["store"], row["array"]]))


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_values_are_those_of_the_writer(row):
    array = open_row(row)
    expected = load(row, "expected")
    if expected.size == 0:
        assert [d.GetSize() for d in array.GetDimensions()] == list(expected.shape)
        return
    check(array, expected, load(row, "mask"))


def is_raster(row):
    expected = load(row, "expected")
    return expected.ndim in (2, 3) and expected.size > 0 and expected.dtype.kind in "biufc"


@pytest.mark.parametrize("row", [row for row in ROWS if is_raster(row)], ids=name_of)
def test_bands_are_those_of_the_writer(row):
    """The classic API gives the same values, with the last two dimensions as the raster."""
    path = os.path.join(FOLDER, row["store"])
    if path.endswith(".zip"):
        path = "/vsizip/" + path
    dataset = gdal.Open(f'ZARR:"{path}"' + (f":/{row['array']}" if row["array"] else ""))
    got = dataset.ReadAsArray()
    expected = load(row, "expected").astype(got.dtype)
    mask = load(row, "mask")
    mask = np.full(expected.shape, True) if mask is None else mask
    assert np.array_equal(got.reshape(expected.shape)[mask], expected[mask], equal_nan=got.dtype.kind in "fc")


def test_index_lists_every_store():
    found = set()
    for writer in os.listdir(FOLDER):
        if writer != "expected" and os.path.isdir(os.path.join(FOLDER, writer)):
            found |= {f"{writer}/{name}" for name in os.listdir(os.path.join(FOLDER, writer))}
    assert found == {row["store"] for row in EVERY_ROW}


# --- where they lie -------------------------------------------------------------------------------------------------


def check_place(path, row, place):
    dataset = gdal.Open(f'ZARR:"{path}":/{row["array"]}')
    assert list(dataset.GetGeoTransform()) == place["geotransform"]
    srs = dataset.GetSpatialRef()
    assert srs is not None and srs.GetAuthorityCode(None) == str(place["epsg"])
    # The first coordinate is along X.
    assert srs.GetDataAxisToSRSAxisMapping() == ([2, 1] if srs.EPSGTreatsAsLatLong() else [1, 2])
    return dataset


@pytest.fixture
def side_files(monkeypatch):
    """Enables GDAL's side file, which has the SRS of arrays of three dimensions."""
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")


@pytest.mark.parametrize("row", [row for row in EVERY_ROW if "geotransform" in row], ids=name_of)
def test_place_is_that_of_the_writer(row, side_files):
    dataset = check_place(os.path.join(FOLDER, row["store"]), row, row)
    if "overviews" in row:
        band = dataset.GetRasterBand(1)
        levels = [band.GetOverview(i) for i in range(band.GetOverviewCount())]
        assert [[level.XSize, level.YSize] for level in levels] == row["overviews"]


def more_stores():
    """Returns the folder of more stores that ZARR_FIXTURES names, and the rows of its manifest that give a place."""
    folder = os.environ.get("ZARR_FIXTURES", os.path.join(FOLDER, "..", "..", "..", "..", "shared", "fixtures"))
    manifest = os.path.join(folder, "manifest.jsonl")
    if not os.path.exists(manifest):
        return folder, []
    with open(manifest) as f:
        return folder, [row for row in map(json.loads, f) if "georef" in row]


def test_places_in_more_stores(side_files):
    folder, rows = more_stores()
    if not rows:
        pytest.skip(f"no more stores in {folder}, a folder that ZARR_FIXTURES can name")
    for row in rows:
        check_place(os.path.join(folder, row["path"]), row, row["georef"])
