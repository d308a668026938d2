# SPDX-License-Identifier: MIT
"""Draws panels of one curve, or two, both axes logarithmic: by Matplotlib, or, where there is none, as plain SVG."""
import dataclasses
import math


@dataclasses.dataclass
class Panel:
    title: str
    unit: str
    points: list  # of (x, y), both positive
    others: list = dataclasses.field(default_factory=list)  # a second, dashed curve, which may be empty


def draw(panels, path):
    try:
        import matplotlib
    except ImportError:
        with open(path, "w") as f:
            f.write(svg(panels))
        return
    matplotlib.use("Agg")
    draw_with_matplotlib(panels, path)


def draw_with_matplotlib(panels, path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(-(-len(panels) // 2), 2, figsize=(10, 2.6 * -(-len(panels) // 2)), squeeze=False)
    for axis, panel in zip(axes.flat, panels):
        axis.loglog(*zip(*panel.points), marker="o")
        if panel.others:
            axis.loglog(*zip(*panel.others), marker="s", linestyle="--")
        axis.set_title(panel.title)
        axis.set_xlabel(panel.unit)
        axis.grid(True, which="both", alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


WIDTH, HEIGHT, MARGIN = 420, 240, 50


def svg(panels):
    rows = -(-len(panels) // 2)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{rows * HEIGHT}" font-size="11">']
    for number, panel in enumerate(panels):
        parts.append(f'<g transform="translate({number % 2 * WIDTH},{number // 2 * HEIGHT})">{curve(panel)}</g>')
    return "\n".join([*parts, "</svg>\n"])


def make_scale(values, low, high):
    """Returns a function from values to places between `low` and `high`, by their logarithms."""
    logs = [math.log(value) for value in values]
    first, span = min(logs), max(logs) - min(logs) or 1
    return lambda value: low + (math.log(value) - first) / span * (high - low)


def curve(panel):
    every = panel.points + panel.others
    place_x = make_scale([x for x, _ in every], MARGIN, WIDTH - MARGIN)
    # The values of the second curve are written below it.
    place_y = make_scale([y for _, y in every], HEIGHT - MARGIN - (15 if panel.others else 0), MARGIN)
    middle = 'text-anchor="middle"'
    parts = [f'<text x="{WIDTH / 2}" y="20" {middle}>{panel.title}</text>']
    if panel.others:
        parts += line(panel.others, place_x, place_y, "#b4531f", 'stroke-dasharray="4"', 15)
    parts += line(panel.points, place_x, place_y, "#1f6fb4", "", -7)
    for x in sorted({x for x, _ in every}):
        parts.append(f'<text x="{place_x(x):.1f}" y="{HEIGHT - 30}" {middle}>{x:g}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" {middle}>{panel.unit}</text>')
    return "".join(parts)


def line(points, place_x, place_y, color, style, above):
    """Parts of the picture: a line with its points, and their values `above` pixels lower."""
    places = [(place_x(x), place_y(y)) for x, y in points]
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [f'<polyline points="{corners}" fill="none" stroke="{color}" {style}/>']
    for (x, y), (_, value) in zip(places, points):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + above:.1f}" text-anchor="middle" fill="{color}">{value:.3g}</text>')
    return parts
