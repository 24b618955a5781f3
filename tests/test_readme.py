"""What README shows as a program is one."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
PROGRAMS = [block for block in BLOCKS if block.startswith(("from roam_core", ">>> "))]


@pytest.mark.battery
@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_runs_and_prints_what_it_says(program):
    if not program.startswith(">>> "):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(program, "README.md", "exec"), {"__name__": "readme"})
        assert printed.getvalue()
        return
    examples = doctest.DocTestParser().get_doctest(program, {}, "README.md", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(examples) == (0, len(examples.examples))


def test_there_are_programs():
    assert PROGRAMS
