"""The server's pool: who wants what computed, whose turn it is, and who computes it. Nothing here knows Streamlit.

`Board` is what pages use. Its dispatcher keeps a `Ledger` (the bookkeeping, without threads or clocks) and gives orders
to a `Crew` (worker processes, each with a pipe of its own).
"""
