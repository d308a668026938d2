"""What the README says about options is what the driver says, and its commands work."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from osgeo import gdal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def driver_options():
    """Of each open option: all its names, and its default."""
    text = subprocess.run(["gdalinfo", "--format", "Zarr"], capture_output=True, text=True, check=True).stdout
    options = ElementTree.fromstring(re.search(r"<OpenOptionList>.*</OpenOptionList>", text, re.DOTALL).group(0))
    return {
        frozenset(n for n in (o.get("name"), o.get("alias")) if n): o.get("default") or "" for o in options.iter("Option")
    }


def readme_options():
    """The same, from the rows of the table; a row of several options without an alias stands for each."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        table = f.read().split("### Open options")[1].split("\n\n")[1]
    options = {}
    for row in table.splitlines()[2:]:
        names, _, default, _ = (cell.strip() for cell in row.strip("|").split("|"))
        found = re.findall(r"`(\w+)`", names)
        for group in [found] if "(or" in names else [[n] for n in found]:
            options[frozenset(group)] = default
    return options


def test_the_readme_lists_the_open_options_of_the_driver():
    assert readme_options() == driver_options()


# --- commands -----------------------------------------------------------------------------------------------------


def commands_of(begin, end):
    """The commands that stand between two texts of the README."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
        section = f.read().split(begin)[1].split(end)[0]
    return [line.split("#")[0].strip() for line in section.splitlines() if line.startswith("    ")]


CHUNK_COMMANDS = commands_of("**Chunks.**", "**Codecs.**")


def make_raster(path):
    options = ["TILED=YES", "BLOCKXSIZE=96", "BLOCKYSIZE=80"]
    dataset = gdal.GetDriverByName("GTiff").Create(path, 1000, 1324, 1, gdal.GDT_Int16, options)
    dataset.WriteArray(np.arange(1000 * 1324, dtype="u4").reshape(1324, 1000).astype("i2"))


def make_series(path):
    """January to March of a leap year; the array stands before its coordinates, as names are sorted."""
    root = gdal.GetDriverByName("netCDF").CreateMultiDimensional(path).GetRootGroup()
    time, x = root.CreateDimension("time", "TEMPORAL", "", 91), root.CreateDimension("x", "", "", 3)
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    for name, dimensions in (("sst", [time, x]), ("time", [time]), ("x", [x])):
        array = root.CreateMDArray(name, dimensions, number)
        shape = [d.GetSize() for d in dimensions]
        if name == "time":
            array.SetUnit("days since 2000-01-01")
            attribute = array.CreateAttribute("standard_name", [], gdal.ExtendedDataType.CreateString())
            attribute.Write("time")
        array.Write(np.arange(np.prod(shape), dtype="f8").reshape(shape))


def chunk_grid(store, array):
    with open(os.path.join(store, array, "zarr.json"), encoding="utf-8") as f:
        return json.load(f)["chunk_grid"]["configuration"]


def check_edges(store):
    edges = [[[512, 2], 300], [600, 400]]
    assert [np.concatenate([np.repeat(*e) if isinstance(e, list) else [e] for e in axis]).tolist() for axis in edges] == [
        np.concatenate([np.repeat(*e) if isinstance(e, list) else [e] for e in axis]).tolist()
        for axis in chunk_grid(store, "edges")["chunk_shapes"]
    ]


def check_blocks(store):
    assert gdal.Open(store).GetRasterBand(1).GetBlockSize() == [96, 80]


def check_months(store):
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert sorted(root.GetMDArrayNames()) == ["sst", "time", "x"]
    assert root.OpenMDArray("sst").ReadAsArray().ravel().tolist() == list(range(91 * 3))
    assert chunk_grid(store, "sst")["chunk_shapes"][0] == [31, 29, 31]


CHECKS = {"edges.zarr": check_edges, "blocks.zarr": check_blocks, "months.zarr": check_months}


def test_each_result_of_a_command_is_looked_at():
    assert [command.split()[-1] for command in CHUNK_COMMANDS] == list(CHECKS)


@pytest.mark.parametrize("command", CHUNK_COMMANDS)
def test_commands_about_chunks(tmp_path, command):
    if "in.nc" in command and gdal.GetDriverByName("netCDF") is None:
        pytest.skip("GDAL without netCDF")
    (make_series if "in.nc" in command else make_raster)(str(tmp_path / ("in.nc" if "in.nc" in command else "in.tif")))
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    name = command.split()[-1]
    CHECKS[name](str(tmp_path / name))
