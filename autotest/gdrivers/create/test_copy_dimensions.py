# SPDX-License-Identifier: MIT
"""A raster that is copied keeps the dimensions that its bands count, and their coordinates."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, open_group, write_v3, write_v3_group

LEVELS = np.array([500, 850.5], "<f8")
DAYS = np.array([0, 31, 59], "<i4")
DATA = np.arange(3 * 2 * 4 * 5, dtype="<i2").reshape(3, 2, 4, 5)


def write_cube(store, names=("time", "level", "y", "x"), calendar=None):
    write_v3_group(store)
    data = DATA if len(names) == 4 else DATA[:, 0] if "time" in names else DATA[0]
    write_v3(f"{store}/t", np.ascontiguousarray(data), names=list(names))
    calendars = {"calendar": calendar} if calendar else {}
    write_v3(f"{store}/time", DAYS, names=["time"], attributes={"units": "days since 2023-01-01", **calendars})
    write_v3(f"{store}/level", LEVELS, names=["level"], attributes={"units": "hPa"})
    return f'ZARR:"{store}":/t'


def copy(name, target, *options, **more):
    return gdal.Translate(target, name, format="Zarr", creationOptions=["ARRAY_NAME=t", *options], **more)


def dimensions_of(store, array="t"):
    return [(d.GetName(), d.GetSize()) for d in open_array(store, array).GetDimensions()]


def place_of(name, band, item):
    """An item of a band's metadata about its place."""
    dataset = gdal.Open(name)
    return dataset.GetRasterBand(band).GetMetadataItem(item)


def description_of(name, band):
    dataset = gdal.Open(name)
    return dataset.GetRasterBand(band).GetDescription()


def read(store, name):
    return open_array(store, name).ReadAsArray().tolist()


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_a_cube_keeps_its_dimensions(store, tmp_path, version):
    target = str(tmp_path / "copy.zarr")
    copy(write_cube(store), target, f"FORMAT={version}")
    assert dimensions_of(target) == [("time", 3), ("level", 2), ("y", 4), ("x", 5)]
    assert np.array_equal(open_array(target, "t").ReadAsArray(), DATA)
    assert read(target, "time") == [0, 31, 59] and read(target, "level") == [500, 850.5]
    time = open_array(target, "time")
    assert time.GetUnit() == "days since 2023-01-01"
    assert time.GetDimensions()[0].GetType() == gdal.DIM_TYPE_TEMPORAL
    assert open_array(target, "level").GetUnit() == "hPa"


def test_the_copy_says_the_same_of_its_bands(store, tmp_path):
    name, target = write_cube(store), str(tmp_path / "copy.zarr")
    copy(name, target, "FORMAT=ZARR_V3")
    before, after = gdal.Open(name), gdal.Open(f'ZARR:"{target}":/t')
    for i in range(1, 7):
        old, new = before.GetRasterBand(i), after.GetRasterBand(i)
        assert new.GetDescription() == old.GetDescription() != ""
        assert new.GetMetadata() == old.GetMetadata()
    with open(f"{target}/t/zarr.json", encoding="utf-8") as f:
        assert "gdal:bands" not in json.load(f)["attributes"]  # nothing is said twice


def test_some_bands_of_a_cube(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_cube(store, ("time", "y", "x")), target, bandList=[1, 3])
    assert dimensions_of(target)[0] == ("time", 2)
    assert read(target, "time") == [0, 59]
    assert place_of(f'ZARR:"{target}":/t', 2, "DIM_time_INDEX") == "1"


def test_bands_that_are_no_grid_become_bands(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_cube(store), target, bandList=[1, 2, 3])
    assert dimensions_of(target)[0] == ("Band", 3)
    assert place_of(f'ZARR:"{target}":/t', 3, "DIM_time_VALUE") == "31"
    assert description_of(f'ZARR:"{target}":/t', 3) == "2023-02-01T00:00:00Z, level=500 hPa"


