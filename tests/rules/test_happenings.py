"""Trigger events: what scripts may say is what the game notices."""

from __future__ import annotations

import inspect
import re
import typing

from cascade_es.rules import happenings
from cascade_es.rules.combat import happened
from cascade_es.values.script.abilities import Happens

BY_OTHER_MEANS = {"state", "done"}
"""A state is looked at, not told of (603.8); "when you do" is created by its resolution (603.12)."""


def test_every_word_for_a_trigger_event_is_something_that_happens() -> None:
    """A script that waits for a word of the language does not wait in vain."""
    text = inspect.getsource(happenings) + inspect.getsource(happened)
    spoken = set(re.findall(r'"([a-z ]+)"', text))

    assert set(typing.get_args(Happens)) - spoken == BY_OTHER_MEANS
