"""Two worker processes of bounded memory, whose memory is watched, and one of which can be killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from distributed import Client, LocalCluster

#: Of each worker; Dask ends and restarts a worker that takes more.
MEMORY_LIMIT = 512 << 20


class Workers:
    """The worker processes of a cluster. `peak` is the most memory (RSS, in bytes) that any of them had."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.peak = 0
        self.restarts = 0
        self._stop = threading.Event()
        self._known = set(self.pids())
        self._first = set(self._known)
        self._watch = threading.Thread(target=self._watch_memory, daemon=True)
        self._watch.start()

    def pids(self) -> list[int]:
        return list(self.client.run(os.getpid).values())

    def kill_one(self) -> int:
        """Ends a worker as a lack of memory or a lost machine would, without warning."""
        pid = min(self._first)
        os.kill(pid, signal.SIGKILL)
        return pid

    def _watch_memory(self) -> None:
        mine = psutil.Process()
        while not self._stop.wait(0.05):
            for child in mine.children(recursive=True):
                try:
                    # Helpers of multiprocessing are children, too, and small.
                    self.peak = max(self.peak, child.memory_info().rss)
                except psutil.Error:
                    continue

    def stop(self) -> None:
        self._stop.set()
        self._watch.join()


@contextmanager
def two_workers(folder: Path) -> Iterator[Workers]:
    """A cluster of two processes with a thread each, closed at the end whatever happens."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            memory_limit=MEMORY_LIMIT,
            host="127.0.0.1",
            dashboard_address=None,
            local_directory=str(folder),
        ) as cluster,
        Client(cluster) as client,
    ):
        workers = Workers(client)
        try:
            yield workers
        finally:
            workers.stop()


def when(condition: Callable[[], bool], action: Callable[[], None]) -> threading.Thread:
    """Does `action` once `condition` holds, in a thread that has ended by then or ends with the program."""

    def wait() -> None:
        while not condition():
            time.sleep(0.02)
        action()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread
