"""The data of the editions: effective dates, what a concept is numbered when, behaviour switches.

Every rule number and every date of the package stands in this file and nowhere else.

How to read the sources in the comments:

* ``CR yyyy-mm-dd``: read in the Comprehensive Rules text of that effective date.
* ``[U]``: inferred from neighbouring editions (a section inserted before it, a keyword that came
  in alphabetically); used, but nobody has seen it printed.
* No full text between 2009-07 and 2014-12 could be read.  Whatever is dated there is ``[U]`` as
  soon as it differs from CR 2015-01-23, except where a comment says it is known.
"""

from __future__ import annotations

from typing import Final

NONE: Final = "–"
"""The number of a concept that an edition does not number."""

# --- Editions -----------------------------------------------------------------------------------
# (effective date, set code, name), ascending.  The code is the set the edition came out for; it is
# only a handle for finding the edition, so it may be empty (an edition between two sets).
#
# The stored texts are stamped in their file names, sometimes some days off.  The effective day
# counts where it is known: 2021-04-22 (stamped 04-19) and 2024-02-02 (02-06) were read in a text;
# 2021-02-05 (02-02), 2021-02-15 (02-24) and 2021-07-23 (07-12) are from announcements and notes;
# 2024-04-05 was read in a text taken to be the one stamped 04-10 [U].
# "stamp": only the stamp is known.
EDITION_ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    ("2009-05-01", "ARB", "Alara Reborn"),
    ("2009-07-10", "M10", "Magic 2010"),
    ("2010-04-23", "ROE", "Rise of the Eldrazi"),
    ("2014-02-01", "BNG", "Born of the Gods"),
    ("2015-01-23", "FRF", "Fate Reforged"),
    ("2015-07-17", "ORI", "Magic Origins"),
    ("2016-07-22", "EMN", "Eldritch Moon"),
    ("2016-08-26", "CN2", "Conspiracy: Take the Crown"),
    ("2016-09-30", "KLD", "Kaladesh"),
    ("2016-11-11", "C16", "Commander 2016"),
    ("2017-01-19", "AER", "Aether Revolt"),  # stamp
    ("2017-04-28", "AKH", "Amonkhet"),
    ("2017-06-05", "", "update of June 2017"),  # stamp
    ("2017-08-25", "C17", "Commander 2017"),
    ("2017-09-25", "XLN", "Ixalan"),  # stamp
    ("2018-04-27", "DOM", "Dominaria"),
    ("2018-06-08", "BBD", "Battlebond"),
    ("2018-07-13", "M19", "Core Set 2019"),
    ("2018-08-10", "C18", "Commander 2018"),
    ("2018-10-05", "GRN", "Guilds of Ravnica"),
    ("2019-01-25", "RNA", "Ravnica Allegiance"),
    ("2019-07-12", "M20", "Core Set 2020"),
    ("2019-08-23", "C19", "Commander 2019"),
    ("2019-10-04", "ELD", "Throne of Eldraine"),
    ("2020-01-22", "THB", "Theros Beyond Death"),  # stamp
    ("2020-04-17", "IKO", "Ikoria: Lair of Behemoths"),
    ("2020-07-03", "M21", "Core Set 2021"),
    ("2020-08-07", "2XM", "Double Masters"),
    ("2020-09-25", "ZNR", "Zendikar Rising"),
    ("2020-11-20", "CMR", "Commander Legends"),
    ("2021-02-05", "KHM", "Kaldheim"),
    ("2021-02-15", "", "update of February 2021"),
    ("2021-04-22", "STX", "Strixhaven: School of Mages"),
    ("2021-06-09", "MH2", "Modern Horizons 2"),  # stamp
    ("2021-07-23", "AFR", "Adventures in the Forgotten Realms"),
    ("2021-09-24", "MID", "Innistrad: Midnight Hunt"),
    ("2021-11-15", "VOW", "Innistrad: Crimson Vow"),  # stamp
    ("2022-02-18", "NEO", "Kamigawa: Neon Dynasty"),
    ("2022-04-29", "SNC", "Streets of New Capenna"),
    ("2022-06-10", "CLB", "Commander Legends: Battle for Baldur’s Gate"),
    ("2022-07-08", "2X2", "Double Masters 2022"),
    ("2022-10-07", "UNF", "Unfinity"),
    ("2022-11-18", "BRO", "The Brothers’ War"),
    ("2023-02-03", "ONE", "Phyrexia: All Will Be One"),
    ("2023-04-14", "MOM", "March of the Machine"),
    ("2023-06-16", "LTR", "The Lord of the Rings"),
    ("2023-09-01", "WOE", "Wilds of Eldraine"),
    ("2023-10-13", "WHO", "Doctor Who"),
    ("2023-11-17", "LCI", "The Lost Caverns of Ixalan"),
    ("2024-02-02", "MKM", "Murders at Karlov Manor"),
    ("2024-03-08", "PIP", "Fallout"),
    ("2024-04-05", "OTJ", "Outlaws of Thunder Junction"),
    ("2024-06-07", "MH3", "Modern Horizons 3"),  # stamp
    ("2024-08-02", "BLB", "Bloomburrow"),
    ("2024-09-17", "DSK", "Duskmourn: House of Horror"),  # stamp
    ("2024-11-08", "FDN", "Foundations"),
    ("2025-02-07", "DFT", "Aetherdrift"),  # stamp
    ("2025-04-04", "TDM", "Tarkir: Dragonstorm"),
    ("2025-06-06", "FIN", "Final Fantasy"),
    ("2025-07-25", "EOE", "Edge of Eternities"),
    ("2025-09-19", "SPM", "Spider-Man"),  # stamp
    ("2025-11-14", "TLA", "Avatar: The Last Airbender"),  # stamp
    ("2026-01-16", "ECL", "Lorwyn Eclipsed"),
    ("2026-02-27", "TMT", "Teenage Mutant Ninja Turtles"),
    ("2026-04-17", "SOS", "Secrets of Strixhaven"),
    ("2026-06-19", "MSH", "Marvel Super Heroes"),
    ("2026-08-07", "HOB", "The Hobbit"),
)

