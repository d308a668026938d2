# SPDX-License-Identifier: MIT
"""When a call that writes fails, the program reports it, or the store is complete all the same. Existing data survive.

Each call of a program fails in turn. ZARR_FAULTS=all tests more errors, and disks that stay full.
"""

import os

import numpy as np
import pytest
from faults import ALL, FEW, Fault, collect_outcomes, run
from osgeo import gdal, osr
from plugin_in_use import python, run_program

WIDTH, HEIGHT = 16, 12
CHUNKS = ["-co", "BLOCKSIZE=16,16"]
PAM = {"GDAL_PAM_ENABLED": "YES"}


# --- sources of copies ---------------------------------------------------------------------------------------------


def values_of(bands, seed=5):
    return np.random.default_rng(seed).integers(1, 200, (bands, HEIGHT, WIDTH), np.uint8)


def make_source(folder, name, bands=1, seed=5):
    """Makes a VRT, which keeps all properties."""
    tiff = gdal.GetDriverByName("GTiff").Create(f"{folder}/{name}.tif", WIDTH, HEIGHT, bands, gdal.GDT_Byte)
    tiff.WriteArray(values_of(bands, seed) if bands > 1 else values_of(1, seed)[0])
    tiff = None
    path = f"{folder}/{name}.vrt"
    dataset = gdal.GetDriverByName("VRT").CreateCopy(path, gdal.Open(f"{folder}/{name}.tif"))
    dataset.SetMetadata({"made_by": "a test", "number": "7"})
    return path, dataset


def place(dataset):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform((500000, 10, 0, 5000000, 0, -10))


def bands_source(folder):
    path, dataset = make_source(folder, "bands", 2)
    place(dataset)
    for number in (1, 2):
        band = dataset.GetRasterBand(number)
        band.SetNoDataValue(255)
        band.SetScale(0.5)
        band.SetOffset(3)
        band.SetUnitType("m")
        band.SetDescription(f"band {number}")
        band.SetMetadata({"of_band": str(number)})
    return path


def colors_source(folder):
    path, dataset = make_source(folder, "colors")
    place(dataset)
    band = dataset.GetRasterBand(1)
    colors = gdal.ColorTable()
    for index in range(3):
        colors.SetColorEntry(index, (index, 10 * index, 20 * index, 255))
    band.SetColorTable(colors)
    band.SetColorInterpretation(gdal.GCI_PaletteIndex)
    band.SetCategoryNames(["zero", "one", "two"])
    return path


def points_source(folder):
    """Makes a raster with properties that only side files can keep."""
    path, dataset = make_source(folder, "points")
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    dataset.SetGCPs([gdal.GCP(i * 2.0, 40 - i, 0, i * 5, i * 3 % 7) for i in range(4)], srs.ExportToWkt())
    names = ["LINE_OFF", "SAMP_OFF", "LAT_OFF", "LONG_OFF", "HEIGHT_OFF"]
    names += ["LINE_SCALE", "SAMP_SCALE", "LAT_SCALE", "LONG_SCALE", "HEIGHT_SCALE"]
    rpc = {name: str(number + 1) for number, name in enumerate(names)}
    for name in ("LINE_NUM_COEFF", "LINE_DEN_COEFF", "SAMP_NUM_COEFF", "SAMP_DEN_COEFF"):
        rpc[name] = " ".join(str(i / 8) for i in range(20))
    dataset.SetMetadata(rpc, "RPC")
    return path


SOURCES = {"bands": bands_source, "colors": colors_source, "points": points_source}


def describe_band(band):
    colors = band.GetColorTable()
    return {
        "values": band.ReadAsArray().tolist(),
        "nodata": band.GetNoDataValue(),
        "scale": (band.GetScale() or 1, band.GetOffset() or 0),
        "unit": band.GetUnitType(),
        "description": band.GetDescription(),
        "metadata": {k: v for k, v in band.GetMetadata().items() if not k.startswith("DIM_")},
        "colors": colors and [colors.GetColorEntry(i) for i in range(colors.GetCount())][:3],
        "categories": band.GetCategoryNames(),
    }


def describe_arrays_of(dataset):
    """As describe, of a store with an array for each band."""
    arrays = [describe(name) for name, _ in dataset.GetSubDatasets()]
    if not arrays or None in arrays:
        return None
    return {**arrays[0], "bands": [band for array in arrays for band in array["bands"]]}


def describe_srs(srs):
    """Conventions keep more or fewer of the codes inside; the SRS is that of its own code."""
    return srs and (srs.GetAuthorityCode(None) or srs.ExportToWkt())


def describe(name):
    """Returns all that a user sees of a raster; None if it cannot be opened or read."""
    try:
        dataset = gdal.Open(name)
        if dataset.RasterCount == 0:
            return describe_arrays_of(dataset)
        srs = dataset.GetSpatialRef()
        return {
            "place": (dataset.GetGeoTransform(can_return_null=True), describe_srs(srs)),
            "points": [(p.GCPX, p.GCPY, p.GCPPixel, p.GCPLine) for p in dataset.GetGCPs()],
            "metadata": {k: v for k, v in dataset.GetMetadata().items() if k != "AREA_OR_POINT"},
            "rpc": dataset.GetMetadata("RPC"),
            "bands": [describe_band(dataset.GetRasterBand(i + 1)) for i in range(dataset.RasterCount)],
        }
    except RuntimeError:
        return None


