# SPDX-License-Identifier: MIT
"""Consolidated metadata that are older than the nodes that they describe."""

import json
import os
import shutil

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import consolidate_v2, consolidate_v3, write_v2, write_v2_group, write_v3, write_v3_group

OLD = np.arange(4, dtype="<i2").reshape(1, 2, 2)
NEW = np.arange(12, dtype="<i2").reshape(3, 2, 2)


def write(path, data, version, attributes=None, fill=0):
    writer = write_v2 if version == 2 else write_v3
    writer(path, data, [1, *data.shape[1:]], attributes=attributes or {}, fill=fill)


def document_of(version):
    return ".zarray" if version == 2 else "zarr.json"


def consolidated_of(version):
    return ".zmetadata" if version == 2 else "zarr.json"


def make(store, version, attributes=None):
    (write_v2_group if version == 2 else write_v3_group)(store)
    write(f"{store}/v", OLD, version, attributes)
    write(f"{store}/w", OLD, version)
    (consolidate_v2 if version == 2 else consolidate_v3)(store)


def set_time(path, seconds):
    os.utime(path, (seconds, seconds))


def open_array(store, name="v", **options):
    return gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER, open_options=[f"{k}={v}" for k, v in options.items()])


def open_md(store, name="v", **options):
    oo = [f"{k}={v}" for k, v in options.items()]
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER, open_options=oo).GetRootGroup().OpenMDArray(name)


@pytest.mark.parametrize("version", [2, 3])
def test_appended_slices_are_seen(store, version):
    make(store, version)
    write(f"{store}/v", NEW, version)
    with collect_errors() as errors:
        assert np.array_equal(open_array(store).ReadAsArray(), NEW)
    assert len(errors) == 1
    for part in (f"v/{document_of(version)}: /shape: [3,2,2], but [1,2,2]", "older", "USE_CONSOLIDATED_METADATA=YES"):
        assert part in errors[0][1]
    with collect_errors() as errors:
        assert np.array_equal(open_md(store).ReadAsArray(), NEW)
    assert len(errors) == 1


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("option", ["USE_CONSOLIDATED_METADATA", "USE_ZMETADATA"])
def test_yes_takes_the_consolidated_metadata_without_a_look(store, version, option):
    make(store, version)
    write(f"{store}/v", NEW, version)
    with collect_errors() as errors:
        assert open_array(store, **{option: "YES"}).RasterCount == 1
        assert open_array(store, **{option: "NO"}).RasterCount == 3
    assert errors == []


@pytest.mark.parametrize("version", [2, 3])
def test_what_changed_last_counts(store, version):
    make(store, version)
    write(f"{store}/v", NEW, version)
    set_time(f"{store}/v/{document_of(version)}", 1_000_000_000)
    set_time(f"{store}/{consolidated_of(version)}", 1_100_000_000)
    with collect_errors() as errors:
        assert open_array(store).RasterCount == 1
    assert len(errors) == 1 and "[3,2,2], but [1,2,2] in the consolidated metadata, which changed later" in errors[0][1]


@pytest.mark.parametrize("version", [2, 3])
def test_attributes_are_compared(store, version):
    make(store, version, {"units": "m", "count": 1})
    write(f"{store}/v", OLD, version, {"units": "km", "count": 1})
    with collect_errors() as errors:
        assert open_array(store).GetRasterBand(1).GetUnitType() == "km"
    assert len(errors) == 1 and '/units: "km", but "m"' in errors[0][1]


def test_attributes_of_a_group_are_compared(store):
    make(store, 2)
    with open(f"{store}/.zattrs", "w") as file:
        json.dump({"title": "new"}, file)
    with collect_errors() as errors:
        group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
        assert group.GetAttribute("title").Read() == "new"
    assert len(errors) == 1 and '/title: "new", but nothing' in errors[0][1]


@pytest.mark.parametrize("version", [2, 3])
def test_nothing_is_said_of_metadata_in_step(store, version):
    make(store, version, {"nan": float("nan"), "list": [1, 2.5], "nested": {"b": 1, "a": None}})
    for path in (f"{store}/v/{document_of(version)}", f"{store}/w/{document_of(version)}"):
        os.utime(path)
    with collect_errors() as errors:
        assert np.array_equal(open_array(store).ReadAsArray(), OLD[0])
        assert np.array_equal(open_md(store).ReadAsArray(), OLD)
    assert errors == []


