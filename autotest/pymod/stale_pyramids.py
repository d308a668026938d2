# SPDX-License-Identifier: MIT
"""Says what overviews lack, and compares them with overviews that are made anew."""

import shutil

import numpy as np
from osgeo import gdal

ITEM = "OVERVIEWS_STALE"


def open_update(store, name="a", refresh=False, **options):
    given = [f"{key}={value}" for key, value in options.items()]
    if refresh:
        given.append("REFRESH_OVERVIEWS=YES")
    return gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE, open_options=given)


def get_stale(store, name="a"):
    """Returns what a new opening says; None if nothing is stale."""
    return gdal.Open(f'ZARR:"{store}":/{name}').GetMetadataItem(ITEM)


def read_pyramid(dataset):
    bands = [dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount)]
    return [np.stack([b.GetOverview(i).ReadAsArray() for b in bands]) for i in range(bands[0].GetOverviewCount())]


def find_differences(one, other, rounded):
    same = (one == other) | ((one != one) & (other != other))
    if rounded:
        same |= np.isclose(one.astype("f8"), other.astype("f8"), rtol=1e-5, atol=1 if one.dtype.kind in "iu" else 1e-5)
    return np.argwhere(~same)


def check_like_rebuilt(store, method, factors, name="a", rounded=False):
    """Compares all levels with those of a copy that has no overviews and gets new ones. `rounded`: the last digit may differ."""
    copy = store + ".rebuilt"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(store, copy)
    rebuilt = open_update(copy, name)
    rebuilt.BuildOverviews("NONE", [])
    rebuilt.BuildOverviews(method, factors)
    rebuilt.FlushCache()
    kept = gdal.Open(f'ZARR:"{store}":/{name}')
    np.testing.assert_array_equal(kept.ReadAsArray(), rebuilt.ReadAsArray())
    got, expected = read_pyramid(kept), read_pyramid(rebuilt)
    assert [level.shape for level in got] == [level.shape for level in expected]
    for level, (one, other) in enumerate(zip(got, expected)):
        different = find_differences(one, other, rounded)
        assert len(different) == 0, f"level {level} of {one.shape}: {len(different)} differ, first at {different[:3].tolist()}"
    del rebuilt
    shutil.rmtree(copy)
