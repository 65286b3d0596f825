# SPDX-License-Identifier: Apache-2.0
"""A frame as SVG, and a run as a small live view, for notebooks.

Discs, boxes and texts stand where they are drawn; no fonts are measured, and there are no masks, blurs and images.

`orrery renderer` and `orrery trace export png` draw the true picture.
"""
import threading
from html import escape
from typing import Any

import numpy as np

from .attached import attach
from .errors import Error, needed
from .frame import Frame

# What shows the picture in the browser.
_SCRIPT = """
export default { render({ model, el }) {
  const draw = () => { el.innerHTML = model.get("picture"); };
  model.on("change:picture", draw);
  draw();
} };
"""
# More would make a notebook slow; of a larger scene every so many entities are drawn.
ENTITIES_MAX = 2000
# Deepest chain of parents that a scene may have.
LEVELS = 8


def _each(values: Any, count: int, kind: str, default: float = 0) -> np.ndarray:
    """One value serves all entities; none is the default."""
    if len(values) <= 1:
        return np.full(count, values[0] if values else default, kind)
    return np.array(values, kind)


def positions(frame: Frame) -> dict[str, np.ndarray]:
    """Where entities are drawn, parents included (docs/reference/frame.md): x, y, scale, rotation, opacity.

    Each is float64[entity_count], by entity number; x and y in points of the scene, y downward.
    """
    fields = {name: frame[name].astype("f8") for name in ("x", "y", "scale", "rotation", "opacity")}
    count = len(fields["x"])
    origin_x, origin_y = np.zeros(count), np.zeros(count)
    parent = np.full(count, -1)
    for batch in frame.layout.scene.batches:
        part = slice(batch.first_entity, batch.first_entity + batch.entity_count)
        origin_x[part] = _each(batch.origin_x, batch.entity_count, "f8")
        origin_y[part] = _each(batch.origin_y, batch.entity_count, "f8")
        parent[part] = _each(batch.parents, batch.entity_count, "i8") - 1
    x, y = origin_x + fields["x"], origin_y + fields["y"]
    scale, rotation = fields["scale"].copy(), fields["rotation"].copy()
    own = np.clip(fields["opacity"], 0, 1)
    opacity = own.copy()
    above = parent.copy()
    for _ in range(LEVELS):
        has = np.flatnonzero(above >= 0)
        if not len(has):
            break
        p = above[has]
        factor, angle = fields["scale"][p], fields["rotation"][p]
        dx, dy = x[has] - origin_x[p], y[has] - origin_y[p]
        cos, sin = factor * np.cos(angle), factor * np.sin(angle)
        x[has] = origin_x[p] + fields["x"][p] + cos * dx - sin * dy
        y[has] = origin_y[p] + fields["y"][p] + sin * dx + cos * dy
        scale[has] *= factor
        rotation[has] += angle
        opacity[has] *= own[p]
        above[has] = parent[p]
    return {"x": x, "y": y, "scale": scale, "rotation": rotation, "opacity": opacity}


def svg(frame: Frame) -> str:
    """The picture of a frame, at most 640 pixels wide."""
    scene, at = frame.layout.scene, positions(frame)
    count = len(at["x"])
    sprite = np.zeros(count, "i8")
    for batch in scene.batches:
        part = slice(batch.first_entity, batch.first_entity + batch.entity_count)
        sprite[part] = _each(batch.sprites, batch.entity_count, "i8")
    drawings = [_drawing(sprite) for sprite in scene.sprites]
    width, height = scene.width or 1, scene.height or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{min(width, 640):g}" '
        f'height="{min(width, 640) * height / width:g}">'
        f'<rect width="100%" height="100%" {_paint(scene.background)}/>']
    for fixture in scene.fixtures:
        if fixture.sprite < len(drawings):
            parts.append(f'<g transform="translate({fixture.x:g} {fixture.y:g})">{drawings[fixture.sprite]}</g>')
    for i in range(0, count, -(-count // ENTITIES_MAX) or 1):
        values = [float(at[name][i]) for name in ("x", "y", "rotation", "scale", "opacity")]
        if values[4] > 0 and np.isfinite(values).all() and sprite[i] < len(drawings):
            x, y, rotation, scale, opacity = values
            parts.append(
                f'<g transform="translate({x:.2f} {y:.2f}) rotate({np.degrees(rotation):.2f}) scale({scale:.4g})" '
                f'opacity="{opacity:.3g}">{drawings[sprite[i]]}</g>')
    return "".join(parts) + "</svg>"


def _paint(color: int) -> str:
    """0xRRGGBBAA."""
    return f'fill="#{color >> 8:06x}" fill-opacity="{(color & 255) / 255:.3g}"'


# The width of a glyph of a colour font, in sizes of the font: a flag fills its box with about this one.
_FLAG_ADVANCE = 1.25


def _text(x: float, y: float, text: Any) -> str:
    if text.width:  # It is scaled to fill the width, and centred in height.
        return (f'<text x="{x:g}" y="{y + text.height / 2:g}" dominant-baseline="central" font-family="sans-serif" '
                f'font-size="{text.width / _FLAG_ADVANCE:g}" textLength="{text.width:g}" '
                f'lengthAdjust="spacingAndGlyphs" {_paint(text.color)}>{escape(text.text)}</text>')
    size = float(text.font.rsplit(" ", 1)[-1]) if text.font[-1:].isdigit() else 13
    return (f'<text x="{x:g}" y="{y:g}" dominant-baseline="text-before-edge" font-family="sans-serif" '
            f'font-size="{size:g}" {_paint(text.color)}>{escape(text.text)}</text>')


def _drawing(sprite: Any) -> str:
    parts = []
    for element in sprite.elements:
        kind = element.WhichOneof("content")
        at = f'x="{element.x:g}" y="{element.y:g}"'
        if kind == "disc":
            disc = element.disc
            parts.append(f'<circle cx="{element.x:g}" cy="{element.y:g}" r="{disc.radius:g}" {_paint(disc.color)}/>')
        elif kind == "text":
            parts.append(_text(element.x, element.y, element.text))
        elif kind:
            box = getattr(element, kind)
            color = {"box": lambda: box.color, "gradient": lambda: (list(box.colors) or [0x808080FF])[0],
                     "image": lambda: 0x80808080}[kind]()
            radius = f' rx="{box.corner_radius:g}"' if kind == "box" else ""
            parts.append(f'<rect {at} width="{box.width:g}" height="{box.height:g}"{radius} {_paint(color)}/>')
    return "".join(parts)


def live(where: str, hz: float = 10.0) -> Any:
    """A widget that shows a run's newest frame until the run ends or the widget's `close()` is called.

    where: as of `orrery.attach`. hz: pictures a second, at most.
    Raises: NotInstalled, without anywidget; what `orrery.attach` raises.
    """
    widgets, traits = needed("anywidget"), needed("traitlets", "anywidget")

    class View(widgets.AnyWidget):  # type: ignore
        _esm = _SCRIPT
        picture = traits.Unicode("").tag(sync=True)

        def close(self) -> None:
            stop.set()
            super().close()

    stop = threading.Event()
    frames = attach(where, reading="newest", name="notebook")
    view = View()

    def follow() -> None:
        try:
            while not stop.wait(1 / hz):
                frame = frames.next(timeout=1.0)
                if frame is not None:
                    view.picture = svg(frame.copy())
                elif frames.ended:
                    break
        except Error as error:
            view.picture += f"<p>{error}</p>"
        finally:
            frames.close()

    threading.Thread(target=follow, daemon=True).start()
    return view
