"""Turns drawings into pixels: PNG pictures and GIF films. It needs the extra `pictures` (resvg, Pillow)."""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from cli.shell.exit_codes import input_output, usage
from core.extras import require

if TYPE_CHECKING:
    from PIL.Image import Image

FRAMES_MAX = 400
"""How many pictures a film has at most."""
WIDTHS = range(100, 8001)
"""How wide a picture can be, in pixels."""
FAMILIES = ("Helvetica", "Arial", "Liberation Sans", "DejaVu Sans")
NO_FAMILY = "No such family"
_PROBE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><text x="5" y="50" font-size="50" font-family="{}">M</text></svg>'


def require_pixels() -> None:
    """Refuse to draw pixels where the extra is missing.

    Raises:
        ExtraMissing: It is.
    """
    require("pixels", "pictures", "resvg_py", "PIL")


def png_of(svg: str, width: int) -> bytes:
    """Return a drawing as PNG.

    Args:
        svg: The drawing.
        width: In pixels; the height follows.

    Raises:
        UserError: The width is out of range, or there is no font for the text.
    """
    import resvg_py

    if width not in WIDTHS:
        raise usage(f"--width is {WIDTHS[0]} to {WIDTHS[-1]} pixels, not {width}")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, sans_serif_family=_family()))


@cache
def _family() -> str:
    """Return a family of fonts that is installed; if only others are, one for which they are substituted.

    Raises:
        UserError: There is no font at all; text would be missing without a word.
    """
    substitute = _sample(NO_FAMILY)
    for family in FAMILIES:
        if _sample(family) not in (substitute, b""):
            return family
    if substitute:
        return FAMILIES[0]
    raise input_output(f"no font for text is installed; one of these is needed: {', '.join(FAMILIES)}")


def _sample(family: str) -> bytes:
    """Return the pixels of a letter in a family of fonts; empty if nothing is drawn."""
    import resvg_py
    from PIL import Image

    with Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=_PROBE.format(family))))) as picture:
        return b"" if picture.getbbox() is None else picture.tobytes()


def gif_of(pictures: Iterable[bytes], seconds: float) -> bytes:
    """Return PNG pictures as a film that repeats.

    Args:
        pictures: At least one. Smaller ones lie in the upper left corner of the largest.
        seconds: How long each is shown.
    """
    from PIL import Image

    frames = [Image.open(BytesIO(picture)).convert("RGB") for picture in pictures]
    size = max(frame.width for frame in frames), max(frame.height for frame in frames)
    whole = [_padded(frame, size).quantize(128) for frame in frames]
    film = BytesIO()
    whole[0].save(film, "GIF", save_all=True, append_images=whole[1:], duration=round(1000 * seconds), loop=0)
    return film.getvalue()


def _padded(frame: "Image", size: tuple[int, int]) -> "Image":
    from PIL import Image

    canvas = Image.new("RGB", size, frame.getpixel((0, 0)))
    canvas.paste(frame, (0, 0))
    return canvas
