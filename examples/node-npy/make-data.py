"""Makes the example's input: python3 make-data.py, with NumPy installed."""

import pathlib

import numpy as np

data = pathlib.Path(__file__).parent / "data"
photos = np.random.default_rng(7).uniform(0, 255, (2, 4, 4, 3)).astype(np.float32)
np.save(data / "photos.npy", photos)
np.save(data / "mean.npy", photos.mean((0, 1, 2)))
np.save(data / "deviation.npy", photos.std((0, 1, 2)))