def test_dimensions_survive_a_geotiff(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(str(tmp_path / "a.tif"), write_cube(store))
    copy(str(tmp_path / "a.tif"), target)
    assert dimensions_of(target) == [("time", 3), ("level", 2), ("Y", 4), ("X", 5)]
    assert read(target, "level") == [500, 850.5]


@pytest.mark.parametrize("by_geotiff", [False, True])
def test_a_dimension_of_one_step_stays(store, tmp_path, by_geotiff):
    source, target = write_cube(store, ("time", "y", "x")), str(tmp_path / "copy.zarr")
    if by_geotiff:
        gdal.Translate(str(tmp_path / "a.tif"), source, bandList=[2])
        copy(str(tmp_path / "a.tif"), target, "FORMAT=ZARR_V3")
    else:
        copy(source + ":1", target, "FORMAT=ZARR_V3")
    assert [size for _, size in dimensions_of(target)] == [1, 4, 5] and dimensions_of(target)[0][0] == "time"
    assert read(target, "time") == [31]
    with open(f"{target}/t/zarr.json", encoding="utf-8") as f:
        assert "gdal:bands" not in json.load(f)["attributes"]


def test_slices_that_are_added_one_by_one_are_planes(store, tmp_path):
    source, target = write_cube(store, ("time", "y", "x")), str(tmp_path / "copy.zarr")
    for band in (1, 2, 3):
        append = ["APPEND_SUBDATASET=YES"] if band > 1 else []
        copy(source, target, f"ARRAY_NAME=s{band}", *append, bandList=[band])
    assert [dimensions_of(target, f"s{band}") for band in (1, 2, 3)] == [[("Y", 4), ("X", 5)]] * 3
    dataset = gdal.OpenEx(target, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    assert dataset.RasterCount == 3 and [place_of(f'ZARR:"{target}":/s3', 1, "DIM_time_INDEX")] == ["2"]


@pytest.mark.parametrize("bands, names", [([1, 2], ["time", "level"]), (None, ["time", "level"]), ([1, 3, 5], ["level", "time"])])
def test_items_that_are_sorted_do_not_tell_the_order(store, tmp_path, bands, names):
    """GDAL sorts those of a VRT. A dimension of which one step is left comes first."""
    source, target = write_cube(store, ("time", "level", "y", "x")), str(tmp_path / "copy.zarr")
    copy(source, target, bandList=bands, **({} if bands else {"metadataOptions": ["A=B"]}))
    assert [name for name, _ in dimensions_of(target)][:2] == names


@pytest.mark.parametrize(
    "by_geotiff, first", [(False, ("z", "time", "a")), (False, ("time", "z", "a")), (True, ("a", "z", "time"))]
)
def test_dimensions_of_one_step_keep_their_places(store, tmp_path, by_geotiff, first):
    """GDAL sorts the items of a GeoTIFF by their names."""
    names = [*first, "y", "x"]
    source, target = f'ZARR:"{store}":/t', str(tmp_path / "copy.zarr")
    sizes = {"time": 3, "z": 1, "a": 1, "y": 4, "x": 5}
    write_v3_group(store)
    write_v3(f"{store}/t", np.zeros([sizes[name] for name in names], "u1"), names=names)
    if by_geotiff:
        gdal.Translate(str(tmp_path / "a.tif"), source)
        source = str(tmp_path / "a.tif")
    copy(source, target)
    assert [name for name, _ in dimensions_of(target)][:3] == list(first)


def test_a_band_without_a_place_is_a_plane(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    write_v3_group(store)
    write_v3(f"{store}/t", np.zeros((4, 5), "u1"), names=["y", "x"])
    copy(f'ZARR:"{store}":/t', target)
    assert dimensions_of(target) == [("y", 4), ("x", 5)]


@pytest.mark.parametrize("calendar", ["noleap", "360_day", "proleptic_gregorian"])
def test_the_calendar_is_found_again(store, tmp_path, calendar):
    target = str(tmp_path / "copy.zarr")
    write_cube(store, ("time", "y", "x"), calendar)
    write_v3(f"{store}/time", np.array([0, 59, 789], "<i4"), names=["time"], attributes={"units": "days since 2023-01-01", "calendar": calendar})
    name = f'ZARR:"{store}":/t'
    copy(name, target)
    times = [[place_of(n, i, "DIM_time_ISO8601") for i in (1, 2, 3)] for n in (name, f'ZARR:"{target}":/t')]
    assert times[0] == times[1] and None not in times[0]


def test_datetime64_becomes_cf_time(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    write_cube(store, ("time", "y", "x"))
    write_v3(f"{store}/time", np.array(["2024-02-29T12:00", "2024-03-01", "2025-01-01"], "datetime64[m]").view("<i8"), names=["time"])
    with open(f"{store}/time/zarr.json", encoding="utf-8") as f:
        document = json.load(f)
    document["data_type"] = {"name": "numpy.datetime64", "configuration": {"unit": "m", "scale_factor": 1}}
    with open(f"{store}/time/zarr.json", "w", encoding="utf-8") as f:
        json.dump(document, f)
    copy(f'ZARR:"{store}":/t', target)
    assert description_of(f'ZARR:"{target}":/t', 1) == "2024-02-29T12:00:00Z"
    assert open_array(target, "time").GetUnit() == "seconds since 1970-01-01 00:00:00"


def append(name, target, array, **more):
    gdal.Translate(target, name, format="Zarr", creationOptions=["APPEND_SUBDATASET=YES", f"ARRAY_NAME={array}"], **more)


@pytest.mark.parametrize("dimension, size", [("time", 3), ("level", 2)])
def test_a_second_array_shares_coordinates_that_are_equal(store, tmp_path, dimension, size):
    target = str(tmp_path / "copy.zarr")
    name = write_cube(store, (dimension, "y", "x"))
    copy(name, target)
    append(name, target, "u")
    assert dimensions_of(target, "u")[0] == (dimension, size)


def test_a_second_array_with_some_of_the_bands_gets_coordinates_of_its_own(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    name = write_cube(store, ("time", "y", "x"))
    copy(name, target)
    append(name, target, "v", bandList=[1, 2])
    assert dimensions_of(target, "v")[0] == ("v_time", 2)
    assert read(target, "v_time") == [0, 31] and read(target, "time") == [0, 31, 59]


def test_other_coordinates_of_that_name_stay(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_cube(store, ("time", "y", "x")), target)
    write_v3(f"{store}/time", DAYS + 1, names=["time"], attributes={"units": "days since 2023-01-01"})
    append(f'ZARR:"{store}":/t', target, "u")
    assert dimensions_of(target, "u")[0] == ("u_time", 3)
    assert read(target, "u_time") == [1, 32, 60] and read(target, "time") == [0, 31, 59]


COLOURS = ["red", "near infrared", "größer"]


def write_colours(store, texts=COLOURS):
    """Writes t(colour, y, x), and texts as coordinates along `colour`."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, "", "", size) for name, size in (("colour", 3), ("y", 4), ("x", 5))]
    root.CreateMDArray("t", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int16)).Write(DATA[:, 0].copy())
    root.CreateMDArray("colour", dimensions[:1], gdal.ExtendedDataType.CreateString()).Write(texts)
    return f'ZARR:"{store}":/t'


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_texts_are_coordinates(store, tmp_path, version):
    name, target = write_colours(store), str(tmp_path / "copy.zarr")
    copy(name, target, f"FORMAT={version}")
    assert dimensions_of(target)[0] == ("colour", 3)
    assert open_array(target, "colour").Read() == COLOURS
    assert place_of(f'ZARR:"{target}":/t', 2, "DIM_colour_VALUE") == "near infrared"
    assert description_of(f'ZARR:"{target}":/t', 2) == description_of(name, 2) != ""
    assert np.array_equal(gdal.Open(f'ZARR:"{target}":/t:colour=red').ReadAsArray(), DATA[0, 0])


@pytest.mark.parametrize("texts, are_numbers", [
    (["007", "8", "9"], False), (["1e3", "2", "3"], False), (["1.0", "2", "3"], False), (["+5", "6", "7"], False),
    (["-7", "0", "10"], True), (["0.1", "1e-05", "0.10000000000000001"], True)])  # fmt: skip
def test_texts_are_numbers_only_as_these_are_printed(store, tmp_path, texts, are_numbers):
    target = str(tmp_path / "copy.zarr")
    copy(write_colours(store, texts), target)
    if are_numbers:
        assert read(target, "colour") == [float(text) for text in texts]
    else:
        assert open_array(target, "colour").Read() == texts


def test_texts_that_are_equal_are_shared(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_colours(store), target)
    other = write_colours(str(tmp_path / "other.zarr"), ["red", "green", "blue"])
    for name, source in (("u", f'ZARR:"{store}":/t'), ("v", other)):
        gdal.Translate(target, source, format="Zarr", creationOptions=["APPEND_SUBDATASET=YES", f"ARRAY_NAME={name}"])
    assert dimensions_of(target, "u")[0] == ("colour", 3)
    assert dimensions_of(target, "v")[0] == ("v_colour", 3)
    assert open_array(target, "v_colour").Read() == ["red", "green", "blue"]
    assert open_array(target, "colour").Read() == COLOURS


@pytest.mark.parametrize("options", [["CHUNK_EDGES=Band:1,2", "FORMAT=ZARR_V3"], ["SINGLE_ARRAY=NO"], ["FORMAT=ZARR_V1"]])
def test_other_layouts_are_as_they_were(store, tmp_path, options):
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, write_cube(store, ("time", "y", "x")), format="Zarr", creationOptions=options)
    dataset = gdal.Open(target)
    if "SINGLE_ARRAY=NO" in options:
        assert len(open_group(target).GetMDArrayNames()) >= 3
        assert "time" not in open_group(target).GetMDArrayNames()
    else:
        assert dataset.RasterCount == 3
        assert np.array_equal(dataset.ReadAsArray(), DATA[:, 0])


def test_the_bands_may_be_the_last_dimension(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_cube(store, ("time", "y", "x")), target, "INTERLEAVE=PIXEL")
    assert [name for name, _ in dimensions_of(target)] == ["y", "x", "time"]
    assert np.array_equal(gdal.Open(f'ZARR:"{target}":/t').ReadAsArray(), DATA[:, 0])
    assert read(target, "time") == [0, 31, 59]


def test_integers_beyond_float64_stay_what_they_are(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    write_cube(store, ("id", "y", "x"))
    ids = np.array([2**53 + 1, -(2**62) - 1], "<i8")
    write_v3(f"{store}/id", ids, names=["id"])
    copy(f'ZARR:"{store}":/t', target)
    assert open_array(target, "id").ReadAsArray().tolist() == ids.tolist()
    write_v3(f"{store}/id", ids + 1, names=["id"])
    append(f'ZARR:"{store}":/t', target, "u")
    assert open_array(target, "u").GetDimensions()[0].GetName() == "u_id"


def test_unsigned_integers_beyond_int64_stay_what_they_are(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    write_cube(store, ("id", "y", "x"))
    ids = np.array([2**63 + 1, 3], "<u8")
    write_v3(f"{store}/id", ids, names=["id"])
    copy(f'ZARR:"{store}":/t', target)
    assert open_array(target, "id").ReadAsArray().tolist() == ids.tolist()
    assert place_of(f'ZARR:"{target}":/t', 1, "DIM_id_VALUE") == str(2**63 + 1)
    append(f'ZARR:"{store}":/t', target, "u")
    assert open_array(target, "u").GetDimensions()[0].GetName() == "id"
    write_v3(f"{store}/id", ids + np.uint64(1), names=["id"])
    append(f'ZARR:"{store}":/t', target, "v")
    assert open_array(target, "v").GetDimensions()[0].GetName() == "v_id"


def places(name, *items):
    return {f"DIM_{name}_{kind}": value for kind, value in zip(("INDEX", "VALUE", "UNIT", "ISO8601"), items)}


@pytest.mark.parametrize(
    "bands",
    [
        [places("z", "0", "2", "m"), places("z", "1", "1", "km")],
        [places("z", "0", "2", "m"), places("z", "1", "1")],
        [{**places("run", str(r)), **places("when", str(t), str(10 * r + t))} for r in (0, 1) for t in (0, 1)],
        [places("z", "0", "low", "m"), places("z", "1", "high", "m")],
        [places("z", "0", "1"), places("z", "1")],
        [places("z", "0", "-1"), places("z", "1", str(2**63 + 1))],
    ],
    ids=["units", "no_unit", "values", "texts_with_units", "no_value", "large"],
)
def test_places_that_coordinates_cannot_tell_stay_with_the_bands(tmp_path, bands):
    target = str(tmp_path / "copy.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 5, 4, len(bands))
    for i, items in enumerate(bands):
        source.GetRasterBand(i + 1).SetMetadata(items)
    copy(source, target)
    dataset = gdal.Open(target)
    assert [dataset.GetRasterBand(i + 1).GetMetadata() for i in range(len(bands))] == bands
