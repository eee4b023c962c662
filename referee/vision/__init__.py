"""From pictures of the table to readings of its zones."""

import os

# Opening a camera on Windows takes many seconds with hardware transforms; it has to be said before OpenCV is loaded.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
