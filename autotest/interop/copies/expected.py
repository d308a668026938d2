# SPDX-License-Identifier: MIT
"""The differences between a file and its copy that are expected, each with its reason. `source`: what the copy was made from, "file"
for the netCDF or HDF5 file itself. `place` is a regular expression of what `compare` names, `was` and `becomes` one of the values;
an empty one is anything."""

import dataclasses
import re


@dataclasses.dataclass
class Expected:
    reason: str
    place: str
    was: str = ""
    becomes: str = ""
    source: str = ""
    target: str = ""


EXPECTED = [
    # GDAL's virtual datasets keep nothing that GDAL's netCDF driver hides.
    Expected("no variables without dimensions", r"(ptop|height|mesh|crs|incomplete|pole|container|goes_imager_projection|rotated_pole)", "there", "False", "VRT"),
    Expected("no missing_value", r".*@missing_value", "", "None", "VRT"),
    Expected("no grid mapping", r".*@grid_mapping", "crs|incomplete|pole|goes|rotated_pole", "", "VRT"),
    Expected("no unit that is an empty text", r"pure@units", "", "None", "VRT"),
    Expected("no grid mapping", r"spatial_ref", "False", "there", "VRT"),
    Expected("no grid mapping", r".*@coordinates", "", ".*spatial_ref", "VRT"),
    Expected("no grid mapping", r".*@_CRS", "None", "", "VRT"),
    # GDAL's netCDF driver tells a copy less than the file says.
    Expected("missing_value is told as the nodata value", r"b@_FillValue", "None"),
    Expected("before 3.7 it has no 8-bit integers with a sign", r".*: values", "int8", "int16"),
    Expected("unsigned bytes of netCDF-3 are told as such", r"b: values", "int8", "uint8"),
    Expected("unsigned bytes of netCDF-3 are told as such", r"b@_Unsigned", "true", "None"),
    Expected("unsigned bytes of netCDF-3 are told as such", r"b@valid_range", r"\[0, -1\]", r"\[0, 255\]"),
    # This driver.
    Expected("a CRS that GDAL alone reads of a grid mapping is written", r"incomplete@(crs_wkt|spatial_ref)", "None", "PROJ"),
    Expected("integers that _Unsigned calls unsigned become so", r"flags: values", "int32", "uint32"),
    Expected("integers that _Unsigned calls unsigned keep their type in v2", r"flags: values", "uint32", "int32"),
    # With both attributes, GDAL's netCDF driver reports an error where the nodata value is set.
    Expected("missing_value that is the nodata value becomes _FillValue alone", r"(a|b|t2m)@missing_value", "", "None", target="netCDF"),
    # What GDAL's netCDF driver adds when it writes.
    Expected("it names its conventions", r"/@Conventions", target="netCDF"),
    Expected("it writes grid mappings of its own", r"(.*/)?(crs|incomplete|stereographic|transverse_mercator|lambert_conformal_conic|polar_stereographic|geostationary|rotated_pole|spatial_ref).*", target="netCDF"),
    Expected("it writes grid mappings of its own", r".*@grid_mapping", target="netCDF"),
    Expected("it writes grid mappings of its own", r".*@coordinates", "", ".*spatial_ref", target="netCDF"),
    Expected("it describes coordinates that belong to a CRS", r".*@(long_name|standard_name)", "None", target="netCDF"),
]  # fmt: skip


def find_reason(difference, source, target):
    """Why a difference is expected; None if it is not."""
    place, was, becomes = (str(part) for part in difference)
    for expected in EXPECTED:
        matches = re.fullmatch(expected.place, place) and re.match(expected.was, was) and re.match(expected.becomes, becomes)
        if matches and expected.source in (source, "") and expected.target in (target, ""):
            return expected.reason
    return None
