"""A worker beside a page: its own thread closes what it drives, and nobody hears of what was replaced."""

from __future__ import annotations

from threading import Event, current_thread

import pytest

from solverlab.core.errors import BadValue
from solverlab.ui.worker import Frames, Turn, Worker


class Slow:
    """Work whose turn ends when the test says so, and that notes which thread closed it."""

    def __init__(self, frame: str):
        self.frame, self.begun, self.may_end, self.closed = frame, Event(), Event(), Event()
        self.closed_by = ""

    def turn(self, allowed, tell):
        self.begun.set()
        assert self.may_end.wait(60)
        return Turn(1)

    def owes(self):
        return False

    def look(self, running, error):
        if self.frame == "bad" and self.begun.is_set():
            raise ValueError("no picture")
        return self.frame

    def close(self):
        self.closed_by = current_thread().name
        self.closed.set()


def test_what_was_replaced_is_closed_after_its_turn_and_on_the_worker():
    old, new = Slow("bad"), Slow("new")
    worker = Worker(old)
    worker.step()
    assert old.begun.wait(60)
    worker.replace(new)
    assert not old.closed.is_set()  # its turn is in flight
    old.may_end.set()
    assert old.closed.wait(60) and old.closed_by == "worker"
    moment = worker.wait()
    assert (moment.snapshot, moment.error) == ("new", "")  # that the old one cannot be shown concerns nobody
    worker.close()
    assert new.closed.wait(60) and new.closed_by == "worker"


def test_a_resting_worker_closes_what_was_replaced_too():
    old, new = Slow("old"), Slow("new")
    worker = Worker(old)
    worker.replace(new)
    assert old.closed.wait(60) and worker.wait().snapshot == "new" and not new.closed.is_set()
    worker.close()


def test_a_frame_that_cannot_be_made_is_told_and_the_last_one_stays():
    work = Slow("bad")
    worker = Worker(work)
    work.may_end.set()
    worker.step()
    moment = worker.wait()
    assert moment.snapshot == "bad" and "this cannot be shown: ValueError: no picture" in moment.error
    worker.close()


def test_a_closed_worker_rests_whatever_is_ordered():
    worker = Worker(Frames(range(10)))
    worker.close()
    worker.go_on()
    assert not worker.latest().running


def test_frames_need_a_first_one():
    with pytest.raises(BadValue, match="there is no frame to show; give an iterator of at least one"):
        Frames([])
