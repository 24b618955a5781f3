"""The core is installed without the dashboard, and a script from the lab runs with nothing else, wherever it lies."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from pages.export import script
from roam_core import Scenario, simulate

ROOT = Path(__file__).parents[1]
SCENARIO = Scenario(d=2, tau=5, k=20, horizon=40, runs=6, seed=3)
CALLED = {"sklearn": "scikit-learn"}  # what a module's package is called where it is installed from
# Imported where they are asked for, and the README says so; and the dashboard's pool, which bench measures if it can.
OPTIONAL = {"distributed", "pyarrow", "pages"}
BARRED = ("streamlit", "plotly", "starlette")


def packages() -> list[str]:
    """What is installed with the core."""
    lines = (ROOT / "roam_core/requirements.txt").read_text(encoding="utf-8").splitlines()
    return sorted(re.match(r"[\w-]+", line)[0] for line in lines if not line.startswith("#"))


def test_what_the_core_imports_is_installed_with_it():
    found = set()
    for path in (ROOT / "roam_core").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.partition(".")[0] for name in names}
    foreign = found - set(sys.stdlib_module_names) - OPTIONAL - {"roam_core"}
    assert sorted(CALLED.get(name, name) for name in foreign) == packages()


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder in which there is nothing but what `pip install .` puts there, without what it depends on."""
    here, target = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("installed")
    shutil.copytree(ROOT / "roam_core", here / "roam_core", ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, here)
    command = ["pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", target, "."]
    done = subprocess.run([sys.executable, "-m", *command], cwd=here, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.fault
def test_the_core_is_installed_alone(installed):
    assert [path.name for path in installed.iterdir() if path.suffix != ".dist-info"] == ["roam_core"]
    (about,) = installed.glob("*.dist-info")
    wanted = [re.match(r"[\w-]+", needed)[0] for needed in Distribution.at(about).requires]
    assert sorted(wanted) == packages()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert Distribution.at(about).version == project["version"]
    shipped = {path.name for path in (ROOT / "roam_core").glob("*.jsonl")}
    assert {path.name for path in (installed / "roam_core").glob("*.jsonl")} == shipped != set()


@pytest.mark.fault
def test_a_script_from_the_lab_runs_in_any_folder_without_the_dashboard(installed, tmp_path):
    text = script(SCENARIO)
    assert text.startswith("# Once, in the project's folder: python -m pip install .\n")
    (tmp_path / "roam.py").write_text(text, encoding="utf-8")
    for name in BARRED:  # as if it were not installed
        (tmp_path / f"{name}.py").write_text("raise ImportError", encoding="utf-8")
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "roam.py"],
        cwd=tmp_path,
        env=settings | {"PYTHONPATH": str(installed)},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "roam.csv").read_text(encoding="utf-8") == "\n".join(simulate(SCENARIO).csv()) + "\n"
