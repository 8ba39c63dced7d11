"""The examples in the docstrings of the package do what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import cascade_es

MODULES = sorted(
    info.name
    for info in pkgutil.walk_packages(cascade_es.__path__, "cascade_es.")
    if not info.name.endswith("__main__")
)


@pytest.mark.parametrize("name", ["cascade_es", *MODULES])
def test_docstrings_show_what_happens(name: str) -> None:
    """Every example in a module's docstrings gives the output written below it."""
    module = importlib.import_module(name)

    result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)

    assert result.failed == 0


def test_the_main_words_have_examples() -> None:
    """What a newcomer meets first is shown by example."""
    found = [case.name for case in doctest.DocTestFinder().find(cascade_es.Game) if case.examples]

    assert found
