# SPDX-License-Identifier: MIT
"""What side files hold for rasters is not copied by the multidimensional API. Copies say so."""

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v3, write_v3_group

pytestmark = pytest.mark.usefixtures("side_files")
DATA = np.arange(20, dtype="<u2").reshape(4, 5)


def add_to_side_file(name, change):
    dataset = gdal.Open(name)
    change(dataset)
    dataset = None


def set_points(dataset):
    dataset.SetGCPs([gdal.GCP(i, i, 0, i, i) for i in range(4)], "")
    dataset.SetMetadataItem("A", "1", "DOMAIN")
    dataset.GetRasterBand(1).SetMetadataItem("B", "2", "OF_BAND")


def copy(source, target, **options):
    with collect_errors() as errors:
        assert gdal.MultiDimTranslate(target, source, format="Zarr", **options)
    return errors


@pytest.mark.parametrize("write, document", [(write_v2, ".zarray"), (write_v3, "zarr.json")])
@pytest.mark.parametrize("options", [{}, {"arraySpecs": ["/test"]}, {"arraySpecs": ["name=/test,dstname=b"]}])
def test_copies_tell_what_side_files_hold(store, tmp_path, write, document, options):
    write(store, DATA)
    add_to_side_file(store, set_points)
    errors = copy(store, str(tmp_path / "copy.zarr"), **options)
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert f"{store}/{document}.aux.xml" in errors[0][1]
    assert "ground control points, metadata domain DOMAIN, metadata domain OF_BAND;" in errors[0][1]


def test_each_side_file_is_named(store, tmp_path):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    for name in ("a", "g/b", "g/c"):
        write_v3(f"{store}/{name}", DATA)
        add_to_side_file(f'ZARR:"{store}":/{name}', (lambda _: None) if name == "g/c" else set_points)
    errors = copy(store, str(tmp_path / "copy.zarr"))
    assert [text.split(" has ")[0].rsplit("test.zarr", 1)[1] for _, text in errors] == ["/a/zarr.json.aux.xml", "/g/b/zarr.json.aux.xml"]


def test_items_of_the_default_domain_and_of_bands_are_named(store, tmp_path):
    write_v3(store, DATA)

    def change(dataset):
        dataset.SetMetadataItem("A", "1")
        dataset.GetRasterBand(1).SetCategoryNames(["a", "b"])

    add_to_side_file(store, change)
    assert "leaves out: CategoryNames, metadata items;" in copy(store, str(tmp_path / "copy.zarr"))[0][1]


def test_statistics_are_not_missed(store, tmp_path):
    write_v3(store, DATA)
    add_to_side_file(store, lambda dataset: dataset.GetRasterBand(1).ComputeStatistics(False))
    add_to_side_file(store, lambda dataset: dataset.GetRasterBand(1).GetDefaultHistogram(force=True))
    assert "PAMRasterBand" in open(f"{store}/zarr.json.aux.xml").read()
    assert copy(store, str(tmp_path / "copy.zarr")) == []


def test_a_file_of_another_format_has_one_too(tmp_path):
    source = str(tmp_path / "a.nc")
    memory = gdal.GetDriverByName("MEM").Create("", 5, 4)
    gdal.GetDriverByName("netCDF").CreateCopy(source, memory)
    with open(f"{source}.aux.xml", "w") as f:
        f.write("<PAMDataset><GCPList><GCP Id='1' Pixel='0' Line='0' X='0' Y='0'/></GCPList></PAMDataset>")
    errors = copy(source, str(tmp_path / "copy.zarr"))
    assert len(errors) == 1 and "a.nc.aux.xml" in errors[0][1] and "ground control points" in errors[0][1]


@pytest.mark.parametrize("content", ["<PAMDataset><", "something else"])
def test_a_damaged_side_file_is_passed_over(store, tmp_path, content):
    write_v3(store, DATA)
    with open(f"{store}/zarr.json.aux.xml", "w") as f:
        f.write(content)
    assert copy(store, str(tmp_path / "copy.zarr")) == []


def test_a_copy_of_the_raster_keeps_all(store, tmp_path):
    write_v3(store, DATA)
    add_to_side_file(store, set_points)
    target = str(tmp_path / "copy.zarr")
    with collect_errors() as errors:
        gdal.Translate(target, store, format="Zarr")
    assert errors == []
    dataset = gdal.Open(target)
    assert dataset.GetGCPCount() == 4 and dataset.GetMetadataItem("A", "DOMAIN") == "1"
