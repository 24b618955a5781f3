"""The page that the README tells how to add: one folder and one word in the registry."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, running_server


@pytest.fixture
def enlarged(tmp_path):
    """A copy of the project with the README's page in it."""
    for part in ("pages", "roam_core", ".streamlit"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", tmp_path)
    code = re.search(
        r"```python\n(# pages/luck/page\.py\n.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S
    )
    (tmp_path / "pages/luck").mkdir()
    (tmp_path / "pages/luck/page.py").write_text(code[1], encoding="utf-8")
    registry = tmp_path / "pages/registry.py"
    text = registry.read_text(encoding="utf-8")
    assert text.count('"theory")') == 1
    registry.write_text(text.replace('"theory")', '"theory", "luck")'), encoding="utf-8")
    return tmp_path


def test_a_page_is_a_folder_and_one_word(enlarged, context):
    with running_server(root=enlarged) as (address, _):
        page = context.new_page()
        page.goto(f"{address}/luck?mark=7&horizon=100&k=50&runs=60")
        expect(page.get_by_role("heading", name="Luck")).to_be_visible()
        line = "document.querySelector('.roam-chart')?.layout?.shapes?.at(-1).x0 === {}"
        page.wait_for_function(line.format(7))
        expect(page.get_by_text("60 users")).to_be_visible()  # the figure has followed the runs to the last
        assert "mark=7" in page.url
        page.get_by_role("slider", name="Mark a round").press("ArrowRight")
        page.wait_for_function(line.format(8))
        page.wait_for_url(re.compile("mark=8"))
        page.goto(f"{address}/luck?mark=ten&horizon=100&k=50&runs=60")
        expect(page.get_by_text("is not a whole number from 1 to 1000")).to_be_visible()
        page.get_by_text("Measure it").click()
        expect(page.get_by_role("menuitem", name="Luck")).to_be_visible()
        page.close()
