# SPDX-License-Identifier: MIT
"""The commands and programs of the pages driver/doc/cloud.md and requests.md work, and print what the pages say."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python, run_program

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools")
DEMO = os.path.join(ROOT, "autotest", "data", "demo")
RELIEF = np.load(os.path.join(DEMO, "expected_relief.npy"))

PAGES = []
for page_name in ("cloud.md", "requests.md"):
    with open(os.path.join(ROOT, "driver", "doc", page_name), encoding="utf-8") as page_file:
        PAGES.append(page_file.read())
PAGE = "\n".join(PAGES)

LINES = [line.strip() for line in PAGE.splitlines() if line.startswith("    ")]
SHOWN = [line[2:] for line in LINES if line.startswith("$ ")]  # the lines that follow are their output
COMMANDS = [line for line in LINES if not line.startswith(("$ ", "ZARR_DEBUG: "))]


def find(text):
    """The one command of the pages that has a text in it."""
    (command,) = [command for command in [*COMMANDS, *SHOWN] if text in command]
    return command


def run(command, folder, url="", **options):
    """Runs a command in a folder. Returns what it printed, with the host of the page in place of the server's."""
    environment = {**os.environ, **options, "PATH": TOOLS + os.pathsep + os.environ["PATH"]}
    command = command.replace("https://data.example.com", url)
    done = run_program(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return (done.stdout + done.stderr).replace(url or "\0", "https://data.example.com")


def read(folder, name):
    return gdal.Open(str(folder / name)).ReadAsArray()


@pytest.fixture
def demo_server(slow_server, tmp_path):
    """A server of the demo stores."""
    shutil.copytree(DEMO, tmp_path, dirs_exist_ok=True)
    return slow_server


def without_times(text):
    """Of requests at the same time, a busy machine may send one after the other's answer: one more round trip."""
    return re.sub(r"\d+ ms|\d\.\d+ s", "TIME", text).replace("5 round trips", "4 round trips")


def test_requests_are_printed_as_the_page_says(tmp_path, demo_server):
    expected = [without_times(line) for line in LINES if line.startswith("ZARR_DEBUG: ")]
    printed = without_times(run(find("ZARR_DEBUG=REQUESTS"), tmp_path, demo_server.url)).splitlines()
    assert sorted(printed) == sorted(expected)  # the two coordinates come at the same time
    assert [printed[i] for i in (0, 3, 4, 5)] == [expected[i] for i in (0, 3, 4, 5)]
    np.testing.assert_array_equal(read(tmp_path, "window.tif"), RELIEF[10:70, 420:480])


def test_the_metadata_domain(tmp_path, demo_server):
    printed = run(find("gdalinfo -mdd"), tmp_path, demo_server.url)
    items = re.findall(r"^\| `([A-Z_]+)` \|", PAGE.split("| item | meaning |")[1].split("Writing, listing")[0], re.MULTILINE)
    assert len(items) == 6
    assert all(f"  {item}=" in printed for item in items if item != "VALUES_READ_BY_GDAL")


def test_the_program(tmp_path, demo_server):
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    program = program.replace("https://data.example.com", demo_server.url)
    done = subprocess.run(python(program), cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("2 requests\n", "")


needs_zarrkit = pytest.mark.skipif(not os.path.exists(os.path.join(TOOLS, "zarrkit")), reason="zarrkit is not built here")


@needs_zarrkit
def test_the_forecast(tmp_path, demo_server):
    assert "at least 2, in at least 2 round trips" in run(find("zarrkit explain"), tmp_path)


def make_raster(path, size=1000):
    values = np.arange(size * size, dtype="u4").reshape(size, size).astype("i2")
    dataset = gdal.GetDriverByName("GTiff").Create(str(path), size, size, 1, gdal.GDT_Int16)
    dataset.WriteArray(values)
    return values


@needs_zarrkit
def test_chunks_and_shards_are_chosen(tmp_path):
    values = make_raster(tmp_path / "in.tif")
    run(find("SHARD_SHAPE"), tmp_path)
    assert gdal.Open(str(tmp_path / "out.zarr")).GetRasterBand(1).GetBlockSize() == [512, 512]
    run(find("zarrkit reshard"), tmp_path)
    assert gdal.Open(str(tmp_path / "out.zarr")).GetRasterBand(1).GetBlockSize() == [256, 256]
    np.testing.assert_array_equal(read(tmp_path, "out.zarr"), values)


@needs_zarrkit
def test_finish(tmp_path, demo_server):
    run(find("zarrkit finish"), tmp_path)


def test_credentials_of_web_servers(tmp_path, demo_server):
    demo_server.refuse = lambda query, headers: None if headers.get("X-Token") == "abc" else (403, "AccessDenied")
    run(find("X-Token"), tmp_path, demo_server.url)
    np.testing.assert_array_equal(read(tmp_path, "private.tif"), RELIEF)
    demo_server.refuse = lambda query, headers: None if query == "token=abc" else (403, "AccessDenied")
    run(find("?token=abc"), tmp_path, demo_server.url)
    np.testing.assert_array_equal(read(tmp_path, "query.tif"), RELIEF)


def test_public_buckets(tmp_path, slow_server):
    shutil.copytree(DEMO, tmp_path / "bucket")
    slow_server.refuse = lambda query, headers: (403, "AccessDenied") if query or headers.get("Authorization") else None
    endpoint = {"AWS_S3_ENDPOINT": slow_server.url.removeprefix("http://"), "AWS_HTTPS": "NO", "AWS_VIRTUAL_HOSTING": "NO"}
    run(find("AWS_NO_SIGN_REQUEST=YES gdal"), tmp_path, **endpoint)
    np.testing.assert_array_equal(read(tmp_path, "public.tif"), RELIEF)


def test_stores_in_buckets(tmp_path, s3_bucket):
    s3_bucket.upload("relief_v3.zarr", os.path.join(DEMO, "relief_v3.zarr"))
    run(find("CACHE_TILE_PRESENCE=YES ZARR"), tmp_path, **s3_bucket.settings())
    np.testing.assert_array_equal(read(tmp_path, "sparse.tif"), RELIEF)


def test_writing(tmp_path, s3_bucket):
    values = make_raster(tmp_path / "in.tif")
    run(find("in.tif /vsis3/bucket/out.zarr"), tmp_path, **s3_bucket.settings())
    np.testing.assert_array_equal(gdal.Open("/vsis3/bucket/out.zarr").ReadAsArray(), values)


def test_retries(tmp_path, demo_server):
    demo_server.fail("503", "/relief/c/0/0", times=2)
    run(find("GDAL_HTTP_MAX_RETRY=3"), tmp_path, demo_server.url)
    np.testing.assert_array_equal(read(tmp_path, "retried.tif"), RELIEF)


def test_each_command_of_the_pages_is_run():
    with open(__file__, encoding="utf-8") as f:
        found = {find(text) for text in re.findall(r'\bfind\("([^"]+)"\)', f.read())}
    assert found == {*COMMANDS, *SHOWN}
