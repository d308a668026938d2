# SPDX-License-Identifier: MIT
"""A slice is chosen by the coordinates of its dimensions: SELECT, and selections in the names of datasets."""

import glob
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group

TIMES = 6
LEVELS = (1000.0, 850.0, 500.0)
HOURS = {"units": "hours since 2024-07-01 00:00:00", "calendar": "proleptic_gregorian"}


@pytest.fixture(params=["v2", "v3"])
def write(request):
    """Writes a group with arrays: a dictionary from names to (data, names of dimensions, attributes)."""

    def write_arrays(store, arrays):
        (write_v2_group if request.param == "v2" else write_v3_group)(store)
        for name, (data, dimensions, attributes) in arrays.items():
            data = np.asarray(data)
            if request.param == "v2":
                attributes = {"_ARRAY_DIMENSIONS": list(dimensions), **attributes}
                write_v2(f"{store}/{name}", data, attributes=attributes)
            else:
                write_v3(f"{store}/{name}", data, names=list(dimensions), attributes=attributes)
        return store

    return write_arrays


def cube(**coordinates):
    """An array v(time, level, y, x), whose elements are 10 * time + level, and coordinates."""
    values = 10 * np.arange(TIMES).reshape(-1, 1, 1, 1) + np.arange(len(LEVELS)).reshape(1, -1, 1, 1)
    data = np.broadcast_to(values, (TIMES, len(LEVELS), 2, 3)).astype("<i2").copy()
    arrays = {"v": (data, ["time", "level", "y", "x"], {})}
    for name, (values, attributes) in coordinates.items():
        arrays[name] = (values, [name], attributes)
    return arrays


@pytest.fixture
def weather(store, write):
    """Six-hourly times, and levels that fall."""
    return write(store, cube(time=(np.arange(TIMES, dtype="<i4") * 6, HOURS), level=(np.array(LEVELS, "<f4"), {})))


def values_of(dataset):
    """The value of each band, which is one number everywhere."""
    data = dataset.ReadAsArray().reshape(dataset.RasterCount, -1)
    assert (data == data[:, :1]).all()
    return data[:, 0].tolist()


def select(store, selection, array="v"):
    """Opens by the option and by the name, which must agree."""
    by_option = gdal.OpenEx(f'ZARR:"{store}":/{array}', gdal.OF_RASTER, open_options=[f"SELECT={selection}"])
    by_name = gdal.Open(f'ZARR:"{store}":/{array}:{selection}')
    assert values_of(by_option) == values_of(by_name)
    return values_of(by_name)


def refusal(store, selection, array="v"):
    with pytest.raises(RuntimeError) as by_name:
        gdal.Open(f'ZARR:"{store}":/{array}:{selection}')
    with pytest.raises(RuntimeError) as by_option:
        gdal.OpenEx(f'ZARR:"{store}":/{array}', gdal.OF_RASTER, open_options=[f"SELECT={selection}"])
    assert str(by_name.value) == str(by_option.value)
    return str(by_name.value)


@pytest.mark.parametrize(
    "selection, expected",
    [
        ("time=2024-07-01T12:00,level=850", [21]),
        ("level=850,time=2024-07-01T12:00", [21]),
        ("time=2024-07-01,level=500", [2]),
        ("time=2024-07-01", [0, 1, 2]),
        ("level=1000", [0, 10, 20, 30, 40, 50]),
        ("time=2024-07-01T13:00,level=860", [21]),
        ("time=2024-07-01T15:00,level=1000", [20]),  # 12:00 is as near as 18:00, and stands first
        ("time=2024-07-01T15:00:00.001,level=1000", [30]),
        ("time=2024-07-01T12:00Z,level=1000", [20]),
        ("time=2024-07-01 14:00+02:00,level=1000", [20]),
        ("time=12,level=1000", [20]),
        ("time=#5,level=#0", [50]),
        ("time=#5,level=850", [51]),
        ("time==2024-07-02,level==850", [41]),
        (" time = 2024-07-02 , level == 850.0 ", [41]),
        ('"time"="2024-07-02 00:00",level=8.5e2', [41]),
        ("time=2024-06-30T18:00,level=1150", [0]),  # one step before the first, one above the highest
        ("time=2024-07-02T12:00,level=150", [52]),
    ],
)
def test_the_nearest_coordinates_are_chosen(weather, selection, expected):
    assert select(weather, selection) == expected


