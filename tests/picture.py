"""The picture at the top of the README: `python -m tests.picture` makes it anew."""

import shutil

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, ROOT, running_server

PICTURE = ROOT / "tests/one_run.png"


def main() -> None:
    """Open the page of one run in Chromium and keep what it shows."""
    with running_server() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 780}, color_scheme="light")
        page.goto(f"{address}/one-run?horizon=200&round=45")
        page.locator(".roam-plane .now").get_by_text("Round 45 of 200").wait_for()
        page.get_by_text("better than").filter(has_text="of 100 users").wait_for()
        page.wait_for_function("document.querySelector('.roam-chart')?.data?.[1]?.y.length === 100")
        page.wait_for_function("document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'")
        page.screenshot(path=PICTURE)
        browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
