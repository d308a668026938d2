# SPDX-License-Identifier: MIT
"""CRSs whose WKT, as PROJ writes it, cannot be read by PROJ."""

import struct

import pytest
from errors import collect_errors
from osgeo import gdal, osr

pytestmark = pytest.mark.skipif(gdal.GetDriverByName("GRIB") is None, reason="GDAL has no GRIB driver")


def write_rotated_grib(path):
    """Writes GRIB 2 with template 3.1, whose pole on a sphere PROJ exports with an inverse flattening of `Inf`."""
    source = gdal.GetDriverByName("MEM").Create("", 6, 4)
    source.SetGeoTransform((10, 1, 0, 50, 0, -1))
    srs = osr.SpatialReference()
    srs.ImportFromProj4("+proj=longlat +R=6371229 +no_defs")
    source.SetSpatialRef(srs)
    gdal.GetDriverByName("GRIB").CreateCopy(path, source)
    with open(path, "rb") as f:
        message = f.read()
    start = message.index(b"GRIB") + 16
    while message[start + 4] != 3:
        start += struct.unpack(">I", message[start : start + 4])[0]
    size = struct.unpack(">I", message[start : start + 4])[0]
    section = message[start : start + size] + struct.pack(">IIf", 40_000_000 | 1 << 31, 10_000_000, 0)
    earth = struct.pack(">BBIBIBI", 7, 0, 0, 0, 6371229, 0, 6371229)  # an ellipsoid whose axes are equal
    section = struct.pack(">I", size + 12) + section[4:12] + struct.pack(">H", 1) + earth + section[30:]
    message = message[:start] + section + message[start + size :]
    with open(path, "wb") as f:
        f.write(message[:8] + struct.pack(">Q", len(message)) + message[16:])


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("convention", ["GDAL", "CF", "GDAL,CF", "SPATIAL_PROJ"])
def test_a_rotated_pole_on_a_sphere_is_written_readably(store, tmp_path, version, convention):
    write_rotated_grib(str(tmp_path / "a.grb2"))
    source = gdal.GetDriverByName("MEM").Create("", 6, 4)
    source.SetGeoTransform((10, 1, 0, 50, 0, -1))
    source.SetSpatialRef(gdal.Open(str(tmp_path / "a.grb2")).GetSpatialRef())
    wkt = source.GetSpatialRef().ExportToWkt(["FORMAT=WKT2_2019"])
    assert ",Inf," in wkt or ",6371229,0," in wkt
    options = [f"FORMAT={version}", f"GEOREFERENCING_CONVENTION={convention}"]
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, 1, options)
        srs = gdal.Open(store).GetSpatialRef()
        gdal.Open(store, gdal.GA_Update).SetSpatialRef(source.GetSpatialRef())
    assert errors == []
    assert srs.IsDerivedGeographic()
    assert srs.ExportToWkt(["FORMAT=WKT2_2019"]).split("DERIVINGCONVERSION")[1] == wkt.split("DERIVINGCONVERSION")[1]
