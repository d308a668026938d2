#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the stores that write_gdal_stores.py wrote with other libraries, and compares them bit for bit.

    check_gdal_stores.py <folder> [peer...]      peers: zarr xarray rioxarray netcdf gdal

A peer that is not installed is left out. What a peer is known not to support is counted apart; all else that it cannot
read, and every value that differs, fails. The peer gdal is GDAL's built-in driver: GDAL_DRIVER_PATH=disable.
"""

import importlib.util
import json
import os
import sys
import warnings

import numpy as np

UNKNOWN_TO_GDAL_V2 = ("bz2", "strings")
UNKNOWN_TO_GDAL_V3 = (
    "zlib",
    "lz4_",
    "lzma",
    "bz2",
    "predictor",
    "rectilinear",
    "months",
    "strings",
)


class Left(Exception):
    """The peer is known not to read such a store."""


def wanted(folder, row):
    if "values" in row:
        return np.array(row["values"], object)
    with open(os.path.join(folder, row["name"] + ".bin"), "rb") as f:
        return np.frombuffer(f.read(), row["dtype"]).reshape(row["shape"])


def same(got, want):
    got = np.asarray(got)
    if want.dtype.kind == "O":
        return [v.decode() if isinstance(v, bytes) else str(v) for v in got.ravel()] == want.tolist()
    if got.dtype.kind != want.dtype.kind or got.dtype.itemsize != want.dtype.itemsize or got.shape != want.shape:
        return False
    return np.ascontiguousarray(got).astype(want.dtype).tobytes() == np.ascontiguousarray(want).tobytes()


def check_version(row):
    """Leaves out what the zarr-python that is installed, which xarray reads with, does not know."""
    import zarr

    if row["version"] == 1:
        raise Left("v1")
    if row["version"] == 3 and zarr.__version__.startswith("2"):
        raise Left("v3")
    if zarr.__version__.startswith("3.0.") and any(text in row["name"] for text in ("rectilinear", "months")):
        raise Left("a rectilinear grid")


def read_zarr(folder, row):
    import zarr

    check_version(row)
    path = os.path.join(folder, row["name"])
    if zarr.__version__.startswith("2"):
        with_metadata = zarr.open_consolidated(zarr.DirectoryStore(path), mode="r")
        return with_metadata[row["array"]][...]
    zarr.config.set({"array.rectilinear_chunks": True})
    group = zarr.open_group(store=path, mode="r", zarr_format=row["version"], use_consolidated=True)
    return group[row["array"]][...]


def read_xarray(folder, row):
    import xarray

    check_version(row)
    if row.get("rectilinear"):
        raise Left("xarray asks for one length of chunks per dimension")
    # As they are stored: not decoded by CF, which makes floats of integers that have a _FillValue.
    path = os.path.join(folder, row["name"])
    raw = xarray.open_zarr(path, consolidated=True, mask_and_scale=False, chunks=None)
    xarray.open_zarr(path, consolidated=True, chunks=None)[row["array"]].load()
    has_coordinates = set(row.get("conventions", ["GDAL"])) & {"GDAL", "CF"}
    if "transform" in row and has_coordinates:
        x0, dx, _, y0, _, dy = row["transform"]
        x = x0 + dx * (np.arange(raw.sizes["X"]) + 0.5)
        y = y0 + dy * (np.arange(raw.sizes["Y"]) + 0.5)
        if not (np.array_equal(raw["X"].values, x) and np.array_equal(raw["Y"].values, y)):
            raise ValueError("coordinates differ")
    return raw[row["array"]].values


def read_rioxarray(folder, row):
    import rioxarray  # noqa: F401  (adds .rio)
    import xarray

    check_version(row)
    if "epsg" not in row or row.get("rectilinear"):
        raise Left("no place on Earth to ask for")
    if "CF" not in row.get("conventions", ["GDAL", "CF"]):
        raise Left("not CF")
    dataset = xarray.open_zarr(os.path.join(folder, row["name"]), consolidated=True, chunks=None)
    data = dataset[row["array"]].rio.set_spatial_dims(x_dim="X", y_dim="Y")
    if data.rio.crs is None or data.rio.crs.to_epsg() != row["epsg"]:
        raise ValueError(f"CRS: got {data.rio.crs}")
    t = data.rio.transform()
    if [t.c, t.a, t.b, t.f, t.d, t.e] != row["transform"]:
        raise ValueError(f"transform: got {t}")
    return wanted(folder, row)  # values are xarray's part


def read_netcdf(folder, row):
    import netCDF4

    if row["version"] != 2:
        raise Left("v2 only")
    # Debian has none of its codecs, without which it gives wrong values and no error.
    if "plain" not in row["name"]:
        raise Left("compressed")
    if "Complex" in row["name"] or "CFloat" in row["name"]:
        raise Left("complex numbers")
    dataset = netCDF4.Dataset(f"file://{os.path.join(folder, row['name'])}#mode=zarr,file")
    dataset.set_auto_mask(False)
    return dataset.variables[row["array"]][...]


def read_gdal(folder, row):
    from osgeo import gdal

    gdal.UseExceptions()
    path = os.path.join(folder, row["name"])
    if row["version"] == 1:
        raise Left("v1")
    unknown = UNKNOWN_TO_GDAL_V3 if row["version"] == 3 else UNKNOWN_TO_GDAL_V2
    if any(text in row["name"] for text in unknown):
        raise Left("a codec, grid or type that it does not know")
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = root.OpenMDArray(row["array"])
    if array is None:
        raise ValueError(gdal.GetLastErrorMsg() or "no such array")
    if row["dtype"] == "O":
        return np.array(array.Read(), object)
    values = array.ReadAsArray()
    # Of v3 it does not find the grid mapping variable.
    if "epsg" in row and row["name"] != "v3_place_CF" and set(row.get("conventions", ["GDAL"])) & {"GDAL", "CF"}:
        dataset = gdal.Open(f'ZARR:"{path}":/{row["array"]}')
        if list(dataset.GetGeoTransform()) != row["transform"]:
            raise ValueError(f"geotransform: got {dataset.GetGeoTransform()}")
        if dataset.GetSpatialRef().GetAuthorityCode(None) != str(row["epsg"]):
            raise ValueError("CRS differs")
    return values


PEERS = {
    "zarr": ("zarr", read_zarr),
    "xarray": ("xarray", read_xarray),
    "rioxarray": ("rioxarray", read_rioxarray),
    "netcdf": ("netCDF4", read_netcdf),
    "gdal": ("osgeo", read_gdal),
}


def check(peer, folder, rows):
    module, read = PEERS[peer]
    version = getattr(importlib.import_module(module), "__version__", "")
    counts = {"read": 0, "left out": 0, "failed": 0}
    for row in rows:
        try:
            ok = same(read(folder, row), wanted(folder, row))
            result, message = ("read", "") if ok else ("failed", "values differ")
        except Left as reason:
            result, message = "left out", str(reason)
        except Exception as error:  # whatever a reader throws is its answer
            result, message = "failed", f"{type(error).__name__}: {error}"
        counts[result] += 1
        if result == "failed":
            print(f"{peer}: {result}: {row['name']}: {message[:200]}")
    print(f"{peer} {version}: " + ", ".join(f"{n} {k}" for k, n in counts.items()))
    return counts["failed"] == 0 and counts["read"] > 0


def main():
    warnings.simplefilter("ignore")
    folder = os.path.abspath(sys.argv[1])
    with open(os.path.join(folder, "manifest.json")) as f:
        rows = json.load(f)
    ok = True
    for peer in sys.argv[2:] or ("zarr", "xarray", "rioxarray", "netcdf"):
        if importlib.util.find_spec(PEERS[peer][0]) is None:
            print(f"{peer}: left out, it is not installed")
        else:
            ok = check(peer, folder, rows) and ok
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
