"""The recognition models of `rapidocr-onnxruntime`: where lines are, which way up, and what they say.

Its own pipeline reads from a picture that it has made smaller, pads the lines of a batch to the longest of
them and drops uncertain spaces; the steps are called one by one here instead. Loaded in worker processes
only, when the first page asks for it: that takes two seconds and 150 MB.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any

from findspot.errors import FailedPrecondition, Reason
from findspot_extraction.readers.ocr import RecognisedLine, RecognisedWord
from findspot_extraction.readers.ocr_characters import Stretch, words_of_line

PACKAGE = "rapidocr-onnxruntime"
EXTRA = "ocr"

_DETECTION_SIDE = 1_600
"""Pixels of the longer side of the picture in which lines are looked for."""
_SMALLEST_SIDE = 320
"""Pixels: a smaller picture gets a margin, since the model would blow it up instead."""
_SLIMMEST = 4
"""Longer side to shorter side; a longer strip gets a margin for the same reason."""
_READABLE_SIDE = 12
"""Pixels: nothing can be read in a smaller picture."""
_READABLE_AREA = 1_200
"""Pixels in all: icons are smaller."""
_CONTRAST = 24
"""Of 255: a page of less is blank."""
_LEAST_CONFIDENCE = 0.5
_VOTES = 12
"""Lines of each direction that are asked which way up they are."""
_UPRIGHT = 2.5
"""Times the height of the usual line: a box that is higher than wide and lower than this is a lone letter."""


def installed_version() -> str:
    """The version of the package; empty when it is not installed. Whether it loads is another matter."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return ""


@cache
def load_engine() -> Engine:
    """The engine of this process. FailedPrecondition when the package, or a library it needs, is missing."""
    try:
        module, numpy, cv2 = map(import_module, ("rapidocr_onnxruntime", "numpy", "cv2"))
    except ImportError as missing:
        # OpenCV needs the system's libGL, which bare machines lack: only the import tells.
        raise FailedPrecondition(
            f"the extra `{EXTRA}` cannot be loaded ({missing}); install what is missing",
            reason=Reason.NOT_YET_AVAILABLE,
        ) from missing
    cv2.setNumThreads(1)
    return Engine(module.RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1), numpy, cv2)


@dataclass(frozen=True, slots=True)
class _Found:
    """A line as it was found: four corners (top left first, clockwise), pixels, its picture turned upright."""

    corners: Any
    picture: Any
    turn: int


