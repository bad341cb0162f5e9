"""A Dask cluster as an executor: no future waits for ever, and every failure is a one-line message."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from typing import Any, TypeVar

from generator.errors import BadInput, UndercroftError, shown
from generator.installed import install_command
from generator.pattern import pattern

R = TypeVar("R")

_ADDRESS = pattern(r"([a-z]{2,8}://)?[A-Za-z0-9._-]+:[0-9]{1,5}|([a-z]{2,8}://)?\[[0-9A-Fa-f:]+\]:[0-9]{1,5}")
_ALIVE = ("running", "connecting")  # states of a client; connecting: it reconnects
_PATIENCE = 10  # seconds until a scheduler counts as silent
_ALONE = 8  # seconds without a worker until the work ends, so that a message comes within ten
_LOOK = 0.2  # seconds between looks at the scheduler


@contextmanager
def dask_cluster(address: str, jobs: int) -> Iterator[tuple[Executor, int]]:
    """Open a cluster, with a task at a time for each of its threads. A lost worker's tasks go to the others.

    Raises BadInput for an address without a scheduler, and UndercroftError if it has no workers. A cluster
    that loses its scheduler or all of its workers fails the remaining tasks with UndercroftError.
    """
    if not _ADDRESS.fullmatch(address):
        raise BadInput(f"--scheduler: {shown(address)} is not an address; give one like tcp://10.0.0.1:8786")
    try:
        import distributed
    except ImportError:
        command = install_command("dask")
        raise BadInput(f"--executor dask: Dask is not installed; run {command}") from None
    connect: Any = distributed.Client
    with ExitStack() as ended:
        ended.callback(logging.disable, logging.root.manager.disable)
        logging.disable(logging.CRITICAL)  # failures are reported here, in one line
        try:
            client = ended.enter_context(connect(address, timeout=_PATIENCE, set_as_default=False))
        except (OSError, ValueError, TypeError) as error:  # TimeoutError is an OSError
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise BadInput(f"--scheduler: {shown(address)} does not answer: {reason}") from None
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except OSError:
            raise UndercroftError(f"--scheduler: {shown(address)} has no workers; start some") from None
        with _Cluster(client, f"--scheduler: {shown(address)}") as executor:
            yield executor, jobs or sum(client.nthreads().values()) or 1


class _Cluster(Executor):
    """Tasks handed to a client of Dask.

    Dask's own executor looks at a task's state after it has fetched the result. If the worker died in
    between, it mistakes the result for an error. This one only asks for the result, which Dask makes again if
    it must.
    """

    def __init__(self, client: Any, name: str) -> None:
        self._client, self._name = client, name
        self._open: dict[Future[Any], Any] = {}  # our futures, and Dask's
        self._ended = Event()
        self._lost = ""
        Thread(target=self._watch, daemon=True).start()

    def submit(self, work: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Submit work as to any executor. Raises UndercroftError if the scheduler or all workers are lost."""
        try:
            remote = self._client.submit(work, *args, pure=False, **kwargs)
        except Exception:
            if self._client.status in _ALIVE:
                raise
            raise UndercroftError(self._scheduler_lost()) from None
        future: Future[R] = Future()
        self._open[future] = remote
        future.add_done_callback(lambda done: self._open.pop(done, None))
        if self._lost:
            raise UndercroftError(self._lost)
        self._client.loop.add_callback(_hand_over, remote, future)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel what is not done, because its results are no longer wanted."""
        self._ended.set()
        if self._client.status in _ALIVE:
            self._client.cancel(list(self._open.values()))

    def _watch(self) -> None:
        """Check, until the end, that there are workers. If there are none, fail the open tasks."""
        looks_alone = 0
        while not self._ended.wait(_LOOK):
            if self._client.status not in _ALIVE:
                self._give_up(self._scheduler_lost())
                continue
            if self._has_workers():
                looks_alone = 0
                continue
            looks_alone += 1
            if looks_alone * _LOOK > _ALONE:
                self._give_up(f"{self._name} lost all of its workers; start some and run this again")

    def _has_workers(self) -> bool:
        try:
            return bool(self._client.nthreads())
        except Exception:  # the scheduler may be going away; the next look decides
            return True

    def _scheduler_lost(self) -> str:
        return f"{self._name} was lost; go on when it is back: what is done stays"

    def _give_up(self, why: str) -> None:
        self._lost = why
        for future in list(self._open):
            with suppress(InvalidStateError):  # it has just ended
                future.set_exception(UndercroftError(why))


async def _hand_over(remote: Any, future: Future[Any]) -> None:
    """Give a future the outcome of Dask's future."""
    try:
        result = await remote
    except BaseException as error:  # cancelled too
        with suppress(InvalidStateError):
            future.set_exception(error)
    else:
        with suppress(InvalidStateError):
            future.set_result(result)
