# SPDX-License-Identifier: MIT
"""A relative path refers to the folder that was current when the store was opened or made."""

import os

import pytest
from osgeo import gdal


def fill_relative(name, value):
    dataset = gdal.GetDriverByName("Zarr").Create(name, 10, 10)
    dataset.GetRasterBand(1).Fill(value)
    return dataset


def test_a_relative_path_is_that_of_the_folder_it_was_opened_in(tmp_path, monkeypatch):
    for folder in ("d1", "d2"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "d1")
    dataset = fill_relative("x.zarr", 7)
    monkeypatch.chdir(tmp_path / "d2")
    dataset.FlushCache()
    dataset = None
    assert os.listdir(tmp_path / "d2") == []
    assert gdal.Open(str(tmp_path / "d1" / "x.zarr")).ReadAsArray().tolist() == [[7] * 10] * 10


@pytest.mark.parametrize("options", [[], ["CACHE_TILE_PRESENCE=YES"]])
def test_relative_paths_of_one_name_are_stores_of_their_own(tmp_path, monkeypatch, options):
    datasets = []
    for folder, value in (("d1", 1), ("d2", 2)):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        fill_relative("x.zarr", value).FlushCache()
        datasets.append(gdal.OpenEx("x.zarr", open_options=options))
        assert datasets[-1].GetDescription() == "x.zarr"
    for turn in range(2):
        assert [dataset.ReadAsArray()[0, 0] for dataset in datasets] == [1, 2], turn
