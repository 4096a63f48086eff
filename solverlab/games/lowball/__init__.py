"""2-to-7 single draw, from one card to the whole deck of five.

Small rungs of the ladder are trees, the largest are tables over hand classes. Start reading at `game.py`.
"""
