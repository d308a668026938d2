# SPDX-License-Identifier: MIT
"""A small product with the structure of Sentinel-2's L2A products as GeoZarr: groups of resolutions, one pyramid."""

import numpy as np
from conventions import MULTISCALES_UUID, PROJ_UUID, SPATIAL_UUID
from stores import write_v3, write_v3_group

CODE = 32632
WEST, NORTH, EXTENT = 699960.0, 4700040.0, 7200.0
LEVELS = {"r10m": 10, "r20m": 20, "r60m": 60, "r120m": 120, "r360m": 360}
SOURCES = {"r20m": "r10m", "r60m": "r10m", "r120m": "r60m", "r360m": "r120m"}
FIRST_LEVELS = {"b02": "r10m", "b05": "r20m", "b01": "r60m"}  # each band is there from its own resolution on
REFLECTANCE = "measurements/reflectance"


def get_size(level):
    return int(EXTENT / LEVELS[level])


def make_band(band, level):
    """Differs from band to band and from level to level."""
    rows, columns = np.indices((get_size(level),) * 2)
    place = (rows + columns) * LEVELS[level] // 10  # the same at the same place in each level
    return (1000 * list(FIRST_LEVELS).index(band) + place + LEVELS[level]).astype("<u2")


def list_levels(band):
    names = list(LEVELS)
    return names[names.index(FIRST_LEVELS[band]) :]


def describe(level):
    """The properties that STAC has for a level. Those of computed levels are their source's, as in true products."""
    told = "r60m" if LEVELS[level] > 60 else level
    pixel = float(LEVELS[told])
    return {
        "proj:epsg": CODE,
        "proj:bbox": [WEST, NORTH - EXTENT, WEST + EXTENT, NORTH],
        "proj:shape": [get_size(told)] * 2,
        "proj:transform": [pixel, 0.0, WEST, 0.0, -pixel, NORTH, 0.0, 0.0, 1.0],
        "grid_mapping": "spatial_ref",
        "units": "1",
    }


def make_layout():
    layout = []
    for level, pixel in LEVELS.items():
        entry = {"asset": level, "spatial:shape": [get_size(level)] * 2}
        if level in SOURCES:
            factor = pixel / LEVELS[SOURCES[level]]
            transform = {"scale": [factor] * 2, "translation": [0.0, 0.0]}
            entry.update({"derived_from": SOURCES[level], "transform": transform})
        layout.append(entry)
    return {"layout": layout, "resampling_method": "average"}


def write_level(path, level):
    size, pixel = get_size(level), LEVELS[level]
    write_v3_group(path)
    centres = (np.arange(size) + 0.5) * pixel
    write_v3(f"{path}/x", WEST + centres, names=["x"])
    write_v3(f"{path}/y", NORTH - centres, names=["y"])
    write_v3(f"{path}/spatial_ref", np.array(0), names=[], attributes={"spatial_ref": f"EPSG:{CODE}"})


def write_product(store):
    product = {"type": "Feature", "properties": {"proj:epsg": CODE, "platform": "sentinel-2a"}}
    write_v3_group(store, {"stac_discovery": product, "other_metadata": {"horizontal_CRS_code": f"EPSG:{CODE}"}})
    for group in ("measurements", "quality", "quality/l2a_quicklook"):
        write_v3_group(f"{store}/{group}")
    conventions = [{"uuid": uuid} for uuid in (MULTISCALES_UUID, SPATIAL_UUID, PROJ_UUID)]
    place = {"spatial:dimensions": ["y", "x"], "spatial:bbox": [0.0] * 4, "proj:code": f"EPSG:{CODE}"}
    attributes = {"zarr_conventions": conventions, "multiscales": make_layout(), **place}
    write_v3_group(f"{store}/{REFLECTANCE}", attributes)
    for level in LEVELS:
        write_level(f"{store}/{REFLECTANCE}/{level}", level)
    for band in FIRST_LEVELS:
        for level in list_levels(band):
            path = f"{store}/{REFLECTANCE}/{level}/{band}"
            write_v3(path, make_band(band, level), [128, 128], names=["y", "x"], attributes=describe(level))
    write_level(f"{store}/quality/l2a_quicklook/r10m", "r10m")
    picture = np.stack([make_band("b02", "r10m") % 256] * 3).astype("u1")
    names = ["band", "y", "x"]
    write_v3(f"{store}/quality/l2a_quicklook/r10m/tci", picture, names=names, attributes=describe("r10m"))