@pytest.mark.parametrize("version", [2, 3])
def test_array_that_is_gone_is_an_error(store, version):
    make(store, version)
    shutil.rmtree(f"{store}/v")
    with pytest.raises(RuntimeError, match="consolidated metadata list this array.*removed or moved"):
        open_array(store)
    with pytest.raises(RuntimeError, match="removed or moved"):
        open_md(store)
    with collect_errors() as errors:
        assert np.array_equal(open_array(store, "w").ReadAsArray(), OLD[0])
        assert open_array(store, USE_CONSOLIDATED_METADATA="YES").ReadAsArray().tolist() == [[0, 0], [0, 0]]
    assert errors == []


@pytest.mark.parametrize("version", [2, 3])
def test_a_store_of_consolidated_metadata_alone(store, version):
    """Its arrays have not been removed: they never were anywhere else."""
    make(store, version)
    for name in ("v", "w"):
        shutil.rmtree(f"{store}/{name}")
    with collect_errors() as errors:
        assert open_array(store).ReadAsArray().tolist() == [[0, 0], [0, 0]]
        assert not open_md(store).ReadAsArray().any()
    assert len(errors) == 2 and all("only the consolidated metadata describe this array" in text for _, text in errors)


@pytest.mark.parametrize("version", [2, 3])
def test_array_without_its_document_is_read_with_a_warning(store, version):
    make(store, version)
    os.remove(f"{store}/v/{document_of(version)}")
    with collect_errors() as errors:
        assert np.array_equal(open_array(store).ReadAsArray(), OLD[0])
    assert len(errors) == 1 and "list this document, which is not there" in errors[0][1]


def test_store_that_has_only_consolidated_metadata_is_read(store):
    make(store, 2)
    for document in (".zgroup", "v/.zarray", "v/.zattrs", "w/.zarray", "w/.zattrs"):
        os.remove(f"{store}/{document}")
    with collect_errors() as errors:
        assert np.array_equal(open_array(store).ReadAsArray(), OLD[0])
    assert errors == []


@pytest.mark.parametrize("version", [2, 3])
def test_array_that_is_not_listed_is_found_by_its_name(store, version):
    make(store, version)
    write(f"{store}/late", NEW, version)
    with collect_errors() as errors:
        assert np.array_equal(open_array(store, "late").ReadAsArray(), NEW)
    assert len(errors) == 1 and "do not list this node" in errors[0][1]


@pytest.mark.parametrize("version", [2, 3])
def test_broken_own_document_leaves_the_consolidated_one(store, version):
    make(store, version)
    with open(f"{store}/v/{document_of(version)}", "w") as file:
        file.write('{"zarr_format": ')
    with collect_errors() as errors:
        assert np.array_equal(open_array(store).ReadAsArray(), OLD[0])
    assert len(errors) == 1 and "the consolidated metadata are used" in errors[0][1]


@pytest.mark.parametrize("version", [2, 3])
def test_update_keeps_what_was_appended(store, version):
    make(store, version)
    write(f"{store}/v", NEW, version)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.GetRasterBand(1).WriteArray(np.full((2, 2), 77, "i2"))
    dataset.SetMetadataItem("note", "x")
    dataset = None
    with open(f"{store}/v/{document_of(version)}") as file:
        assert json.load(file)["shape"] == [3, 2, 2]
    with collect_errors() as errors:
        assert open_array(store).ReadAsArray()[:, 0, 0].tolist() == [77, 4, 8]
    assert dataset is None and errors == []


@pytest.mark.parametrize("version", [2, 3])
def test_empty_list_of_nodes_is_not_taken_for_an_empty_store(store, version):
    (write_v2_group if version == 2 else write_v3_group)(store)
    (consolidate_v2 if version == 2 else consolidate_v3)(store)
    write(f"{store}/v", OLD, version)
    with collect_errors() as errors:
        group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
        assert group.GetMDArrayNames() == ["v"]
    assert len(errors) == 1 and "list no node" in errors[0][1]


@pytest.mark.parametrize("version", [2, 3])
def test_empty_store_is_empty_without_a_word(store, version):
    (write_v2_group if version == 2 else write_v3_group)(store)
    (consolidate_v2 if version == 2 else consolidate_v3)(store)
    with collect_errors() as errors:
        assert not gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()
    assert errors == []
