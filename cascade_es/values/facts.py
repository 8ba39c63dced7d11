"""Facts that may be sealed: a value in clear, or a commitment to it.

Hidden information is in the log from the first event on, but only as a commitment; whoever may
know the value is given its opening beside the chain.  So one chain serves every viewer, and a view
merely lacks openings.  Everything that can be secret is therefore a :class:`Fact`, in events and in
the state alike, and every function downstream must live with a fact whose value it does not have.
"""

from __future__ import annotations

import hmac
import struct
from hashlib import sha256
from typing import Any, Final

import msgpack
import msgspec

from cascade_es.errors import InputError

EVERYONE: Final = -1
"""The audience of a public fact: all seats, written as all bits set."""

PUBLIC: Final = -1
"""The viewer who is nobody in particular: only what everybody may know is open to the public."""

SALT_BYTES: Final = 16

MAX_VALUE_DEPTH: Final = 16
"""The most tuples inside one another in the value of a fact; with what is around it, less than 32."""

SCALARS: Final = frozenset({str, int, bool, bytes, type(None)})
"""The types of what is no tuple and no card."""

_PLACE = struct.Struct(">QQ").pack


def sees(audience: int, viewer: int) -> bool:
    """Whether a viewer (a seat, or :data:`PUBLIC`) is among an audience (a bit mask of seats).

    All seats of a game are an audience that the public does not belong to; :data:`EVERYONE` is more.

    >>> [sees(0b10, viewer) for viewer in (0, 1, PUBLIC)], sees(EVERYONE, PUBLIC)
    ([False, True, False], True)
    """
    return audience == EVERYONE or (viewer >= 0 and bool(audience >> viewer & 1))


class CardRef(msgspec.Struct, frozen=True, array_like=True, order=True):
    """Which card an object is: its name, and the digest of the definition it is played with.

    The digest pins the definition, so that an old log never replays with a newer text.
    """

    name: str
    digest: bytes


def wire(value: Any, depth: int = 0) -> Any:
    """The value of a fact as it is written: a card is the pair of its name and digest.

    Raises:
        InputError: when it is nested deeper than :data:`MAX_VALUE_DEPTH`, or holds anything but text,
            whole numbers, yes and no, bytes, None, cards, and tuples of these; or a pair of text and bytes,
            which is how a card is written.

    >>> wire((CardRef("Forest", b"d"), 1))
    (('Forest', b'd'), 1)
    >>> wire(0.5)
    Traceback (most recent call last):
    cascade_es.errors.InputError: the value of a fact cannot hold a float; use tuples of text, whole \
numbers and bytes
    """
    kind = type(value)
    if kind is tuple:
        if is_wire(value, depth):
            return value
        if depth == MAX_VALUE_DEPTH:
            raise InputError(f"the value of a fact is nested deeper than {MAX_VALUE_DEPTH}; flatten it")
        if len(value) == 2 and type(value[1]) is bytes and type(value[0]) is str:
            raise InputError("a pair of text and bytes is read as a card; make it a CardRef")
        return tuple([item if type(item) in SCALARS else wire(item, depth + 1) for item in value])
    if kind is CardRef and type(value.name) is str and type(value.digest) is bytes:
        if depth == MAX_VALUE_DEPTH:  # it is written as a tuple
            raise InputError(f"the value of a fact is nested deeper than {MAX_VALUE_DEPTH}; flatten it")
        return (value.name, value.digest)
    if kind not in SCALARS:
        what = f"the value of a fact cannot hold a {kind.__name__}"
        raise InputError(f"{what}; use tuples of text, whole numbers and bytes")
    return value


def is_wire(value: Any, depth: int = 0) -> bool:
    """Whether a value is written as it is and reads as it is, which most are: nothing is made anew."""
    if type(value) is not tuple or depth == MAX_VALUE_DEPTH:
        return False
    if not SCALARS.issuperset(map(type, value)):
        for item in value:
            if type(item) not in SCALARS and not is_wire(item, depth + 1):
                return False
    return len(value) != 2 or type(value[1]) is not bytes or type(value[0]) is not str


