"""As much of PDF as a sheet of shapes and words needs: sizes in millimetres, no library, the same bytes always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

POINTS_PER_MM: Final = 72 / 25.4

FONTS: Final = ("Helvetica", "Helvetica-Bold")
"""Fonts that every reader of PDF brings along."""


class Canvas:
    """Shapes and words in the order they are drawn. Millimetres from the top left corner, x right, y down.

    Args:
        height: of the page, mm.
    """

    def __init__(self, height: float) -> None:
        self._height = height
        self._parts: list[str] = []

    @property
    def content(self) -> bytes:
        """The page's content stream."""
        return "\n".join(self._parts).encode("cp1252")

    def rectangles(self, rects: Sequence[tuple[float, float, float, float]], grey: float) -> None:
        """Filled rectangles (x, y, width, height), as one shape without seams; grey 0 is black, 1 white."""
        path = " ".join(f"{self._at(x, y + height)} {_mm(width)} {_mm(height)} re" for x, y, width, height in rects)
        self._parts.append(f"{grey:g} g {path} f")

    def polygon(self, points: Sequence[tuple[float, float]], grey: float, line: float | None = None) -> None:
        """A filled shape, or with ``line`` (mm) only its outline."""
        path = " ".join((self._at(*points[0]), "m", *(f"{self._at(x, y)} l" for x, y in points[1:])))
        self._parts.append(f"{grey:g} g {path} h f" if line is None else f"{grey:g} G {_mm(line)} w {path} h S")

    def line(self, start: tuple[float, float], end: tuple[float, float], grey: float = 0, width: float = 0.2) -> None:
        """A straight line, ``width`` in mm."""
        self._parts.append(f"{grey:g} G {_mm(width)} w {self._at(*start)} m {self._at(*end)} l S")

    def words(
        self, x: float, y: float, text: str, size: float, grey: float = 0, bold: bool = False, turn: int = 0
    ) -> None:
        """A line of text from its baseline's left end; ``size`` in mm, ``turn`` 0 or 180 degrees."""
        cos = 1 if turn == 0 else -1
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self._parts.append(
            f"BT {grey:g} g /F{int(bold)} {_mm(size)} Tf {cos} 0 0 {cos} {self._at(x, y)} Tm ({escaped}) Tj ET"
        )

    def window(self, x: float, y: float, width: float, height: float, form: str, shift: tuple[float, float]) -> None:
        """A part of a form: what of it, moved by ``shift`` (mm), falls into the rectangle."""
        self._parts.append(
            f"q {self._at(x, y + height)} {_mm(width)} {_mm(height)} re W n "
            f"1 0 0 1 {_mm(shift[0])} {_mm(-shift[1])} cm /{form} Do Q"
        )

    def _at(self, x: float, y: float) -> str:
        return f"{_mm(x)} {_mm(self._height - y)}"


def _mm(length: float) -> str:
    return f"{length * POINTS_PER_MM:.4f}"


def document(
    pages: Sequence[Canvas],
    size: tuple[float, float],
    title: str,
    form: tuple[Canvas, tuple[float, float]] | None = None,
) -> bytes:
    """A PDF file.

    Args:
        pages: what is on each page.
        size: width and height of all of them, mm.
        title: of the document.
        form: a drawing that pages show parts of, under the name ``Mat``, with its width and height in mm; it is drawn
            with its lower left corner at the page's.
    """
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    def stream(extra: str, content: bytes) -> bytes:
        return f"<< {extra} /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"

    fonts = [
        add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode())
        for name in FONTS
    ]
    font = " ".join(f"/F{i} {number} 0 R" for i, number in enumerate(fonts))
    resources = f"/Font << {font} >>"
    if form is not None:
        canvas, (width, height) = form
        box = f"/BBox [0 0 {_mm(width)} {_mm(height)}]"
        number = add(stream(f"/Type /XObject /Subtype /Form {box} /Resources << {resources} >>", canvas.content))
        resources += f" /XObject << /Mat {number} 0 R >>"
    tree = len(objects) + 2 * len(pages) + 1
    kids = []
    for page in pages:
        content = add(stream("", page.content))
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {_mm(size[0])} {_mm(size[1])}] "
                f"/Resources << {resources} >> /Contents {content} 0 R >>".encode()
            )
        )
    add(f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(kids)} >>".encode())
    # Viewers that heed it do not shrink the page to the printer's margins.
    root = add(f"<< /Type /Catalog /Pages {tree} 0 R /ViewerPreferences << /PrintScaling /None >> >>".encode())
    info = add(f"<< /Title ({title}) >>".encode("cp1252"))
    out = bytearray(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{start:010d} 00000 n \n".encode() for start in starts)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root {root} 0 R /Info {info} 0 R >>\n".encode()
    return bytes(out + f"startxref\n{table}\n%%EOF\n".encode())
