# SPDX-License-Identifier: MIT
"""Small GeoTIFF files, each with something that a copy is to keep, and what GDAL tells of a raster."""

import os

import numpy as np
from osgeo import gdal, osr

DATA = np.arange(60, dtype="u1").reshape(6, 10)


def make(folder, bands=1, kind=gdal.GDT_Byte, code=32632, transform=(500000, 10, 0, 6000000, 0, -10), colours=None):
    path = os.path.join(str(folder), "a.tif")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 10, 6, bands, kind)
    if colours:  # before anything is written
        dataset.GetRasterBand(1).SetColorTable(colours)
    for band in range(bands):
        dataset.GetRasterBand(band + 1).WriteArray(DATA + band)
    if transform:
        dataset.SetGeoTransform(transform)
    if code:
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(code)
        dataset.SetSpatialRef(srs)
    return dataset


def plain(folder):
    make(folder)


def geographic(folder):
    make(folder, code=4326, transform=(5, 0.1, 0, 52, 0, -0.1))


def rotated(folder):
    make(folder, transform=(500000, 10, 3, 6000000, 3, -10))


def upward(folder):
    make(folder, transform=(500000, 10, 0, 6000000, 0, 10))


def no_place(folder):
    make(folder, code=None, transform=None)


def points(folder):
    make(folder).SetMetadataItem("AREA_OR_POINT", "Point")


def nodata(folder):
    dataset = make(folder, 2)
    dataset.GetRasterBand(1).SetNoDataValue(7)


def wide_nodata(folder):
    dataset = make(folder, kind=gdal.GDT_Int64)
    dataset.GetRasterBand(1).SetNoDataValue(-9223372036854775806)


def unsigned_nodata(folder):
    dataset = make(folder, kind=gdal.GDT_UInt64)
    dataset.GetRasterBand(1).SetNoDataValue(18446744073709551615)


def nan(folder):
    dataset = make(folder, kind=gdal.GDT_Float32)
    dataset.GetRasterBand(1).SetNoDataValue(float("nan"))


def packed(folder):
    dataset = make(folder, kind=gdal.GDT_Int16)
    band = dataset.GetRasterBand(1)
    band.SetScale(0.1)
    band.SetOffset(273.15)
    band.SetUnitType("K")


def described(folder):
    dataset = make(folder, 3)
    for i in range(3):
        dataset.GetRasterBand(i + 1).SetDescription(f"band {i}")
        dataset.GetRasterBand(i + 1).SetMetadataItem("WAVELENGTH", f"{500 + i}")
    dataset.SetMetadata({"TITLE": "three", "NUMBER": "7", "LIST": "{1,2}", "EMPTY_TEXT": "a, b"})


def coloured(folder):
    table = gdal.ColorTable()
    table.SetColorEntry(1, (255, 0, 0, 255))
    table.SetColorEntry(2, (0, 255, 0, 128))
    make(folder, colours=table)


def rgb(folder):
    dataset = make(folder, 4)
    for i, color in enumerate((gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_BlueBand, gdal.GCI_AlphaBand)):
        dataset.GetRasterBand(i + 1).SetColorInterpretation(color)


def categories(folder):
    dataset = make(folder)
    dataset.GetRasterBand(1).SetCategoryNames(["none", "water", "land"])


def control_points(folder):
    dataset = make(folder, transform=None, code=None)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    corners = [(0.5, 0.25), (9 + 1 / 3, 0.5), (0.5, 5 + 1 / 7), (1e-5, 5.75), (5.125, 3)]
    dataset.SetGCPs([gdal.GCP(5 + x / 7, 52 - y / 7, 0.0, x, y, "", str(i)) for i, (x, y) in enumerate(corners)], srs)


def rational_polynomials(folder):
    numbers = {"LINE_OFF": "3", "SAMP_OFF": "5", "LAT_OFF": "50", "LONG_OFF": "5", "HEIGHT_OFF": "0", "LINE_SCALE": "3", "SAMP_SCALE": "5",
               "LAT_SCALE": "1", "LONG_SCALE": "1", "HEIGHT_SCALE": "500"}  # fmt: skip
    lists = {name: " ".join(["1"] + ["0"] * 19) for name in ("LINE_NUM_COEFF", "LINE_DEN_COEFF", "SAMP_NUM_COEFF", "SAMP_DEN_COEFF")}
    make(folder, transform=None, code=None).SetMetadata({**numbers, **lists}, "RPC")


def statistics(folder):
    dataset = make(folder)
    dataset.GetRasterBand(1).SetStatistics(0, 59, 29.5, 17.318)


def domains(folder):
    dataset = make(folder)
    dataset.SetMetadata({"CLOUDCOVER": "5"}, "IMAGERY")
    dataset.GetRasterBand(1).SetMetadata({"b": "2"}, "MINE")


def masked(folder):
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    dataset = make(folder)
    dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
    dataset.GetRasterBand(1).GetMaskBand().WriteArray(np.where(DATA > 5, 255, 0).astype("u1"))
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", None)


def types(folder):
    make(folder, kind=gdal.GDT_CFloat32)


RASTERS = [plain, geographic, rotated, upward, no_place, points, nodata, wide_nodata, unsigned_nodata, nan, packed, described, coloured, rgb, categories,
           control_points, rational_polynomials, statistics, domains, masked, types]  # fmt: skip


def tell_srs(srs):
    return srs and (srs.GetAuthorityCode(None), srs.GetName(), srs.ExportToProj4())


def tell_band(band):
    table = band.GetColorTable()
    colours = table and {table.GetColorEntry(i) for i in range(table.GetCount())} - {(0, 0, 0, 0), (0, 0, 0, 255)}
    return {
        "type": band.DataType,
        "nodata": str(band.GetNoDataValue()),
        "scale": band.GetScale() or 1,
        "offset": band.GetOffset() or 0,
        "unit": band.GetUnitType(),
        "description": band.GetDescription(),
        "categories": band.GetCategoryNames() or [],
        "colours": colours,
        "interpretation": band.GetColorInterpretation(),
        "mask": band.GetMaskFlags(),
        "domains": {name: band.GetMetadata(name) for name in ("", "MINE")},
        "values": band.ReadAsArray().tolist(),
    }


def tell(dataset):
    """All that GDAL tells of a raster."""
    srs = dataset.GetSpatialRef()
    told = {
        "size": (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount),
        "transform": dataset.GetGeoTransform(can_return_null=True),
        "srs": tell_srs(srs),
        "points": [(p.GCPX, p.GCPY, p.GCPZ, p.GCPPixel, p.GCPLine, p.Id, p.Info) for p in dataset.GetGCPs()],
        "points_srs": tell_srs(dataset.GetGCPSpatialRef()),
        "domains": {name: dataset.GetMetadata(name) for name in ("", "RPC", "IMAGERY", "GEOLOCATION")},
    }
    bands = {f"band {i + 1}": tell_band(dataset.GetRasterBand(i + 1)) for i in range(dataset.RasterCount)}
    return flatten({**told, **bands})


def flatten(told, start=""):
    flat = {}
    for name, value in told.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{start}{name}/"))
        else:
            flat[start + name] = value
    return flat