def pack_value(value: Any) -> bytes:
    """The bytes that a commitment covers.

    Raises:
        InputError: as :func:`wire`; and for a number of more than 64 bits, or text with half a character.

    >>> pack_value(1 << 64)
    Traceback (most recent call last):
    cascade_es.errors.InputError: the value of a fact cannot be written: Integer value out of range; use \
numbers of 64 bits and whole characters
    """
    written = wire(value)
    try:
        packed: bytes = msgpack.packb(written, use_bin_type=True)
    except (OverflowError, ValueError) as error:
        what = f"the value of a fact cannot be written: {error}"
        raise InputError(f"{what}; use numbers of 64 bits and whole characters") from None
    return packed


class Fact:
    """A value that is public, sealed and known to us, or sealed and unknown to us.

    ``audience`` is a bit mask of the seats that may know it (:data:`EVERYONE` for a public one).
    Its value is a text, a whole number, yes or no, bytes, None, a card, or a tuple of these: whoever makes a
    fact of anything else is told, not whoever records it.  (That a number in clear has more than 64 bits, or
    a text half a character, is only told when it is recorded.)
    A sealed fact has the place of its commitment in the log (``frame``, and ``ordinal`` within that
    frame) and the 32 bytes of ``commitment``; its ``value`` is None where we have no opening.
    Two sealed facts are equal when their commitments are: knowing more does not make a fact another.

    >>> Fact.public(("Forest", 1))
    Fact(public ('Forest', 1))
    >>> Fact(3, 0, 1, bytes(32))
    Fact(sealed 3.0 for 1)
    """

    __slots__ = ("audience", "commitment", "frame", "ordinal", "value")

    def __init__(self, frame: int, ordinal: int, audience: int, commitment: bytes, value: Any = None) -> None:
        if not commitment and type(value) not in SCALARS and not is_wire(value):
            wire(value)
        self.frame = frame
        self.ordinal = ordinal
        self.audience = audience
        self.commitment = commitment
        self.value = value

    @classmethod
    def public(cls, value: Any) -> Fact:
        """A fact in clear.

        Raises:
            InputError: when no fact can hold this value; see :func:`wire`.
        """
        return cls(-1, -1, EVERYONE, b"", value)

    @classmethod
    def read(cls, value: Any) -> Fact:
        """A fact in clear from a log, whose reader has checked the value."""
        self = cls(-1, -1, EVERYONE, b"")
        self.value = value
        return self

    @property
    def sealed(self) -> bool:
        """Whether the log holds a commitment in place of the value."""
        return bool(self.commitment)

    @property
    def known(self) -> bool:
        """Whether we have the value."""
        return self.value is not None

    @property
    def key(self) -> Any:
        """What every viewer sees of it: the value in clear, or the commitment."""
        return self.commitment or wire(self.value)

    def shown_to(self, seats: int) -> Fact:
        """The same fact, as more seats come to know it; its commitment stays, so nobody can swap it."""
        if self.audience | seats == self.audience:
            return self
        return Fact(self.frame, self.ordinal, self.audience | seats, self.commitment, self.value)

    def seen_by(self, viewer: int) -> Fact:
        """The fact as a viewer has it: without its value where the audience does not include them."""
        if not self.commitment or self.value is None or sees(self.audience, viewer):
            return self
        return Fact(self.frame, self.ordinal, self.audience, self.commitment)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fact):
            return NotImplemented
        if self.commitment or other.commitment:
            return self.commitment == other.commitment
        return bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash(self.commitment or self.value)

    def __repr__(self) -> str:
        if not self.sealed:
            return f"Fact(public {self.value!r})"
        shown = f" = {self.value!r}" if self.known else ""
        return f"Fact(sealed {self.frame}.{self.ordinal} for {self.audience}{shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Fact, (self.frame, self.ordinal, self.audience, self.commitment, self.value))


NOTHING: Final = Fact.public(())
"""The empty public fact."""


class Opening(msgspec.Struct, frozen=True, array_like=True):
    """What turns a commitment into a value: its place, the salt, and the committed bytes."""

    frame: int
    ordinal: int
    salt: bytes
    content: bytes


