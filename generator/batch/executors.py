"""Who does the work: processes here, a Dask cluster, or any other executor of `concurrent.futures`."""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from typing import Any, TypeVar

from generator.batch.run import cores, workers
from generator.errors import BadInput, UndercroftError, shown

R = TypeVar("R")

_ADDRESS = re.compile(
    r"([a-z]{2,8}://)?[A-Za-z0-9._-]+:[0-9]{1,5}|([a-z]{2,8}://)?\[[0-9A-Fa-f:]+\]:[0-9]{1,5}"
)
_ALIVE = ("running", "connecting")  # states of a client; connecting: again
_PATIENCE = 10  # seconds until a scheduler counts as silent


@contextmanager
def executor_of(name: str, jobs: int, scheduler: str | None) -> Iterator[tuple[Executor | None, int]]:
    """The executor of a name, and how many work there at a time; None to work in this process.

    `processes`, `dask` with its scheduler's address, or `MODULE:NAME` of what makes an executor when it is
    called, such as `mpi4py.futures:MPIPoolExecutor`. Raises BadInput.
    """
    if (name == "dask") != (scheduler is not None):
        raise BadInput("--executor dask and --scheduler ADDRESS go together; give both, or none of them")
    if name == "processes":
        with workers(jobs) as found:
            yield found
    elif scheduler is not None:
        with _dask(scheduler, jobs) as found:
            yield found
    else:
        with _made_by(name) as executor:
            yield executor, jobs or cores()


def _made_by(name: str) -> Executor:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise BadInput(f"--executor: {shown(name)} is none; give processes, dask, or MODULE:NAME")
    try:
        executor = getattr(importlib.import_module(module), attribute)()
    except Exception as error:  # whatever a package does when it is imported or called
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        raise BadInput(f"--executor: {shown(name)} cannot be made: {said}") from None
    if not isinstance(executor, Executor):
        raise BadInput(f"--executor: {shown(name)} makes no executor of concurrent.futures")
    return executor


@contextmanager
def _dask(address: str, jobs: int) -> Iterator[tuple[Executor, int]]:
    """A cluster: as many at a time as it has threads now; what a lost worker had goes to the others."""
    if not _ADDRESS.fullmatch(address):
        raise BadInput(f"--scheduler: {shown(address)} is no address; give such as tcp://10.0.0.1:8786")
    try:
        import distributed
    except ImportError:
        raise BadInput("--executor dask: is not installed; pip install 'undercroft[dask]'") from None
    made: Any = distributed.Client
    with ExitStack() as ended:
        ended.callback(logging.disable, logging.root.manager.disable)
        logging.disable(logging.CRITICAL)  # what goes wrong is told here, in a line
        try:
            client = ended.enter_context(made(address, timeout=_PATIENCE, set_as_default=False))
        except (OSError, ValueError, TypeError) as error:  # TimeoutError is an OSError
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise BadInput(f"--scheduler: {shown(address)} does not answer: {said}") from None
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except OSError:
            raise UndercroftError(f"--scheduler: {shown(address)} has no workers; start some") from None
        lost = f"--scheduler: {shown(address)} was lost; go on when it is back: what is done stays"
        with _Cluster(client, lost) as executor:
            yield executor, jobs or sum(client.nthreads().values())


class _Cluster(Executor):
    """Dask's executor, but that no future waits on when the scheduler is lost, as some of Dask's do."""

    def __init__(self, client: Any, lost: str) -> None:
        self._client, self._lost = client, lost
        self._inner: Executor = client.get_executor(pure=False)
        self._open: set[Future[Any]] = set()
        self._ended = Event()
        Thread(target=self._watch, daemon=True).start()

    def submit(self, work: Callable[..., R], /, *args: Any, **more: Any) -> Future[R]:
        """As any executor. Raises UndercroftError if the scheduler is lost."""
        try:
            future = self._inner.submit(work, *args, **more)
        except Exception:
            if self._client.status in _ALIVE:
                raise
            raise UndercroftError(self._lost) from None
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel what is not done; nobody is there any more to take it."""
        self._ended.set()
        if self._client.status in _ALIVE:
            self._inner.shutdown(wait=False)

    def _watch(self) -> None:
        while not self._ended.wait(0.2):  # seconds
            if self._client.status not in _ALIVE:
                for future in list(self._open):
                    with suppress(InvalidStateError):  # it came to its end just now
                        future.set_exception(UndercroftError(self._lost))
