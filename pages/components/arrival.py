"""The component that brings a visitor to the top of the page when something else is on screen."""

from pages.components.component import declare

SCRIPTS = ("root.js", "arrival.js")
_component = declare("roam_arrival", scripts=SCRIPTS, styles=())


def arrival(name: str) -> None:
    """Go to the top, and to the heading there, whenever `name` changes; on the first visit nothing moves."""
    _component(key="arrival", data={"name": name})
