"""Writing pictures to disk, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.files import write_whole


def write_picture(path: Path, image: npt.NDArray[np.uint8]) -> None:
    """Write ``image``, uint8 (H, W, 3) BGR, in the format that ``path`` ends in.

    Raises:
        UserError: there is no such format, or the file cannot be written; nothing is left behind then.
    """
    try:
        done, data = cv2.imencode(path.suffix, image)
    except cv2.error:
        done = False
    if not done:
        raise UserError(f"{path}: no such picture format; end the name in .png or .jpg")
    write_whole(path, data.tobytes())
