# SPDX-License-Identifier: MIT
"""Copies of arrays for which GDAL's own code would end the process."""

import numpy as np
import pytest
from classic_netcdf import write_variable
from osgeo import gdal
from plugin_in_use import run_program
from stores import write_v2, write_v2_group, write_v3, write_v3_group


def translate(source, target, version):
    command = ["gdalmdimtranslate", "-q", "-of", "Zarr", "-co", f"FORMAT=ZARR_V{version}", str(source), str(target)]
    return run_program(command, capture_output=True, text=True)


@pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL's netCDF driver is needed")
@pytest.mark.parametrize("version", [2, 3])
def test_characters_with_a_fill_value(tmp_path, version):
    """As the files of Argo floats have. GDAL's netCDF driver gives one character where a pointer to a text is expected."""
    target = tmp_path / "a.zarr"
    texts = np.frombuffer(b"ab  cd  ef  ", "S1").reshape(3, 4)
    source = write_variable(tmp_path / "a.nc", "names", texts, ["n", "length"], {"_FillValue": " "})
    done = translate(source, target, version)
    assert done.returncode == 0, done.stderr
    assert not done.stderr or "/names: the nodata value is not copied" in done.stderr  # newer drivers give none
    array = gdal.OpenEx(str(target), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("names")
    assert [text.rstrip() for text in array.Read()] == ["ab", "cd", "ef"]


@pytest.mark.parametrize("version", [2, 3])
def test_strings_of_this_driver_keep_their_nodata_value(tmp_path, version):
    """In a virtual dataset, too, which copies only the pointer."""
    source = tmp_path / "a.zarr"
    write_v2_group(str(source))
    write_v2(str(source / "a"), np.array(["N/A", "b"]), (2,), fill="N/A", attributes={"_ARRAY_DIMENSIONS": ["x"]})
    target = tmp_path / "b.zarr"
    done = translate(source, target, version)
    assert (done.returncode, done.stderr) == (0, "")
    array = gdal.OpenEx(str(target), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
    assert array.GetNoDataValueAsString() == "N/A"


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("shape", [(4, 0), (0, 4), (0,)])
def test_arrays_without_elements(tmp_path, version, shape):
    source = tmp_path / "a.zarr"
    write_v3_group(str(source))
    write_v3(str(source / "a"), np.zeros(shape, "<i2"), tuple(max(1, n) for n in shape), names=list("xy"[: len(shape)]), attributes={"title": "b"})
    target = tmp_path / "b.zarr"
    done = translate(source, target, version)
    assert (done.returncode, done.stderr) == (0, "")
    array = gdal.OpenEx(str(target), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
    assert tuple(dimension.GetSize() for dimension in array.GetDimensions()) == shape
    assert array.GetAttribute("title").Read() == "b"


@pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL's netCDF driver is needed")
@pytest.mark.parametrize("version", [2, 3])
def test_a_dimension_whose_coordinates_have_two_names(tmp_path, version):
    h5py = pytest.importorskip("h5py", reason="python3-h5py makes the file; it is not installed")
    source = str(tmp_path / "a.nc")
    with h5py.File(source, "w") as f:
        f["lat"] = np.array([1.0, 2, 3])
        f["lat"].make_scale("lat")
        f["lat"].attrs["_Netcdf4Dimid"] = np.int32(0)
        f["air"] = np.array([4.0, 5, 6])
        f["air"].dims[0].attach_scale(f["lat"])
        f["lat_hard"] = f["lat"]
    target = tmp_path / "b.zarr"
    done = translate(source, target, version)
    assert (done.returncode, done.stderr) == (0, "")
    root = gdal.OpenEx(str(target), gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert {name: root.OpenMDArray(name).ReadAsArray().tolist() for name in root.GetMDArrayNames()} == {
        "air": [4, 5, 6],
        "lat": [1, 2, 3],
        "lat_hard": [1, 2, 3],
    }
