"""One palette, safe for the colour-blind; a series differs from the others by its dash too."""

# Okabe and Ito's colours, those that reach a contrast of 3 on white and on the dark background alike.
PALETTE = ("#0077BB", "#D55E00", "#009E73", "#B35BA5", "#A07800", "#CC3311")
ROLES = dict(zip(("new", "asked", "truth", "doubt", "explored", "yours"), PALETTE, strict=True))  # in the plane
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
REGRET = PALETTE[5]  # in the drawings of the first pages