# --- Moments at which numbers moved -----------------------------------------------------------
# Some have no edition above (their text could not be read); the day then only has to lie between
# its neighbours.
_ARB: Final = "2009-05-01"  # the last edition of the old document: 4xx turn and timing, 5xx keywords
_M10: Final = "2009-07-10"  # the whole document renumbered
_ROE: Final = "2010-04-23"  # section on levelers
_M11: Final = "2010-07-16"  # emblems: sections 1xx behind them move up one
_NPH: Final = "2011-05-13"  # section on restarting the game
_M12: Final = "2011-07-15"  # hexproof: 702.11
_ISD: Final = "2011-09-30"  # double-faced cards; fight joins 701
_M14: Final = "2013-07-19"  # indestructible: 702.12
_FRF: Final = "2015-01-23"
_ORI: Final = "2015-07-17"  # the legality check becomes 601.2e
_KLD: Final = "2016-09-30"  # create and scry join the alphabetical part of 701
_XLN: Final = "2017-09-25"  # planeswalker uniqueness rule removed: letters of 704.5 move down one
_DOM: Final = "2018-04-27"  # "any target" inserted among the target rules
_BBD: Final = "2018-06-08"  # double joins 701
_M20: Final = "2019-07-12"  # tokens: sections 1xx behind them move up one
_IKO: Final = "2020-04-17"  # mutate; permanent spells resolve in lettered steps
_M21: Final = "2020-07-03"  # mill joins 701
_ZNR: Final = "2020-09-25"  # copies of permanent spells become tokens
_CMR: Final = "2020-11-20"
_STX: Final = "2021-04-22"  # ward: keywords behind it move up one
_AFR: Final = "2021-07-23"  # dice: 706; sections behind it move up one
_MID: Final = "2021-09-24"  # day and night
_CLB: Final = "2022-06-10"  # 601.4
_LCI: Final = "2023-11-17"
_FDN: Final = "2024-11-08"  # the order of combat damage assignment removed
_FIN: Final = "2025-06-06"  # behold, triple, goad, investigate join the alphabetical part of 701
_SOS: Final = "2026-04-17"
_MSH: Final = "2026-06-19"  # 601.5

Numbers = tuple[tuple[str, str], ...]


def _always(number: str) -> Numbers:
    """One number since the document was renumbered in 2009-07."""
    return ((_M10, number),)


