# SPDX-License-Identifier: MIT
"""The pages agree with the driver, their commands and programs work, and their links lead somewhere."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from urllib.parse import unquote

import numpy as np
import option_tables
import page_commands
import pytest
import rule_table
from osgeo import gdal
from plugin_in_use import CHECK, python, run_program
from semaphores import why_no_semaphores

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY_PAGES = ("zarrlib/doc/library.md", "zarrlib/doc/architecture.md")
RULES_PAGE = "zarrlib/doc/zarrkit_check.md"
JOBS_PAGE = "zarrlib/doc/zarrkit_jobs.md"
OPTIONS_PAGE = "driver/doc/options.md"
# Pages whose commands this file runs with other sources, or in a row.
READING_PAGES = ("driver/doc/install.md", "driver/doc/opening.md", "driver/doc/slices.md")
WRITING_PAGES = ("driver/doc/writing.md", "driver/doc/rectilinear.md")
ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")


def page(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        return f.read()


# --- length, tables, links ----------------------------------------------------------------------------------------


def test_the_first_page_is_short():
    assert len(page("README.md").split()) <= 700


def test_the_first_page_has_the_two_commands():
    commands = commands_of("README.md", "## Two commands", "## Use")
    assert commands == ["bash cmake/demo.sh", "bash cmake/test.sh"]


def test_the_first_screen():
    """One sentence, one picture, three commands, one table, and two lines that install."""
    first = page("README.md").split("\n## ")[0]
    order = [r"\n!\[", r"\n    \$ gdalinfo", r"\n\| works with", r"\n    bash cmake/deps.sh build"]
    places = [re.search(text, first).start() for text in order]
    assert places == sorted(places)
    assert len(re.findall(r"^    \$ ", first, re.MULTILINE)) == 3
    preset = re.search(r"cmake --preset (\w+)", first)[1]
    assert f'"name": "{preset}"' in page("CMakePresets.json") and f"build-{preset}\n" in first


def test_the_page_has_the_options_of_the_driver():
    expected = option_tables.with_tables(page(OPTIONS_PAGE), gdal.GetDriverByName("Zarr"))
    assert page(OPTIONS_PAGE) == expected, f"to write the tables anew: {option_tables.COMMAND}"


def pages():
    """All Markdown files, but for those of folders that are not part of the source."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [n for n in folders if n not in (".git", "node_modules") and not n.startswith("build")]
        found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names if n.endswith(".md")]
    return sorted(found)


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def links_of(text):
    """The targets of links and pictures that are relative."""
    targets = re.findall(r"\]\(<?([^)>\s]+)>?\)", without_code(text))
    return [unquote(t) for t in targets if not re.match(r"[a-z]+:", t)]