@pytest.fixture(autouse=True)
def side_files():
    gdal.SetConfigOption("GDAL_PAM_ENABLED", "YES")
    yield
    gdal.SetConfigOption("GDAL_PAM_ENABLED", None)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("sources"))
    return {name: make(folder) for name, make in SOURCES.items()}


# --- copies -------------------------------------------------------------------------------------------------------


V3 = ["-co", "FORMAT=ZARR_V3"]
CONSOLIDATED = ["-co", "CREATE_CONSOLIDATED_METADATA=YES"]
COPIES = {
    "v2": ("bands", "out.zarr", []),
    "v3_consolidated": ("colors", "out.zarr", V3 + CONSOLIDATED),
    "v3_shards": ("points", "out.zarr", V3 + ["-co", "BLOCKSIZE=4,4", "-co", "SHARD_SHAPE=16,16"]),
    "archive": ("bands", "out.zarr.zip", V3 + CONSOLIDATED),
}
if ALL:
    COPIES |= {
        "shards": ("bands", "out.zarr", V3 + ["-co", "BLOCKSIZE=4,4", "-co", "SHARD_SHAPE=16,16"]),
        "strict": ("bands", "out.zarr", ["-strict", *V3]),
        "stack": ("bands", "out.zarr", [*V3, "-co", "SINGLE_ARRAY=NO"]),
        "archive_v2": ("colors", "out.zarr.zip", ["-co", "STORE_EMPTY_CHUNKS=YES"]),
        "sync": ("colors", "out.zarr", ["-co", "SYNC=YES"]),
        "v1": ("colors", "out.zarr", ["-co", "FORMAT=ZARR_V1"]),
    }


def translate(source, target, options):
    return ["gdal_translate", "-q", "-of", "Zarr", *CHUNKS, *options, source, target]


@pytest.mark.parametrize("case", COPIES)
def test_a_copy_that_succeeds_is_complete(sources, tmp_path, case):
    source, target, options = COPIES[case]
    command = translate(sources[source], target, options)
    reference = tmp_path / "reference"
    reference.mkdir()
    assert run(command, str(reference), Fault(0), PAM).status == 0
    whole = describe(str(reference / target))
    assert whole["metadata"]["made_by"] == "a test"
    assert [b["values"] for b in whole["bands"]] == [b["values"] for b in describe(sources[source])["bands"]]
    failures = 0
    for outcome in collect_outcomes(command, str(tmp_path), environment=PAM):
        copy = describe(f"{outcome.folder}/{target}")
        if outcome.status == 0:
            assert copy == whole, str(outcome)
        else:
            failures += 1
            assert outcome.failed and "ERROR" in outcome.output, str(outcome)
            assert copy != whole, str(outcome)
    assert outcome.status == 0 and failures > (2 if FEW else 10)


def test_a_source_is_copied_with_all_that_it_has(sources, tmp_path):
    """Checks that the sources have the properties that the test above compares."""
    for name, path in sources.items():
        target = str(tmp_path / f"{name}.zarr")
        run_program(translate(path, target, V3), check=True, env={**os.environ, **PAM})
        copy, source = describe(target), describe(path)
        for part in ("place", "points", "rpc"):
            assert str(copy[part])[:60] == str(source[part])[:60]
        assert copy["metadata"].items() >= {"made_by": "a test", "number": "7"}.items()
        assert copy["bands"] == source["bands"]


