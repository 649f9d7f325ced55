"""How far apart colours look, to every eye."""

import numpy as np
from matplotlib import colors as mcolors

# Machado, Oliveira and Fernandes 2009: linear RGB as seen without red and without green cones.
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
# Ottosson 2020, Oklab: distances are about as large as they look; black to white is 1.
CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
         [0.0883024619, 0.2817188376, 0.6299787005]]
LAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
       [0.0259040371, 0.7827717662, -0.8086757660]]


def seen(colour, eye):
    rgb = np.array(mcolors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.array(LAB) @ np.cbrt(np.array(CONES) @ np.clip(np.array(eye) @ linear, 0, 1))
