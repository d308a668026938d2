# SPDX-License-Identifier: MIT
"""What QGIS draws, as arrays of pixels."""

import numpy as np
from qgis.core import (
    QgsColorRampShader,
    QgsContrastEnhancement,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsRasterLayer,
    QgsRasterShader,
    QgsSingleBandGrayRenderer,
    QgsSingleBandPseudoColorRenderer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage


def open_layer(name):
    layer = QgsRasterLayer(name, "layer", "gdal")
    assert layer.isValid()
    return layer


def set_grey(layer, low, high, band=1):
    """Draws values from `low` to `high` from black to white. Nothing depends on a look at the data."""
    enhancement = QgsContrastEnhancement(layer.dataProvider().dataType(band))
    enhancement.setContrastEnhancementAlgorithm(QgsContrastEnhancement.StretchToMinimumMaximum)
    enhancement.setMinimumValue(low)
    enhancement.setMaximumValue(high)
    renderer = QgsSingleBandGrayRenderer(layer.dataProvider(), band)
    renderer.setContrastEnhancement(enhancement)
    layer.setRenderer(renderer)


def set_colors(layer, steps):
    """Draws the values below each of (value, color) in that color."""
    shader_function = QgsColorRampShader(steps[0][0], steps[-1][0])
    shader_function.setColorRampType(QgsColorRampShader.Discrete)
    items = [QgsColorRampShader.ColorRampItem(value, QColor(color)) for value, color in steps]
    shader_function.setColorRampItemList(items)
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(shader_function)
    layer.setRenderer(QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader))


def draw(layers, width, height, extent=None, background="#ff00ff"):
    """An image of layers, the first on top, of their last one's extent by default."""
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setDestinationCrs(layers[-1].crs())
    settings.setExtent(extent or layers[-1].extent())
    settings.setOutputSize(QSize(width, height))
    settings.setBackgroundColor(QColor(background))
    settings.setFlag(QgsMapSettings.Antialiasing, False)
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    assert not job.errors()
    return job.renderedImage().convertToFormat(QImage.Format_RGB888)


def pixels(image):
    """Rows, columns, and red, green and blue."""
    data = np.frombuffer(image.constBits().asstring(image.byteCount()), "u1").reshape(image.height(), image.bytesPerLine())
    return data[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
