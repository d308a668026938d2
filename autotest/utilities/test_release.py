# SPDX-License-Identifier: MIT
"""cmake/release.sh: what it refuses, and what it makes of a project that is ready."""

import gzip
import hashlib
import io
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(zarrlib VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="not a clone of git")


def git(folder, *arguments):
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    return subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def commit(folder):
    git(folder, "commit", "--quiet", "--all", "--message", "A change")


def release(folder, *arguments):
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "GIT_COMMITTER_NAME": "Test",
        "GIT_COMMITTER_EMAIL": "test@example.org",
        "ZARR_RELEASE_URL": "https://example.org/files",
    }
    return subprocess.run(["bash", "cmake/release.sh", *arguments], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def project(tmp_path):
    """A clone with all that is in the folder now, whose changelog is ready for the release."""
    folder = tmp_path / "project"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", str(folder)], check=True)
    changed = git(ROOT, "diff", "--name-only", "HEAD") + git(ROOT, "ls-files", "--others", "--exclude-standard")
    for name in changed.splitlines():
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    changelog = folder / "CHANGELOG.md"
    changelog.write_text(re.sub(r"^## Unreleased.*$", f"## {VERSION} - 2026-01-31", changelog.read_text(), count=1, flags=re.M))
    git(folder, "add", "--all")
    commit(folder)
    return folder


def made(project, name):
    return project / "build/release" / f"v{VERSION}" / name


def test_the_parts_that_need_no_compiler(project):
    done = release(project, VERSION, "check", "tag", "source", "notes", "recipes", "sums")
    assert done.returncode == 0, done.stderr
    assert git(project, "tag").split() == [f"v{VERSION}"]
    source = made(project, f"zarrlib-{VERSION}.tar.gz").read_bytes()
    names = tarfile.open(fileobj=io.BytesIO(source)).getnames()
    assert {f"zarrlib-{VERSION}/CMakeLists.txt", f"zarrlib-{VERSION}/driver/plugin/open.cpp"} <= set(names)
    sha256, sha512 = hashlib.sha256(source).hexdigest(), hashlib.sha512(source).hexdigest()
    assert f"{sha256}  zarrlib-{VERSION}.tar.gz" in made(project, "SHA256SUMS").read_text().splitlines()
    recipe = made(project, "recipes/conda/recipe.yaml").read_text()
    assert f"  url: https://example.org/files/zarrlib-{VERSION}.tar.gz\n  sha256: {sha256}\n" in recipe
    assert "path:" not in recipe
    assert f"SHA512 {sha512})" in made(project, "recipes/vcpkg/portfile.cmake").read_text()
    package = made(project, "recipes/osgeo4w/package.sh")
    assert f"{sha256}  zarrlib.tar.gz" in package.read_text()
    assert subprocess.run(["bash", "-n", package]).returncode == 0
    assert not re.search(r"@[A-Z0-9]+@", "".join(p.read_text() for p in made(project, "recipes").rglob("*.*")))
    assert made(project, "notes.md").read_text().lstrip().startswith("The first version.")


def test_the_same_commit_gives_the_same_bytes(project):
    parts = (VERSION, "tag", "source", "recipes", "sums")
    assert release(project, *parts).returncode == 0
    first = made(project, "SHA256SUMS").read_text()
    shutil.rmtree(project / "build")
    (project / "README.md").write_text("A later change.")
    commit(project)
    assert release(project, *parts).returncode == 0
    assert made(project, "SHA256SUMS").read_text() == first
    assert len(first.splitlines()) == 2


@pytest.mark.parametrize(
    "name, old, new, message",
    [
        ("CHANGELOG.md", f"## {VERSION} - 2026-01-31", f"## Unreleased ({VERSION})", "CHANGELOG.md has no heading"),
        ("CITATION.cff", f"version: {VERSION}", "version: 9.9.9", "CITATION.cff has the version '9.9.9'"),
        ("cmake/vcpkg/vcpkg.json", f'"version": "{VERSION}"', '"version": "9.9.9"', "vcpkg.json has the version '9.9.9'"),
        ("cmake/conda/recipe.yaml", f'version: "{VERSION}"', 'version: "9.9.9"', "recipe.yaml has the version '9.9.9'"),
    ],
)
def test_a_project_that_is_not_ready_is_not_tagged(project, name, old, new, message):
    text = (project / name).read_text()
    assert old in text
    (project / name).write_text(text.replace(old, new))
    commit(project)
    done = release(project, VERSION, "check", "tag", "source")
    assert done.returncode == 1
    assert message in done.stderr
    assert git(project, "tag") == ""


def test_changes_that_are_not_committed_are_refused(project):
    (project / "README.md").write_text("not committed")
    done = release(project, VERSION, "check", "tag")
    assert "not committed" in done.stderr
    assert git(project, "tag") == ""


def test_a_tag_of_another_commit_stays(project):
    git(project, "tag", f"v{VERSION}")
    (project / "README.md").write_text("A later change.")
    commit(project)
    done = release(project, VERSION, "check", "tag")
    assert f"the tag v{VERSION} is there already, and of another commit" in done.stderr


def test_an_archive_says_nothing_of_when_it_was_made(project):
    assert release(project, VERSION, "source").returncode == 0
    header = made(project, f"zarrlib-{VERSION}.tar.gz").read_bytes()[:10]
    assert header[4:8] == bytes(4)
    assert gzip.decompress(made(project, f"zarrlib-{VERSION}.tar.gz").read_bytes())
