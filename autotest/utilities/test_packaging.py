# SPDX-License-Identifier: MIT
"""What is installed, where, and how it is removed; what surrounds zarrkit; the recipe for conda."""

import os
import re
import shlex
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ["GDAL_DRIVER_PATH"])
ZARRKIT = os.path.join(BUILD, "zarrlib", "tools", "zarrkit")

needs_zarrkit = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")
needs_whole_build = pytest.mark.skipif(
    not os.path.exists(os.path.join(BUILD, "zarrlib", "tools", "zarrkit.1.gz")), reason="not all is built here: ninja -C build"
)


# --- installation -------------------------------------------------------------------------------------------------


@pytest.fixture
def manifests():
    """Keeps the lists of what was installed from the build folder before."""
    names = [n for n in os.listdir(BUILD) if n.startswith("install_manifest")]
    kept = {}
    for name in names:
        with open(os.path.join(BUILD, name), "rb") as f:
            kept[name] = f.read()
        os.remove(os.path.join(BUILD, name))
    yield
    for name, content in kept.items():
        with open(os.path.join(BUILD, name), "wb") as f:
            f.write(content)


def run(*command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def uninstall(**environment):
    script = os.path.join(ROOT, "cmake", "uninstall.cmake")
    return run("cmake", f"-DBUILD_DIR={BUILD}", "-P", script, **environment)


def files_below(folder):
    return {os.path.relpath(os.path.join(f, n), folder) for f, _, names in os.walk(folder) for n in names}


@needs_whole_build
def test_with_a_prefix_all_is_below_it(tmp_path, manifests):
    prefix = tmp_path / "prefix"
    said = run("cmake", "--install", BUILD, "--prefix", str(prefix))
    (folder,) = re.findall(r"export GDAL_DRIVER_PATH=(.*)", said)
    assert os.path.commonpath([folder, prefix]) == str(prefix)
    assert "ZARRLIB_VERSION" in run("gdalinfo", "--format", "Zarr", GDAL_DRIVER_PATH=folder)
    files = files_below(tmp_path)
    assert {"prefix/bin/zarrkit", "prefix/share/man/man1/zarrkit.1.gz", "prefix/share/doc/zarrlib/README.md"} <= files
    assert {"prefix/share/doc/zarrlib/driver/doc/install.md", "prefix/share/doc/zarrlib/zarrlib/doc/zarrkit.md"} <= files
    assert any(f.endswith("pkgconfig/zarrlib.pc") for f in files)
    # With GDAL, it runs another program that it finds from its own place.
    archive = shutil.make_archive(str(tmp_path / "relief.zarr"), "zip", os.path.join(ROOT, "autotest/data/demo/relief_v3.zarr"))
    shown = run(str(prefix / "bin/zarrkit"), "info", f"/vsizip/{archive}")
    assert "relief  [540,1080]" in shown


@needs_whole_build
def test_links_between_installed_pages_lead_somewhere(tmp_path, manifests):
    run("cmake", "--install", BUILD, "--prefix", str(tmp_path), "--component", "doc")
    folder = tmp_path / "share/doc/zarrlib"
    pages = [f for f in files_below(folder) if f.endswith(".md") and not f.startswith("autotest")]
    assert len(pages) >= 30
    for page in pages:
        targets = re.findall(r"\]\(([^)#\s:]+\.(?:md|svg|png))[)#]", (folder / page).read_text())
        targets = [os.path.normpath(os.path.join(os.path.dirname(page), t)) for t in targets]
        # Pages for those who change the project are in the sources only.
        missing = [t for t in targets if not t.startswith(".github") and not (folder / t).exists()]
        assert not missing, page


@needs_whole_build
def test_without_a_prefix_the_plugin_is_where_gdal_looks(tmp_path, manifests):
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as f:
        cache = dict(re.findall(r"^(\w+):\w+=(.*)$", f.read(), re.MULTILINE))
    if cache["CMAKE_INSTALL_PREFIX"] != "/usr/local" or cache.get("GDAL_PLUGIN_INSTALL_DIR"):
        pytest.skip("configured with a prefix, or with another folder for plugins")
    said = run("cmake", "--install", BUILD, DESTDIR=str(tmp_path))
    assert "GDAL_DRIVER_PATH" not in said
    library_folder = os.path.realpath(os.path.dirname(cache["GDAL_LIBRARY"]))
    (plugin,) = (f for f in files_below(tmp_path) if f.endswith("gdal_Zarr.so"))
    assert os.path.dirname("/" + plugin).startswith(library_folder + "/gdalplugins")
    assert os.path.exists(tmp_path / "usr/local/bin/zarrkit")


@needs_whole_build
def test_uninstall_removes_what_was_installed_and_nothing_else(tmp_path, manifests):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "other").write_text("")
    run("cmake", "--install", BUILD, "--prefix", str(tmp_path))
    assert len(files_below(tmp_path)) > 30
    uninstall()
    assert files_below(tmp_path) == {"bin/other"}
    assert not [f for f, _, _ in os.walk(tmp_path) if os.path.basename(f) == "zarrlib"]


