"""The gradient of a minibatch by autograd, chunk by chunk.

Each chunk has its own row of `chunk_gradients`, and the rows are added in order: the sum does not
depend on which thread computed which.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from astrarium.train.factored import factored_loss, order_figures
from astrarium.train.lanes import Lanes, spans
from astrarium.train.loss import SUMS, Objective, Samples, loss
from astrarium.train.normalise import ObservationScale
from astrarium.train.policy import Network, views
from astrarium.train.rollout import Rollout

CHUNK_ROWS: Final = 2048
"""Rows that go through all layers together: a network's worth of them stays in the cache."""
CHUNK_ROWS_LEAST: Final = 1024
"""Smaller ones lose more to threads waiting for the interpreter than a second thread gains."""
CHUNKS: Final = 4
"""Pieces a minibatch is cut into where they are large enough."""
CHUNK_SEQUENCES: Final = 64

Indices = npt.NDArray[np.int64]
Forward = Callable[[Tensor], tuple[Tensor, Samples, Tensor | None]]
"""From indices to outputs, what was remembered of them, and which of them count."""


def chunk_rows(rows: int) -> int:
    """How many rows of a minibatch make a chunk; the same for any number of threads."""
    return min(CHUNK_ROWS, max(CHUNK_ROWS_LEAST, -(-rows // CHUNKS)))


class _Chunks:
    """Room for the gradients of as many chunks as there were ever at once."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._rows: list[Tensor] = []
        self._views: list[list[Tensor]] = []

    def views(self, at: int) -> list[Tensor]:
        """Chunk `at`, cut into the parameters' shapes."""
        while at >= len(self._rows):
            row = torch.zeros_like(self._network.flat)
            self._rows.append(row)
            self._views.append(views(row, self._network))
        return self._views[at]

    def sum(self, count: int, out: Tensor) -> None:
        """The first `count` chunks, added in order."""
        out.copy_(self._rows[0])
        for row in self._rows[1:count]:
            out.add_(row)


class AutogradGradient:
    """For whatever `NativePolicy` does not know: controls, memories."""

    def __init__(self, network: Network, lanes: Lanes, scale: ObservationScale | None) -> None:
        self._network = network
        self._lanes = lanes
        self._scale = scale
        self._chunks = _Chunks(network)

    def prepare(self, rollout: Rollout, samples: Samples) -> None:
        """The rollout that the next minibatches are taken from."""
        self._rollout, self._samples = rollout, samples

    def __call__(self, rows: Indices, objective: Objective, out: Tensor) -> npt.NDArray[np.float64]:
        """The gradient of a minibatch of rows into `out`; the sums of `SUMS` over its rows."""
        return self._sum(rows, chunk_rows(len(rows)), objective, out, self._of_rows)

    def of_sequences(
        self,
        sequences: Indices,
        state: tuple[Tensor, ...],
        objective: Objective,
        out: Tensor,
    ) -> npt.NDArray[np.float64]:
        """The same for whole sequences, unrolled from the `state` the rollout began with."""
        forward = self._unrolled_from(state)
        return self._sum(sequences, CHUNK_SEQUENCES, objective, out, forward)

    def order_figures(self, state: tuple[Tensor, ...]) -> Tensor:
        """(steps * rows, heads, 3): of all orders of the rollout, under the present network."""
        steps, rows = self._rollout.steps, self._rollout.rows
        forward = self._unrolled_from(state) if state else self._of_rows
        count, size = (rows, CHUNK_SEQUENCES) if state else (steps * rows, CHUNK_ROWS)

        def work(lane: int, span: slice) -> Tensor:
            outputs, samples, _ = forward(torch.arange(span.start, span.stop))
            return order_figures(self._network, outputs, samples)

        with torch.no_grad():
            found = self._lanes.run(work, spans(count, size))
            return torch.cat(found, 1).flatten(0, 1) if state else torch.cat(found)

    def _of_rows(self, chosen: Tensor) -> tuple[Tensor, Samples, Tensor | None]:
        outputs, _ = self._network(self._scaled(self._rollout.flat_obs()[chosen]))
        return outputs, self._samples.at(chosen), None

    def _unrolled_from(self, state: tuple[Tensor, ...]) -> Forward:
        rollout, steps = self._rollout, self._rollout.steps
        counted = rollout.counted()
        stacked = Samples(*(part.unflatten(0, (steps, -1)) for part in self._samples.parts()))

        def forward(chosen: Tensor) -> tuple[Tensor, Samples, Tensor | None]:
            obs = self._scaled(rollout.obs[:-1, chosen])
            begun = tuple(part[chosen] for part in state)
            outputs = self._network.unroll(obs, begun, rollout.starts[:-1, chosen])
            samples = Samples(*(part[:, chosen] for part in stacked.parts()))
            return outputs, samples, counted[:, chosen]

        return forward

    def _scaled(self, obs: Tensor) -> Tensor:
        return obs if self._scale is None else self._scale.apply_(obs.clone())

    def _sum(
        self, rows: Indices, size: int, objective: Objective, out: Tensor, forward: Forward
    ) -> npt.NDArray[np.float64]:
        parameters = list(self._network.parameters())
        loss_of = factored_loss if self._network.shape.matters else loss
        chunks = list(enumerate(spans(len(rows), size)))
        for at, _ in chunks:
            self._chunks.views(at)

        def work(lane: int, chunk: tuple[int, slice]) -> npt.NDArray[np.float64]:
            at, span = chunk
            with torch.enable_grad():
                outputs, samples, counted = forward(torch.from_numpy(rows[span]))
                whole, sums = loss_of(self._network, outputs, samples, objective, counted)
                found = torch.autograd.grad(whole, parameters, allow_unused=True)
            for into, one in zip(self._chunks.views(at), found, strict=True):
                if one is not None:
                    into.copy_(one)
            return sums.double().numpy()

        sums = self._lanes.run(work, chunks)
        with torch.no_grad():
            self._chunks.sum(len(chunks), out)
        return np.sum(sums, axis=0)


def named(sums: npt.NDArray[np.float64], rows: int) -> dict[str, float]:
    """Sums over rows as means by name."""
    return {name: float(total) / max(1, rows) for name, total in zip(SUMS, sums, strict=True)}
