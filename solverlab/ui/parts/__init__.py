"""What pages are made of: one live chart, one grid of hands, one task bar, one way to save pictures.

A part knows no game, no solver and no page. Start reading at `chart.py`.
"""