class Engine:
    """One thread, no state between pages."""

    def __init__(self, models: Any, numpy: Any, cv2: Any) -> None:
        self._models = models
        self._numpy = numpy
        self._cv2 = cv2
        self._alphabet: list[str] = models.text_rec.postprocess_op.character

    def read(self, picture: Any) -> tuple[RecognisedLine, ...]:
        """The lines of a page, from the top down. `picture` is an array of height by width by 3, 8 bits, BGR."""
        height, width = picture.shape[:2]
        blank = int(picture.max()) - int(picture.min()) < _CONTRAST
        if min(height, width) < _READABLE_SIDE or height * width < _READABLE_AREA or blank:
            return ()
        lines = [self._line(found, width, height) for found in self._lines(picture)]
        kept = [line for line in lines if line is not None]
        _give_back_memory()
        return tuple(sorted(kept, key=lambda line: (line.words[0].y0, line.words[0].x0)))

    def _lines(self, picture: Any) -> list[_Found]:
        height, width = picture.shape[:2]
        scale = min(1.0, _DETECTION_SIDE / max(height, width))
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = (
            picture if scale == 1.0 else self._cv2.resize(picture, size, interpolation=self._cv2.INTER_AREA)
        )
        shortest = max(_SMALLEST_SIDE, -(-max(size) // _SLIMMEST))
        right, below = max(0, shortest - size[0]), max(0, shortest - size[1])
        if right or below:
            ground = [int(value) for value in self._numpy.median(small, axis=(0, 1))]
            small = self._cv2.copyMakeBorder(
                small, 0, below, 0, right, self._cv2.BORDER_CONSTANT, value=ground
            )
        boxes, _ = self._models.text_det(small)
        if boxes is None or not len(boxes):
            return []
        corners = self._numpy.array(boxes, dtype="float32")
        corners[:, :, 0] = (corners[:, :, 0] * (width / size[0])).clip(0, width - 1)
        corners[:, :, 1] = (corners[:, :, 1] * (height / size[1])).clip(0, height - 1)
        return self._upright(
            picture, [box for box in corners if _extent(box)[0] >= 2 and _extent(box)[1] >= 2]
        )

    def _upright(self, picture: Any, boxes: Sequence[Any]) -> list[_Found]:
        """The picture of each line, turned so that it reads from left to right."""
        flat = [high for wide, high in map(_extent, boxes) if wide >= high]
        usual = median(flat) if flat else 0.0
        found: list[_Found] = []
        for sideways in (False, True):
            chosen = [box for box in boxes if _runs_sideways(*_extent(box), usual) is sideways]
            pictures = [self._cut_out(picture, box, sideways) for box in chosen]
            over = self._is_upside_down(pictures)
            for box, cut in zip(chosen, pictures, strict=True):
                upright = self._numpy.ascontiguousarray(cut[::-1, ::-1]) if over else cut
                found.append(_Found(box, upright, 2 * over + sideways))
        return found

    def _cut_out(self, picture: Any, box: Any, sideways: bool) -> Any:
        wide, high = (max(2, round(side)) for side in _extent(box))
        target = self._numpy.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype="float32")
        matrix = self._cv2.getPerspectiveTransform(box, target)
        cubic, edge = self._cv2.INTER_CUBIC, self._cv2.BORDER_REPLICATE
        cut = self._cv2.warpPerspective(picture, matrix, (wide, high), flags=cubic, borderMode=edge)
        return self._numpy.ascontiguousarray(self._numpy.rot90(cut)) if sideways else cut

    def _is_upside_down(self, pictures: Sequence[Any]) -> bool:
        """What most of the longest lines say: a single short line is often wrong, a page never is two ways up."""
        longest = sorted(pictures, key=lambda cut: -cut.shape[1])[:_VOTES]
        votes = 0.0
        for cut in longest:
            ready = self._models.text_cls.resize_norm_img(cut)[None]
            normal, turned = self._models.text_cls.infer(ready)[0][0].tolist()
            votes += (turned - normal) * min(cut.shape[1] / cut.shape[0], 10.0)
        return votes > 0

    def _line(self, found: _Found, width: int, height: int) -> RecognisedLine | None:
        models, cut = self._models.text_rec, found.picture
        _, target_height, least_width = models.rec_image_shape
        ratio = cut.shape[1] / cut.shape[0]
        ready = models.resize_norm_img(cut, max(ratio, least_width / target_height))[None]
        probabilities = models.session(ready)[0][0]
        used = min(1.0, ratio * target_height / ready.shape[-1])
        stretches, confidence = words_of_line(probabilities, self._alphabet, used)
        if confidence < _LEAST_CONFIDENCE or not any(map(_has_letter, stretches)):
            return None
        words = tuple(_placed(stretch, found.corners, found.turn, width, height) for stretch in stretches)
        return RecognisedLine(words, confidence, found.turn)


def _give_back_memory() -> None:
    """What the models took for a page, some 400 MB, goes back to the system, not into the allocator's drawer."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _extent(box: Any) -> tuple[float, float]:
    """Width and height of a box that may stand at a slant, pixels."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = box.tolist()
    wide = max(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5, ((dx - cx) ** 2 + (dy - cy) ** 2) ** 0.5)
    high = max(((ax - dx) ** 2 + (ay - dy) ** 2) ** 0.5, ((bx - cx) ** 2 + (by - cy) ** 2) ** 0.5)
    return wide, high


def _runs_sideways(wide: float, high: float, usual: float) -> bool:
    return high >= 1.5 * wide and high > _UPRIGHT * usual


def _has_letter(stretch: Stretch) -> bool:
    return any(map(str.isalnum, stretch.text))


def _placed(stretch: Stretch, corners: Any, turn: int, width: int, height: int) -> RecognisedWord:
    """The word's part of the line's box, as fractions of the page."""
    first, second, third, fourth = corners.tolist()
    start, end = stretch.start, stretch.end
    if turn >= 2:
        start, end = 1 - end, 1 - start
    sides = ((first, fourth), (second, third)) if turn % 2 else ((first, second), (fourth, third))
    points = [_between(*side, share) for side in sides for share in (start, end)]
    xs, ys = zip(*points, strict=True)
    return RecognisedWord(stretch.text, min(xs) / width, min(ys) / height, max(xs) / width, max(ys) / height)


def _between(near: Sequence[float], far: Sequence[float], share: float) -> tuple[float, float]:
    return near[0] + (far[0] - near[0]) * share, near[1] + (far[1] - near[1]) * share
