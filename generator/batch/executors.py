"""What does the work: local processes, a Dask cluster, or any other executor of `concurrent.futures`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

from generator.batch.run import cores, workers
from generator.errors import BadInput, shown


@contextmanager
def executor_of(name: str, jobs: int, scheduler: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Open the executor of a name, and yield it with its number of tasks at a time. None: this process.

    The name is `processes`, `dask` with its scheduler's address, or `MODULE:NAME` of an executor, or of what
    makes one when it is called, such as `mpi4py.futures:MPIPoolExecutor`. Raises BadInput.
    """
    if (name == "dask") != (scheduler is not None):
        raise BadInput("--executor dask and --scheduler ADDRESS go together; give both or neither")
    if name == "processes":
        with workers(jobs) as pool:
            yield pool
    elif scheduler is not None:
        from generator.batch.cluster import dask_cluster

        with dask_cluster(scheduler, jobs) as cluster:
            yield cluster
    else:
        with _made_by(name) as executor:
            yield executor, jobs or cores()


def _made_by(name: str) -> Executor:
    """Create the executor that `MODULE:NAME` stands for. Modules of the current folder are found first."""
    module, colon, attribute = name.partition(":")
    if not (colon and module and attribute):
        raise BadInput(f"--executor: unknown executor {shown(name)}; give processes, dask, or MODULE:NAME")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)  # as `python -m` does; processes of a pool get the same path
    try:
        target = getattr(importlib.import_module(module), attribute)
        executor = target if isinstance(target, Executor) else target()
    except ModuleNotFoundError as error:
        problem = (
            f"there is no module {shown(error.name)}; install its package, or put the file into this folder"
        )
        raise BadInput(f"--executor: {shown(name)}: {problem}") from None
    except Exception as error:  # whatever a package raises when it is imported or called
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise BadInput(f"--executor: {shown(name)} cannot be made: {reason}") from None
    if not isinstance(executor, Executor):
        raise BadInput(f"--executor: {shown(name)} is not an executor of concurrent.futures; name one")
    return executor