@pytest.mark.parametrize(
    "selection, message",
    [
        ("time=2024-06-30T17:59", 'beyond the coordinates of dimension "time", which are from 2024-07-01T00:00:00Z to 2024-07-02T06:00:00Z'),
        ("time=2024-07-02T12:01", 'beyond the coordinates of dimension "time"'),
        ("level=1151", 'level=1151: this is beyond the coordinates of dimension "level", which are from 500 to 1000'),
        ("level=149", "beyond the coordinates"),
        ("time==2024-07-01T13:00", 'no coordinate of dimension "time" is equal to this; they are from 2024-07-01T00:00:00Z to 2024-07-02T06:00:00Z, and the nearest is 2024-07-01T12:00:00Z'),
        ("level==851", "the nearest is 850"),
        ("member=3", 'there is no dimension "member"; the dimensions besides X and Y are "time", "level"'),
        ("x=3", '"x" is X or Y, of which a raster shows all; the dimensions besides X and Y are "time", "level"'),
        ("y=#0", '"y" is X or Y'),
        ("level=850,level=#1", 'dimension "level" is selected twice'),
        ("level=#3", 'dimension "level" has indices from 0 to 2'),
        ("level=#-1", 'expected an index from 0 on for dimension "level", such as #5, got "#-1"'),
        ("level=low", 'dimension "level" has numbers: expected a number, got "low"'),
        ("level=nan", "expected a number"),
        ("level=2024-07-01", "expected a number"),
        ("time=noon", 'has times: expected a date of its calendar, such as 2024-07-01 or 2024-07-01T12:00, or a number, got "noon"'),
        ("time=2024-02-30", "expected a date of its calendar"),
        ("time=", 'expected a value for dimension "time", got none'),
        ("time=#0,level", 'expected <dimension>=<value>, got "level"'),
        ('time="2024', "expected a quote that is closed"),
        ('level="850" ,,', 'expected <dimension>=<value>, got ""'),
        ('level="850" 3', "expected a comma between selectors"),
    ],
)
def test_wrong_selections_are_explained(weather, selection, message):
    assert message in refusal(weather, selection)


def test_errors_name_the_array_and_the_selector(weather):
    text = refusal(weather, "level=2000")
    assert text == f'{weather}/v: level=2000: this is beyond the coordinates of dimension "level", which are from 500 to 1000'


def test_indices_and_selectors_go_together(weather):
    assert values_of(gdal.Open(f'ZARR:"{weather}":/v:2:time=2024-07-02T06:00')) == [52]
    assert values_of(gdal.Open(f'ZARR:"{weather}":"/v":5:level=850')) == [51]
    by_both = gdal.OpenEx(f'ZARR:"{weather}":/v:level=850', gdal.OF_RASTER, open_options=["SELECT=time=#3"])
    assert values_of(by_both) == [31]
    by_index = gdal.OpenEx(f'ZARR:"{weather}":/v:3', gdal.OF_RASTER, open_options=["SELECT=level=500"])
    assert values_of(by_index) == [32]
    with pytest.raises(RuntimeError, match="expected 1 indices after the array's name, got 2"):
        gdal.Open(f'ZARR:"{weather}":/v:2:1:time=#0')
    with pytest.raises(RuntimeError, match='dimension "level" is selected twice'):
        gdal.OpenEx(f'ZARR:"{weather}":/v:level=850', gdal.OF_RASTER, open_options=["SELECT=level=850"])


def test_several_options_are_taken_together(weather):
    options = ["SELECT=time=#3", "SELECT=level=500"]
    assert values_of(gdal.OpenEx(f'ZARR:"{weather}":/v', gdal.OF_RASTER, open_options=options)) == [32]


def test_the_store_alone_opens_its_slice(weather):
    dataset = gdal.OpenEx(weather, gdal.OF_RASTER, open_options=["SELECT=time=2024-07-02,level=500"])
    assert values_of(dataset) == [42]


def test_the_metadata_tell_the_chosen_coordinates(weather):
    dataset = gdal.Open(f'ZARR:"{weather}":/v:time=2024-07-01T13:00,level=#1')
    items = {k: v for k, v in dataset.GetRasterBand(1).GetMetadata().items() if k.startswith("DIM_")}
    assert items == {
        "DIM_level_INDEX": "1",
        "DIM_level_VALUE": "850",
        "DIM_time_INDEX": "2",
        "DIM_time_VALUE": "12",
        "DIM_time_UNIT": HOURS["units"],
        "DIM_time_ISO8601": "2024-07-01T12:00:00Z",
    }


