# SPDX-License-Identifier: MIT
"""References to the blocks of multidimensional sources have the values and the metadata that a copy has."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal
from stores import open_group, write_sharded, write_v2, write_v2_group, write_v3, write_v3_group

needs_blocks = pytest.mark.skipif(not hasattr(gdal.MDArray, "GetRawBlockInfo"), reason="needs GDAL 3.12 or later")
RNG = np.random.default_rng(1)
LARGE = RNG.integers(0, 1000, (3, 90, 130)).astype("i4")  # more than 64 KiB


def refer(target, source, options=(), **arguments):
    is_repository = target.endswith(".icechunk")
    creation = [*(["FORMAT=ICECHUNK", "VIRTUAL=YES"] if is_repository else ["FORMAT=KERCHUNK"]), *options]
    return gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=creation, **arguments)


def list_arrays(group):
    for name in group.GetMDArrayNames() or []:
        yield group.OpenMDArray(name)
    for name in group.GetGroupNames() or []:
        yield from list_arrays(group.OpenGroup(name))


def read(array):
    numeric = array.GetDataType().GetClass() == gdal.GEDTC_NUMERIC
    return (str(array.GetDataType().GetNumericDataType()), array.ReadAsArray().tobytes()) if numeric else array.Read()


def describe(array):
    srs = array.GetSpatialRef()
    return {
        "dimensions": [(d.GetName(), d.GetSize(), d.GetType(), d.GetDirection()) for d in array.GetDimensions()],
        "attributes": {a.GetName(): str(a.Read()) for a in array.GetAttributes()},
        "nodata": str(array.GetNoDataValueAsDouble()),
        "unit": array.GetUnit(),
        "scale": (array.GetScale(), array.GetOffset()),
        "srs": srs and srs.ExportToWkt(),
    }


def check(source, target, copy_format="ZARR_V2"):
    """Makes references, and compares them with the source, and with an ordinary copy. Returns the number of arrays."""
    if target.endswith(".icechunk"):
        copy_format = "ZARR_V3"
    made = refer(target, source)
    assert made.GetRootGroup().GetMDArrayNames() is not None
    made = None
    copy = os.path.dirname(target) + "/copy.zarr"
    gdal.MultiDimTranslate(copy, source, format="Zarr", creationOptions=[f"FORMAT={copy_format}"])
    references, copied = open_group(target), open_group(copy)
    count = 0
    opened = gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER)
    for array in list_arrays(opened.GetRootGroup()):
        found = references.OpenMDArrayFromFullname(array.GetFullName())
        assert read(found) == read(array), array.GetFullName()
        assert describe(found) == describe(copied.OpenMDArrayFromFullname(array.GetFullName()))
        count += 1
    attributes = [{a.GetName(): a.Read() for a in group.GetAttributes()} for group in (references, copied)]
    assert attributes[0] == attributes[1]
    return count


def list_places(target):
    """Returns the places in files, by key. Only for references in JSON."""
    with open(target) as f:
        refs = json.load(f)["refs"]
    return {key: place for key, place in refs.items() if isinstance(place, list)}


@pytest.fixture(params=["refs.json", "refs.parq", "refs.icechunk"])
def target(request, tmp_path):
    os.mkdir(tmp_path / "out")
    return str(tmp_path / "out" / request.param)


@pytest.fixture(params=["refs.json", "refs.parq"])
def kerchunk(request, tmp_path):
    """References that others may replace; a repository keeps its history."""
    os.mkdir(tmp_path / "out")
    return str(tmp_path / "out" / request.param)


# --- stores of this driver, in every version of GDAL ----------------------------------------------------------------


def test_a_store(tmp_path, target):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source, {"title": "all"})
    write_v2_group(f"{source}/below")
    codec = {"id": "zlib", "level": 1}
    attributes = {"_ARRAY_DIMENSIONS": ["t", "y", "x"], "units": "K", "scale_factor": 0.5, "note": [1, 2]}
    write_v2(f"{source}/a", LARGE, [1, 40, 50], compressor=codec, fill=-1, attributes=attributes)
    write_v2(f"{source}/t", np.arange(3.0), [3], attributes={"_ARRAY_DIMENSIONS": ["t"], "units": "days since 2000-01-01"})
    write_v2(f"{source}/below/b", LARGE.astype(">f4"), [2, 90, 130], order="F", fill=7)
    assert check(source, target) == 3
    if target.endswith(".json"):
        places = list_places(target)
        assert places["a/2.1.0"] == [f"{source}/a/2.1.0", 0, os.path.getsize(f"{source}/a/2.1.0")]
        assert len(places) == 3 * 3 * 3 + 1 + 2


def test_rectilinear_chunks_and_shards(tmp_path, target):
    source = str(tmp_path / "source.zarr")
    write_v3_group(source)
    write_v3(f"{source}/a", LARGE, edges=[[3], [40, 50], [130]], names=["t", "y", "x"], compress=True)
    write_sharded(f"{source}/b", LARGE, [3, 90, 130], [1, 45, 65], names=["t", "y", "x"])
    assert check(source, target, "ZARR_V3") == 2
    if target.endswith(".json"):
        places = list_places(target)
        assert {key for key in places if key.startswith("a/")} == {"a/c/0/0/0", "a/c/0/1/0"}
        assert len({tuple(place) for key, place in places.items() if key.startswith("b/")}) == 3 * 2 * 2


def test_absent_chunks_are_absent(tmp_path, target):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", LARGE, [1, 90, 130], fill=5, skip=[(1, 0, 0)])
    write_v2(f"{source}/b", LARGE, [1, 90, 130], fill=0, skip=[(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    check(source, target)
    if target.endswith(".json"):
        assert sorted(list_places(target)) == ["a/0.0.0", "a/2.0.0"]


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("dtype", ["i1", "f2"])
def test_references_have_the_stored_type(tmp_path, target, write, dtype):
    """GDAL may read the elements as a larger type."""
    source = str(tmp_path / "source.zarr")
    (write_v2_group if write == write_v2 else write_v3_group)(source)
    data = RNG.integers(-9, 9, (3, 200, 130)).astype(dtype)
    write(f"{source}/a", data, [1, 200, 130], fill=-3, skip=[(1, 0, 0)])
    write(f"{source}/small", data[:, 0, :2])
    refer(target, source)
    data[1] = -3
    opened = open_group(target)
    assert opened.OpenMDArray("a").ReadAsArray().tolist() == data.tolist()
    assert opened.OpenMDArray("a").GetNoDataValueAsDouble() == open_group(source).OpenMDArray("a").GetNoDataValueAsDouble()
    assert opened.OpenMDArray("small").ReadAsArray().tolist() == open_group(source).OpenMDArray("small").ReadAsArray().tolist()
    if target.endswith(".json"):
        assert len([key for key in list_places(target) if key.startswith("a/")]) == 2


def test_references_to_references(tmp_path, target):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", LARGE, [1, 90, 130])
    first = str(tmp_path / "first.json")
    refer(first, source)
    check(first, target)
    if target.endswith(".json"):
        assert list_places(target) == list_places(first)


def test_many_chunks(tmp_path):
    """More references than a file of Parquet has."""
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", np.zeros((150, 150), "u1"), [1, 1], skip=[(i, k) for i in range(150) for k in range(150)])
    for i, k in [(0, 3), (66, 99), (66, 100), (149, 149)]:
        with open(f"{source}/a/{i}.{k}", "wb") as f:
            f.write(bytes([i + 1]))
    target = str(tmp_path / "refs.parq")
    refer(target, source)
    assert sorted(os.listdir(f"{target}/a")) == ["refs.0.parq", "refs.1.parq", "refs.2.parq"]
    values = open_group(target).OpenMDArray("a").ReadAsArray()
    assert [tuple(place) for place in np.argwhere(values)] == [(0, 3), (66, 99), (66, 100), (149, 149)]
    assert values[149, 149] == 150


def test_relative_references_in_parquet_are_refused(tmp_path):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    with pytest.raises(RuntimeError, match="creation option RELATIVE: expected NO"):
        refer(str(tmp_path / "refs.parq"), source, ["RELATIVE=YES"])
    assert os.listdir(tmp_path) == ["source.zarr"]


def test_an_array_that_cannot_be_described_is_named(tmp_path, target):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", LARGE, [1, 90, 130])
    with open(f"{source}/a/2.0.0", "r+b") as f:
        f.truncate(100)
    with pytest.raises(RuntimeError, match='a/2.0.0: array "a": .*block \\[2,0,0\\]'):
        refer(target, source)
    assert os.listdir(os.path.dirname(target)) == []


def test_options_of_chunks_are_refused(tmp_path, target):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    with pytest.raises(RuntimeError, match="creation option ARRAY:COMPRESS: expected no such option"):
        refer(target, source, ["ARRAY:COMPRESS=ZSTD"])
    assert os.listdir(os.path.dirname(target)) == []


# --- what is there --------------------------------------------------------------------------------------------------


def make_small(tmp_path):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", LARGE, [1, 90, 130])
    return source


def test_references_replace_references(tmp_path, kerchunk):
    source, target = make_small(tmp_path), kerchunk
    refer(target, source)
    write_v2(f"{source}/b", LARGE + 1, [3, 90, 130])
    # GDAL 3.6 does not ask a driver to remove a folder, which the driver then does itself.
    refer(target, source)
    assert sorted(open_group(target).GetMDArrayNames()) == ["a", "b"]
    assert os.listdir(os.path.dirname(target)) == [os.path.basename(target)]


def test_references_in_parquet_with_other_files_stay(tmp_path):
    source = make_small(tmp_path)
    target = str(tmp_path / "refs.parq")
    refer(target, source)
    (tmp_path / "refs.parq" / "a" / "mine").write_text("1")
    before = sorted(os.listdir(f"{target}/a"))
    with pytest.raises(RuntimeError, match="refs.parq/a/mine: .*does not belong"):
        refer(target, source)
    assert sorted(os.listdir(f"{target}/a")) == before
    assert open_group(target).OpenMDArray("a").ReadAsArray().tobytes() == LARGE.tobytes()


def test_references_in_parquet_are_removed_without_other_files(tmp_path):
    source = make_small(tmp_path)
    target = str(tmp_path / "refs.parq")
    refer(target, source)
    (tmp_path / "refs.parq" / "a" / "mine").write_text("1")
    gdal.GetDriverByName("Zarr").Delete(target)
    assert os.listdir(target) == ["a"]
    assert os.listdir(f"{target}/a") == ["mine"]
    assert os.path.exists(f"{source}/a/0.0.0")


def test_references_in_parquet_are_removed_moved_and_copied(tmp_path):
    source = make_small(tmp_path)
    first, second, third = (str(tmp_path / f"{name}.parq") for name in ("first", "second", "third"))
    driver = gdal.GetDriverByName("Zarr")
    refer(first, source)
    driver.Rename(second, first)
    driver.CopyFiles(third, second)
    for name in (second, third):
        assert open_group(name).OpenMDArray("a").ReadAsArray().tobytes() == LARGE.tobytes()
        driver.Delete(name)
    assert os.listdir(tmp_path) == ["source.zarr"]


def test_open_references_are_not_replaced(tmp_path, kerchunk):
    source, target = make_small(tmp_path), kerchunk
    refer(target, source)
    opened = open_group(target)
    with pytest.raises(RuntimeError, match="has .* open"):
        refer(target, source)
    assert opened.OpenMDArray("a").ReadAsArray().tobytes() == LARGE.tobytes()


# --- other drivers, since GDAL 3.12 ---------------------------------------------------------------------------------


def write_netcdf(path):
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the file; it is not installed")
    with netcdf.Dataset(path, "w") as file:
        file.title = "months"
        for name, size in (("time", None), ("lat", 45), ("lon", 90)):
            file.createDimension(name, size)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": "days since 2000-01-01", "calendar": "standard", "standard_name": "time"})
        for name, first, unit in (("lat", -88, "degrees_north"), ("lon", 2, "degrees_east")):
            axis = file.createVariable(name, "f4", (name,))
            axis.units = unit
            axis[:] = first + 4 * np.arange(45 if name == "lat" else 90)
        options = {"zlib": True, "shuffle": True, "chunksizes": (1, 20, 40)}
        packed = file.createVariable("packed", "i2", ("time", "lat", "lon"), fill_value=-9, **options)
        packed.setncatts({"scale_factor": 0.01, "add_offset": 20.0, "units": "degC"})
        checked = file.createVariable("checked", "f8", ("time", "lat", "lon"), fletcher32=True, **options)
        big = file.createVariable("big", ">f4", ("time", "lat", "lon"), endian="big", chunksizes=(2, 45, 90))
        plain = file.createVariable("plain", "f4", ("lat", "lon"))
        file.createVariable("scalar", "i4", ())[...] = 3
        names = file.createVariable("names", str, ("lat",))
        packed.set_auto_maskandscale(False)
        packed[:] = RNG.integers(0, 500, (5, 45, 90))
        checked[:] = RNG.random((5, 45, 90))
        big[:] = RNG.random((5, 45, 90))
        plain[:] = np.arange(45 * 90).reshape(45, 90)
        time[:] = np.arange(5) * 30
        names[:] = np.array([f"row {i}" for i in range(45)], dtype=object)
    return path


@needs_blocks
def test_netcdf(tmp_path, target):
    source = write_netcdf(str(tmp_path / "a.nc"))
    assert check(source, target) >= 7
    if target.endswith(".json"):
        places = list_places(target)
        assert len([key for key in places if key.startswith("packed/")]) == 5 * 3 * 3
        assert {place[0] for place in places.values()} == {source}
        assert not any(key.startswith("names/") for key in places)


@pytest.mark.parametrize("form", ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"])
@pytest.mark.parametrize("others", [True, False])
def test_classic_formats_of_netcdf(tmp_path, target, form, others):
    """In every version of GDAL. A single variable of records is not padded."""
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the file; it is not installed")
    source = str(tmp_path / "a.nc")
    with netcdf.Dataset(source, "w", format=form) as file:
        file.setncatts({"title": "old", "numbers": np.arange(3, dtype="i2")})
        for name, size in (("time", None), ("y", 91), ("x", 401)):
            file.createDimension(name, size)
        records = file.createVariable("records", "i2", ("time", "y", "x"), fill_value=-7)
        records.scale_factor = 0.5
        records.set_auto_maskandscale(False)
        records[:] = RNG.integers(0, 999, (4, 91, 401))
        if others:
            time = file.createVariable("time", "f8", ("time",))
            time.units = "days since 1999-12-31"
            time[:] = np.arange(4)
            file.createVariable("odd", "i1", ("time", "x"))[:] = RNG.integers(0, 99, (4, 401))
        file.createVariable("fixed", "f4", ("y", "x"))[:] = RNG.random((91, 401))
        file.createVariable("alone", "f4", ("x",))[:] = RNG.random(401)  # GDAL takes it for the coordinates of x
    try:
        gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER)
    except RuntimeError:
        assert form == "NETCDF3_64BIT_DATA"
        pytest.skip("GDAL's driver of netCDF does not read this format")
    assert check(source, target) == (5 if others else 3)
    if target.endswith(".json"):
        places = list_places(target)
        assert len([key for key in places if key.startswith("records/")]) == 4
        assert len([key for key in places if key.startswith("fixed/")]) == 1


def test_a_damaged_header_of_netcdf(tmp_path, target):
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the file; it is not installed")
    source = str(tmp_path / "a.nc")
    with netcdf.Dataset(source, "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("x", 40000)
        file.createVariable("a", "f4", ("x",))[:] = np.arange(40000)
    opened = gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER)
    with open(source, "r+b") as f:
        f.seek(8)
        f.write(bytes([0, 0, 0, 99]))
    with pytest.raises(RuntimeError, match="a.nc: the header of the file is damaged"):
        refer(target, opened)
    assert os.listdir(os.path.dirname(target)) == []


def write_hdf5(path, **options):
    h5py = pytest.importorskip("h5py", reason="python3-h5py makes the file; it is not installed")
    with h5py.File(path, "w") as file:
        file.create_dataset("a", data=LARGE, chunks=(1, 40, 50), **options)
        file.create_dataset("below/b", data=LARGE[0], chunks=(40, 50))
    return path


@needs_blocks
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compression": "gzip"},
        {"compression": "gzip", "shuffle": True},
        {"compression": "gzip", "shuffle": True, "fletcher32": True},
        {"fletcher32": True},
        {"compression": "lzf", "shuffle": True},
    ],
)
def test_filters_of_hdf5(tmp_path, target, options):
    assert check(write_hdf5(str(tmp_path / "a.h5"), **options), target) == 2


@needs_blocks
def test_other_filters_of_hdf5_are_refused(tmp_path, target):
    source = write_hdf5(str(tmp_path / "a.h5"), scaleoffset=0, compression="gzip")
    with pytest.raises(RuntimeError, match="a.h5/a: .*expected blocks with the filters .*, got SCALEOFFSET"):
        refer(target, source)
    assert os.listdir(os.path.dirname(target)) == []


@needs_blocks
def test_a_small_array_that_cannot_be_described_is_a_part_of_the_references(tmp_path, target):
    h5py = pytest.importorskip("h5py")
    source = str(tmp_path / "a.h5")
    with h5py.File(source, "w") as file:
        file.create_dataset("a", data=LARGE[0, :10], chunks=(5, 50), scaleoffset=0, compression="gzip")
    check(source, target)


@needs_blocks
def test_a_large_block_is_divided(tmp_path):
    h5py = pytest.importorskip("h5py")
    source = str(tmp_path / "a.h5")
    values = np.arange(12 * 1000 * 1000, dtype="i4").reshape(12, 1000, 1000)
    with h5py.File(source, "w") as file:
        file.create_dataset("a", data=values)
    target = str(tmp_path / "refs.json")
    refer(target, source)
    assert len(list_places(target)) == 3
    assert open_group(target).OpenMDArray("a").ReadAsArray().tobytes() == values.tobytes()


@needs_blocks
def test_absent_blocks_of_hdf5(tmp_path, target):
    """GDAL's driver does not tell which blocks are absent."""
    h5py = pytest.importorskip("h5py")
    source = str(tmp_path / "a.h5")
    with h5py.File(source, "w") as file:
        file.create_dataset("a", (4, 200, 200), "i4", chunks=(1, 200, 200))[2] = 7
    with pytest.raises(RuntimeError, match="a.h5/a: .*some of the blocks are absent"):
        refer(target, source)
    assert os.listdir(os.path.dirname(target)) == []
