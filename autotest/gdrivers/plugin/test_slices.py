# SPDX-License-Identifier: MIT
"""Slices are opened by the option SELECT and by the names of datasets, and have their own bands' properties."""

import functools
import shutil

import numpy as np
import pytest
from cubes import HOURS, TIMES, make_weather, read_values, select, write_arrays
from osgeo import gdal
from plugin_in_use import run_program
from stores import write_v3


@pytest.fixture(params=["v2", "v3"])
def write(request):
    return functools.partial(write_arrays, request.param)


@pytest.fixture
def weather(store, write):
    return write(store, make_weather())


def test_indices_and_selectors_go_together(weather):
    assert read_values(gdal.Open(f'ZARR:"{weather}":/v:2:time=2024-07-02T06:00')) == [52]
    assert read_values(gdal.Open(f'ZARR:"{weather}":"/v":5:level=850')) == [51]
    by_both = gdal.OpenEx(f'ZARR:"{weather}":/v:level=850', gdal.OF_RASTER, open_options=["SELECT=time=#3"])
    assert read_values(by_both) == [31]
    by_index = gdal.OpenEx(f'ZARR:"{weather}":/v:3', gdal.OF_RASTER, open_options=["SELECT=level=500"])
    assert read_values(by_index) == [32]
    with pytest.raises(RuntimeError, match="expected 1 indices after the array's name, got 2"):
        gdal.Open(f'ZARR:"{weather}":/v:2:1:time=#0')
    with pytest.raises(RuntimeError, match='dimension "level" is selected twice'):
        gdal.OpenEx(f'ZARR:"{weather}":/v:level=850', gdal.OF_RASTER, open_options=["SELECT=level=850"])


def test_several_options_are_taken_together(weather):
    options = ["SELECT=time=#3", "SELECT=level=500"]
    assert read_values(gdal.OpenEx(f'ZARR:"{weather}":/v', gdal.OF_RASTER, open_options=options)) == [32]


def test_the_store_alone_opens_its_slice(weather):
    dataset = gdal.OpenEx(weather, gdal.OF_RASTER, open_options=["SELECT=time=2024-07-02,level=500"])
    assert read_values(dataset) == [42]


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
            text = run_program([program, *arguments], capture_output=True, text=True, check=True).stdout
            assert "DIM_time_ISO8601=2024-07-01T12:00:00Z" in text
        else:
            out = str(tmp_path / "out.tif")
            run_program([program, "-q", *arguments, out], check=True)
            assert read_values(gdal.Open(out)) == [21]


def test_names_of_dimensions_may_be_quoted(store, write):
    data = np.arange(3, dtype="u1").reshape(3, 1, 1)
    write(store, {"v": (data, ["a=b:c", "y", "x"], {})})
    assert select(store, '"a=b:c"=#2') == [2]


def test_a_selection_may_belong_to_the_name_of_an_array(store, write):
    write(store, {"v": (np.zeros((2, 1, 1), "u1"), ["t", "y", "x"], {}), "w:t=#1": (np.full((2, 2), 7, "u1"), ["y", "x"], {})})
    assert read_values(gdal.Open(f'ZARR:"{store}":/w:t=#1')) == [7]
    assert read_values(gdal.Open(f'ZARR:"{store}":"/w:t=#1"')) == [7]
    names = [name for name, _ in gdal.Open(store).GetSubDatasets()]
    assert names == [f'ZARR:"{store}":/v', f'ZARR:"{store}":"/w:t=#1"']
    write(store, {"v:t=#1": (np.ones((2, 2), "u1"), ["y", "x"], {})})
    with pytest.raises(RuntimeError, match="put the array's path in quotes"):
        gdal.Open(f'ZARR:"{store}":/v:t=#1')
    assert read_values(gdal.Open(f'ZARR:"{store}":"/v":t=#1')) == [0]


def test_an_array_that_is_a_store(store):
    data = np.arange(3, dtype="u1").reshape(3, 1, 1)
    write_v3(store, data, names=["t", "y", "x"])
    assert read_values(gdal.Open(f'ZARR:"{store}":/:t=#2')) == [2]
    assert read_values(gdal.Open(f'ZARR:"{store}":/test:t=#1')) == [1]
    assert read_values(gdal.OpenEx(store, gdal.OF_RASTER, open_options=["SELECT=t=#2"])) == [2]


def test_a_list_of_arrays_has_no_selection(store, write):
    write(store, {name: (np.zeros((2, 1, 1), "u1"), ["t", "y", "x"], {}) for name in "ab"})
    for name, options in [(store, ["SELECT=t=#0"]), (f'ZARR:"{store}":/:t=#0', [])]:
        with pytest.raises(RuntimeError, match='selection "t=#0": there are several arrays; name one, as in ZARR:'):
            gdal.OpenEx(name, gdal.OF_RASTER, open_options=options)


def test_bands_of_alike_arrays_are_selected(store, write):
    arrays = {name: (np.arange(2, dtype="u1").reshape(2, 1, 1) + 5 * i, ["t", "y", "x"], {}) for i, name in enumerate("ab")}
    write(store, arrays)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER, open_options=["ALIKE_ARRAYS_AS_BANDS=YES", "SELECT=t=#1"])
    assert read_values(dataset) == [1, 6]


def test_lists_of_slices_are_selected(weather):
    options = ["MULTIBAND=NO", "SELECT=level=850"]
    dataset = gdal.OpenEx(f'ZARR:"{weather}":/v', gdal.OF_RASTER, open_options=options)
    names = [name for name, _ in dataset.GetSubDatasets()]
    assert names == [f'ZARR:"{weather}":/v:{i}:1' for i in range(TIMES)]
    options[1] += ",time=#2"
    assert read_values(gdal.OpenEx(f'ZARR:"{weather}":/v', gdal.OF_RASTER, open_options=options)) == [21]


def test_the_multidimensional_api_refuses_a_selection(weather):
    with pytest.raises(RuntimeError, match="the multidimensional API opens a store with all slices"):
        gdal.OpenEx(weather, gdal.OF_MULTIDIM_RASTER, open_options=["SELECT=level=850"])
    with pytest.raises(RuntimeError, match="the multidimensional API opens a store with all slices"):
        gdal.OpenEx(f'ZARR:"{weather}":/v:level=850', gdal.OF_MULTIDIM_RASTER)


def test_a_slice_can_be_changed(weather):
    name = f'ZARR:"{weather}":/v:time=2024-07-01T12:00,level=850'
    gdal.OpenEx(name, gdal.OF_UPDATE).WriteArray(np.full((2, 3), 77, "<i2"))
    assert read_values(gdal.Open(name)) == [77]
    assert read_values(gdal.Open(f'ZARR:"{weather}":/v'))[6:9] == [20, 77, 22]


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
    assert whole[2] == (("third", "third", gdal.GCI_BlueBand), "3")
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
    assert properties(described) == [before[0], (("second", "second", gdal.GCI_GreenBand), "2"), before[2]]


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
