# SPDX-License-Identifier: MIT
"""zarrkit stack: references to several files that are parts of one dataset."""

import json
import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from stores import open_group, write_v2, write_v2_group, write_v3, write_v3_group

ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")
needs_blocks = pytest.mark.skipif(not hasattr(gdal.MDArray, "GetRawBlockInfo"), reason="needs GDAL 3.12 or later")

pytestmark = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")


def stack(*arguments):
    return subprocess.run([ZARRKIT, "stack", *map(str, arguments)], capture_output=True, text=True)


def succeed(*arguments):
    done = stack(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stderr


def fail(tmp_path, *arguments):
    """The error of a stack, which leaves nothing."""
    before = sorted(os.listdir(tmp_path))
    done = stack(*arguments)
    assert done.returncode == 1, done.stderr
    assert sorted(os.listdir(tmp_path)) == before
    return done.stderr


def read(target, name):
    return open_group(target).OpenMDArray(name).ReadAsArray()


class Series:
    """Stores of days, each with some values of `t2m` along the time."""

    def __init__(self, folder):
        self.folder = folder
        self.files, self.parts, self.times = [], [], []
        self.rng = np.random.default_rng(3)

    def add(self, days, chunk, first=None, unit="days since 2000-01-01", **changes):
        first = sum(len(part) for part in self.parts) if first is None else first
        part = self.rng.integers(0, 1000, (days, 90, 200)).astype(changes.get("dtype", "i2"))
        path = str(self.folder / f"{len(self.files)}.zarr")
        write_v2_group(path, {"title": "days", **changes.get("root", {})})
        time = np.arange(first, first + days).astype("f8")
        write_v2(f"{path}/time", time, [max(days, 1)], attributes={"_ARRAY_DIMENSIONS": ["time"], "units": unit})
        write_v2(f"{path}/lat", changes.get("lat", np.arange(90.0)), [90], attributes={"_ARRAY_DIMENSIONS": ["lat"], "units": "degrees_north"})
        write_v2(f"{path}/lon", np.arange(200.0), [200], attributes={"_ARRAY_DIMENSIONS": ["lon"], "units": "degrees_east"})
        attributes = {"_ARRAY_DIMENSIONS": ["time", "lat", "lon"], "scale_factor": 0.5, "units": "K", **changes.get("attributes", {})}
        compressor = changes.get("compressor", {"id": "zlib", "level": 1})
        write_v2(f"{path}/t2m", part, [chunk, 90, 200], compressor=compressor, fill=-1, attributes=attributes)
        self.files.append(path)
        self.parts.append(part)
        self.times.append(time)
        return self

    def check(self, target, times=None):
        np.testing.assert_array_equal(read(target, "t2m"), np.concatenate(self.parts))
        np.testing.assert_array_equal(read(target, "time"), np.concatenate(self.times if times is None else times))
        array = open_group(target).OpenMDArray("t2m")
        assert [d.GetName() for d in array.GetDimensions()] == ["time", "lat", "lon"]
        assert (array.GetScale(), array.GetUnit(), array.GetNoDataValueAsDouble()) == (0.5, "K", -1)
        first = open_group(self.files[0])
        for name in ("lat", "lon"):
            assert read(target, name).tobytes() == first.OpenMDArray(name).ReadAsArray().tobytes()


@pytest.fixture
def series(tmp_path):
    return Series(tmp_path)


@pytest.fixture(params=["all.json", "all.parq"])
def target(request, tmp_path):
    return str(tmp_path / request.param)


def get_document(target, key):
    if target.endswith(".json"):
        return json.loads(json.load(open(target))["refs"][key])
    return json.load(open(f"{target}/.zmetadata"))["metadata"][key]


def test_files_that_fit(series, target):
    series.add(4, 2).add(6, 2).add(3, 2)
    assert succeed("--along", "time", *series.files, "-o", target) == ""
    series.check(target)
    array = get_document(target, "t2m/.zarray")
    assert array["shape"] == [13, 90, 200]
    assert array["chunks"] == [2, 90, 200]


def test_files_of_several_stored_types_are_refused(series, tmp_path):
    series.add(4, 2, dtype="i1").add(6, 2, dtype="i2")
    target = tmp_path / "all.json"
    assert "data type: expected" in fail(tmp_path, "--along", "time", *series.files, "-o", target)


def test_files_keep_the_stored_type(series, target):
    """GDAL before 3.7 reads int8 as Int16."""
    series.add(4, 2, dtype="i1").add(6, 2, dtype="i1")
    succeed("--along", "time", *series.files, "-o", target)
    series.check(target)
    assert get_document(target, "t2m/.zarray")["dtype"] == "|i1"


def test_months_make_rectilinear_chunks(series, target):
    series.add(31, 31).add(28, 28).add(31, 31).add(30, 30)
    assert succeed("--along", "time", *series.files, "-o", target) == ""
    series.check(target)
    grid = get_document(target, "t2m/zarr.json")["chunk_grid"]
    assert grid["name"] == "rectilinear"
    assert grid["configuration"]["chunk_shapes"][0] == [31, 28, 31, 30]


def test_a_repository_of_months(series, tmp_path):
    series.add(31, 31).add(28, 28).add(31, 31)
    target = str(tmp_path / "all.icechunk")
    succeed("--along", "time", *series.files, "-o", target)
    series.check(target)
    assert open_group(target).OpenMDArray("t2m").GetStructuralInfo() is not None
    assert len(os.listdir(f"{target}/chunks")) == 1  # of the joined times
    info = subprocess.run([ZARRKIT, "info", target], capture_output=True, text=True).stdout
    assert [line for line in info.splitlines() if "container" in line] == [f"  container file://{tmp_path}/"]
    assert "names an Icechunk repository" in fail(tmp_path, "--along", "time", *series.files, "-o", target)


def test_plain_chunks_are_cut(series, target):
    series.add(5, 2, compressor=None).add(3, 2, compressor=None).add(2, 2, compressor=None)
    succeed("--along", "time", *series.files, "-o", target)
    series.check(target)
    edges = get_document(target, "t2m/zarr.json")["chunk_grid"]["configuration"]["chunk_shapes"][0]
    assert edges == [[2, 2], 1, 2, 1, 2]


def test_compressed_chunks_are_not_cut(series, target, tmp_path):
    series.add(5, 2).add(3, 2)
    error = fail(tmp_path, "--along", "time", *series.files, "-o", target)
    assert "t2m: chunks of 2 along the axis of the stack: expected files that end where a chunk ends" in error


def test_other_units_of_time_are_converted(series, target):
    series.add(2, 2).add(2, 2, 0, "days since 2000-01-03").add(2, 2, 96, "hours since 2000-01-01T00:00:00")
    # The third file's hours would be 4 and 4 1/24 days, of which the second has no exact value.
    error = fail(series.folder, "--along", "time", *series.files, "-o", target)
    assert "2.zarr/time: expected times that the unit of the first file has exactly" in error
    series.files.pop(), series.parts.pop(), series.times.pop()
    stderr = succeed("--along", "time", *series.files, "-o", target)
    assert "1.zarr: attributes of /time differ" not in stderr
    series.check(target, [[0, 1], [2, 3]])
    assert open_group(target).OpenMDArray("time").GetUnit() == "days since 2000-01-01"


def write_times(path, times, unit, fill=-999.0, dtype="f8", **attributes):
    """A store of times, with bounds and values along them."""
    write_v2_group(path)
    times = np.array(times, dtype)
    names = {"_ARRAY_DIMENSIONS": ["time"]}
    write_v2(f"{path}/time", times, fill=fill, attributes={**names, "units": unit, "bounds": "bounds", **attributes})
    write_v2(f"{path}/bounds", np.stack([times, times], axis=1), fill=fill, attributes={"_ARRAY_DIMENSIONS": ["time", "nv"]})
    write_v2(f"{path}/v", np.arange(len(times), dtype="i2"), attributes=names)
    return path


def test_missing_times_stay_missing(tmp_path, target):
    write_times(str(tmp_path / "a.zarr"), [0, 1], "days since 2000-01-01")
    write_times(str(tmp_path / "b.zarr"), [0, -999, 2], "days since 2000-02-01")
    succeed("--along", "time", tmp_path / "a.zarr", tmp_path / "b.zarr", "-o", target)
    time = open_group(target).OpenMDArray("time")
    assert time.ReadAsArray().tolist() == [0, 1, 31, -999, 33] and time.GetNoDataValueAsDouble() == -999
    assert read(target, "bounds")[:, 1].tolist() == [0, 1, 31, -999, 33]


def test_missing_times_of_netcdf_files(tmp_path, target):
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the files; it is not installed")
    files = [str(tmp_path / f"{i}.nc") for i in range(2)]
    for path, times in zip(files, ([0, 1], [-1, -999, 2])):
        with netcdf.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
            file.createDimension("time", None)
            time = file.createVariable("time", "i4", ("time",), fill_value=-999)
            time.set_auto_mask(False)
            time.setncatts({"units": f"days since 2000-0{files.index(path) + 1}-01", "missing_value": np.int32(-1)})
            time[:] = times
    succeed("--along", "time", *files, "-o", target)
    assert read(target, "time").tolist() == [0, 1, -1, -999, 33]


@pytest.mark.parametrize(
    "changes,message",
    [
        ({"fill": 33}, "expected times that are not missing in the unit of the first file, got 2"),
        ({"scale_factor": 2.0}, "time: the unit of packed times: expected days since 2000-01-01 as in the first file"),
    ],
)
def test_times_that_cannot_be_converted(tmp_path, target, changes, message):
    write_times(str(tmp_path / "a.zarr"), [0, 1], "days since 2000-01-01", **changes)
    write_times(str(tmp_path / "b.zarr"), [0, 2], "days since 2000-02-01", **changes)
    assert message in fail(tmp_path, "--along", "time", tmp_path / "a.zarr", tmp_path / "b.zarr", "-o", target)


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_files_without_records(series, target, empty):
    for i in range(3):
        series.add(0 if i == empty else 2, 2)
    succeed("--along", "time", *series.files, "-o", target)
    series.check(target)


def test_no_records_at_all(series, target, tmp_path):
    series.add(0, 2).add(0, 2)
    assert "none of the files has a part of it along time" in fail(tmp_path, "--along", "time", *series.files, "-o", target)


def test_differences_are_named(series, target):
    series.add(2, 2).add(2, 2, attributes={"note": "b"}, root={"title": "other"}, lat=np.arange(90.0) + 1)
    stderr = succeed("--along", "time", *series.files, "-o", target)
    series.check(target)
    assert "1.zarr: attributes of /t2m differ from those of the first file, which are taken: note" in stderr
    assert "1.zarr: attributes of / differ from those of the first file, which are taken: title" in stderr
    assert "1.zarr: the array /lat differs from that of the first file, which is taken" in stderr


@pytest.mark.parametrize("size", [50, 100])
def test_differences_of_swaths_are_named(tmp_path, target, size):
    swaths = [str(tmp_path / f"{i}.zarr") for i in range(3)]
    for i, path in enumerate(swaths):
        write_v2_group(path)
        lat = np.arange(size * size, dtype="f8").reshape(size, size)
        lat[-1, -1] += i // 2
        write_v2(f"{path}/lat", lat, attributes={"_ARRAY_DIMENSIONS": ["y", "x"], "units": "radian" if i == 1 else "degrees_north"})
        write_v2(f"{path}/v", np.zeros((1, size, size)), attributes={"_ARRAY_DIMENSIONS": ["time", "y", "x"]})
    stderr = succeed("--along", "time", *swaths, "-o", target)
    for i in (1, 2):
        assert f"{i}.zarr: the array /lat differs from that of the first file, which is taken" in stderr
    assert succeed("--along", "time", swaths[0], swaths[0], "-o", target) == ""


def test_other_shapes_and_missing_arrays_are_named(series, target):
    series.add(2, 2).add(2, 2)
    for path, data in zip(series.files, (np.zeros((2, 3)), np.zeros((3, 2)))):
        write_v2(f"{path}/mask", data, attributes={"_ARRAY_DIMENSIONS": ["a", "b"]})
    write_v2(f"{series.files[0]}/only", np.zeros(2), attributes={"_ARRAY_DIMENSIONS": ["a"]})
    stderr = succeed("--along", "time", *series.files, "-o", target)
    assert "1.zarr: the array /mask differs from that of the first file, which is taken" in stderr
    assert "1.zarr: the array /only, which the first file has, is missing" in stderr


@pytest.mark.parametrize(
    "changes,message",
    [
        ({"attributes": {"scale_factor": 0.25}}, "t2m: scale and offset: expected 0.5 and 0 as in the first file, got 0.25"),
        ({"attributes": {"units": "degC"}}, "t2m: the unit: expected K as in the first file, got degC"),
        ({"dtype": "i4"}, "t2m: the data type: expected Int16 as in the first file, got Int32"),
        ({"compressor": None}, "t2m: the codecs: expected [{\"name\":\"numcodecs.zlib\""),
    ],
)
def test_values_of_another_meaning_are_refused(series, target, tmp_path, changes, message):
    series.add(2, 2).add(2, 2, **changes)
    assert f"1.zarr/{message}" in fail(tmp_path, "--along", "time", *series.files, "-o", target)


def test_a_file_without_arrays_is_refused(tmp_path, target):
    source = str(tmp_path / "a.zarr")
    write_v2_group(source)
    write_v2(f"{source}/x", np.arange(4.0), [4])
    assert "no array of the first file can be stacked along time" in fail(tmp_path, "--along", "time", source, "-o", target)


def test_a_new_dimension(tmp_path, target):
    files, parts = [], []
    for i in range(3):
        parts.append(np.random.default_rng(i).integers(0, 99, (90, 400)).astype("i4"))
        files.append(str(tmp_path / f"{i}.zarr"))
        write_v3_group(files[-1])
        write_v3(f"{files[-1]}/a", parts[-1], [45, 100], names=["y", "x"], compress=True)
        write_v3(f"{files[-1]}/x", np.arange(400.0), [400], names=["x"])
    succeed("--along", "time", *files, "-o", target)
    array = open_group(target).OpenMDArray("a")
    assert [d.GetName() for d in array.GetDimensions()] == ["time", "y", "x"]
    np.testing.assert_array_equal(array.ReadAsArray(), np.stack(parts))
    assert read(target, "x").shape == (400,)


def test_stacks_are_stacked(series, tmp_path):
    series.add(4, 2).add(6, 2)
    first, second = str(tmp_path / "first.json"), str(tmp_path / "second.parq")
    succeed("--along", "time", *series.files, "-o", first)
    series.add(2, 2).add(2, 2)
    succeed("--along", "time", *series.files[2:], "-o", second)
    target = str(tmp_path / "all.json")
    succeed("--along", "time", first, second, "-o", target)
    series.check(target)


def test_absent_chunks_are_absent(series, target):
    series.add(4, 2).add(6, 2)
    os.remove(f"{series.files[1]}/t2m/1.0.0")
    series.parts[1][2:4] = -1
    succeed("--along", "time", *series.files, "-o", target)
    series.check(target)


def test_arguments(series, tmp_path):
    series.add(2, 2)
    for arguments, message in [
        (["--along", "time", "-o", tmp_path / "a.json"], "expected files, got none"),
        ([series.files[0], "-o", tmp_path / "a.json"], "--along is needed"),
        ([series.files[0], "--along", "time"], "-o is needed"),
    ]:
        done = stack(*arguments)
        assert done.returncode == 2
        assert message in done.stderr
    assert "cannot be opened" in fail(tmp_path, "--along", "time", tmp_path / "absent.nc", "-o", tmp_path / "a.json")


@needs_blocks
def test_netcdf_files(tmp_path, target):
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the files; it is not installed")
    files, parts, times = [], [], []
    for month, days in enumerate((31, 29, 31)):
        path = str(tmp_path / f"{month}.nc")
        with netcdf.Dataset(path, "w") as file:
            for name, size in (("time", None), ("lat", 45), ("lon", 90), ("nv", 2)):
                file.createDimension(name, size)
            time = file.createVariable("time", "f8", ("time",))
            time.setncatts({"units": f"hours since 2000-{month + 1:02}-01", "calendar": "standard", "bounds": "time_bnds"})
            time[:] = np.arange(days) * 24
            bounds = file.createVariable("time_bnds", "f8", ("time", "nv"))
            bounds[:] = np.stack([np.arange(days) * 24, np.arange(1, days + 1) * 24], axis=1)
            values = file.createVariable("tas", "f4", ("time", "lat", "lon"), zlib=True, shuffle=True, chunksizes=(days, 45, 90))
            values.units = "K"
            values[:] = np.random.default_rng(month).random((days, 45, 90))
            parts.append(values[:].data)
        files.append(path)
        times.append(np.arange(days) * 24 + 24 * sum((31, 29, 31)[:month]))
    succeed("--along", "time", *files, "-o", target)
    assert read(target, "tas").tobytes() == np.concatenate(parts).tobytes()
    np.testing.assert_array_equal(read(target, "time"), np.concatenate(times))
    np.testing.assert_array_equal(read(target, "time_bnds")[:, 1], np.concatenate(times) + 24)
    edges = get_document(target, "tas/zarr.json")["chunk_grid"]["configuration"]["chunk_shapes"][0]
    assert edges == [31, 29, 31]


@pytest.mark.parametrize("lengths, size", [((4, 12), 4000), ((12, 4), 4000), ((300, 900), 25), ((2, 3), 4000), ((2, 3), 25)])
def test_files_of_records_below_and_above_64_kib(tmp_path, target, lengths, size):
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the files; it is not installed")
    files, parts = [], []
    for i, length in enumerate(lengths):
        files.append(str(tmp_path / f"{i}.nc"))
        parts.append(np.random.default_rng(i).random((length, size)).astype("f4"))
        with netcdf.Dataset(files[-1], "w", format="NETCDF3_CLASSIC") as file:
            file.createDimension("time", None)
            file.createDimension("x", size)
            file.createVariable("time", "i4", ("time",))[:] = np.arange(length) + 1000 * i
            file.createVariable("v", "f4", ("time", "x"))[:] = parts[-1]
    succeed("--along", "time", *files, "-o", target)
    assert read(target, "v").tobytes() == np.concatenate(parts).tobytes()
    if target.endswith(".json"):
        places = [place for key, place in json.load(open(target))["refs"].items() if key.startswith("v/0")]
        assert isinstance(places[0], list) == (size == 4000 or max(lengths) == 900)
