# SPDX-License-Identifier: MIT
"""The CRS of one array is set, and the others of its group, on the same coordinates, keep theirs."""

import os

import numpy as np
import pytest
from conventions import read_code
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group, write_v3, write_v3_group

DEGREES = {
    "lat": {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north"},
    "lon": {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east"},
}


def write(store, names, attributes=None, arrays="ab"):
    write_v2_group(store)
    for name, size in zip(names, (4, 6)):
        told = (attributes or {}).get(name, {})
        write_v2(f"{store}/{name}", np.arange(size, dtype="<f8"), attributes={"_ARRAY_DIMENSIONS": [name], **told})
    for name in arrays:
        write_v2(f"{store}/{name}", np.ones((4, 6), "<i4"), attributes={"_ARRAY_DIMENSIONS": list(names)})


def get_code(store, name):
    dataset = gdal.Open(f'ZARR:"{store}":/{name}')
    return read_code(dataset) if dataset.GetSpatialRef() else None


def make_srs(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs


def set_code(store, code, multidim=False):
    srs = make_srs(code)
    if multidim:
        dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        dataset.GetRootGroup().OpenMDArray("a").SetSpatialRef(srs)
    else:
        gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE).SetSpatialRef(srs)


def read_attributes(store, name):
    with open(f"{store}/{name}/.zattrs", encoding="utf-8") as file:
        return file.read()


@pytest.mark.parametrize("multidim", [False, True])
@pytest.mark.parametrize("code", [4326, 32632])
@pytest.mark.parametrize("names", [("lat", "lon"), ("y", "x")])
@pytest.mark.parametrize("attributes", [None, DEGREES])
def test_the_others_keep_their_crs(store, names, code, multidim, attributes):
    write(store, names, attributes)
    before = get_code(store, "b")
    attributes_before = read_attributes(store, "b")
    with collect_errors() as errors:
        try:
            set_code(store, code, multidim)
            is_set = True
        except RuntimeError:
            is_set = False
    assert get_code(store, "b") == before and read_attributes(store, "b") == attributes_before
    assert get_code(store, "a") == code or not is_set or errors


def test_coordinates_that_others_use_are_not_described_anew(store):
    write(store, ("lat", "lon"), DEGREES)
    before = read_attributes(store, "lat")
    with collect_errors() as errors:
        set_code(store, 32632, multidim=True)
    assert read_attributes(store, "lat") == before
    assert "other arrays use them too" in errors[0][1]


def test_coordinates_of_one_array_are_described(store):
    write(store, ("y", "x"), arrays="a")
    set_code(store, 4326)
    assert '"latitude"' in read_attributes(store, "y")
    assert os.path.isdir(f"{store}/spatial_ref")


def test_a_crs_of_an_array_without_axes_of_places_is_warned_of(store):
    write_v2_group(store)
    times = {"_ARRAY_DIMENSIONS": ["time"], "units": "days since 2000-01-01", "standard_name": "time"}
    write_v2(f"{store}/time", np.arange(4.0), attributes=times)
    write_v2(f"{store}/a", np.ones((4, 6), "<i4"), attributes={"_ARRAY_DIMENSIONS": ["time", "cell"]})
    before = read_attributes(store, "time")
    with collect_errors() as errors:
        set_code(store, 28992, multidim=True)
    assert any("neither /time nor /cell is an axis of places" in text for _, text in errors)
    assert read_attributes(store, "time") == before


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("below", [None, "fields"])
def test_each_array_of_a_copy_names_its_grid_mapping(store, format, below):
    """With coordinates in the group of the arrays, and in the group above."""
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    group = source.GetRootGroup()
    numbers = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    dimensions = []
    for name, kind in (("Y", "HORIZONTAL_Y"), ("X", "HORIZONTAL_X")):
        dimensions.append(group.CreateDimension(name, kind, None, 3))
        group.CreateMDArray(name, dimensions[-1:], numbers).Write(np.arange(3.0))
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32631)
    group = group.CreateGroup(below) if below else group
    for name in "ab":
        group.CreateMDArray(name, dimensions, numbers).SetSpatialRef(srs)
    gdal.MultiDimTranslate(store, source, format="Zarr", creationOptions=["FORMAT=" + format])
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    copied = dataset.GetRootGroup().OpenGroup(below) if below else dataset.GetRootGroup()
    arrays = [copied.OpenMDArray(name) for name in "ab"]
    assert [array.GetAttribute("grid_mapping").ReadAsString() for array in arrays] == ["spatial_ref"] * 2
    assert [array.GetSpatialRef().GetAuthorityCode(None) for array in arrays] == ["32631"] * 2


@pytest.mark.parametrize("write_level, group", [(write_v2, write_v2_group), (write_v3, write_v3_group)])
def test_arrays_of_other_lengths_get_no_coordinates(store, write_level, group):
    """Levels of OME-NGFF, for instance, name their axes alike. Coordinates would fit one of them only."""
    group(store)
    for name, size in (("s0", 8), ("s1", 4)):
        names = {"names": ["y", "x"]} if write_level is write_v3 else {"attributes": {"_ARRAY_DIMENSIONS": ["y", "x"]}}
        write_level(f"{store}/{name}", np.ones((size, size), "<i4"), **names)
    for name, step in (("s0", 10), ("s1", 20)):
        dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE)
        dataset.SetSpatialRef(make_srs(32632))
        dataset.SetGeoTransform((500000, step, 0, 5000000, 0, -step))
        dataset = None
    assert not {"x", "y"} & set(os.listdir(store))
    with collect_errors() as errors:
        for name, step in (("s0", 10), ("s1", 20)):
            dataset = gdal.Open(f'ZARR:"{store}":/{name}')
            assert dataset.GetGeoTransform() == (500000, step, 0, 5000000, 0, -step) and read_code(dataset) == 32632
    assert errors == []


