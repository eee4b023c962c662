"""What a webcam makes of light: exposure, white balance, vignette, tone curve, noise, flicker."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.simulate.render.look import Look, Sensor

Floats = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

_STEPS: Final = 4096
"""Steps of the tone curve for light 0 to 1."""

_TOP: Final = 8.0
"""Light above this is white whatever the curve."""

_FIELD_BYTES: Final = 160_000_000
"""About so much memory holds noise made in advance."""

_SLACK: Final = 64


class Chip:
    """The sensor of one camera, and the noise it makes.

    Args:
        look: how the film looks.
        size: width and height of the picture.
        scene: float32 (H, W, 3), linear light of the first picture; exposure and white balance are set by it.
    """

    def __init__(self, look: Look, size: tuple[int, int], scene: Floats) -> None:
        self._sensor = sensor = look.sensor
        self._size = size
        self._rng = np.random.default_rng((look.seed, 0x5E))
        lights = look.lights
        light = np.array(lights.lamp_colour) + 0.7 * np.array(lights.sky)
        balance = (light[1] / light) ** sensor.white_balance
        small = cv2.resize(scene, (64, 36), interpolation=cv2.INTER_AREA) * balance
        grey = small @ np.array([0.11, 0.59, 0.30])
        # Cameras weigh bright parts less than a plain mean would, or white cards on dark felt would burn out.
        mean = float(np.mean(np.minimum(grey, 3 * np.median(grey))))
        whites = float(np.quantile(grey, 0.985))
        exposure = min(sensor.brightness / max(mean, 1e-6), sensor.white / max(whites, 1e-6))
        self.gain = self._gain_map(exposure * balance)
        self._curve = _tone_curve(sensor)
        self._sigma = _noise_curve(sensor, self._curve)
        self._fields = self._noise_fields(size[1] / 1080)

    @property
    def blur(self) -> float:
        """Deviation of the softness of lens and sensor, px."""
        return self._sensor.blur * self._size[1] / 1080

    def _gain_map(self, gains: npt.NDArray[np.float64]) -> Floats:
        width, height = self._size
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        squared = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / ((width**2 + height**2) / 4)
        shade = 1 - self._sensor.vignette * squared * (0.4 + 0.6 * squared)
        return np.asarray(shade[..., None] * gains, np.float32)

    def _noise_fields(self, scale: float) -> list[Floats]:
        """A few fields of noise larger than the picture; a random window of a random field is the noise of one."""
        width, height = self._size[0] + _SLACK, self._size[1] + _SLACK
        fields = []
        for _ in range(max(2, min(6, _FIELD_BYTES // (12 * width * height)))):
            fine = self._rng.standard_normal((height, width), dtype=np.float32)
            coarse = self._rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), dtype=np.float32)
            # A colour sensor's noise is shared between channels and smeared by demosaicking and the camera's denoiser.
            shared = _normal(cv2.GaussianBlur(fine, (0, 0), 0.55 + 0.25 * scale))
            own = _normal(cv2.resize(cv2.GaussianBlur(coarse, (0, 0), 0.8), (width, height)))
            fields.append(np.asarray(0.8 * shared[..., None] + 0.55 * own, np.float32))
        return fields

    def develop(self, light: Floats) -> Image:
        """Light times ``gain``, float32 (H, W, 3), as the noiseless picture, uint8 BGR."""
        index = np.clip(light * np.float32(_STEPS), 0, _STEPS * _TOP)
        return np.asarray(self._curve[index.astype(np.uint16)], np.uint8)

    def expose(self, clean: Image) -> Image:
        """The noiseless picture with the noise and flicker of one exposure; every call gives another."""
        width, height = self._size
        field = self._fields[int(self._rng.integers(len(self._fields)))]
        dx, dy = (int(n) for n in self._rng.integers(0, _SLACK, 2))
        window = field[dy : dy + height, dx : dx + width]
        swing = float(self._rng.standard_normal()) * self._sensor.flicker
        noise = cv2.multiply(cv2.LUT(clean, self._sigma), window)
        steady = cv2.convertScaleAbs(clean, alpha=1 + swing) if swing else clean
        raw = cv2.add(noise, steady, dtype=cv2.CV_8U)
        strength = self._sensor.sharpening
        if strength:
            raw = cv2.addWeighted(
                raw, 1 + strength, cv2.GaussianBlur(raw, (0, 0), 1.6 * self._size[1] / 1080), -strength, 0
            )
        return np.asarray(raw, np.uint8)


def _normal(field: npt.ArrayLike) -> Floats:
    """The field scaled to a deviation of 1."""
    values = np.asarray(field, np.float32)
    return np.asarray(values / max(float(values.std()), 1e-6), np.float32)


def _tone_curve(sensor: Sensor) -> npt.NDArray[np.uint8]:
    """Code of each step of light: sRGB, bent to a shoulder near white and a toe near black."""
    light = np.arange(int(_STEPS * _TOP) + 1) / _STEPS
    # Above the knee light is compressed, so that a white card's shading is kept instead of clipped.
    knee = 0.7
    soft = np.where(light < knee, light, knee + (1 - knee) * np.tanh((light - knee) / (1 - knee) * 0.75))
    coded = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    curved = coded * coded * (3 - 2 * coded)
    bent = coded + 0.35 * sensor.contrast * (curved - coded)
    return np.asarray(np.clip(bent * 250 + 4, 0, 255).round(), np.uint8)


def _noise_curve(sensor: Sensor, curve: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Deviation of the noise at each of the 256 codes, grey levels, float32 (256, 1)."""
    codes = np.arange(256)
    # The light that first gives each code; codes that none gives take the noise of white.
    light = np.minimum(np.searchsorted(curve, codes), len(curve) - 1) / _STEPS
    slope = 1 / np.maximum(np.gradient(light), 2e-4)
    # Photon noise grows with the root of the light, reading noise is constant; the tone curve stretches both.
    raw = np.sqrt(0.0004 + 0.02 * np.minimum(light, 1)) * slope
    raw = cv2.GaussianBlur(raw.reshape(-1, 1), (1, 31), 5).ravel()
    sigma = raw / raw[118] * sensor.noise
    return np.asarray(np.clip(sigma, 0.15 * sensor.noise, 1.8 * sensor.noise), np.float32).reshape(256, 1)
