"""The component that gives the keyboard to a panel when it opens."""

from pages.components.component import declare

SCRIPTS = ("root.js", "focus.js")
_component = declare("roam_focus", scripts=SCRIPTS, styles=())


def focus(key: str) -> None:
    """In a popover: its first field has the keyboard as soon as it is open."""
    _component(key=key)
