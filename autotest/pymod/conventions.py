# SPDX-License-Identifier: MIT
"""The conventions of GeoZarr, which stores declare by their UUIDs, and coordinate reference systems."""

from osgeo import osr

MULTISCALES_UUID = "d35379db-88df-4056-af3a-620245f8e347"
PROJ_UUID = "f17cb550-5864-4468-aeb7-f3180cfb622f"
SPATIAL_UUID = "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4"
MULTISCALES = {"uuid": MULTISCALES_UUID, "name": "multiscales"}
PROJ = {"uuid": PROJ_UUID, "name": "proj"}
SPATIAL = {"uuid": SPATIAL_UUID, "name": "spatial"}


def export_wkt(code, form="WKT2_2019"):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs.ExportToWkt([f"FORMAT={form}"])


def read_code(dataset):
    """Returns the code of the dataset's SRS; None if there is no SRS, or none of a register."""
    srs = dataset.GetSpatialRef()
    code = srs and srs.GetAuthorityCode(None)
    return code and int(code)