@pytest.mark.parametrize("program", ["gdalinfo", "gdal_translate"])
def test_programs_take_the_name_and_the_option(weather, tmp_path, program):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    name = f'ZARR:"{weather}":/v:time=2024-07-01T12:00,level=850'
    for arguments in [[name], ["-oo", "SELECT=time=2024-07-01T12:00,level=850", weather]]:
        if program == "gdalinfo":
            text = subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout
            assert "DIM_time_ISO8601=2024-07-01T12:00:00Z" in text
        else:
            out = str(tmp_path / "out.tif")
            subprocess.run([program, "-q", *arguments, out], check=True)
            assert values_of(gdal.Open(out)) == [21]


@pytest.mark.parametrize(
    "calendar, selection, expected",
    [
        ("360_day", "2000-02-30", 3),
        ("noleap", "2000-03-02", 4),
        ("standard", "2000-02-29", 3),
        ("julian", "2000-02-29", 3),
    ],
)
def test_times_are_those_of_the_calendar(store, write, calendar, selection, expected):
    first = {"360_day": "2000-02-27", "noleap": "2000-02-26"}.get(calendar, "2000-02-26")
    write(store, cube(time=(np.arange(TIMES, dtype="<f8"), {"units": f"days since {first}", "calendar": calendar})))
    assert select(store, f"time=={selection},level=#0") == [10 * expected]


def test_packed_coordinates_are_unpacked(store, write):
    packed = {"scale_factor": 0.1, "add_offset": 5.0}
    times = {"units": "days since 2000-01-01", "scale_factor": 0.25, "add_offset": 10.0}
    write(store, cube(time=(np.arange(TIMES, dtype="<i2"), times), level=(np.array([1, 3, 7], "<i2"), packed)))
    assert select(store, "time==2000-01-11T06:00,level==5.3") == [11]
    assert select(store, "time=2000-01-11T14:00,level=5.69") == [22]
    assert "are from 5.1 to 5.7" in refusal(store, "level==5.4")


def test_narrow_floats_are_the_numbers_that_were_meant(store, write):
    write(store, cube(level=(np.array([0.1, 0.2, 0.3], "<f4"), {})))
    assert select(store, "level==0.2,time=#0") == [1]
    assert select(store, "level=0.4,time=#0") == [2]
    assert "nearest is 0.3" in refusal(store, "level==0.31")


def test_missing_coordinates_are_never_found(store, write):
    levels = np.array([np.nan, 7, -999], "<f8")
    write(store, cube(level=(levels, {"_FillValue": -999.0}), time=(np.full(TIMES, np.nan), HOURS)))
    assert select(store, "level=7,time=#0") == [1]
    assert "are from 7 to 7" in refusal(store, "level=-999")
    assert 'dimension "time" has no coordinates but NaN' in refusal(store, "time=2024-07-01")


def test_a_single_coordinate_must_be_equal(store, write):
    arrays = {"v": (np.zeros((1, 2, 2), "u1"), ["level", "y", "x"], {}), "level": (np.array([850.0]), ["level"], {})}
    write(store, arrays)
    assert select(store, "level=850") == [0]
    assert "from 850 to 850" in refusal(store, "level=851")


def test_unsorted_coordinates_are_searched_whole(store, write):
    write(store, cube(time=(np.array([5, 1, 3, 3, 9, 7], "<i4"), {})))
    assert select(store, "time=3,level=#0") == [20]
    assert select(store, "time=2,level=#0") == [10]
    assert select(store, "time=11,level=#0") == [40]
    assert "from 1 to 9" in refusal(store, "time=12")


def test_large_integers_are_exact(store, write):
    cells = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 5, -(2**60), 0], "<i8")
    write(store, cube(time=(cells, {})))
    assert select(store, f"time=={2**60 + 1},level=#0") == [10]
    assert select(store, f"time={2**60 + 4},level=#0") == [30]
    assert f"the nearest is {2**60 + 2}" in refusal(store, f"time=={2**60 + 3}")


