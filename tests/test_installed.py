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
def wheel(tmp_path_factory):
    """The wheel that `pip install .` makes and installs."""
    here, target = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "roam_core", here / "roam_core", ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, here)
    pip("wheel", "--no-build-isolation", "--wheel-dir", target, ".", cwd=here)
    (made,) = target.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder in which there is nothing but what the wheel puts there, without what it depends on."""
    target = tmp_path_factory.mktemp("installed")
    pip("install", "--target", target, wheel)
    return target


def pip(command, *arguments, cwd=None):
    """Let pip do something without a network."""
    command = [sys.executable, "-m", "pip", command, "--quiet", "--no-deps", "--no-index", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def alone(installed, tmp_path):
    """Runs Python in a folder of its own, with the installed core and as if the dashboard's packages were not there."""
    for name in BARRED:
        (tmp_path / f"{name}.py").write_text("raise ImportError", encoding="utf-8")
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*arguments, told=None):
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=settings | {"PYTHONPATH": str(installed)},
            input=told,
            capture_output=True,
            encoding="utf-8",
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


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
def test_everything_of_the_core_is_installed(installed):
    """Every module and every file of results; a module that is missing would only be missed when it is imported."""
    ours, theirs = (
        {str(path.relative_to(root)) for path in (root / "roam_core").rglob("*") if path.suffix in (".py", ".jsonl")}
        for root in (ROOT, installed)
    )
    assert ours == theirs


@pytest.mark.fault
def test_a_script_from_the_lab_runs_in_any_folder_without_the_dashboard(alone, tmp_path):
    text = script(SCENARIO)
    assert text.startswith("# Once, in the project's folder: python -m pip install .\n")
    (tmp_path / "roam.py").write_text(text, encoding="utf-8")
    alone("roam.py")
    assert (tmp_path / "roam.csv").read_text(encoding="utf-8") == "\n".join(simulate(SCENARIO).csv()) + "\n"


PROGRAM = """
import sys
import numpy as np
import roam_core
from roam_core import Roam

items = np.eye(3)
roam = Roam(d=3, tau=2, ask="informative")
for t in range(6):
    roam.recommend(items)
    roam.ask()
    roam.answer(True if t else None)
print(roam_core.__file__)
print(Roam.from_json(roam.to_json()).round, sorted({"streamlit", "plotly", "pages"} & set(sys.modules)))
"""


@pytest.mark.fault
def test_roam_is_a_library_without_the_dashboard(alone, installed, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    where, said = alone("program.py").splitlines()
    assert Path(where).is_relative_to(installed)
    assert said == "7 []"


@pytest.mark.fault
def test_it_can_be_played_without_the_dashboard(alone, tmp_path):
    table = "name,sweet,sour\nplum,1,2\npear,3,1\nlime,0,9\nfig,4,2\n"
    (tmp_path / "fruit.csv").write_text(table, encoding="utf-8")
    assert "After 1 answer it believes" in alone("-m", "roam_core", "play", "--items", "fruit.csv", told="\ny\nq\n")
    assert (tmp_path / "fruit.roam.json").exists()
