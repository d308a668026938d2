# SPDX-License-Identifier: MIT
"""What a forge and editors read: presets, the workflow, forms and the citation agree with the project."""

import json
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
    assert json.loads(read("cmake/vcpkg/vcpkg.json"))["version"] == find_version()


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
    script = read(".ci/run")
    checks = re.search(r"for check in (.+); do", script)[1].replace('"$turn"', re.search(r"^turns=\((.+)\)$", script, re.M)[1])
    workflow = WORKFLOW.read_text()
    found = ["".join(check) for check in re.findall(r'"([^"]+)"|(\S+)', checks)]
    assert len(found) > 5
    for check in found:
        # The versions of GDAL that matrix.sh tests are jobs of their own.
        assert check in workflow or check.startswith("matrix.sh")
    for suite in re.search(r"\(default: (.*)\)", read("cmake/matrix.sh"))[1].split():
        assert f"debian: {suite}," in workflow


def test_the_scripts_of_workflows_are_there():
    """With the options and parts that workflows give them."""
    for path in WORKFLOW.parent.glob("*.yml"):
        text = path.read_text()
        calls = re.findall(r"bash cmake/(\S+\.sh)", text)
        checks = re.search(r"check: \[(.+)\]", text)
        if checks:
            calls += re.findall(r"[a-z_]+\.sh", checks[1])
        assert calls, path.name
        for script in calls:
            assert (ROOT / "cmake" / script).exists(), script
    parts = re.search(r"^    (check \| .*)\) parts", read("cmake/release.sh"), re.M)[1].split(" | ")
    for used in re.findall(r"release\.sh \$\{\{ github\.ref_name \}\} (.*)$", (WORKFLOW.parent / "release.yml").read_text(), re.M):
        assert set(used.split()) <= set(parts)


@pytest.mark.parametrize("path", [*sorted((ROOT / ".github").rglob("*.yml")), ROOT / "CITATION.cff"], ids=lambda path: path.name)
def test_yaml_can_be_read(path):
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    document = yaml.safe_load(path.read_text())
    if path.parent.name == "ISSUE_TEMPLATE" and path.name != "config.yml":
        assert {"name", "description", "body"} <= set(document)