@pytest.mark.parametrize("shares", [True, False])
def test_the_unit_of_a_removed_crs_is_not_that_of_the_next(store, shares):
    """A direct change from metres to feet fails, too, because it would move the other array."""
    place = (100, 10, 0, 500, 0, -10)
    for name in "ab" if shares else "a":
        options = ["FORMAT=ZARR_V3", f"ARRAY_NAME={name}"] + (["APPEND_SUBDATASET=YES"] if name == "b" else [])
        dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, options=options)
        dataset.SetSpatialRef(make_srs(32632))
        dataset.SetGeoTransform(place)
        dataset = None
    dataset = gdal.Open(f'ZARR:"{store}":/a', gdal.GA_Update)
    dataset.SetSpatialRef(None)
    if shares:
        with pytest.raises(RuntimeError, match="other arrays use these coordinates"):
            dataset.SetSpatialRef(make_srs(2263))
        assert dataset.GetSpatialRef() is None
        dataset.SetSpatialRef(make_srs(32633))
    else:
        dataset.SetSpatialRef(make_srs(2263))
    assert dataset.GetGeoTransform() == place
    dataset = None
    assert get_code(store, "a") == (32633 if shares else 2263)
    for name in "ab" if shares else "a":
        assert gdal.Open(f'ZARR:"{store}":/{name}').GetGeoTransform() == place


def test_a_unit_of_other_coordinates_counts_after_a_crs_is_removed(store):
    """Without the CRS, the numbers are those of the coordinates."""
    kilometres = {name: {"units": "km"} for name in "yx"}
    write(store, ("y", "x"), kilometres)
    set_code(store, 32632)
    dataset = gdal.Open(f'ZARR:"{store}":/a', gdal.GA_Update)
    before = dataset.GetGeoTransform()
    dataset.SetSpatialRef(None)
    dataset.SetSpatialRef(make_srs(32632))
    assert dataset.GetGeoTransform() == before
    dataset.SetSpatialRef(make_srs(32633))
    assert dataset.GetGeoTransform() == before


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("options", [[], ["-co", "ARRAY:GEOREFERENCING_CONVENTION=CF"]])
def test_a_section_without_one_axis_of_places_has_no_crs(store, tmp_path, format, options):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    for name, unit, length in (("time", "days since 2000-01-01", 3), ("lat", "degrees_north", 4), ("lon", "degrees_east", 6)):
        attributes = {"_ARRAY_DIMENSIONS": [name], "units": unit}
        write_v2(f"{source}/{name}", np.arange(length) * 1.0, attributes=attributes)
    write_v2(f"{source}/a", np.ones((3, 4, 6), "<i4"), attributes={"_ARRAY_DIMENSIONS": ["time", "lat", "lon"]})
    arguments = ["-of", "Zarr", "-array", "name=a,view=[:,:,1]", "-co", f"FORMAT={format}", *options]
    with collect_errors() as errors:
        assert gdal.MultiDimTranslate(store, source, options=arguments)
    assert errors == []
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = root.OpenMDArray("a")
    assert not array.GetSpatialRef()
    assert not {"_CRS", "grid_mapping", "coordinates"} & {attribute.GetName() for attribute in array.GetAttributes()}
    assert sorted(root.GetMDArrayNames()) == ["a", "lat", "time"]


def test_a_section_at_one_height_keeps_its_crs(store):
    """GDAL says 0 for the axis of a CRS that a section no longer has."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    dimensions = [
        root.CreateDimension("lat", gdal.DIM_TYPE_HORIZONTAL_Y, None, 4),
        root.CreateDimension("lon", gdal.DIM_TYPE_HORIZONTAL_X, None, 6),
    ]
    array = root.CreateMDArray("a", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    srs = make_srs(4979)
    srs.SetDataAxisToSRSAxisMapping([1, 2, 0])
    assert array.SetSpatialRef(srs) == gdal.CE_None
    del array, dimensions, root, dataset
    shown = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").GetSpatialRef()
    assert shown.GetAuthorityCode(None) == "4979"
