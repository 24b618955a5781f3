"""One's own table, as a CSV file: what can be read, and a plain sentence for everything that cannot."""

import time
import tracemalloc
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roam_core.catalogues import Catalogue, read_csv
from roam_core.tables import MOST_BYTES

GOOD = "name,sweet,sour\nplum,1,2\npear,3,1\nlime,0,9.5\n"


def test_a_table_is_read():
    found = read_csv(GOOD.encode(), "fruit.csv")
    assert (found.name, found.features, found.names) == ("fruit.csv", ("sweet", "sour"), ("plum", "pear", "lime"))
    np.testing.assert_array_equal(found.values, [[1, 2], [3, 1], [0, 9.5]])
    assert found.most_features == 2
    assert np.linalg.norm(found.embedding(2, 3.0).items, axis=1).max() == pytest.approx(3)
    assert found.describe(2) == "lime: high sour (9.5), low sweet (0)"


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace(",", ";"), GOOD.replace(",", "\t"), GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, "\n\n" + GOOD,
        GOOD.replace("\n", "\n\n"), GOOD.rstrip("\n"), GOOD.replace("plum", '"plum"'), GOOD.replace("1", " +1.0e0 "),
        GOOD.replace("\n", "\n,,\n", 2),
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same(text):
    assert read_csv(text.encode(), "t") == read_csv(GOOD.encode(), "t")


