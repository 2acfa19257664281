"""The C interface of the gym (gym/triquetra_gym.h) for Python: what each function takes and gives."""
from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import Any

Json = dict[str, Any]

NAME = "libtriquetra_gym.so"


class Refused(ValueError):
    """What was asked for cannot be; the text says why. Nothing was changed."""


class Rows(ctypes.Structure):
    """Where a step leaves what came of it."""
    _fields_ = [("observations", ctypes.c_void_p), ("masks", ctypes.c_void_p), ("seats", ctypes.c_void_p),
                ("rewards", ctypes.c_void_p), ("over", ctypes.c_void_p)]


_INT, _TEXT, _POINTER = ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "error": (_TEXT, []),
    "games": (_TEXT, []),
    "layout": (_TEXT, [_TEXT]),
    "act": (_TEXT, [_TEXT, _INT]),
    "number": (_INT, [_TEXT, _TEXT]),
    "make": (_POINTER, [_TEXT, _TEXT, _INT, _TEXT, _INT]),
    "free": (None, [_POINTER]),
    "start": (_INT, [_POINTER, _TEXT, _POINTER]),
    "step": (_INT, [_POINTER, _POINTER, _INT, _POINTER]),
    "observe": (_INT, [_POINTER, _INT, _INT, _POINTER, _POINTER]),
    "view": (_TEXT, [_POINTER, _INT, _INT]),
    "draw": (_INT, [_POINTER, _POINTER, _INT]),
    "choose": (_INT, [_POINTER, _INT, _TEXT]),
    "result": (_TEXT, [_POINTER, _INT]),
    "record": (_TEXT, [_POINTER, _INT, _TEXT]),
    "copy": (_INT, [_POINTER, _INT, _INT]),
    "imagine": (_INT, [_POINTER, _INT, _INT, _TEXT]),
}


def _opened() -> ctypes.CDLL:
    """The library beside this file, or the one that TRIQUETRA_GYM_LIBRARY names."""
    path = os.environ.get("TRIQUETRA_GYM_LIBRARY") or str(pathlib.Path(__file__).with_name(NAME))
    library = ctypes.CDLL(path)
    for name, (gives, takes) in _FUNCTIONS.items():
        function = getattr(library, f"triquetra_gym_{name}")
        function.restype, function.argtypes = gives, takes
    return library


_library = _opened()


def refusal() -> Refused:
    """Why the call before this one failed."""
    return Refused(_library.triquetra_gym_error().decode())


def call(name: str, *words: Any) -> Any:
    """What a function of the library gives; Refused if it says no."""
    given = getattr(_library, f"triquetra_gym_{name}")(*words)
    if given is None or given == -1:
        raise refusal()
    return given


def free(batch: int) -> None:
    _library.triquetra_gym_free(batch)


# What is called most, without the way through call().
step = _library.triquetra_gym_step
draw = _library.triquetra_gym_draw


def read(name: str, *words: Any) -> Any:
    """The JSON that a function gives."""
    return json.loads(call(name, *words))


def text(value: str) -> bytes:
    return value.encode()


def written(value: Any) -> bytes:
    return json.dumps(value).encode()