def test_natural_numbers_beyond_the_integers_are_exact(store, write):
    write(store, cube(time=(np.arange(TIMES, dtype="<u8") + (2**63 + 1), {})))
    assert select(store, f"time=={2**63 + 3},level=#0") == [20]


def test_nanoseconds_are_exact(store, write):
    times = 1700000000123456789 + np.arange(TIMES, dtype="<i8")
    write(store, cube(time=(times, {"units": "nanoseconds since 1970-01-01"})))
    assert select(store, "time==2023-11-14T22:13:20.123456792,level=#0") == [30]


def test_datetime64_is_a_time(store):
    write_v2_group(store)
    times = np.array(["2024-01-01", "2024-02-01", "NaT", "2024-04-01"], "M8[D]")
    write_v2(f"{store}/time", times.astype("<M8[D]"), attributes={"_ARRAY_DIMENSIONS": ["time"]})
    data = np.arange(4, dtype="u1").reshape(4, 1, 1)
    write_v2(f"{store}/v", data, attributes={"_ARRAY_DIMENSIONS": ["time", "y", "x"]})
    assert select(store, "time==2024-02-01") == [1]
    assert select(store, "time=2024-03-20") == [3]
    assert "from 2024-01-01T00:00:00Z to 2024-04-01T00:00:00Z" in refusal(store, "time=2025-01-01")


def test_text_must_be_equal(store):
    write_v2_group(store)
    names = np.array(["B02", "B03", "a,b", "#1", "B02"], "<U3")
    write_v2(f"{store}/band", names, attributes={"_ARRAY_DIMENSIONS": ["band"]})
    data = np.arange(5, dtype="u1").reshape(5, 1, 1)
    write_v2(f"{store}/v", data, attributes={"_ARRAY_DIMENSIONS": ["band", "y", "x"]})
    assert select(store, "band=B03") == [1]
    assert select(store, "band==B02") == [0]
    assert select(store, 'band="a,b"') == [2]
    assert select(store, 'band="#1"') == [3]
    assert select(store, "band==#1") == [3]
    assert select(store, "band=#1") == [1]
    message = 'no coordinate of dimension "band" is equal to this text; they are "B02", "B03", "a,b", "#1", "B02"'
    assert message in refusal(store, "band=B04")


def test_without_coordinates_there_are_only_indices(store, write):
    write(store, cube())
    assert select(store, "time=#2,level=#1") == [21]
    assert 'dimension "time" has no coordinates: choose by an index from 0 to 5, as in time=#0' in refusal(store, "time=3")


def test_names_of_dimensions_may_be_quoted(store, write):
    data = np.arange(3, dtype="u1").reshape(3, 1, 1)
    write(store, {"v": (data, ["a=b:c", "y", "x"], {})})
    assert select(store, '"a=b:c"=#2') == [2]


def test_a_selection_may_belong_to_the_name_of_an_array(store, write):
    write(store, {"v": (np.zeros((2, 1, 1), "u1"), ["t", "y", "x"], {}), "w:t=#1": (np.full((2, 2), 7, "u1"), ["y", "x"], {})})
    assert values_of(gdal.Open(f'ZARR:"{store}":/w:t=#1')) == [7]
    assert values_of(gdal.Open(f'ZARR:"{store}":"/w:t=#1"')) == [7]
    names = [name for name, _ in gdal.Open(store).GetSubDatasets()]
    assert names == [f'ZARR:"{store}":/v', f'ZARR:"{store}":"/w:t=#1"']
    write(store, {"v:t=#1": (np.ones((2, 2), "u1"), ["y", "x"], {})})
    with pytest.raises(RuntimeError, match="put the array's path in quotes"):
        gdal.Open(f'ZARR:"{store}":/v:t=#1')
    assert values_of(gdal.Open(f'ZARR:"{store}":"/v":t=#1')) == [0]


def test_an_array_that_is_a_store(store):
    data = np.arange(3, dtype="u1").reshape(3, 1, 1)
    write_v3(store, data, names=["t", "y", "x"])
    assert values_of(gdal.Open(f'ZARR:"{store}":/:t=#2')) == [2]
    assert values_of(gdal.Open(f'ZARR:"{store}":/test:t=#1')) == [1]
    assert values_of(gdal.OpenEx(store, gdal.OF_RASTER, open_options=["SELECT=t=#2"])) == [2]


