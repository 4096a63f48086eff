"""The Abstraction page: the hands of a street by bucket, compared, priced and saved.

Start reading at `page.py`, then `controls.py` for what is chosen and `scatter.py` for the picture.
"""