@pytest.mark.parametrize("target, environment", [("a.zarr.zip", PAM), ("a.zarr", {"GDAL_PAM_ENABLED": "NO"})])
def test_what_cannot_be_kept_is_a_warning_unless_the_copy_is_strict(sources, tmp_path, target, environment):
    for strict in ([], ["-strict"]):
        command = translate(sources["points"], target, strict)
        done = run_program(
            command, cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        assert ("ERROR" in done.stderr, done.returncode != 0) == (bool(strict), bool(strict)), done.stderr
        assert "ground control points (GCPs) and rational polynomial coefficients (RPC)" in done.stderr
        assert strict or describe(str(tmp_path / target))["metadata"]["made_by"] == "a test"


def test_an_array_that_is_added_leaves_the_others_as_they_are(sources, tmp_path):
    before = tmp_path / "before"
    before.mkdir()
    run_program(translate(sources["bands"], str(before / "a.zarr"), [*V3, *CONSOLIDATED]), check=True)
    old = describe(str(before / "a.zarr"))
    options = [*V3, *CONSOLIDATED, "-co", "APPEND_SUBDATASET=YES", "-co", "ARRAY_NAME=added"]
    new = describe(sources["colors"])["bands"]
    for outcome in collect_outcomes(translate(sources["colors"], "a.zarr", options), str(tmp_path), str(before)):
        assert describe(f'ZARR:"{outcome.folder}/a.zarr":/a') == old, str(outcome)
        if outcome.status == 0:
            added = describe(f'ZARR:"{outcome.folder}/a.zarr":/added')
            assert added["bands"] == new and added["place"] == old["place"], str(outcome)
        else:
            assert "ERROR" in outcome.output
    assert outcome.status == 0


# --- changes ------------------------------------------------------------------------------------------------------


UPDATES = {
    "place": ("dataset.SetGeoTransform((7, 2, 0, 9, 0, -2))", {}),
    "metadata": ("dataset.SetMetadata({'made_by': 'another'})", {}),
    "domain": ("dataset.SetMetadata({'made_by': 'another'}, 'mine')", PAM),
    "pixels": ("dataset.GetRasterBand(1).WriteArray(np.full((5, 7), 9, np.uint8), 3, 2)", {}),
    "nodata": ("dataset.GetRasterBand(1).SetNoDataValue(3)", {}),
}
UPDATE = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.Open(sys.argv[1], gdal.GA_Update)
{}
dataset.FlushCache()
if hasattr(dataset, "Close") and len(sys.argv) < 3:
    dataset.Close()
elif gdal.GetLastErrorType() >= gdal.CE_Failure:  # GDAL 3.6 reports failure in this way
    raise SystemExit(gdal.GetLastErrorMsg())
"""


def seen(store):
    """Returns all properties that the changes affect."""
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    levels = [band.GetOverview(i).ReadAsArray().tolist() for i in range(band.GetOverviewCount())]
    return describe(store), dataset.GetMetadata("mine"), levels


@pytest.mark.parametrize("what", UPDATES)
def test_a_change_that_succeeds_is_complete(sources, tmp_path, what):
    code, environment = UPDATES[what]
    command = python(UPDATE.format(code), "a.zarr")
    before = tmp_path / "before"
    before.mkdir()
    run_program(translate(sources["colors"], str(before / "a.zarr"), [*V3, *CONSOLIDATED]), check=True)
    old = seen(str(before / "a.zarr"))
    new = None
    results = []
    for outcome in collect_outcomes(command, str(tmp_path), str(before), environment):
        results.append((outcome, seen(f"{outcome.folder}/a.zarr")))
        new = results[-1][1]
    assert new != old
    for outcome, found in results:
        if outcome.status == 0:
            assert found == new, str(outcome)
        elif what in ("metadata", "domain"):
            assert found in (old, new), str(outcome)


@pytest.mark.parametrize("options", [[], ["-clean"]])
def test_gdaladdo(sources, tmp_path, options):
    before = tmp_path / "before"
    before.mkdir()
    run_program(translate(sources["bands"], str(before / "a.zarr"), [*V3, *CONSOLIDATED]), check=True)
    if options:
        run_program(["gdaladdo", "-q", str(before / "a.zarr"), "2"], check=True)
    old = seen(str(before / "a.zarr"))
    command = ["gdaladdo", "-q", *options, "a.zarr", *([] if options else ["2"])]
    results = [(o, seen(f"{o.folder}/a.zarr")) for o in collect_outcomes(command, str(tmp_path), str(before))]
    new = results[-1][1]
    assert new != old
    for outcome, found in results:
        assert found[0] == old[0]
        if outcome.status == 0:
            assert found == new, str(outcome)


# --- several arrays -----------------------------------------------------------------------------------------------


def make_arrays(path):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    time, x = root.CreateDimension("time", "TEMPORAL", "", 5), root.CreateDimension("x", "", "", 7)
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    for name, dimensions, shape in (("sst", [time, x], (5, 7)), ("time", [time], (5,)), ("x", [x], (7,))):
        array = root.CreateMDArray(name, dimensions, number)
        array.Write(np.arange(np.prod(shape), dtype="f8").reshape(shape))
        array.SetUnit("days since 2000-01-30" if name == "time" else "m")
        array.CreateAttribute("of", [], gdal.ExtendedDataType.CreateString()).Write(name)


def describe_arrays(path):
    try:
        root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
        found = {}
        for name in root.GetMDArrayNames():
            array = root.OpenMDArray(name)
            attributes = {a.GetName(): str(a.Read()) for a in array.GetAttributes()}
            found[name] = (array.ReadAsArray().tolist(), array.GetUnit(), attributes)
        return found
    except (RuntimeError, AttributeError):
        return None


@pytest.mark.parametrize("target", ["out.zarr", "out.zarr.zip"])
def test_a_copy_of_several_arrays(tmp_path, target):
    make_arrays(str(tmp_path / "in.zarr"))
    command = ["gdalmdimtranslate", "-q", "-of", "Zarr", "-co", "FORMAT=ZARR_V3", str(tmp_path / "in.zarr"), target]
    whole = describe_arrays(str(tmp_path / "in.zarr"))
    for outcome in collect_outcomes(command, str(tmp_path)):
        if outcome.status == 0:
            assert describe_arrays(f"{outcome.folder}/{target}") == whole, str(outcome)
    assert outcome.status == 0 and outcome.fault.number > 15
