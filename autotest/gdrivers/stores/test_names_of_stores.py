# SPDX-License-Identifier: MIT
"""What a path leads to decides whether it is a store, an archive or a file of references, and not how its name ends."""

import os
import shutil
import zipfile

import numpy as np
import pytest
from osgeo import gdal
from stores import write_json, write_v2, write_v2_group

DATA = np.array([[1, 2], [3, 4]], dtype="<i2")
ENDINGS = ["zip", "zarr.zip", "ZIP", "json", "zarr", "parquet", "tar", "zarr.json", "tif", "nc"]


def make(folder):
    write_v2_group(folder)
    write_v2(f"{folder}/a", DATA)
    write_v2(f"{folder}/g.zip/b.zarr.zip", DATA + 10)
    write_v2_group(f"{folder}/g.zip")


def values_of(name, flags=gdal.OF_RASTER):
    return gdal.OpenEx(name, flags).ReadAsArray()


@pytest.mark.parametrize("name", [f"data.{ending}" for ending in ENDINGS] + ["zarr.json", ".zarray", ".zgroup", "meta"])
def test_folder_of_any_name_is_a_store(tmp_path, name):
    folder = str(tmp_path / name)
    make(folder)
    for form in ('ZARR:"{0}":/a', "{0}/a", "{0}/a/", "{0}/a/.zarray", 'ZARR:"{0}/a"'):
        assert np.array_equal(values_of(form.format(folder)), DATA), form
    for form in ('ZARR:"{0}":/g.zip/b.zarr.zip', "{0}/g.zip/b.zarr.zip", 'ZARR:"{0}/g.zip/b.zarr.zip"', "{0}/g.zip"):
        assert np.array_equal(values_of(form.format(folder)), DATA + 10), form
    for form in ("{0}", "{0}/", 'ZARR:"{0}"', "ZARR:{0}"):
        dataset = gdal.OpenEx(form.format(folder), gdal.OF_MULTIDIM_RASTER)
        assert dataset.GetRootGroup().GetMDArrayNames() == ["a"]
        names = [item for item, _ in gdal.Open(form.format(folder)).GetSubDatasets()]
        assert names == [f'ZARR:"{folder}":/a', f'ZARR:"{folder}":/g.zip/b.zarr.zip']
        assert [gdal.Open(item).ReadAsArray()[0, 0] for item in names] == [1, 11]


@pytest.mark.parametrize("name", ["data.zip", "data.zarr.zip", "zarr.json"])
def test_relative_names(tmp_path, monkeypatch, name):
    make(str(tmp_path / name))
    monkeypatch.chdir(tmp_path)
    for form in ('ZARR:"{0}":/a', "{0}/a", "./{0}/a", 'ZARR:"./{0}":/a', "ZARR:{0}:/a"):
        assert np.array_equal(values_of(form.format(name)), DATA), form
    monkeypatch.chdir(tmp_path / name)
    assert np.array_equal(values_of("a"), DATA)
    assert gdal.OpenEx(".", gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames() == ["a"]


@pytest.mark.parametrize("name", ["data.zip", "data.zarr.zip"])
def test_folder_called_as_an_archive_is_changed(tmp_path, name):
    folder = str(tmp_path / name)
    make(folder)
    dataset = gdal.OpenEx(f'ZARR:"{folder}":/a', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.GetRasterBand(1).WriteArray(DATA * 2)
    dataset = None
    assert dataset is None and np.array_equal(values_of(f"{folder}/a"), DATA * 2)
    driver = gdal.GetDriverByName("Zarr")
    new = driver.Create(folder, 2, 2, 1, gdal.GDT_Int16, ["APPEND_SUBDATASET=YES", "ARRAY_NAME=more"])
    new.GetRasterBand(1).WriteArray(DATA + 5)
    new = None
    assert new is None and np.array_equal(values_of(f'ZARR:"{folder}":/more'), DATA + 5)
    assert driver.Delete(folder) == gdal.CE_None
    assert not os.path.exists(folder)


@pytest.mark.parametrize("name", ["data.zarr", "data.zarr.zip", "data.zip"])
def test_archive_of_any_name_is_read(tmp_path, name):
    make(str(tmp_path / "folder"))
    path = str(tmp_path / name)
    os.rename(shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path / "folder"), path)
    forms = ['ZARR:"{0}":/a', "ZARR:{0}:/a"]
    for form in forms:
        assert np.array_equal(values_of(form.format(path)), DATA), form
    assert gdal.OpenEx(f'ZARR:"{path}"', gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames() == ["a"]
    if name != "data.zip":  # which may belong to another driver
        names = [item for item, _ in gdal.Open(path).GetSubDatasets()]
        assert [gdal.Open(item).ReadAsArray()[0, 0] for item in names] == [1, 11]


def test_folder_called_as_an_archive_may_be_in_an_archive(tmp_path):
    make(str(tmp_path / "folder" / "in.zip"))
    path = shutil.make_archive(str(tmp_path / "out"), "zip", tmp_path / "folder")
    for name in (f"/vsizip/{{{path}}}/in.zip/a", f'ZARR:"/vsizip/{path}/in.zip":/a'):
        assert np.array_equal(values_of(name), DATA), name


def test_archive_in_a_folder_called_as_one(tmp_path):
    make(str(tmp_path / "folder"))
    os.makedirs(tmp_path / "out.zip")
    path = shutil.make_archive(str(tmp_path / "out.zip" / "in"), "zip", tmp_path / "folder")
    assert np.array_equal(values_of(f'ZARR:"{path}":/a'), DATA)
    assert np.array_equal(values_of(f"/vsizip/{{{path}}}/a"), DATA)


@pytest.mark.parametrize("name", ["refs.json", "refs.zip", "refs.zarr", "refs.txt"])
def test_references_of_any_name_are_read(tmp_path, name):
    folder = str(tmp_path / "folder")
    make(folder)
    documents = {}
    for key in (".zgroup", "a/.zarray"):
        with open(f"{folder}/{key}") as file:
            documents[key] = file.read()
    path = str(tmp_path / name)
    write_json(path, {"version": 1, "refs": {**documents, "a/0.0": [f"{folder}/a/0.0"]}})
    assert np.array_equal(values_of(f'ZARR:"{path}":/a'), DATA)


def test_archive_is_made_where_nothing_is(tmp_path):
    path = str(tmp_path / "new.zip")
    dataset = gdal.GetDriverByName("Zarr").Create(path, 2, 2, 1, gdal.GDT_Int16)
    dataset.GetRasterBand(1).WriteArray(DATA)
    dataset = None
    assert dataset is None and zipfile.is_zipfile(path)
    assert np.array_equal(values_of(f'ZARR:"{path}"'), DATA)
