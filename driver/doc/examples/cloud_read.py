# SPDX-License-Identifier: MIT
"""Reads a window of a remote store, and prints the requests that this took.

    python3 cloud_read.py <name> <column> <row> <columns> <rows>
    python3 cloud_read.py ZARR:/vsicurl/https://data.example.com/relief_v3_sharded.zarr 420 10 60 60

For object stores, replace /vsicurl/https://... by /vsis3/, /vsigs/ or /vsiaz/, the bucket and the path.
"""

import sys

from osgeo import gdal

gdal.UseExceptions()
# GDAL's defaults never give up and never retry. These settings suit most servers.
gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", "60")
gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", "3")
gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", "0.5")


def get_costs(dataset):
    """Returns what the driver has counted since the store was opened. Asking sends no request."""
    return {name: float(value) for name, value in dataset.GetMetadata("ZARR_REQUESTS").items()}


def print_costs(label, before, after):
    costs = {name: after[name] - before.get(name, 0) for name in after}
    print("{}: {REQUESTS:.0f} requests, {ROUND_TRIPS:.0f} round trips, {BYTES:.0f} bytes".format(label, **costs))


if __name__ == "__main__":
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    dataset = gdal.Open(sys.argv[1])
    opened = get_costs(dataset)
    print_costs("open", {}, opened)
    values = dataset.ReadAsArray(*map(int, sys.argv[2:]))
    print_costs("window", opened, get_costs(dataset))
    print(values.shape, values.dtype, values.min(), values.max())
