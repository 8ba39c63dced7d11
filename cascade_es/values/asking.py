"""What the state says of a choice in the middle of a step (616.1, 614.12)."""

from __future__ import annotations

from typing import Final

from cascade_es.values.facts import NOTHING, Fact
from cascade_es.values.record import Record

UNTOLD: Final = (0, 0, ())


class AskingData(Record, frozen=True):
    """A choice in the middle of a step: who makes it, among what, and how many.

    ``sort`` is the kind of prompt ("choose", "option", "order", "yes-no"); what is chosen from are
    ``objects``, or else ``words``.  Where it is from hidden cards, ``secret`` has the bounds and the objects
    (``(least, most, objects)``) for the chooser alone: which cards would do, and how many, is nobody else's
    business.  A yes needs such an object.  ``rule`` is the rule by which it is asked.
    """

    player: int
    sort: str
    question: str
    objects: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    least: int = 1
    most: int = 1
    secret: Fact = NOTHING
    rule: str = "replace.choose"

    @property
    def among(self) -> tuple[int, ...]:
        """The objects to choose from, as far as they are known."""
        return self.objects if self.secret == NOTHING else (self.secret.value or UNTOLD)[2]

    @property
    def bounds(self) -> tuple[int, int]:
        """How many at least and at most."""
        return (self.least, self.most) if self.secret == NOTHING else (self.secret.value or UNTOLD)[:2]
