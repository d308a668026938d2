# SPDX-License-Identifier: MIT
"""What a forge and editors read: presets, the workflow, forms and the citation agree with the project."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github/workflows/test.yml"


def read(name):
    return (ROOT / name).read_text()


def find_version():
    return re.search(r"project\(zarrlib VERSION (\S+)", read("CMakeLists.txt"))[1]


def test_one_version():
    assert re.search(r"^version: (\S+)$", read("CITATION.cff"), re.M)[1] == find_version()


def test_presets_are_understood():
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    listed = subprocess.run(["cmake", "--list-presets=all"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for script in ("sanitizers.sh", "fuzz.sh", "coverage.sh"):
        presets = re.findall(r"cmake --preset (\w+)|configure (asan|tsan|asan-driver)$", read(f"cmake/{script}"), re.M)
        assert presets
        for preset in presets:
            assert f'"{"".join(preset)}"' in listed


def test_the_workflow_runs_the_checks_of_ci():
    checks = re.search(r"for check in (.+); do", read(".ci/run"))[1]
    workflow = WORKFLOW.read_text()
    for check in re.findall(r'"([^"]+)"|(\S+)', checks):
        check = "".join(check)
        # The versions of GDAL that matrix.sh tests are jobs of their own.
        assert check in workflow or check == "matrix.sh"
    for script in re.findall(r"[a-z_]+\.sh", workflow):
        assert (ROOT / "cmake" / script).exists()
    for suite in re.search(r"\(default: (.*)\)", read("cmake/matrix.sh"))[1].split():
        assert f"debian: {suite}," in workflow


@pytest.mark.parametrize("path", [*sorted((ROOT / ".github").rglob("*.yml")), ROOT / "CITATION.cff"], ids=lambda path: path.name)
def test_yaml_can_be_read(path):
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    document = yaml.safe_load(path.read_text())
    if path.parent.name == "ISSUE_TEMPLATE" and path.name != "config.yml":
        assert {"name", "description", "body"} <= set(document)
