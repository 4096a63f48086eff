"""The Figures page: what is published, and how to make it again.

Start reading at `page.py`.
"""
