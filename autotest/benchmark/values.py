# SPDX-License-Identifier: MIT
"""Values to measure with: always the same, and about as compressible as what they stand for."""
import numpy as np


def elevation(height, width):
    """Smooth hills of several sizes with a little noise, in metres, about -3000 to 3000: int16."""
    random = np.random.default_rng(20)
    x = np.linspace(0, 1, width, dtype="f4")
    y = np.linspace(0, 1, height, dtype="f4")
    total = np.zeros((height, width), "f4")
    for octave in range(1, 8):
        frequency, amplitude = 2.0**octave, 1500.0 / 1.8**octave
        phase = random.uniform(0, 6.28, 4)
        rows = np.sin(frequency * 3 * y + phase[0]) + np.sin(frequency * 5 * y + phase[1])
        columns = np.sin(frequency * 4 * x + phase[2]) + np.sin(frequency * 3 * x + phase[3])
        total += amplitude * np.outer(rows, columns)
    total += random.normal(0, 1.5, total.shape).astype("f4")
    return total.astype("i2")


def image(height, width):
    """Three bands of a picture, pixel by pixel: uint8."""
    base = elevation(height, width).astype("f4")
    random = np.random.default_rng(21)
    bands = []
    for shift, scale in ((0, 0.031), (40, 0.028), (90, 0.035)):
        noise = random.normal(0, 1.2, base.shape).astype("f4")
        bands.append(np.clip(128 + shift / 4 + base * scale + noise, 0, 255).astype("u1"))
    return np.stack(bands, axis=-1)


def cube(times, height, width):
    """A field of temperatures that drifts with time, with two decimal places: float32."""
    base = elevation(height, width).astype("f4") / 150
    random = np.random.default_rng(22)
    result = np.empty((times, height, width), "f4")
    for time in range(times):
        noise = random.normal(0, 0.05, base.shape).astype("f4")
        result[time] = np.round(280 + np.roll(base, 3 * time, axis=1) + 5 * np.sin(time / 4) + noise, 2)
    return result


MAKERS = {
    "elevation": elevation,
    "image": lambda height, width, _: image(height, width),
    "planes": lambda _, height, width: np.moveaxis(image(height, width), -1, 0),
    "cube": cube,
}


def make(kind, shape):
    return MAKERS[kind](*shape)
