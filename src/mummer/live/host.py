"""A world that goes on by itself: a thread steps it in real time, takes what comes in, and tells all who listen."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from mummer.bml.feedback import Feedback
from mummer.errors import InputError
from mummer.live.protocol import Message
from mummer.live.world import RATE, Beat, World

MOST_WAITING = 5_000
"""Messages that may wait to be taken in."""
MOST_AT_ONCE = 200
"""Messages that are taken in between two steps."""
LONGEST = 0.1
"""Seconds of one step: who is late makes longer steps, and after a longer pause goes on from there."""
SOONEST = 1.0 / 120.0
"""Seconds after a step in which there is none, whatever comes in; else what comes in need not wait for the next."""
CHEAP = 0.004
"""Seconds of a step; where it takes longer, what comes in waits for the next."""
BUDGET = 0.008
"""Seconds between two steps in which messages are taken in, beside the first."""

Answer = tuple[list[Feedback], int]
"""What a message gave rise to, and the number of the first frame that shows it."""


@dataclass(frozen=True)
class Told:
    """A message that waits, and where its answer goes."""

    message: Message
    answer: Future[Answer]


class Host:
    """Steps a world.

    Attributes:
        world: which; nobody else touches it while it runs.
        listener: called in the thread of the host with each `Beat`.
        lag: seconds that the last step was late.
    """

    def __init__(self, world: World, listener: Callable[[Beat], None], *, rate: float = RATE) -> None:
        self.world, self.listener, self.rate = world, listener, rate
        self.lag = 0.0
        self.fault: BaseException | None = None
        self._waiting: queue.Queue[Told] = queue.Queue(MOST_WAITING)
        self._ended, self._told = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="mummer-world", daemon=True)

    def start(self) -> None:
        """Let time begin."""
        self._thread.start()

    def stop(self) -> None:
        """Let time end."""
        self._ended.set()
        self._told.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def tell(self, message: Message) -> Future[Answer]:
        """Hand a message in; the answer is there when it was taken in, before the next step.

        Raises:
            InputError: if too many wait already.
        """
        answer: Future[Answer] = Future()
        try:
            self._waiting.put_nowait(Told(message, answer))
        except queue.Full:
            raise InputError(f"{MOST_WAITING} messages wait already; try again later") from None
        self._told.set()
        return answer

    def _run(self) -> None:
        last = due = time.perf_counter()
        cost = 0.0
        while not self._ended.is_set():
            due = max(due + 1.0 / self.rate, last)
            early = self._wait(due, last + SOONEST if cost < CHEAP else due)
            now = time.perf_counter()
            self.lag = max(0.0, now - due)
            due = now if early else due
            told = self._take_in(now)
            beat = self.world.step(min(now - last, LONGEST))
            last, cost = now, time.perf_counter() - now
            self.listener(Beat(beat.number, beat.time, beat.frame, (*told, *beat.feedback), beat.sounds))

    def _wait(self, due: float, soonest: float) -> bool:
        """Wait until the next step is due, or until something came in and a step may be made for it."""
        while not self._ended.is_set():
            now = time.perf_counter()
            if now >= due or (self._told.is_set() and now >= soonest):
                self._told.clear()
                return now < due
            if self._told.is_set():
                self._ended.wait(min(soonest, due) - now)
            else:
                self._told.wait(due - now)
        return False

    def _take_in(self, began: float) -> list[Feedback]:
        reports: list[Feedback] = []
        for taken in range(MOST_AT_ONCE):
            if taken and time.perf_counter() - began > BUDGET:
                break
            try:
                told = self._waiting.get_nowait()
            except queue.Empty:
                break
            try:
                made = self.world.tell(told.message)
            except Exception as error:  # whoever asked is told; the world goes on
                told.answer.set_exception(error)
            else:
                reports += made
                told.answer.set_result((made, self.world.number + 1))
        return reports
