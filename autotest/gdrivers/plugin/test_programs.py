# SPDX-License-Identifier: MIT
"""Codecs work in GDAL's programs, which load libraries that have functions of the same names as the codecs' ones."""

import os
import shutil

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import run_program
from sanitizer import skip_with_sanitizer


def run(*command):
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    environment = {**os.environ, "GDAL_PAM_ENABLED": "NO"}
    result = run_program(command, env=environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def checksums(path):
    return [line for line in run("gdalinfo", "-checksum", path).splitlines() if "Checksum" in line]


@pytest.mark.parametrize("codec", ["ZFP", "ZSTD", "GZIP", "LZ4", "BLOSC", "BZ2", "LZMA"])
def test_every_codec_works_in_a_program(tmp_path, codec):
    """The libraries of ZFP and of FITS, which GDAL loads, both have a function stream_open."""
    if codec == "ZFP":
        skip_with_sanitizer("it lets no library have names of its own")
    source, target = str(tmp_path / "a.tif"), str(tmp_path / "a.zarr")
    dataset = gdal.GetDriverByName("GTiff").Create(source, 70, 50, 2, gdal.GDT_Float32)
    dataset.WriteArray(np.arange(7000, dtype="f4").reshape(2, 50, 70))
    dataset = None
    metadata = gdal.GetDriverByName("Zarr").GetMetadataItem("DMD_CREATIONOPTIONLIST")
    if f"<Value>{codec}</Value>" not in metadata:
        pytest.skip(f"built without {codec}")
    run("gdal_translate", "-q", "-of", "Zarr", "-co", f"COMPRESS={codec}", source, target)
    assert checksums(target) == checksums(source)
    assert np.array_equal(gdal.Open(target).ReadAsArray(), gdal.Open(source).ReadAsArray())
