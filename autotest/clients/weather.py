# SPDX-License-Identifier: MIT
"""Small stores as xarray writes them, without the library: fields of temperature and rain over three months."""

import numpy as np
from stores import write_v3, write_v3_group

TIMES = ["2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"]
EXTENT = (-10, 40, 20, 60)  # west, south, east, north, in degrees
NODATA = -9999.0
ROWS, COLUMNS = 20, 30

T2M = (np.arange(len(TIMES) * ROWS * COLUMNS) / 8).reshape(len(TIMES), ROWS, COLUMNS).astype("<f4")
RAIN = 2 * T2M
T2M[0, 0, 0] = RAIN[0, 0, 0] = NODATA
SHOWN = np.where(T2M == NODATA, np.nan, T2M)  # as programs show it that know nodata


def write_weather(store, arrays=("rain", "t2m"), columns=slice(None), coordinate_units=True):
    """Writes arrays (time, lat, lon) in chunks of (1, 10, 15), and their coordinates. Returns the store's path."""
    data = {"rain": (RAIN, "mm"), "t2m": (T2M, "K")}
    write_v3_group(store)
    for name in arrays:
        values, unit = data[name]
        attributes = {"units": unit, "_FillValue": NODATA}
        names = ["time", "lat", "lon"]
        write_v3(f"{store}/{name}", values[..., columns], [1, 10, 15], names=names, fill=NODATA, compress=True, attributes=attributes)
    west, _, _, north = EXTENT
    axes = {
        "time": (np.array([0, 31, 60], "<i4"), {"units": "days since 2024-01-01", "calendar": "standard", "standard_name": "time"}),
        "lat": (north - 0.5 - np.arange(ROWS), {"standard_name": "latitude"}),
        "lon": ((west + 0.5 + np.arange(COLUMNS))[columns], {"standard_name": "longitude"}),
    }  # fmt: skip
    if coordinate_units:
        axes["lat"][1]["units"] = "degrees_north"
        axes["lon"][1]["units"] = "degrees_east"
    for name, (values, attributes) in axes.items():
        write_v3(f"{store}/{name}", values, names=[name], attributes=attributes)
    return store