def _moved(base: int, tail: str, *, old: str = "") -> Numbers:
    """A rule of the 1xx sections behind emblems and tokens: ``base`` is its section today.

    CR 2015-01-23 (contents) and CR 2026-08-07.  For 2009-07 only the section on costs is known to
    have been two lower; its neighbours moved with it [U].
    """
    older: Numbers = ((_ARB, old),) if old else ()
    return (
        *older,
        (_M10, f"{base - 2}.{tail}"),
        (_M11, f"{base - 1}.{tail}"),
        (_M20, f"{base}.{tail}"),
    )


def _action(m10: int, frf: int, kld: int, bbd: int, m21: int, fin: int) -> Numbers:
    """A keyword action of the alphabetical part of 701.

    The number of *shuffle* is known for each step (CR 2015-01-23, 2016-09-30, 2018-06-08,
    2020-11-20, 2025-06-06) and that of *regenerate* for CR 2015-01-23; the others follow from
    the alphabet [U] until CR 2026-08-07, where all but *tap* were read.
    """
    return (
        (_M10, f"701.{m10}a"),
        (_ISD, f"701.{frf}a"),
        (_KLD, f"701.{kld}a"),
        (_BBD, f"701.{bbd}a"),
        (_M21, f"701.{m21}a"),
        (_FIN, f"701.{fin}a"),
    )


def _cast(old: str, m10: str, ori: str) -> Numbers:
    """A step of casting: its letter in 409.1, in 601.2 up to 2015-07, and in 601.2 since."""
    return ((_ARB, f"409.1{old}"), (_M10, f"601.2{m10}"), (_ORI, f"601.2{ori}"))


def _illegal(tail: str) -> Numbers:
    """A rule of the section on illegal actions, which moves with nearly every section inserted."""
    return (
        (_ARB, f"422.{tail}"),
        (_M10, f"714.{tail}"),  # known: 713 was shortcuts
        (_ROE, f"715.{tail}"),  # [U]
        (_NPH, f"716.{tail}"),  # [U]
        (_ISD, f"717.{tail}"),  # [U] until 2014-02-01, where it is known
        ("2016-07-22", f"719.{tail}"),
        ("2016-08-26", f"720.{tail}"),
        (_DOM, f"721.{tail}"),
        ("2019-10-04", f"722.{tail}"),
        (_IKO, f"723.{tail}"),
        (_AFR, f"725.{tail}"),
        (_MID, f"726.{tail}"),
        (_CLB, f"727.{tail}"),
        ("2022-10-07", f"728.{tail}"),
        ("2022-11-18", f"729.{tail}"),
        ("2023-04-14", f"728.{tail}"),  # down: meld became part of double-faced cards
        ("2024-02-02", f"729.{tail}"),
        ("2024-03-08", f"730.{tail}"),
        ("2025-04-04", f"731.{tail}"),
        ("2025-07-25", f"732.{tail}"),
        (_SOS, f"733.{tail}"),
    )


def _keyword(number: int) -> Numbers:
    """A keyword ability behind the evergreen ones: three came in before it, as with split second [U]."""
    return (
        (_M10, f"702.{number - 3}a"),
        (_M12, f"702.{number - 2}a"),
        (_M14, f"702.{number - 1}a"),
        (_STX, f"702.{number}a"),
    )


