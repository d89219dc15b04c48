"""Files of numbers are read as such: nothing in them is run, and none may be larger than it says, or another one."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.core import SettingsError
from solvers.blokus import value_network as blokus_value
from solvers.connect_four import book as connect_four_book
from solvers.quoridor import network as quoridor_network
from solvers.weights import read_arrays, read_verified

NUMBERS = np.arange(12, dtype=np.int16).reshape(3, 4)


def packed(**arrays: Any) -> bytes:
    with io.BytesIO() as file:
        np.savez_compressed(file, allow_pickle=True, **arrays)
        return file.getvalue()


def zipped(content: bytes, **how: Any) -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", **how) as archive:
            archive.writestr("numbers.npy", content)
        return file.getvalue()


def array(header: str, content: bytes = b"") -> bytes:
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


@pytest.mark.parametrize("numbers", [NUMBERS, np.float64(2.5), np.zeros(0, np.uint64), NUMBERS > 3])
def test_arrays_of_numbers_are_read_as_they_were_written(numbers: Any) -> None:
    (found,) = read_arrays(packed(numbers=numbers), "numbers")
    assert found.dtype == numbers.dtype
    assert np.array_equal(found, numbers)


SHAPES = {
    "pickled objects": packed(numbers=np.array([{"x": 1}], dtype=object)),
    "words": packed(numbers=np.array(["one"])),
    "columns first": packed(numbers=np.asfortranarray(NUMBERS)),
    "another format": zipped(
        array("{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }").replace(b"\1\0", b"\3\0")
    ),
    "code in the header": zipped(array("{'descr': '<i2', 'fortran_order': False, 'shape': (exit(),), }")),
    "more than it holds": zipped(
        array("{'descr': '<i8', 'fortran_order': False, 'shape': (9999999999,), }", b"12345678")
    ),
    "no zip": b"PK\x03\x04 and no more",
    "another name": packed(others=NUMBERS),
    "packed otherwise": zipped(array("{}"), compression=zipfile.ZIP_LZMA),
    "far more once unpacked": zipped(bytes(2_000_000), compression=zipfile.ZIP_DEFLATED),
}


@pytest.mark.parametrize("what", SHAPES)
def test_what_is_no_array_of_numbers_is_refused(what: str) -> None:
    with pytest.raises(ValueError, match="number"):
        read_arrays(SHAPES[what], "numbers", most=1_000_000)


def test_a_file_is_read_where_it_is_the_one_of_its_card(tmp_path: Path) -> None:
    path, card = tmp_path / "numbers.npz", tmp_path / "numbers.json"
    path.write_bytes(packed(numbers=NUMBERS))
    for said, words in (
        ({"sha256": sha256(path.read_bytes()).hexdigest()}, None),
        ({"sha256": "0" * 64}, "not the file that its card"),
        (["sha256"], "not the file that its card"),
    ):
        card.write_text(json.dumps(said))
        if words is None:
            assert np.array_equal(read_verified(path, card, "numbers", remedy="again")[0], NUMBERS)
            continue
        with pytest.raises(SettingsError, match=f"{words}.*again"):
            read_verified(path, card, "numbers", remedy="again")
    card.write_text("[" * 3000)
    with pytest.raises(SettingsError, match="again"):
        read_verified(path, card, "numbers", remedy="again")


BOOKS = connect_four_book.BOOK.parent


@pytest.mark.parametrize(
    ("module", "name", "weights", "asked"),
    [
        (connect_four_book, "BOOK", "connect_four.npz", ()),
        (quoridor_network, "WEIGHTS", "quoridor.npz", ()),
        (blokus_value, "FOLDER", "blokus_duo.npz", ("duo",)),
    ],
)
def test_numbers_that_come_with_the_solvers_are_refused_once_changed(
    module: Any, name: str, weights: str, asked: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / weights
    changed.write_bytes((BOOKS / weights).read_bytes()[:-1] + b"x")
    changed.with_suffix(".json").write_bytes((BOOKS / weights).with_suffix(".json").read_bytes())
    monkeypatch.setattr(module, name, tmp_path if asked else changed)
    module.load.cache_clear()
    try:
        with pytest.raises(SettingsError, match="install boardsight again"):
            module.load(*asked)
    finally:
        module.load.cache_clear()