def test_a_list_of_arrays_has_no_selection(store, write):
    write(store, {name: (np.zeros((2, 1, 1), "u1"), ["t", "y", "x"], {}) for name in "ab"})
    for name, options in [(store, ["SELECT=t=#0"]), (f'ZARR:"{store}":/:t=#0', [])]:
        with pytest.raises(RuntimeError, match='selection "t=#0": there are several arrays; name one, as in ZARR:'):
            gdal.OpenEx(name, gdal.OF_RASTER, open_options=options)


def test_bands_of_alike_arrays_are_selected(store, write):
    arrays = {name: (np.arange(2, dtype="u1").reshape(2, 1, 1) + 5 * i, ["t", "y", "x"], {}) for i, name in enumerate("ab")}
    write(store, arrays)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER, open_options=["ALIKE_ARRAYS_AS_BANDS=YES", "SELECT=t=#1"])
    assert values_of(dataset) == [1, 6]


def test_lists_of_slices_are_selected(weather):
    options = ["MULTIBAND=NO", "SELECT=level=850"]
    dataset = gdal.OpenEx(f'ZARR:"{weather}":/v', gdal.OF_RASTER, open_options=options)
    names = [name for name, _ in dataset.GetSubDatasets()]
    assert names == [f'ZARR:"{weather}":/v:{i}:1' for i in range(TIMES)]
    options[1] += ",time=#2"
    assert values_of(gdal.OpenEx(f'ZARR:"{weather}":/v', gdal.OF_RASTER, open_options=options)) == [21]


def test_the_multidimensional_api_refuses_a_selection(weather):
    with pytest.raises(RuntimeError, match="the multidimensional API opens a store with all slices"):
        gdal.OpenEx(weather, gdal.OF_MULTIDIM_RASTER, open_options=["SELECT=level=850"])
    with pytest.raises(RuntimeError, match="the multidimensional API opens a store with all slices"):
        gdal.OpenEx(f'ZARR:"{weather}":/v:level=850', gdal.OF_MULTIDIM_RASTER)


def test_a_slice_can_be_changed(weather):
    name = f'ZARR:"{weather}":/v:time=2024-07-01T12:00,level=850'
    gdal.OpenEx(name, gdal.OF_UPDATE).WriteArray(np.full((2, 3), 77, "<i2"))
    assert values_of(gdal.Open(name)) == [77]
    assert values_of(gdal.Open(f'ZARR:"{weather}":/v'))[6:9] == [20, 77, 22]


def test_slices_have_side_files_of_their_own(weather, side_files):
    one = f'ZARR:"{weather}":/v:time=#2,level=850'
    some = f'ZARR:"{weather}":/v:level=850'
    for name in (one, some):
        dataset = gdal.Open(name)
        dataset.GetRasterBand(1).ComputeStatistics(False)
        dataset = None

    def maximum(name):
        dataset = gdal.Open(name)
        return dataset.GetRasterBand(1).GetMetadataItem("STATISTICS_MAXIMUM")

    assert maximum(one) == maximum(f'ZARR:"{weather}":/v:2:1') == "21"
    assert maximum(some) == "1"
    assert maximum(f'ZARR:"{weather}":/v:time=#1') is None
    assert maximum(f'ZARR:"{weather}":/v') is None


def test_only_the_coordinates_of_selected_dimensions_are_read(weather):
    for chunk in glob.glob(f"{weather}/level/0") + glob.glob(f"{weather}/level/c/0"):
        with open(chunk, "wb") as f:
            f.write(b"\0")
    assert select(weather, "time=2024-07-01T12:00,level=#1") == [21]


def test_unreadable_coordinates_are_errors(weather):
    for chunk in glob.glob(f"{weather}/time/0") + glob.glob(f"{weather}/time/c/0"):
        with open(chunk, "wb") as f:
            f.write(b"\0")
    with pytest.raises(RuntimeError, match="/time/"):
        gdal.Open(f'ZARR:"{weather}":/v:time=2024-07-01')
    assert gdal.Open(f'ZARR:"{weather}":/v:time=#1').RasterCount == 3