def anchors_of(text):
    """As web sites that show Markdown name headings."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("name", pages())
def test_relative_links_lead_somewhere(name):
    for target in links_of(page(name)):
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        assert os.path.exists(os.path.join(ROOT, file)), f"{name}: {target}"
        if anchor and file.endswith(".md"):
            assert anchor in anchors_of(page(file)), f"{name}: {target}"


# The first part of a path that pages name in the text: those that are no path of this project are not looked at.
ROOMS = ("autotest/", "cmake/", "driver/", "zarrlib/", ".ci/", ".github/")


def paths_of(text):
    """Paths of this project that stand in code, without those that have a part in <> or *."""
    found = re.findall(r"`((?:%s)[^`\s]*)`" % "|".join(map(re.escape, ROOMS)), text)
    return [path.split("::")[0] for path in found if not re.search(r"[<>*{]", path)]


@pytest.mark.parametrize("name", pages())
def test_paths_in_the_text_lead_somewhere(name):
    missing = [path for path in paths_of(page(name)) if not os.path.exists(os.path.join(ROOT, path))]
    assert not missing


def test_the_library_pages_name_files_and_headers_that_are_there():
    """Paths that begin with a folder of zarrlib."""
    rooms = [n for n in os.listdir(os.path.join(ROOT, "zarrlib")) if os.path.isdir(os.path.join(ROOT, "zarrlib", n))]
    named = re.findall(r"`((?:%s)/[\w/]+\.(?:h|cpp))`" % "|".join(rooms), "".join(map(page, LIBRARY_PAGES)))
    assert len(named) > 30
    assert not [n for n in named if not os.path.exists(os.path.join(ROOT, "zarrlib", n))]


# --- commands -----------------------------------------------------------------------------------------------------


def commands_of(name, begin, end):
    """The commands of a page that stand between two texts."""
    section = page(name).split(begin)[1].split(end)[0]
    return [line.split("#")[0].strip() for line in section.splitlines() if line.startswith("    ")]


def steps_of(name):
    """The commands of a page whose output it shows; test_pages.py runs them all."""
    return [step.text for step in page_commands.find_steps(page(name)) if not step.is_python]


def run(command, folder):
    """Runs a command of a page in a folder with what the page expects; it must not print an error or a warning."""
    done = run_program(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), command
    return done.stdout


def programs_of(name, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)


@pytest.fixture
def source_folder(tmp_path):
    """A folder with the demo data where the pages have them, in which programs may write."""
    os.makedirs(tmp_path / "autotest" / "data")
    shutil.copytree(os.path.join(ROOT, "autotest", "data", "demo"), tmp_path / "autotest" / "data" / "demo")
    return tmp_path


def test_use(source_folder):
    export, *commands = commands_of("README.md", "## Use", "## Pages")
    assert export == "export GDAL_DRIVER_PATH=$PWD/build/gdalplugins"
    assert len(commands) == 4
    output = [run(command, source_folder) for command in commands]
    assert "zarrlib" in output[0]
    assert "Size is 1080, 540" in output[1]
    assert "sst" in output[3]
    expected = np.load(source_folder / "autotest" / "data" / "demo" / "expected_relief.npy")
    np.testing.assert_array_equal(gdal.Open(str(source_folder / "relief.tif")).ReadAsArray(), expected)


def test_python(source_folder):
    program = programs_of("driver/doc/opening.md", "python")[0]
    program += "\nprint(relief.shape, august.shape)\n"
    folder = source_folder / "autotest" / "data" / "demo"
    done = subprocess.run(python(program), cwd=folder, capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("(540, 1080) (1, 90, 180)", "")


def test_the_library_in_a_program(tmp_path):
    """It is compiled, not linked: autotest/consumer is a project that links and runs."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("no compiler")
    (program,) = programs_of(LIBRARY_PAGES[0], "cpp")
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", ROOT, "-x", "c++", "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_each_command_of_zarrkit_has_an_example():
    """test_pages.py runs the examples."""
    names = [name for name in os.listdir(os.path.join(ROOT, "zarrlib", "doc")) if name.startswith("zarrkit")]
    examples = [shlex.split(text)[:2] for name in names for text in steps_of(f"zarrlib/doc/{name}")]
    used = {words[1] for words in examples if words[0] == "zarrkit"}
    table = page("zarrlib/doc/zarrkit.md").split("| command | does |")[1].split("\n\n")[0]
    listed = {name for cell in re.findall(r"^\| ([^|]*)\|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)}
    expected = {"info", "check", "migrate", "reshard", "plan", "finish", "explain", "map", "copy", "stat", "cat", "stack"}
    assert used == listed == expected


@pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")
def test_the_table_of_rules():
    command = f"autotest/utilities/rule_table.py {ZARRKIT} --write"
    assert rule_table.table_in(page(RULES_PAGE)) == rule_table.table(ZARRKIT), f"to make it anew: {command}"


@pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")
@pytest.mark.skipif(why_no_semaphores() != "", reason=why_no_semaphores())
def test_the_job_of_many_writers(tmp_path):
    (program,) = programs_of(JOBS_PAGE, "python")
    (tmp_path / "job.py").write_text(CHECK + program)
    environment = {**os.environ, "PATH": os.path.dirname(ZARRKIT) + os.pathsep + os.environ["PATH"]}
    done = subprocess.run([sys.executable, "job.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    values = gdal.Open(str(tmp_path / "noise.zarr")).ReadAsArray()
    assert values.shape == (1500, 2000) and np.all(values != 0)


# --- commands that write ------------------------------------------------------------------------------------------


def make_raster(path):
    options = ["TILED=YES", "BLOCKXSIZE=96", "BLOCKYSIZE=80"]
    dataset = gdal.GetDriverByName("GTiff").Create(path, 1080, 540, 1, gdal.GDT_Int16, options)
    dataset.WriteArray(np.arange(1080 * 540, dtype="u4").reshape(540, 1080).astype("i2"))


def make_series(path):
    """January to March of a leap year; the array stands before its coordinates, as names are sorted."""
    root = gdal.GetDriverByName("netCDF").CreateMultiDimensional(path).GetRootGroup()
    time, x = root.CreateDimension("time", "TEMPORAL", "", 91), root.CreateDimension("x", "", "", 3)
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    for name, dimensions in (("sst", [time, x]), ("time", [time]), ("x", [x])):
        array = root.CreateMDArray(name, dimensions, number)
        shape = [d.GetSize() for d in dimensions]
        if name == "time":
            array.SetUnit("days since 2000-01-01")
            attribute = array.CreateAttribute("standard_name", [], gdal.ExtendedDataType.CreateString())
            attribute.Write("time")
        array.Write(np.arange(np.prod(shape), dtype="f8").reshape(shape))


def chunk_grid(store, array):
    with open(os.path.join(store, array, "zarr.json"), encoding="utf-8") as f:
        return json.load(f)["chunk_grid"]["configuration"]


def check_edges(store):
    edges = [[[200, 2], 140], [600, 480]]
    assert [np.concatenate([np.repeat(*e) if isinstance(e, list) else [e] for e in axis]).tolist() for axis in edges] == [
        np.concatenate([np.repeat(*e) if isinstance(e, list) else [e] for e in axis]).tolist()
        for axis in chunk_grid(store, "edges")["chunk_shapes"]
    ]


def check_blocks(store):
    assert gdal.Open(store).GetRasterBand(1).GetBlockSize() == [96, 80]


def check_months(store):
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert sorted(root.GetMDArrayNames()) == ["sst", "time", "x"]
    assert root.OpenMDArray("sst").ReadAsArray().ravel().tolist() == list(range(91 * 3))
    assert chunk_grid(store, "sst")["chunk_shapes"][0] == [31, 29, 31]



def check_default(store):
    assert os.path.exists(os.path.join(store, ".zgroup"))
    assert gdal.Open(store).RasterXSize == 1080


def check_sharded(store):
    assert chunk_grid(store, "sharded")["chunk_shape"] == [4096, 4096]
    assert gdal.Open(store).GetRasterBand(1).GetBlockSize() == [512, 512]


def check_codecs(store):
    with open(os.path.join(store, "dem", "zarr.json"), encoding="utf-8") as f:
        codec = json.load(f)["codecs"][-1]
    assert (codec["name"], codec["configuration"]["cname"], codec["configuration"]["shuffle"]) == (
        "blosc",
        "zstd",
        "bitshuffle",
    )


def check_archive(store):
    assert os.path.isfile(store)
    assert gdal.Open(store).RasterXSize == 1080


CHECKS = {
    "out.zarr": check_default,
    "sharded.zarr": check_sharded,
    "dem.zarr": check_codecs,
    "edges.zarr": check_edges,
    "blocks.zarr": check_blocks,
    "months.zarr": check_months,
    "out.zarr.zip": check_archive,
}
WRITING_COMMANDS = [text for name in WRITING_PAGES for text in steps_of(name) if text.split()[-1] in CHECKS]


def test_each_result_of_a_command_is_looked_at():
    """Each of these stores is made by one command of the pages."""
    assert sorted(command.split()[-1] for command in WRITING_COMMANDS) == sorted(CHECKS)


@pytest.mark.parametrize("command", WRITING_COMMANDS)
def test_commands_that_write(tmp_path, command):
    """With sources whose values and months the checks know, in place of those that the page names."""
    source, result = shlex.split(command)[-2:]
    if command.split()[0] == "gdal_translate":
        make_raster(str(tmp_path / "in.tif"))
        command = command.replace(source, "in.tif")
    else:
        if gdal.GetDriverByName("netCDF") is None:
            pytest.skip("GDAL without netCDF")
        make_series(str(tmp_path / "in.nc"))
        command = command.replace(source, "in.nc")
    run(command, tmp_path)
    CHECKS[result](str(tmp_path / result))


def test_the_commands_can_be_typed_one_after_the_other(source_folder):
    """A reader types the commands of the first page and of the next ones from top to bottom, after a build."""
    os.makedirs(source_folder / "build")
    os.symlink(os.environ["GDAL_DRIVER_PATH"], source_folder / "build" / "gdalplugins")
    slices = [text for text in steps_of(READING_PAGES[2]) if "==" not in text]
    lines = [
        *commands_of("README.md", "## Use", "## Pages"),
        "cd autotest/data/demo",
        *[text for text in steps_of(READING_PAGES[0]) if text.startswith(("gdal", "GDAL"))],
        *slices,
        *[text for text in steps_of(WRITING_PAGES[0]) if text.split()[-1] in ("in.tif", *CHECKS)],
        *[text for text in steps_of(WRITING_PAGES[1]) if text.split()[-1] in ("in.tif", *CHECKS)],
    ]
    assert len(lines) >= 20
    environment = {k: v for k, v in os.environ.items() if k not in ("GDAL_DRIVER_PATH", "GDAL_PAM_ENABLED")}
    script = "\n".join(["set -e", *lines])
    done = subprocess.run(["bash", "-c", script], cwd=source_folder, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert gdal.OpenEx(str(source_folder / "relief.tif")) is not None
    for result in ("august.tif", "selected.tif", "in.tif", *CHECKS):
        assert gdal.OpenEx(str(source_folder / "autotest" / "data" / "demo" / result)) is not None


def test_commands_about_slices(source_folder):
    folder = source_folder / "autotest" / "data" / "demo"
    (info,) = [text for text in steps_of("driver/doc/slices.md") if "DIM_time_INDEX" in text]
    (translate,) = [text for text in steps_of("driver/doc/slices.md") if "SELECT=" in text]
    assert "DIM_time_INDEX=7" in run(info, folder)
    run(translate, folder)
    dataset = gdal.Open(str(folder / "selected.tif"))
    assert dataset.GetRasterBand(1).GetMetadataItem("DIM_time_ISO8601") == "0001-08-17T07:23:42Z"


def test_commands_about_overviews(tmp_path):
    commands = [text for text in steps_of("driver/doc/overviews.md") if text.startswith("gdaladdo")]
    build, clean = commands[0], next(text for text in commands if "-clean" in text)
    make_raster(str(tmp_path / "in.tif"))
    store = str(tmp_path / "in.zarr")
    gdal.Translate(store, str(tmp_path / "in.tif"), format="Zarr", creationOptions=["FORMAT=ZARR_V3"])
    run(build.replace("relief_v3.zarr", "in.zarr"), tmp_path)
    assert gdal.Open(store).GetRasterBand(1).GetOverviewCount() == 3
    run(clean.replace("relief_v3.zarr", "in.zarr"), tmp_path)
    assert gdal.Open(store).GetRasterBand(1).GetOverviewCount() == 0