def test_uninstall_without_an_installation_says_so(tmp_path):
    script = os.path.join(ROOT, "cmake", "uninstall.cmake")
    done = subprocess.run(["cmake", f"-DBUILD_DIR={tmp_path}", "-P", script], capture_output=True, text=True)
    assert done.returncode != 0
    assert "nothing has been installed" in done.stderr


# --- zarrkit ------------------------------------------------------------------------------------------------------


def complete(*words):
    """Returns what bash offers for the last of the words."""
    script = f"""
        source {shlex.quote(ROOT)}/cmake/zarrkit.bash
        compopt() {{ :; }}
        COMP_WORDS=({shlex.quote(ZARRKIT)} "$@")
        COMP_CWORD=$#
        _zarrkit
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return run("bash", "-c", script, "bash", *words).splitlines()


@needs_zarrkit
def test_completion_of_commands():
    assert complete("in") == ["info"]
    assert {"check", "explain", "info", "migrate", "reshard", "--help", "--version"} <= set(complete(""))


@needs_zarrkit
def test_completion_of_commands_behind_others():
    assert complete("help", "in") == ["info"]
    assert complete("--quiet", "in") == ["info"]
    assert complete("--quiet", "reshard", "store", "--sh") == ["--shards"]


@needs_zarrkit
def test_completion_of_options():
    assert complete("reshard", "store", "--sh") == ["--shards"]
    assert "--delete-old" in complete("migrate", "store", "--")
    assert {"--json", "--conventions", "--repair", "--quiet", "--help"} <= set(complete("check", "store", "--"))
    assert "--delete-old" not in complete("info", "store", "--")


@needs_zarrkit
def test_completion_of_folders_and_archives(tmp_path):
    (tmp_path / "store.zarr").mkdir()
    (tmp_path / "store.txt").write_text("")
    (tmp_path / "store.zip").write_text("")
    assert complete("info", f"{tmp_path}/st") == [f"{tmp_path}/store.zarr", f"{tmp_path}/store.zip"]


@needs_whole_build
def test_the_manual_page_has_the_help():
    page = run("zcat", os.path.join(BUILD, "zarrlib", "tools", "zarrkit.1.gz"))
    assert page.startswith(".TH ZARRKIT 1")
    text = re.sub(r"\\([-e&])", lambda m: {"-": "-", "e": "\\", "&": ""}[m.group(1)], page)
    for line in run(ZARRKIT, "--help").splitlines():
        assert line in ("", "Usage:") or line in text


# --- conda --------------------------------------------------------------------------------------------------------


# The packages of conda-forge that have the headers of codecs.
CONDA_PACKAGES = {
    "blosc.h": "blosc",
    "libdeflate.h": "libdeflate",
    "zstd.h": "zstd",
    "lz4.h": "lz4-c",
    "bzlib.h": "bzip2",
    "lzma.h": "liblzma-devel",
    "tiffio.h": "libtiff",
    "jpeglib.h": "libjpeg-turbo",
    "Lerc_c_api.h": "lerc",
    "webp/decode.h": "libwebp-base",
    "zfp.h": "zfp",
}


def codec_headers():
    with open(os.path.join(ROOT, "zarrlib", "CMakeLists.txt"), encoding="utf-8") as f:
        found = re.findall(r"^zarr_codec\([^)]*HEADERS ([^\s)]+)", f.read(), re.MULTILINE)
    assert len(found) > 8
    return found


def test_the_recipe_for_conda():
    yaml = pytest.importorskip("yaml", reason="the Python module yaml is not installed: bash cmake/deps.sh test")
    with open(os.path.join(ROOT, "cmake", "conda", "recipe.yaml"), encoding="utf-8") as f:
        recipe = yaml.safe_load(f)
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as f:
        version = re.search(r"VERSION (\d+\.\d+\.\d+)", f.read()).group(1)
    assert recipe["context"]["version"] == version
    assert {"package", "source", "build", "requirements", "tests", "about"} <= set(recipe)
    assert set(recipe["requirements"]) == {"build", "host", "run"}
    # What only some systems have is a mapping with a condition.
    host = [r["then"] if isinstance(r, dict) else r for r in recipe["requirements"]["host"]]
    for header in codec_headers():
        package = CONDA_PACKAGES[header]
        assert package in host, header
    with open(os.path.join(ROOT, "cmake", "conda", "variants.yaml"), encoding="utf-8") as f:
        assert yaml.safe_load(f)["libgdal_core"][-1] == "3.13"


# --- the commands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", ["demo.sh", "test.sh", "package.sh", "matrix.sh", "newcomer.sh", "release.sh"])
def test_help(script):
    path = os.path.join(ROOT, "cmake", script)
    assert f"Usage: cmake/{script}" in run("bash", path, "--help")
    assert subprocess.run(["bash", path, "--no-such-option"], capture_output=True).returncode == 2


def test_long_output_is_thinned_out():
    """Of lines that tell the progress, the first and the last are shown; others all are."""
    lines = "\n".join([*(f"[{n}/9] Building" for n in range(1, 6)), "warning: x", *(f"[{n}/9] Building" for n in range(6, 10))])
    script = f"source {shlex.quote(ROOT)}/cmake/progress.sh; thin_out '^\\[' <<<'{lines}'"
    assert run("bash", "-c", script).splitlines() == ["[1/9] Building", "warning: x", "[9/9] Building"]
