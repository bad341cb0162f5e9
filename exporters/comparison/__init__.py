"""Compare two levels by what they mean: `undercroft diff`.

    before ─┐
            ├─ matched ──> Matches ─ differences ──> Comparison ─┬─ lines ──> a list
    after ──┘                                                    └─ picture ──> a PNG

An edited file is read back as a level first, so there are only levels to compare. Every position in a
comparison is one of the second level: where things are now, and where removed ones would be.
"""
