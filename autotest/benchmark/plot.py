# SPDX-License-Identifier: MIT
"""Draws panels of one curve each, both axes logarithmic: by Matplotlib, or, where there is none, as plain SVG."""
import dataclasses
import math


@dataclasses.dataclass
class Panel:
    title: str
    unit: str
    points: list  # of (x, y), both positive


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


def scale(values, low, high):
    """Places of values between `low` and `high`, by their logarithms."""
    logs = [math.log(value) for value in values]
    first, span = min(logs), max(logs) - min(logs) or 1
    return [low + (value - first) / span * (high - low) for value in logs]


def curve(panel):
    xs = scale([x for x, _ in panel.points], MARGIN, WIDTH - MARGIN)
    ys = scale([y for _, y in panel.points], HEIGHT - MARGIN, MARGIN)
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys))
    parts = [
        f'<text x="{WIDTH / 2}" y="20" text-anchor="middle">{panel.title}</text>',
        f'<polyline points="{line}" fill="none" stroke="#1f6fb4"/>',
    ]
    for x, y, (value_x, value_y) in zip(xs, ys, panel.points):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f6fb4"/>')
        parts.append(f'<text x="{x:.1f}" y="{y - 7:.1f}" text-anchor="middle">{value_y:.3g}</text>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 30}" text-anchor="middle">{value_x:g}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{panel.unit}</text>')
    return "".join(parts)