@pytest.fixture(params=["ZARR_V2", "ZARR_V3"])
def described(request, store):
    """Three bands with properties of their own, of which the second has none."""
    dataset = gdal.GetDriverByName("Zarr").Create(store, 2, 2, 3, gdal.GDT_Byte, [f"FORMAT={request.param}"])
    for band, name, color in [(1, "first", gdal.GCI_RedBand), (3, "third", gdal.GCI_BlueBand)]:
        dataset.GetRasterBand(band).SetDescription(name)
        dataset.GetRasterBand(band).SetColorInterpretation(color)
        dataset.GetRasterBand(band).SetMetadataItem("item", name)
        dataset.GetRasterBand(band).SetStatistics(0, band, 0, 0)
    dataset = None
    return store


def properties(name):
    dataset = gdal.Open(name)
    bands = [dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount)]
    statistics = [band.GetMetadataItem("STATISTICS_MAXIMUM") for band in bands]
    names = [(band.GetDescription(), band.GetMetadataItem("item"), band.GetColorInterpretation()) for band in bands]
    return list(zip(names, statistics))


def test_a_slice_has_the_properties_of_its_band(described):
    whole = properties(described)
    assert whole[2] == (("third", "third", gdal.GCI_BlueBand), "3.0")
    dimension = gdal.OpenEx(described, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("test").GetDimensions()[0].GetName()
    for i in range(3):
        assert properties(f'ZARR:"{described}":/test:{i}') == [whole[i]]
        assert properties(f'ZARR:"{described}":/test:{dimension}=#{i}') == [whole[i]]


def test_properties_of_a_slice_are_those_of_its_band(described):
    before = properties(described)
    dataset = gdal.OpenEx(f'ZARR:"{described}":/test:1', gdal.OF_UPDATE)
    band = dataset.GetRasterBand(1)
    band.SetDescription("second")
    band.SetMetadataItem("item", "second")
    band.SetColorInterpretation(gdal.GCI_GreenBand)
    band.SetStatistics(0, 2, 0, 0)
    band = dataset = None
    assert properties(described) == [before[0], (("second", "second", gdal.GCI_GreenBand), "2.0"), before[2]]


def test_overviews_in_a_file_are_those_of_one_slice(store, write, side_files):
    data = np.broadcast_to(np.arange(5, dtype="u1").reshape(-1, 1, 1), (5, 300, 300)).copy()
    write(store, {"v": (data, ["t", "y", "x"], {})})
    dataset = gdal.Open(f'ZARR:"{store}":/v:t=#3')
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None

    def overview(name):
        dataset = gdal.Open(name)
        band = dataset.GetRasterBand(1)
        return band.GetOverview(0).ReadAsArray()[0, 0] if band.GetOverviewCount() else None

    assert overview(f'ZARR:"{store}":/v:t=#3') == overview(f'ZARR:"{store}":/v:3') == 3
    assert overview(f'ZARR:"{store}":/v:t=#4') is None
    assert overview(f'ZARR:"{store}":/v') is None


def test_overviews_in_the_store_are_selected(store, write):
    data = np.arange(2 * 3 * 64 * 64, dtype="<i4").reshape(2, 3, 64, 64)
    write(store, {"v": (data, ["t", "z", "y", "x"], {})})
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    dataset = gdal.Open(f'ZARR:"{store}":/v:z=#1')
    for i in range(2):
        level = dataset.GetRasterBand(i + 1).GetOverview(0).ReadAsArray()
        assert np.array_equal(level, data[i, 1, ::2, ::2])
    with pytest.raises(RuntimeError, match="open it without indices"):
        gdal.OpenEx(f'ZARR:"{store}":/v:z=#1', gdal.OF_UPDATE).BuildOverviews("NEAREST", [4])


@pytest.mark.parametrize("selection, index", [("t=#1", np.s_[:, :, 1, :]), ("b=#2", np.s_[:, :, :, 2]), ("b=#2,t=#1", np.s_[:, :, 1, 2:3])])
def test_interleaved_slices_are_selected(store, write, selection, index):
    data = np.arange(5 * 4 * 2 * 3, dtype="u1").reshape(5, 4, 2, 3)
    write(store, {"v": (data, ["y", "x", "t", "b"], {})})
    dataset = gdal.Open(f'ZARR:"{store}":/v:{selection}')
    expected = np.moveaxis(data[index], 2, 0)
    assert np.array_equal(dataset.ReadAsArray().reshape(expected.shape), expected)
    for i in range(len(expected)):
        assert dataset.GetRasterBand(i + 1).ReadBlock(0, 0) == expected[i].tobytes()