# --- Concepts -----------------------------------------------------------------------------------
# (concept, ((since, number), …)) with the dates ascending.
# Of 2009-05-01 only casting (409), priority (408), costs (424), illegal actions (422) and cascade
# (502.85) are known; where only the section is known, the section is the number.
CONCEPT_ROWS: Final[tuple[tuple[str, Numbers], ...]] = (
    # The game and its turns
    ("game.begin", _always("103.1")),
    ("turn.begin", _always("500.1")),
    ("step.begin", _always("500.1")),
    ("turn.untap", ((_M10, "502.2"), (_MID, "502.3"))),  # day/night became 502.2; the moment is [U]
    ("turn.draw", _always("504.1")),
    ("turn.discard", _always("514.1")),
    ("turn.cleanup", _always("514.2")),
    # CR 2015-01-23 500.4, CR 2026-08-07 500.5.  The edition in which it moved is [U]: the newest
    # that can be told apart is taken, so older games keep the older number.
    ("mana.empty", ((_M10, "500.4"), ("2026-08-07", "500.5"))),
    ("concede", _always("104.3a")),
    ("lose", _always("104.3")),
    ("win", _always("104.2a")),
    # Priority and state-based actions
    ("priority.give", _moved(117, "3a", old="408")),
    ("priority.after-resolution", _moved(117, "3b", old="408")),
    ("priority.again", _moved(117, "3c", old="408")),
    ("priority.pass", _moved(117, "3d", old="408")),
    ("priority.all-passed", _moved(117, "4", old="408")),
    ("priority.before", _moved(117, "5", old="408")),
    ("sba", _always("704.3")),
    ("sba.life", _always("704.5a")),
    ("sba.draw", _always("704.5b")),
    ("sba.poison", _always("704.5c")),
    ("sba.token", _always("704.5d")),
    ("sba.copy", _always("704.5e")),
    ("sba.toughness", _always("704.5f")),
    ("sba.damage", _always("704.5g")),
    ("sba.deathtouch", _always("704.5h")),
    ("sba.loyalty", _always("704.5i")),
    # CR 2015-01-23 has k, n, r behind the planeswalker uniqueness rule (then j).
    ("sba.legend", ((_M10, "704.5k"), (_XLN, "704.5j"))),
    ("sba.uniqueness", ((_M10, "704.5j"), (_XLN, NONE))),
    ("sba.world", ((_M10, "704.5m"), (_XLN, "704.5k"))),
    ("sba.aura", ((_M10, "704.5n"), (_XLN, "704.5m"))),
    ("sba.equipment", ((_M10, "704.5p"), (_XLN, "704.5n"))),
    ("sba.attached", ((_M10, "704.5q"), (_XLN, "704.5p"))),
    ("sba.counters", ((_M10, "704.5r"), (_XLN, "704.5q"))),
    ("sba.saga", ((_DOM, "704.5s"),)),  # [U] before 2026-08-07
    ("saga", ((_DOM, "714.3"),)),
    ("sba.battle", (("2023-04-14", "704.5v"),)),  # [U] before 2026-08-07
    ("enters.aura", _always("303.4f")),
    ("enters.loyalty", _always("306.5b")),
    # Lands and special actions
    ("land.play", _always("305.1")),
    ("land.limit", _always("305.2")),
    ("action.special", _moved(116, "2a")),
    # Casting
    ("cast", ((_ARB, "409.1"), (_M10, "601.2"))),
    ("cast.announce", _cast("a", "a", "a")),
    ("cast.modes", _cast("b", "b", "b")),
    ("cast.costs", _cast("b", "b", "b")),
    ("cast.targets", _cast("c", "c", "c")),
    ("cast.divide", _cast("d", "d", "d")),
    ("cast.check", ((_ORI, "601.2e"),)),
    ("cast.total", _cast("f", "e", "f")),
    ("cast.mana", _cast("g", "f", "g")),
    ("cast.pay", _cast("h", "g", "h")),
    ("cast.done", _cast("i", "h", "i")),
    # 2015-07 to 2018-06 the check is 601.2e alone; what stayed at the beginning is in 601.2 [U].
    ("cast.permission", ((_ARB, "409.4"), (_M10, "601.5"), (_ORI, "601.2"), (_BBD, "601.3"))),
    ("cast.lookahead", ((_CLB, "601.4"),)),
    ("cast.lookahead-payment", ((_MSH, "601.5"),)),
    # The rule was .4, then .5, then .6; that .4 is as old as 601.3a is [U].
    ("cast.permission-lost", ((_BBD, "601.4"), (_CLB, "601.5"), (_MSH, "601.6"))),
    ("cast.timing", _moved(117, "1a", old="408")),
    ("cast.instant-timing", _moved(117, "1a", old="408")),
    ("cast.no-cost", _moved(118, "6", old="424")),
    ("cost.resources", _moved(118, "3", old="424")),
    ("cost.partial", _cast("h", "g", "h")),
    ("cost.additional", _moved(118, "8", old="424")),  # 2009-07: 116.8 is known
    ("cost.alternative", _moved(118, "9", old="424")),  # 2009-07: 116.9 is known
    ("cost.x-zero", _always("107.3b")),
    # Activating (one procedure with casting until 2009-07)
    ("activate", ((_ARB, "409.1"), (_M10, "602.2"))),
    ("activate.announce", ((_ARB, "409.1a"), (_M10, "602.2a"))),
    ("activate.permission", ((_ARB, "409.4"), (_M10, "602.5"))),
    ("activate.sick", _always("602.5a")),  # 302.6 says the same of creatures
    ("mana-ability", _always("605.3")),
    ("mana-ability.resolve", _always("605.3b")),
    ("mana-ability.triggered", _always("605.4")),
    # Targets
    ("target.same", _moved(115, "3")),
    # "Any target" became .4 in 2018-04; before that a spell's not targeting itself was .4 [U].
    ("target.self", ((_M10, "113.4"), (_M11, "114.4"), (_DOM, "114.5"), (_M20, "115.5"))),
    # Triggers
    ("trigger.occurs", _always("603.2")),
    ("trigger.stack", _always("603.3")),
    ("trigger.order", _always("603.3b")),
    ("trigger.targets", _always("603.3d")),
    ("trigger.if", _always("603.4")),
    ("trigger.delayed", _always("603.7")),
    ("trigger.state", _always("603.8")),
    ("trigger.reflexive", ((_M20, "603.12"),)),  # [U] before 2026-08-07; earlier such texts triggered alike
    ("loyalty", _always("606.3")),
    # Resolving
    ("resolve.begin", _always("608.1")),
    ("resolve.if", _always("608.2a")),
    ("resolve.targets", _always("608.2b")),
    ("resolve.follow", _always("608.2c")),
    ("resolve.choose", _always("608.2d")),
    ("resolve.each", ((_CMR, "608.2f"),)),  # [U]: one letter was inserted then
    ("resolve.pay", _moved(118, "12")),
    ("resolve.cast", ((_M10, "608.2f"), (_CMR, "608.2g"))),
    # Two letters were inserted before it: one in 2020-11, the look-back rule (i) later.  [U]
    ("resolve.leave", ((_M10, "608.2k"), (_CMR, "608.2m"), (_MID, "608.2n"))),
    ("resolve.permanent", _always("608.3")),
    ("resolve.aura", ((_M10, "608.3a"), (_IKO, "608.3c"))),  # [U] before 2026-08-07
    # Objects, zones, layers
    ("object.new", _always("400.7")),
    ("zone.order", _always("401.4")),
    ("layer", _always("613.1")),
    ("layer.control", _always("613.1b")),
    ("counter.keyword", _always("122.1b")),
    ("effect", _always("611.2")),
    ("effect.ends", _always("611.2a")),
    ("replace", _always("614.1")),
    ("replace.choose", _always("616.1")),
    ("replace.enters", _always("614.12")),
    ("prevent", _always("615.1")),
    ("adventure", (("2019-10-04", "715.3d"), (_AFR, "716.3d"), ("2023-04-14", "715.3d"))),
    ("omen", (("2025-04-04", "720.3d"),)),
    ("room", (("2024-09-17", "709.5"),)),
    ("room.unlock", (("2024-09-17", "709.5e"),)),
    ("face-down", ((_M10, "707.2"), (_AFR, "708.2"))),
    ("flip", ((_M10, "709.4"), (_AFR, "710.4"))),
    (
        "meld",
        (("2016-07-22", "701.36a"), ("2016-09-30", "701.37a"), ("2020-07-03", "701.42a")),
    ),  # [U] before 2026
    ("library.top", _always("401.5")),
    (
        "transform",
        ((_ISD, "701.25a"), (_KLD, "701.26a"), (_BBD, "701.27a"), (_M21, "701.28a"), (_FIN, "701.27a")),
    ),  # [U] between
    ("attach", _always("701.3a")),
    ("combat.attack", _always("508.1")),
    ("combat.block", _always("509.1")),
    ("combat.damage", _always("510.1")),
    ("combat.dealt", _always("510.2")),
    ("combat.end", _always("511.3")),
    ("combat.removed", _always("506.4")),
    # The letters of 508.1 and 509.1 are those of CR 2026; that they are as old as the chapter is [U].
    ("combat.attack.who", _always("508.1a")),
    ("combat.attack.what", _always("508.1b")),
    ("combat.attack.restricted", _always("508.1c")),
    ("combat.attack.required", _always("508.1d")),
    ("combat.attack.tap", _always("508.1f")),
    ("combat.attack.mana", _always("508.1i")),
    ("combat.attack.pay", _always("508.1j")),
    ("combat.attack.become", _always("508.1k")),
    ("combat.put", _always("508.4")),
    ("combat.block.who", _always("509.1a")),
    ("combat.block.restricted", _always("509.1b")),
    ("combat.block.required", _always("509.1c")),
    ("combat.block.mana", _always("509.1e")),
    ("combat.block.pay", _always("509.1f")),
    ("combat.block.become", _always("509.1g")),
    ("combat.order", ((_M10, "509.2"), (_FDN, NONE))),
    ("combat.assign", _always("510.1c")),
    ("combat.assign.blocker", _always("510.1d")),
    ("combat.assign.whole", _always("510.1e")),
    # 510.5 in the years before triggers and priority became one rule (510.3); when that was is [U].
    ("combat.again", ((_M10, "510.5"), (_DOM, "510.4"))),
    ("phase.extra", ((_M10, "500.8"),)),
    ("turn.extra", _always("500.7")),
    ("counter", ((_M10, "701.5a"), (_FIN, "701.6a"))),
    ("create", ((_KLD, "701.6a"), (_FIN, "701.7a"))),  # not a keyword action before 2016-09
    ("destroy", ((_M10, "701.6a"), (_KLD, "701.7a"), (_FIN, "701.8a"))),
    ("discard", ((_M10, "701.7a"), (_KLD, "701.8a"), (_FIN, "701.9a"))),
    ("exile", ((_M10, "701.9a"), (_KLD, "701.10a"), (_BBD, "701.11a"), (_FIN, "701.13a"))),
    ("mill", ((_M21, "701.13a"), (_FIN, "701.17a"))),  # not a keyword action before 2020-07
    ("regenerate", _action(11, 12, 13, 14, 15, 19)),
    ("reveal", _action(12, 13, 14, 15, 16, 20)),
    ("sacrifice", _action(13, 14, 15, 16, 17, 21)),
    ("search", _action(14, 15, 17, 18, 19, 23)),
    ("shuffle", _action(15, 16, 18, 19, 20, 24)),
    ("tap", _action(16, 17, 19, 20, 21, 26)),
    ("draw", _moved(121, "1")),
    ("draw.mid-cast", _moved(121, "8")),  # the .8 is [U] before 2020-04-17
    ("life", _moved(119, "3")),
    ("damage", _moved(120, "3")),
    # Keywords
    # 702.61 today; two keywords came in before it up to 2013-07 and a third in 2021-04, as splice
    # shows (702.44, 702.46, 702.47).  [U] before 2021-04-22
    (
        "split-second",
        ((_M10, "702.58a"), (_M12, "702.59a"), (_M14, "702.60a"), (_STX, "702.61a")),
    ),
    (
        "cascade",
        (
            (_ARB, "502.85a"),
            (_M10, "702.82a"),  # [U]; 2010-04-23 is known (annihilator was 702.83)
            (_M12, "702.83a"),
            (_M14, "702.84a"),  # [U]; 2014-02-01 is known
            (_STX, "702.85a"),
        ),
    ),
    ("aftermath", (("2017-04-28", "702.126a"), (_STX, "702.127a"))),
    ("fuse", (("2013-05-03", "702.101a"), ("2013-07-19", "702.102a"))),  # [U] before 2015-01-23
    ("cascade.as-you", ((_CMR, "702.84b"), (_STX, "702.85b"))),
    (
        "cascade.several",
        (
            (_ARB, "502.85b"),
            (_M10, "702.82b"),
            (_M12, "702.83b"),
            (_M14, "702.84b"),
            (_CMR, "702.84c"),
            (_STX, "702.85c"),
        ),
    ),
    ("discover", ((_LCI, "701.55a"), (_FIN, "701.57a"))),
    ("copy", ((_M10, "706.10"), (_AFR, "707.10"))),
    ("copy.targets", ((_M10, "706.10c"), (_AFR, "707.10c"))),
    ("copy.each", ((_M10, "706.10d"), (_AFR, "707.10d"))),  # the .10d is [U] before 2026
    ("copy.specified", ((_M10, "706.10e"), (_AFR, "707.10e"))),  # likewise
    ("copy.token", ((_ZNR, "706.10f"), (_AFR, "707.10f"))),
    ("copy.become", ((_M10, "706.2"), (_AFR, "707.2"))),
    # CR 2026-08-07 115.7; it was .6 before "any target" came in [U].
    ("target.change", ((_M10, "113.6"), (_M11, "114.6"), (_DOM, "114.7"), (_M20, "115.7"))),
    ("storm", _keyword(40)),
    ("replicate", _keyword(56)),
    ("gravestorm", _keyword(69)),
    ("conspire", _keyword(78)),
    ("persist", _keyword(79)),
    # Undying came in between hexproof and indestructible, prowess behind both [U] before 2015-01-23.
    ("undying", (("2012-02-03", "702.91a"), (_M14, "702.92a"), (_STX, "702.93a"))),
    ("prowess", (("2014-09-26", "702.107a"), (_STX, "702.108a"))),
    ("demonstrate", (("2021-04-22", "702.144a"),)),
    ("casualty", (("2022-04-29", "702.153a"),)),
    ("copy.cast", ((_M10, "706.12"), (_AFR, "707.12"))),  # the .12 is [U] before 2026
    # Reversal, and what is outside the Comprehensive Rules
    ("illegal", _illegal("1")),
    ("illegal.priority", _illegal("2")),
    ("backup", ((_ARB, "IPG 1.4"),)),  # Infraction Procedure Guide, not numbered by edition
    ("take-back", ((_ARB, "MTR 4.8"),)),  # Tournament Rules, likewise
    ("table", ((_ARB, NONE),)),  # an agreement at the table; no document numbers it
)

