// Changing a history by hand: with the pointer and with the keyboard.

const NEAR = 0.06; // of r: a finger's width
const TWICE = 450; // milliseconds within which two presses are a double-click
const STEP = 0.04; // of r: how far an arrow key moves an item
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

function editWithPointer(panel, history, shadow) { // press to add or to drag an item, press twice to remove it
  const { svg } = panel;
  let dragged = null, pressed = { item: null, when: 0 };
  const under = (event) => { // pulled into the ball of radius r
    const point = panel.under(event), away = size(point);
    return away > history.r ? times(point, history.r / away) : point;
  };
  svg.addEventListener("pointerdown", (event) => {
    const point = under(event), item = nearest(history.points, point, NEAR * history.r);
    const twice = item !== null && item === pressed.item && event.timeStamp - pressed.when < TWICE;
    pressed = { item, when: event.timeStamp };
    if (twice) {
      history.remove(item);
      return shadow.changed();
    }
    if (item !== null) history.selected = item;
    dragged = item ?? history.add(point);
    svg.setPointerCapture(event.pointerId);
    shadow.draw();
  });
  svg.addEventListener("pointermove", (event) => {
    if (dragged === null || !event.buttons) return;
    history.points[dragged] = under(event);
    shadow.draw();
  });
  svg.addEventListener("pointerup", () => {
    dragged = null;
    shadow.changed();
  });
}

function editWithKeys(panel, history, shadow) {
  const always = {
    n: () => history.add([0, 0]), PageDown: () => history.markNext(1), PageUp: () => history.markNext(-1),
  };
  const removeMarked = () => history.remove(history.selected);
  const ofMarked = { Delete: removeMarked, Backspace: removeMarked };
  for (const [key, by] of Object.entries(ARROWS)) ofMarked[key] = () => history.moveMarked(times(by, history.r));
  panel.svg.addEventListener("keydown", (event) => {
    const action = always[event.key] ?? (history.selected === null ? null : ofMarked[event.key]);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
    shadow.changed();
  });
}
