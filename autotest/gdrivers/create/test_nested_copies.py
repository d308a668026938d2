# SPDX-License-Identifier: MIT
"""The progress function of a copy may make another copy."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group

DRIVER = gdal.GetDriverByName("Zarr")


class InnerCopy:
    """Makes a copy, once."""

    def __init__(self, path):
        self.path, self.done = path, False

    def __call__(self, *_):
        if not self.done:
            self.done = True
            assert DRIVER.CreateCopy(self.path, gdal.GetDriverByName("MEM").Create("", 3, 3))
        return 1


def test_the_outer_copy_keeps_its_names(tmp_path):
    source = str(tmp_path / "a.zarr")
    write_v3_group(source)
    write_v3(f"{source}/a", np.ones((64, 60), "i2"), names=["y", "x"])
    copy, inner = str(tmp_path / "b.zarr"), str(tmp_path / "c.zarr")
    assert DRIVER.CreateCopy(copy, gdal.Open(f'ZARR:"{source}":/a'), options=["FORMAT=ZARR_V3"], callback=InnerCopy(inner))
    document = json.loads((tmp_path / "b.zarr" / "b" / "zarr.json").read_text())
    assert document["dimension_names"] == ["y", "x"]
    assert gdal.Open(inner).RasterXSize == 3


def test_the_outer_copy_names_what_it_could_not_read(tmp_path):
    source = str(tmp_path / "a.zarr")
    write_v2_group(source)
    for name in ("a", "z"):
        write_v2(f"{source}/{name}", np.ones((64, 60), "i2"))
    (tmp_path / "a.zarr" / "z" / ".zarray").write_text("{")
    with pytest.raises(RuntimeError, match="cannot be read: /z"):
        gdal.MultiDimTranslate(str(tmp_path / "b.zarr"), source, format="Zarr", callback=InnerCopy(str(tmp_path / "c.zarr")))


def test_a_store_that_is_made_meanwhile_has_its_own_types(tmp_path):
    source = gdal.GetDriverByName("MEM").Create("", 64, 60, 1, gdal.GDT_Float32)
    source.AddBand(gdal.GDT_Byte)
    inner = str(tmp_path / "c.zarr")

    def create(share, *_):
        if 0 < share < 1 and not (tmp_path / "c.zarr").exists():
            assert DRIVER.Create(inner, 3, 3, 3, gdal.GDT_UInt16, options=["SINGLE_ARRAY=NO"])
        return 1

    assert DRIVER.CreateCopy(str(tmp_path / "b.zarr"), source, options=["SINGLE_ARRAY=NO"], callback=create)
    for number in (1, 2, 3):
        assert gdal.Info(f'ZARR:"{inner}":/c_band{number}', format="json")["bands"][0]["type"] == "UInt16"
    assert gdal.Info(f'ZARR:"{tmp_path}/b.zarr":/b_band2', format="json")["bands"][0]["type"] == "Byte"