WIDE = "name," + ",".join(f"c{i}" for i in range(51)) + "\n"
LONG = "name,a,b\n" + "".join(f"i{n},{n},{n * n}\n" for n in range(2001))
FAULTS = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\n  \r\n", "the file is empty"),
    "only a header": (b"name,a,b\n", "there are 0 items"),
    "two items": (b"name,a,b\nx,1,2\ny,2,1\n", "there are 2 items: at least 3"),
    "no number column": (b"name\nx\ny\nz\n", "there are 0 number columns"),
    "one number column": (b"name,a\nx,1\ny,2\nz,3\n", "there are 1 number column after"),
    "text instead of numbers": (b"name,a,b\nx,red,2\n", "line 2, column 'a': 'red' is not a number"),
    "a constant column": (b"name,a,b\nx,1,2\ny,1,3\nz,1,4\n", "column 'a' has the same number in every row"),
    "columns that say the same": (b"name,a,b\nx,1,2\ny,2,4\nz,3,6\n", "say the same"),
    "a missing value": (b"name,a,b\nx,1,2\ny,,3\nz,1,4\n", "line 3, column 'a' is empty"),
    "NaN": (b"name,a,b\nx,1,nan\n", "'nan' is not a number"),
    "infinity": (b"name,a,b\nx,1,inf\n", "'inf' is not a number"),
    "an underscore": (b"name,a,b\nx,1,1_000\n", "'1_000' is not a number"),
    "other digits": ("name,a,b\nx,1,٣\n".encode(), "is not a number"),
    "a decimal comma": (b"name;a;b\nx;1;2,5\n", "write a point where the comma is"),
    "the same name twice": (b"name,a,b\nx,1,2\ny,2,1\nx,3,5\n", "line 4: the name 'x' is already on line 2"),
    "the same column twice": (b"name,a,a\nx,1,2\n", "two columns have the name 'a'"),
    "no header": (b"x,1,2\ny,2,1\nz,3,3\n", "line 1, column 2: '1' is a number, but the first row names"),
    "a column without a name": (b"name,a,\nx,1,2\n", "line 1, the name of column 3 is empty"),
    "an item without a name": (b"name,a,b\n,1,2\n", "line 2, the name is empty"),
    "Latin-1": ("name,a,b\nx,1,2\ncafé,3,4\n".encode("latin-1"), "line 3 is not text in UTF-8"),
    "UTF-16": (GOOD.encode("utf-16"), "line 1 is not text in UTF-8"),
    "a zero byte": (b"name,a,b\nx,1,2\ny\0,2,3\n", "line 3 has a zero byte"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "line 1 is not text in UTF-8"),
    "a formula": (b"name,a,b\nx,1,=A1+2\n", "line 2, column 'b' has a formula, '=A1+2'"),
    "a formula as a name": (b"name,a,b\n=cmd(),1,2\n", "line 2, the name begins as a spreadsheet's formula does"),
    "a spreadsheet's error": (b"name,a,b\nx,1,#DIV/0!\n", "'#DIV/0!' is not a number"),
    "a short row": (b"name,a,b\nx,1\n", "line 2 has 2 fields, but the first row has 3"),
    "a long row": (b"name,a,b\nx,1,2,3\n", "line 2 has 4 fields"),
    "an open quote": (b'name,a,b\nx,1,2\n"y,2,3\nz,4,5\n', "begins on line 3: a quotation mark has no partner"),
    "a stray quote": (b'name,a,b\n"x"y,1,2\n', "line 2"),
    "a huge number": (b"name,a,b\nx,1,1e101\n", "'1e101' is too large"),
    "a number beyond all": (b"name,a,b\nx,1,1e999\n", "is too large"),
    "a very long number": (b"name,a,b\nx,1," + b"9" * 500 + b"\n", "is not a number"),
    "a very long name": (b"name,a,b\n" + b"x" * 500 + b",1,2\n", "line 2, the name has 500 letters"),
    "many columns": (WIDE.encode(), "there are 51 number columns: at most 50"),
    "many rows": (LONG.encode(), "line 2002: there are more than 2,000 items"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_said_plainly_with_its_place(fault):
    data, said = FAULTS[fault]
    with pytest.raises(ValueError, match=r".") as refusal:
        read_csv(data, "t")
    assert said in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert str(refusal.value).isprintable()


def test_a_file_of_100_megabytes_is_refused_unread():
    data = bytes(100_000_000)
    tracemalloc.start()
    with pytest.raises(ValueError, match="100,000,000 bytes: at most 1,000,000"):
        read_csv(data, "t")
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    ["," * MOST_BYTES, "\n" * MOST_BYTES, "a,b,c\n" + '"' * (MOST_BYTES - 6), "a,b,c\n" + "x" * (MOST_BYTES - 6),
     "a,b,c\n" + "\n" * 19_000, "ab," * (MOST_BYTES // 3), "a,b,c\nx,1," + "9" * (MOST_BYTES - 10),
     "=" * MOST_BYTES, "é" * (MOST_BYTES // 2)],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_the_worst_megabyte_takes_little_time_and_memory(text):
    start = time.process_time()
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"."):
        read_csv(text.encode(), "t")
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.process_time() - start < 5
    assert memory < 60e6


def test_the_largest_table_is_read_and_the_widest_one_has_fifty_features():
    rng = np.random.default_rng(0)
    rows = [f"item {n}," + ",".join(f"{v:.3f}" for v in rng.normal(size=50)) for n in range(2000)]
    found = read_csv((WIDE.replace(",c50", "") + "\n".join(rows)).encode(), "t")
    assert found.values.shape == (2000, 50)
    assert found.most_features == 50
    assert found.embedding(50).items.shape == (2000, 50)
    assert "<text" in found.draw(0)


def test_numbers_of_any_size_are_standardised():
    text = "name,a,b,c\n" + "".join(f"i{n},{n}e99,{n * n}e-300,{1e15 + n % 3}\n" for n in range(1, 9))
    found = read_csv(text.encode(), "t")
    items = found.embedding(found.most_features).items
    assert np.isfinite(items).all()
    np.testing.assert_allclose(found.standard.of(found.values).std(0), 1, rtol=1e-6)


def test_names_are_text_and_never_markup():
    name = '<script>alert("1")</script>&amp;'
    text = f'name,<b>a</b>,b\n"{name.replace(chr(34), chr(34) * 2)}",1,2\ny\u202e,2,1\nz,3,7\n'
    found = read_csv(text.encode(), "<i>t</i>")
    assert found.names == (name, "y", "z")
    for row in range(3):
        root = ElementTree.fromstring(found.draw(row))
        assert {node.tag.rpartition("}")[2] for node in root.iter()} == {"svg", "title", "g", "rect", "text"}
        assert root[0].text == found.describe(row)
    assert "<script" not in found.draw(0)


@pytest.mark.parametrize(("name", "said"), [("", "your items"), ("\0\n", "your items"), ("a\u202eb\n c", "a b c")])
def test_a_catalogues_name_can_be_shown(name, said):
    assert read_csv(GOOD.encode(), name).words == said
    assert len(read_csv(GOOD.encode(), "x" * 500).name) == 80


def taken_or_refused(data: bytes) -> None:
    """It is a catalogue that can be used, or a ValueError."""
    try:
        found = read_csv(data, "t")
    except ValueError:
        return
    assert isinstance(found, Catalogue)
    assert found.most_features >= 2
    assert np.isfinite(found.embedding(2).items).all()
    for row in range(min(3, len(found.names))):
        ElementTree.fromstring(found.draw(row))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_taken_or_refused(data):
    taken_or_refused(data)


CELL = st.one_of(
    st.integers(-5, 5).map(str), st.floats().map(repr), st.text(max_size=5), st.sampled_from(["", "1e100", "=1", '"'])
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=3, max_size=6), st.sampled_from(",;\t"))
def test_any_cells_are_taken_or_refused(rows, separator):
    taken_or_refused("\n".join(separator.join(row) for row in [["name", "a", "b"], *rows]).encode("utf-8", "replace"))


NUMBER = st.floats(-1e100, 1e100).map(repr)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=3, max_size=8))
def test_any_numbers_are_taken_or_refused(rows):
    taken_or_refused("\n".join(["n,a,b,c", *(f"i{i}," + ",".join(row) for i, row in enumerate(rows))]).encode())
