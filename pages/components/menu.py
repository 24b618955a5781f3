"""The component that puts the list of pages away on a phone when a page was chosen."""

from pages.components.component import declare

SCRIPTS = ("root.js", "menu.js")
STYLES = ("menu.css",)
_component = declare("roam_menu", scripts=SCRIPTS, styles=STYLES)


def menu(page: str) -> None:
    """Close the list when `page`, the one on screen, is another than before."""
    _component(key="menu", data={"page": page})