# --- Switches -----------------------------------------------------------------------------------
# (switch, since, meaning), ascending by date: in force from the edition of that date on.
SWITCH_ROWS: Final[tuple[tuple[str, str, str], ...]] = (
    # Until 2009-07 combat damage used the stack, which is not played here; it was assigned freely.
    ("damage-assignment-order", "2009-07-10", "attackers order their blockers, and damage follows the order"),
    ("legend-for-each-player", "2014-02-01", "each player keeps one legendary permanent of a name"),
    ("illegal-any-action", "2015-01-23", "any illegal action is reversed; reveals from a library stay"),
    ("legality-check", "2015-07-17", "the proposed spell is checked after division, before costs"),
    ("back-face-value", "2016-07-22", "the back of a nonmodal card has the mana value of its front"),
    ("split-combined", "2017-04-28", "off the stack a split card has its halves combined"),
    ("legendary-planeswalkers", "2017-09-25", "planeswalkers obey the legend rule, not one of their own"),
    ("does-not-resolve-wording", "2018-04-27", "with all targets illegal a spell is not countered"),
    ("prohibition-look-ahead", "2018-06-08", "a cast may begin if a choice can still make it allowed"),
    ("own-mana-abilities", "2018-07-13", "each player may reverse the mana abilities they activated"),
    ("permission-and-prohibition", "2019-10-04", "to begin a cast: something permits, nothing prohibits"),
    ("face-down-draws", "2020-04-17", "a card drawn mid-cast stays face down until cast or reversed"),
    ("permanent-copies-become-tokens", "2020-09-25", "a copy of a permanent spell becomes a token"),
    ("as-you-cascade", "2020-11-20", "a window between exiling and deciding in a cascade"),
    ("resulting-mana-value", "2021-02-15", "the spell cast by a cascade must itself have a lower value"),
    ("two-pass-triggers", "2021-04-22", "triggers on other abilities triggering are stacked second"),
    ("two-stage-payment", "2021-07-23", "random costs and costs that move library cards come last"),
    ("look-ahead-proposal", "2022-06-10", "modes and costs may presuppose later choices of the step"),
    ("next-spell-on-stack", "2022-10-07", "effects on the next spell begin as it is put on the stack"),
    ("suspend-may", "2024-02-02", "the last time counter lets the player play the card; no duty"),
    ("free-damage-assignment", "2024-11-08", "no order of blockers: damage is divided among them freely"),
    ("look-ahead-payment", "2026-06-19", "targets and division may presuppose what will pay"),
    ("library-mana-abilities-excluded", "2026-08-07", "moving library cards: not a mana ability"),
)
