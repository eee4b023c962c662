"""What a camera makes of a lit scene: exposure, colour cast, blur, noise, sharpening, compression."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.train.drawing.light import Colour, Light

Image: TypeAlias = npt.NDArray[np.uint8]
Field: TypeAlias = npt.NDArray[np.float32]
Codec: TypeAlias = Literal["none", "jpeg", "video"]

CODECS: Final[tuple[Codec, ...]] = ("none", "jpeg", "video")
_GAMMA: Final = 1 / 2.2
_NOISE_SIDE: Final = 1400
_GREY: Final = np.tile(np.array([0.114, 0.587, 0.299]), (3, 1))
"""Each colour replaced by the brightness that the eye sees in blue, green and red."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A camera's faults, lengths in pixels of its picture.

    Attributes:
        exposure: brightness of a well lit white card, 1 being just below clipping.
        balance: gains of blue, green, red left over by the white balance.
        contrast: slope of the tone curve at middle grey.
        saturation: 1 leaves colours alone.
        blur: deviation of lens blur and defocus together.
        shake: movement of the camera over the exposure, (x, y).
        noise: deviation in the mid tones, of 255.
        coarse: whether noise has the grain of demosaicing and noise reduction.
        sharpen: strength of the camera's sharpening.
        codec: compression: none, JPEG, or a video codec's smoother loss.
        quality: JPEG quality of the compression.
        shift: where in the noise to start, (x, y).
    """

    exposure: float = 1.0
    balance: Colour = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    saturation: float = 1.0
    blur: float = 0.0
    shake: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0
    coarse: bool = False
    sharpen: float = 0.0
    codec: Codec = "none"
    quality: int = 100
    shift: tuple[int, int] = (0, 0)


def draw_sensor(rng: np.random.Generator, light: Light, source: int) -> Sensor:
    """Some camera in some light; ``source`` is the height of its picture."""
    dim = light.name == "dim"
    exposure = float(np.exp(rng.normal(-0.05, 0.15)))
    tail = rng.random()
    if tail < 0.05:
        exposure *= float(rng.uniform(1.15, 1.7))
    elif tail < 0.11 or dim:
        exposure *= float(rng.uniform(0.35, 0.9))
    # Automatic white balance takes out most of the light's colour, seldom all of it.
    left = float(rng.choice([0.0, 1.0], p=[0.85, 0.15])) or float(rng.beta(1.3, 3))
    mean = [key + ambient for key, ambient in zip(light.key, light.ambient, strict=True)]
    blue, green, red = (level ** (left - 1) * float(rng.normal(1, 0.035)) for level in mean)
    sharp, soft = {720: (0.3, 0.75), 1080: (0.35, 0.95)}.get(source, (0.6, 1.7))
    blur = float(rng.uniform(sharp, soft))
    if rng.random() < 0.09:
        blur = math.hypot(blur, float(rng.uniform(0.5, 1.9)) * source / 1080)
    angle, length = float(rng.uniform(0, math.pi)), float(rng.uniform(1, 5)) * source / 1080
    shaken = rng.random() < 0.06
    noise = float(np.exp(rng.normal(0.6, 0.5))) * (2.0 if dim else 1.0)
    codec = CODECS[int(rng.choice(3, p=[0.2, 0.5, 0.3]))]
    return Sensor(
        exposure=exposure,
        balance=(blue, green, red),
        contrast=float(rng.uniform(0.85, 1.5)),
        saturation=float(rng.uniform(0.65, 1.3)) if rng.random() < 0.6 else 1.0,
        blur=blur,
        shake=(length * math.cos(angle), length * math.sin(angle)) if shaken else (0.0, 0.0),
        noise=min(noise, 12.0),
        coarse=rng.random() < 0.6,
        sharpen=float(rng.uniform(0.2, 1.3)) if rng.random() < 0.5 else 0.0,
        codec=codec,
        quality=int(rng.integers(30, 96)) if codec == "jpeg" else int(rng.integers(18, 75)),
        shift=(int(rng.integers(_NOISE_SIDE)), int(rng.integers(_NOISE_SIDE))),
    )


def expose(albedo: Image, key: Field, glare: Field | None, light: Light, sensor: Sensor) -> Image:
    """The camera's picture.

    Args:
        albedo: uint8 (H, W, 3) BGR, what things look like in light of strength 1.
        key: float32 (H, W), strength of the key light.
        glare: float32 (H, W), light reflected without colour, of 255.
        light: the lights' colours.
        sensor: the camera.
    """
    # The square root spends the 256 steps where the eye sees them.
    steps = cv2.convertScaleAbs(cv2.sqrt(key), alpha=255 / math.sqrt(2.0))
    strength = (np.arange(256, dtype=np.float32) / 255) ** 2 * 2
    gains = [
        sensor.exposure * (gain * (ambient + lamp * strength)) ** _GAMMA
        for gain, ambient, lamp in zip(sensor.balance, light.ambient, light.key, strict=True)
    ]
    table = np.stack(gains, axis=1)[:, None, :].astype(np.float32)
    lit = cv2.multiply(albedo, cv2.LUT(cv2.merge([steps, steps, steps]), table), dtype=cv2.CV_32F)
    picture: Field = np.asarray(lit, np.float32)
    if glare is not None:
        picture += (sensor.exposure * glare)[:, :, None]
    picture = _smear(picture, sensor)
    np.clip(picture, 0, 255, out=picture)
    if sensor.noise > 0:
        picture += _grain(picture, sensor)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (5, 5), 1.1)
        picture = np.asarray(cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.float32)
    if sensor.saturation != 1:
        mixed = sensor.saturation * np.eye(3) + (1 - sensor.saturation) * _GREY
        picture = np.asarray(cv2.transform(picture, mixed), np.float32)
    np.clip(picture, 0, 255, out=picture)
    coded = cv2.LUT(picture.astype(np.uint8), _curve(sensor.contrast))
    return compress(np.asarray(coded, np.uint8), sensor.codec, sensor.quality)


def _smear(picture: Field, sensor: Sensor) -> Field:
    if sensor.blur > 0.3:
        side = 2 * math.ceil(2 * sensor.blur) + 1
        picture = np.asarray(cv2.GaussianBlur(picture, (side, side), sensor.blur), np.float32)
    across, down = sensor.shake
    length = math.hypot(across, down)
    if length > 1:
        half = math.ceil(length / 2)
        kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
        ends = [(round((half + sign * across / 2) * 16), round((half + sign * down / 2) * 16)) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    return picture


@cache
def _noise(coarse: bool) -> Field:
    """Noise of unit deviation, float32 (N, N, 3); the same in every run, it is only ever seen in random cuts."""
    white = np.random.default_rng(20).standard_normal((_NOISE_SIDE, _NOISE_SIDE, 3), np.float32)
    if not coarse:
        return white
    # Chroma noise is coarser than luma noise in every camera.
    luma = cv2.GaussianBlur(white[:, :, :1], (0, 0), 0.7)[:, :, None]
    chroma = cv2.GaussianBlur(white, (0, 0), 1.6)
    return np.asarray(0.8 * luma / luma.std() + 0.5 * chroma / chroma.std(), np.float32)


def _grain(picture: Field, sensor: Sensor) -> Field:
    height, width = picture.shape[:2]
    tile = _noise(sensor.coarse)
    x, y = sensor.shift[0] % (_NOISE_SIDE - width), sensor.shift[1] % (_NOISE_SIDE - height)
    # Shot noise grows with the light, the tone curve shrinks it again: nearly even, a little less in the shadows.
    spread: Field = np.asarray(cv2.sqrt(picture), np.float32)
    spread *= sensor.noise * 0.06
    spread += sensor.noise * 0.35
    spread *= tile[y : y + height, x : x + width]
    return spread


def _curve(contrast: float) -> Image:
    values = np.arange(256) / 255
    bent = 0.5 + (values - 0.5) * contrast
    # Bend towards black and white instead of cutting off.
    bent = np.where(contrast > 1, values + (contrast - 1) * np.sin((values - 0.5) * 2 * np.pi) / (2 * np.pi), bent)
    return np.clip(255 * bent, 0, 255).astype(np.uint8)


def compress(picture: Image, codec: Codec, quality: int) -> Image:
    """``picture`` after lossy compression and back."""
    if codec == "none":
        return picture
    if codec == "jpeg":
        return _jpeg(picture, quality)
    # Video codecs lose as JPEG does, then smooth the block edges away: the mean over two block grids does the same.
    height, width = picture.shape[:2]
    padded = cv2.copyMakeBorder(picture, 4, 4, 4, 4, cv2.BORDER_REPLICATE)
    other = _jpeg(np.asarray(padded, np.uint8), quality)[4 : 4 + height, 4 : 4 + width]
    return np.asarray(cv2.addWeighted(_jpeg(picture, quality), 0.5, other, 0.5, 0), np.uint8)


def _jpeg(picture: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
