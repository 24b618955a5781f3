"""The scripts and styles of every component fit together: what a browser would only say when a visitor comes."""

import importlib
import re
from collections import Counter

import pytest

from pages.components import plane
from pages.components.component import HERE, joined

MODULES = [importlib.import_module(f"pages.components.{path.stem}") for path in sorted(HERE.glob("*.py"))]
COMPONENTS = {module.__name__.split(".")[-1]: module for module in MODULES if hasattr(module, "SCRIPTS")}
SCRIPTS = sorted(HERE.glob("*.js"))
DECLARED = re.compile(r"^(?:export )?(?:const|let|var|class|(?:async )?function\*?) (\w+)", re.MULTILINE)
LONGEST = 180  # lines of a script that has one idea


def text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def keys(script: str, name: str) -> list[str]:
    """The names in an object that a script declares at its top."""
    (inside,) = re.findall(rf"^const {name} = {{\n(.*?)^}};", script, re.MULTILINE | re.DOTALL)
    return re.findall(r"^  (\w+):", inside, re.MULTILINE)


def test_there_are_components():
    assert {"chart", "downloads", "lanes", "plane", "shadow"} <= set(COMPONENTS)


def test_every_file_belongs_to_a_component():
    used = {file for module in MODULES for name in ("SCRIPTS", "STYLES") for file in getattr(module, name, ())}
    assert used == {path.name for path in HERE.iterdir() if path.suffix in (".js", ".css")}


@pytest.mark.parametrize("name", COMPONENTS)
def test_the_scripts_make_one_module(name):
    *shared, last = COMPONENTS[name].SCRIPTS
    assert len(re.findall(r"\bexport default function \(", text(last))) == 1
    assert not any(re.search(r"\bexport\b", text(file)) for file in shared)
    assert not re.search(r"^\s*import\b|\bimport\(", joined(COMPONENTS[name].SCRIPTS), re.MULTILINE)


@pytest.mark.parametrize("name", COMPONENTS)
def test_no_name_is_declared_twice(name):
    counts = Counter(DECLARED.findall(joined(COMPONENTS[name].SCRIPTS)))
    assert [declared for declared, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("name", COMPONENTS)
def test_no_shared_script_is_missing(name):
    script = re.sub(r"//.*", "", joined(COMPONENTS[name].SCRIPTS))
    everywhere = {declared for path in SCRIPTS for declared in DECLARED.findall(path.read_text(encoding="utf-8"))}
    used = set(re.findall(r"(?<![\w.])(\w+)\(|\b([A-Z][A-Z_]+)\b", script))
    declared = re.findall(
        r"^ *(?:const|let|class|(?:async )?function|get)? ?(\w+)(?: =|\(.*\) {| {)", script, re.MULTILINE
    )
    assert {name for names in used for name in names} & everywhere <= set(declared)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_tidy(path):
    script = path.read_text(encoding="utf-8")
    assert script.startswith("// "), "it says first what it is for"
    assert script.count("\n") <= LONGEST
    assert max(map(len, script.splitlines())) <= 120
    for open_, close in ("{}", "()", "[]"):
        assert script.count(open_) == script.count(close)
    # One name each, or the test above would not see the second.
    assert not re.search(r"^(?:const|let) (?:\{|\[|\w+ = [\w.]+, \w+ =|\w+,)", script, re.MULTILINE)


@pytest.mark.parametrize("path", [*SCRIPTS, *sorted(HERE.glob("*.css"))], ids=lambda path: path.name)
def test_nothing_comes_from_another_host(path):
    found = re.findall(r"""(?:https?:|wss?:|["'`(])//[^\s"'`)]*""", path.read_text(encoding="utf-8"))
    assert [address for address in found if address != "http://www.w3.org/2000/svg"] == []  # a name, never fetched


def test_every_layer_has_a_swatch_and_marks_in_its_panel():
    assert keys(text("swatches.js"), "SWATCHES") == list(plane.LAYERS)
    for panel, file in {"items": "item_space.js", "taste": "parameter_space.js"}.items():
        layers = set(plane.PANEL_LAYERS[panel])
        assert layers <= set(re.findall(r'"(\w+)"', text(file)))
        assert set(re.findall(r'\bmark\("(\w+)"', text(file))) <= layers


def test_layers_and_stages_are_declared_in_python_only():
    assert list(plane.LAYERS) == [name for layers in plane.PANEL_LAYERS.values() for name in layers]
    script = joined(plane.SCRIPTS)
    on_screen = {*plane.LAYERS.values(), *plane.STAGE_TITLES.values()} - set(plane.LAYERS)
    assert [words for words in on_screen if f'"{words}"' in script] == []
    assert set(re.findall(r'\b(?:shows|isAt)\("(\w+)"\)', script)) <= set(plane.STAGES)
