# SPDX-License-Identifier: MIT
"""Copies of netCDF and HDF5 files have the values that the files store, also those that GDAL's drivers misread."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal

h5py = pytest.importorskip("h5py", reason="python3-h5py makes the files; it is not installed")
VERSIONS = [2, 3]
pytestmark = [
    pytest.mark.skipif(gdal.GetDriverByName(name) is None, reason=f"GDAL's {name} driver is needed") for name in ("netCDF", "HDF5")
]
TEXT = h5py.string_dtype()


def copy(source, target, version, arrays=None):
    """Returns the warnings of copies, which name an array first. An error fails. For a list of arrays, GDAL copies a virtual
    dataset that it makes."""
    with collect_errors() as errors:
        options = {"creationOptions": [f"FORMAT=ZARR_V{version}"], **({"arraySpecs": arrays} if arrays else {})}
        made = gdal.MultiDimTranslate(str(target), str(source), format="Zarr", **options)
    assert made
    assert all(level == gdal.CE_Warning for level, _ in errors), errors
    return [text for _, text in errors if text.startswith("/")]  # newer drivers of GDAL have warnings of their own


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_attributes(store, name):
    path = os.path.join(store, name, ".zattrs")
    if os.path.exists(path):
        return {key: value for key, value in read_json(path).items() if key != "_ARRAY_DIMENSIONS"}
    path = os.path.join(store, name, "zarr.json")
    return read_json(path)["attributes"] if os.path.exists(path) else {}


def read_fill_value(store, name):
    path = os.path.join(store, name, ".zarray")
    return read_json(path if os.path.exists(path) else os.path.join(store, name, "zarr.json"))["fill_value"]


def open_array(store, name):
    return gdal.OpenEx(str(store), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray(name)


def make(path, arrays):
    """Writes a file of arrays of one dimension, given by name as their values and attributes."""
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(5.0)
        file["x"].make_scale("x")
        for name, (values, attributes) in arrays.items():
            file[name] = values
            file[name].dims[0].attach_scale(file["x"])
            for key, value in attributes.items():
                file[name].attrs[key] = value
    return path


# --- texts without dimensions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_texts_without_dimensions(tmp_path, version):
    """As xarray writes each text coordinate without dimensions. GDAL's netCDF driver frees them before it copies them."""
    texts = {"member": "r1i1p1f1", "long": "a text of more than the thirty-two bytes of a small block", "empty": "", "umlaut": "ü"}
    with h5py.File(tmp_path / "a.nc", "w") as file:
        for name, text in texts.items():
            file.create_dataset(name, data=text, dtype=TEXT)
            file.create_dataset("g/h/" + name, data=text + "2", dtype=TEXT)
        file["member"].attrs["standard_name"] = "realization"
    target = tmp_path / "a.zarr"
    assert copy(tmp_path / "a.nc", target, version) == []
    root = gdal.OpenEx(str(target), gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    for name, text in texts.items():
        assert root.OpenMDArray(name).Read() == [text]
        assert root.OpenMDArrayFromFullname("/g/h/" + name).Read() == [text + "2"]
    assert read_attributes(target, "member") == {"standard_name": "realization"}


# --- attributes without a value ---------------------------------------------------------------------------------

EMPTY = {kind: h5py.Empty(kind) for kind in ("i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("extension", ["nc", "h5"])
def test_attributes_without_a_value_become_empty_lists(tmp_path, version, extension):
    """GDAL gives them one element, and leaves what the memory held."""
    source, target = tmp_path / f"a.{extension}", tmp_path / "a.zarr"
    others = {"before": 1, "zero": np.int32(0), "ones": np.int16(-1), "nan": np.float64("nan")}
    make(source, {"a": (np.arange(5), {**others, **EMPTY, "after": 2.5})})
    with h5py.File(source, "a") as file:
        for key, value in EMPTY.items():
            file.attrs[key] = value
        file.attrs["kept"] = 3
        file.create_group("g").attrs["f8"] = EMPTY["f8"]
    assert copy(source, target, version) == []
    empty = dict.fromkeys(EMPTY, [])
    attributes = read_attributes(target, "a")
    assert np.isnan(attributes.pop("nan"))
    assert attributes == {"before": 1, "zero": 0, "ones": -1, **empty, "after": 2.5}
    assert read_attributes(target, "") == {**empty, "kept": 3}
    assert read_attributes(target, "g") == {"f8": []}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("extension", ["nc", "h5"])
def test_values_of_pixels_without_a_value_are_left_out(tmp_path, version, extension):
    """A scale of 0 would change all values."""
    names = ["scale_factor", "add_offset", "_FillValue", "missing_value"]
    arrays = {f"a_{name}": (np.arange(5, dtype="i2"), {name: h5py.Empty(kind)}) for name in names for kind in ("i2", "f8")}
    arrays["all"] = (np.arange(5, dtype="i2"), {name: h5py.Empty("i2") for name in names})
    target = tmp_path / "a.zarr"
    assert copy(make(tmp_path / f"a.{extension}", arrays), target, version) == []
    for name in arrays:
        array = open_array(target, name)
        assert array.GetScale() is None and array.GetOffset() is None and array.GetNoDataValueAsDouble() is None
        assert read_attributes(target, name) == {}


# --- nodata values of another type ------------------------------------------------------------------------------

NODATA = {
    "float NaN of a double": ("f4", np.float64("nan"), "nan"),
    "float of a double": ("f4", np.float64(1e20), np.float32(1e20)),
    "double of a float": ("f8", np.float32(-9999), -9999),
    "short of a double": ("i2", np.float64(-32767), -32767),
    "short of an int": ("i2", np.int32(-32767), -32767),
    "byte of an int": ("u1", np.int32(255), 255),
    "byte of a short": ("i1", np.int16(-7), -7),
    "int of a short": ("i4", np.int16(-2), -2),
    "long of a text": ("i8", np.bytes_(str(2**63 - 1)), 2**63 - 1),
    "same type": ("i2", np.int16(-5), -5),
    "text": ("i2", np.bytes_("-5"), -5),
}
NOT_HELD = {"short": ("i2", np.float64("nan")), "fraction": ("i4", 0.5), "byte": ("u1", np.int16(-999)), "text": ("i2", np.bytes_("none"))}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("attribute", ["_FillValue", "missing_value"])
def test_nodata_values_of_another_type(tmp_path, version, attribute):
    """GDAL's netCDF driver takes the first bytes of the attribute."""
    arrays = {name: (np.arange(5).astype(kind), {attribute: value}) for name, (kind, value, _) in NODATA.items()}
    target = tmp_path / "a.zarr"
    assert copy(make(tmp_path / "a.nc", arrays), target, version) == []
    for name, (kind, _, wanted) in NODATA.items():
        array = open_array(target, name)
        nodata = array.GetNoDataValueAsInt64() if kind == "i8" else array.GetNoDataValueAsDouble()
        assert str(nodata) == "nan" if wanted == "nan" else nodata == wanted, name


@pytest.mark.parametrize("version", VERSIONS)
def test_nodata_values_that_no_element_can_have(tmp_path, version):
    arrays = {f"fill {name}": (np.arange(5).astype(kind), {"_FillValue": value}) for name, (kind, value) in NOT_HELD.items() if name != "text"}
    arrays |= {f"missing {name}": (np.arange(5).astype(kind), {"missing_value": value}) for name, (kind, value) in NOT_HELD.items()}
    arrays["long"] = (np.arange(5), {"missing_value": 1e20})
    arrays["both"] = (np.arange(5).astype("i2"), {"_FillValue": np.float64("nan"), "missing_value": np.int16(4)})
    target = tmp_path / "a.zarr"
    wanted = [
        f"/{name}: _FillValue is not copied: no element can have this value" for name in arrays if "_FillValue" in arrays[name][1]
    ]
    wanted.append("/missing text: missing_value is not copied: it is not the nodata value")
    assert sorted(copy(make(tmp_path / "a.nc", arrays), target, version)) == sorted(wanted)
    for name in arrays:
        assert open_array(target, name).GetNoDataValueAsDouble() == (4 if name == "both" else None), name


@pytest.mark.parametrize("version", VERSIONS)
def test_nodata_values_of_unsigned_bytes(tmp_path, version):
    attributes = {"_FillValue": np.int8(-2), "_Unsigned": np.bytes_("true")}
    target = tmp_path / "a.zarr"
    assert copy(make(tmp_path / "a.nc", {"a": (np.arange(5, dtype="i1"), attributes)}), target, version) == []
    assert open_array(target, "a").GetNoDataValueAsDouble() == 254


@pytest.mark.parametrize("version", VERSIONS)
def test_nodata_values_of_texts(tmp_path, version):
    """GDAL's netCDF driver hides them, and gives no nodata value."""
    texts = np.array(["a", "n/a", "ü", "d", "e"], TEXT)
    arrays = {"fill": (texts, {"_FillValue": "n/a"}), "both": (texts, {"_FillValue": "n/a", "missing_value": "n/a"}), "none": (texts, {})}
    target = tmp_path / "a.zarr"
    assert copy(make(tmp_path / "a.nc", arrays), target, version) == []
    for name in ("fill", "both"):
        assert read_fill_value(target, name) == "n/a"
        assert open_array(target, name).GetNoDataValueAsString() == "n/a"
        assert read_attributes(target, name).get("_FillValue") == (None if version == 2 else "n/a")
    assert open_array(target, "none").GetNoDataValueAsString() is None


# --- virtual datasets -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_arrays_that_are_chosen(tmp_path, version):
    values = np.arange(5, dtype="i2")
    arrays = {
        "short": (values, {"_FillValue": np.float64(-32767)}),
        "nan": (values, {"_FillValue": np.float64("nan")}),
        "text": (np.array(["a", "n/a", "ü", "d", "e"], TEXT), {"_FillValue": "n/a"}),
        "empty": (values, {"valid_range": EMPTY["i2"], "scale_factor": EMPTY["f8"]}),
    }
    source, target = make(tmp_path / "a.nc", arrays), tmp_path / "a.zarr"
    with h5py.File(source, "a") as file:
        file.create_dataset("member", data="r1i1p1f1", dtype=TEXT)
    warnings = copy(source, target, version, ["member", *arrays])
    assert warnings == ["/nan: _FillValue is not copied: no element can have this value"]
    assert open_array(target, "member").Read() == ["r1i1p1f1"]
    assert open_array(target, "short").GetNoDataValueAsDouble() == -32767
    assert open_array(target, "nan").GetNoDataValueAsDouble() is None
    assert open_array(target, "text").GetNoDataValueAsString() == "n/a"
    assert open_array(target, "empty").GetScale() is None
    assert read_attributes(target, "empty") == {"valid_range": []}


@pytest.mark.parametrize("options", [{"groupSpecs": ["/g"]}, {"subsetSpecs": ["x(0,1)"]}, {}])
def test_attributes_of_virtual_groups(tmp_path, options):
    source = make(tmp_path / "a.nc", {"v": (np.arange(5, dtype="i2"), {})})
    with h5py.File(source, "a") as file:
        file.attrs["levels"] = EMPTY["f8"]
        file.create_group("g")["v"] = np.arange(5, dtype="i2")
        file["g"].attrs["flags"] = EMPTY["i2"]
    gdal.MultiDimTranslate(str(tmp_path / "a.zarr"), str(source), format="Zarr", **options)
    inner = tmp_path / "a.zarr" / ("" if "groupSpecs" in options else "g")
    assert json.loads((inner / ".zattrs").read_text()) == {"flags": []}
    if "groupSpecs" not in options:
        assert json.loads((tmp_path / "a.zarr/.zattrs").read_text()) == {"levels": []}


def test_attributes_that_a_virtual_dataset_gives(tmp_path):
    make(tmp_path / "a.nc", {"v": (np.arange(5, dtype="i2"), {"valid_range": EMPTY["i2"]})})
    (tmp_path / "a.vrt").write_text(
        f"""<VRTDataset><Group name="/"><Dimension name="x" size="5"/><Array name="v"><DataType>Int16</DataType>
        <DimensionRef ref="x"/><Attribute name="valid_range"><DataType>Int16</DataType><Value>0</Value><Value>3</Value></Attribute>
        <Source><SourceFilename>{tmp_path}/a.nc</SourceFilename><SourceArray>/v</SourceArray></Source></Array></Group></VRTDataset>"""
    )
    gdal.MultiDimTranslate(str(tmp_path / "a.zarr"), str(tmp_path / "a.vrt"), format="Zarr")
    assert read_attributes(tmp_path / "a.zarr", "v") == {"valid_range": [0, 3]}


def test_nodata_values_of_virtual_datasets(tmp_path):
    """They may be other ones than those of the files. Newer versions of GDAL read no 0 here, so that it is another one."""
    make(tmp_path / "a.nc", {name: (np.arange(5, dtype="i2"), {"_FillValue": np.float64(-32767)}) for name in ("same", "other")})
    arrays = "".join(
        f"""<Array name="{name}"><DataType>Int16</DataType><DimensionRef ref="x"/><NoDataValue>{nodata}</NoDataValue><Source>
        <SourceFilename>{tmp_path}/a.nc</SourceFilename><SourceArray>/{name}</SourceArray></Source></Array>"""
        for name, nodata in (("same", 0), ("other", 4))
    )
    text = f'<VRTDataset><Group name="/"><Dimension name="x" size="5"/>{arrays}</Group></VRTDataset>'
    (tmp_path / "a.vrt").write_text(text)
    root = gdal.OpenEx(str(tmp_path / "a.nc"), gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    is_misread = root.OpenMDArray("same").GetNoDataValueAsDouble() == 0
    assert copy(tmp_path / "a.vrt", tmp_path / "a.zarr", 2) == []
    assert open_array(tmp_path / "a.zarr", "same").GetNoDataValueAsDouble() == (-32767 if is_misread else 0)
    assert open_array(tmp_path / "a.zarr", "other").GetNoDataValueAsDouble() == 4
