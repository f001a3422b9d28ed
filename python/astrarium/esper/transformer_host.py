"""Hosts of transformer blocks, with attention or, to leave something to grow, without."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from astrarium.esper.contracts.seeds import InjectionSpec, Surface
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.shapes import TransformerShape, slot_name


class Dropout(nn.Module):
    """In training, some features silent; which ones, the host's own random numbers say."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        self.noise: torch.Generator | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape and, on average, size."""
        if not self.training or not self.share:
            return x
        assert self.noise is not None, "`reseed` was not called"
        kept = torch.empty_like(x).bernoulli_(1.0 - self.share, generator=self.noise)
        return x * kept.div_(1.0 - self.share)


class Embedding(nn.Module):
    """A token, and where it stands."""

    def __init__(self, shape: TransformerShape) -> None:
        super().__init__()
        self.token = nn.Embedding(shape.vocabulary, shape.width)
        self.place = nn.Embedding(shape.context, shape.width)
        self.dropout = Dropout(shape.dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        """Features (batch, time, width)."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.dropout(self.token(tokens) + self.place(places))


class CausalAttention(nn.Module):
    """Every position looks at itself and what came before."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.look = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        batch, time, width = x.shape
        parts = self.look(x).view(batch, time, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        seen = self._attend(query, key, value)
        return self.project(seen.transpose(1, 2).reshape(batch, time, width))

    def pairs(self, time: int) -> int:
        """How many positions look at how many, counted together."""
        return time * (time + 1) // 2

    def _attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


class Mlp(nn.Module):
    """Two linear layers with a GELU between."""

    def __init__(self, width: int, ratio: int) -> None:
        super().__init__()
        self.widen = nn.Linear(width, ratio * width)
        self.narrow = nn.Linear(ratio * width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return self.narrow(functional.gelu(self.widen(x)))


class Block(nn.Module):
    """Attention, where there is any, and MLP, each behind a norm and beside a direct path."""

    def __init__(self, shape: TransformerShape) -> None:
        super().__init__()
        width = shape.width
        self.attention = CausalAttention(width, shape.heads) if shape.heads else None
        self.attention_norm = nn.LayerNorm(width) if shape.heads else None
        self.mlp_norm = nn.LayerNorm(width)
        self.mlp = Mlp(width, shape.mlp_ratio)
        self.dropout = Dropout(shape.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        if self.attention is not None and self.attention_norm is not None:
            x = x + self.dropout(self.attention(self.attention_norm(x)))
        return x + self.dropout(self.mlp(self.mlp_norm(x)))


class TiedHead(nn.Module):
    """Logits by likeness to the embedding of each token."""

    def __init__(self, width: int, embedding: nn.Embedding) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        # The module, not its weight: moving a module to another device may replace weights.
        self.embedding = embedding

    def forward(self, x: Tensor) -> Tensor:
        """Logits (batch, time, vocabulary)."""
        return functional.linear(self.norm(x), self.embedding.weight)


class OwnHead(nn.Module):
    """Logits by a layer of its own."""

    def __init__(self, width: int, vocabulary: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, vocabulary, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Logits (batch, time, vocabulary)."""
        return self.linear(self.norm(x))


class TransformerHost(RoutedHost):
    """A transformer host. Its weights are torch's; `weights.grown` draws ours."""

    def __init__(self, shape: TransformerShape) -> None:
        embedding = Embedding(shape)
        head = (
            TiedHead(shape.width, embedding.token)
            if shape.tied
            else OwnHead(shape.width, shape.vocabulary)
        )
        each = shape.layers // shape.segments
        specs = [
            InjectionSpec(
                slot_id=slot_name(0, segment),
                channels=shape.width,
                position=(segment + 1) / shape.segments,
                layer_range=(segment * each, (segment + 1) * each),
                surface=Surface.BLOCK_END,
                order=segment,
                row=0,
                col=segment,
            )
            for segment in range(shape.segments)
        ]
        # Step 0 is the embedding, so the step of block number n is n.
        after = {spec.slot_id: spec.layer_range[1] for spec in specs}
        blocks = [Block(shape) for _ in range(shape.layers)]
        super().__init__("transformer", [embedding, *blocks, head], specs, after)
        self.shape = shape
        self._noise: torch.Generator | None = None

    def reseed(self, generator: np.random.Generator) -> torch.Generator | None:
        """Draw what is left out from `generator`, from now on."""
        if not self.shape.dropout:
            return None
        if self._noise is None:
            self._noise = torch.Generator(next(self.parameters()).device)
            for part in self.modules():
                if isinstance(part, Dropout):
                    part.noise = self._noise
        return self._noise.manual_seed(int(generator.integers(2**62)))