class Secrets(msgspec.Struct, frozen=True):
    """What only the recorder of a game has: a draw seed and a blinding key, both for one log.

    Everything hidden in a log follows from them, so the same decisions give the same bytes.
    ``log_id`` is public; it is here because every commitment and draw is bound to it.
    """

    log_id: bytes
    seed: bytes
    key: bytes

    def salt(self, frame: int, ordinal: int) -> bytes:
        """The 16 salt bytes of the commitment at this place."""
        place = b"salt" + self.log_id + frame.to_bytes(8, "big") + ordinal.to_bytes(8, "big")
        return hmac.digest(self.key, place, "sha256")[:SALT_BYTES]

    def seal(self, frame: int, ordinal: int, value: Any, audience: int) -> Fact:
        """Commit to a value at this place."""
        return self.commit(frame, ordinal, value, audience)[0]

    def commit(self, frame: int, ordinal: int, value: Any, audience: int) -> tuple[Fact, Opening]:
        """Commit to a value at this place: the sealed fact, and the opening that goes with it.

        Raises:
            InputError: for what no fact can hold; see :func:`wire`.
            ValueError: for None, which could not be told from a value that is not known.
        """
        if value is None:
            raise ValueError("nothing cannot be sealed")
        content = pack_value(value)
        salt = self.salt(frame, ordinal)
        mark = commitment(self.log_id, frame, ordinal, salt, content)
        return Fact(frame, ordinal, audience, mark, value), Opening(frame, ordinal, salt, content)

    def opening(self, fact: Fact) -> Opening:
        """The opening of a fact sealed with these secrets."""
        return Opening(fact.frame, fact.ordinal, self.salt(fact.frame, fact.ordinal), pack_value(fact.value))

    def draw_key(self, purpose: str, player: int, ordinal: int, contributions: Contributions = ()) -> bytes:
        """The 32 bytes from which one random order follows: HMAC-SHA-256(seed, what the draw is for).

        Each draw has a key of its own, so that one can be disclosed without the others.  With
        contributions of the seats the seed is first mixed with them: HMAC-SHA-256(seed, label ‖ seat ‖
        length ‖ value of each).  The recorder has committed to its seed before it saw them, and they
        did not know it, so nobody chose the outcome.

        >>> random_order(Secrets(b"log", b"seed", b"key").draw_key("shuffle", 0, 0), 5)
        (4, 0, 2, 3, 1)
        """
        seed = self.seed
        if contributions:
            mixed = b"".join(
                seat.to_bytes(8, "big") + len(value).to_bytes(8, "big") + value
                for seat, value in contributions
            )
            seed = hmac.digest(seed, b"cascade-es contributions\x00" + mixed, "sha256")
        label = f"cascade-es draw\x00{purpose}\x00{player}\x00{ordinal}"
        return hmac.digest(seed, label.encode(), "sha256")

    def mix(self, first: int, size: int) -> tuple[int, ...]:
        """An order that hides which handle is which; it decides nothing in the game."""
        return random_order(hmac.digest(self.key, f"cascade-es mix\x00{first}".encode(), "sha256"), size)


Contributions = tuple[tuple[int, bytes], ...]
"""What seats have added to the seed: seat and value, in the order in which they did."""


def random_order(key: bytes, size: int) -> tuple[int, ...]:
    """A uniformly random permutation of ``range(size)`` that follows from a key.

    Fisher–Yates from the last place down.  The numbers are the first eight bytes of HMAC-SHA-256(key,
    counter), big-endian, the counter in eight bytes from 0 on; a number at or above the last whole
    multiple of the bound is thrown away, so that no order is favoured.
    """
    order = list(range(size))
    counter = 0
    for last in range(size - 1, 0, -1):
        bound = last + 1
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            value = int.from_bytes(hmac.digest(key, counter.to_bytes(8, "big"), "sha256")[:8], "big")
            counter += 1
            if value < limit:
                break
        chosen = value % bound
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def commitment(log_id: bytes, frame: int, ordinal: int, salt: bytes, content: bytes) -> bytes:
    """SHA-256(label ‖ log id ‖ frame ‖ ordinal ‖ salt ‖ value bytes); all but the last of fixed length."""
    return sha256(b"cascade-es fact\x00" + log_id + _PLACE(frame, ordinal) + salt + content).digest()
