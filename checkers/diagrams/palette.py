"""The colours and what they mean, the same in every diagram.

Green is how it should go; the two greens of a live status are those of Nomad's own flowcharts.
"""

from typing import Final

from nomadspec.checkers.diagrams.graph import EdgeStyle, NodeStyle

LIVE: Final = NodeStyle("live", "open", fill="#d5f6ea", stroke="#1d9467")
GOOD: Final = NodeStyle("good", "ended well", fill="#8adbb9", stroke="#0f6b48", width=2)
ENDED: Final = NodeStyle("ended", "ended otherwise", fill="#e4e9f0", stroke="#51627a", width=2)
TROUBLE: Final = NodeStyle("trouble", "failed, lost or down", fill="#fbdcd5", stroke="#b3321b", width=2)
QUASI: Final = NodeStyle(
    "quasi", "quasi-status, not stored", fill="#eefaf5", stroke="#1d9467", is_dashed=True
)
ORIGIN: Final = NodeStyle("origin", fill="#ffffff", stroke="#51627a", shape="circle", width=1)
ANY: Final = NodeStyle("any", fill="#ffffff", stroke="#8a939d", text="#57606a", is_dashed=True, width=1)

HAPPY: Final = EdgeStyle("happy", "the normal course", stroke="#0f7a52", width=2.4)
CHANGE: Final = EdgeStyle("change", "change of status", stroke="#3c4650")
CREATION: Final = EdgeStyle("creation", "creates another object", stroke="#2a62a8", is_dashed=True)
QUIRK: Final = EdgeStyle("quirk", "only with the named quirk", stroke="#c2520a")
QUIRK_CREATION: Final = EdgeStyle(
    "quirkcreation", "creates, only with the named quirk", stroke="#c2520a", is_dashed=True
)
