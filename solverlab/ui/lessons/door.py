"""Where a teacher's own file is read: posted, checked, sent back as the rail's values, and not kept."""

from __future__ import annotations

from tornado.web import RequestHandler

from solverlab.core.errors import BadValue
from solverlab.ui.lessons.read import LARGEST, read_lesson
from solverlab.ui.notice import sentence

ADDRESS = "/lessons/read"


class LessonDoor(RequestHandler):
    """Answers a posted lesson with its values, or with one sentence and the status 400."""

    def post(self) -> None:
        try:
            if len(self.request.body) > LARGEST:
                raise BadValue(f"the lesson has {len(self.request.body):,} bytes; {LARGEST:,} are the most")
            self.write(read_lesson(self.request.body))
        except BadValue as problem:
            self.set_status(400)
            self.write({"problem": sentence(problem)})
        self.set_header("Cache-Control", "no-store")
