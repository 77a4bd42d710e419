"""The energy account of a state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


class Ledger(Mapping[str, float]):
    """What each cause has added or taken out since the start, in J: ``ledger["wind"]``.

    ``kinetic + sum(potentials)`` is the energy that the bodies have, ``initial + added - dissipated`` what physics allows;
    their difference is the error of the integrator.
    """

    __slots__ = ("initial", "kinetic", "potentials", "added_by", "dissipated_by")

    def __init__(
        self,
        initial: float,
        kinetic: float,
        potentials: dict[str, float],
        added: dict[str, float],
        dissipated: dict[str, float],
    ) -> None:
        self.initial = initial
        """H at the start, J."""
        self.kinetic = kinetic
        """Kinetic energy now, J."""
        self.potentials = potentials
        """Each potential now, J."""
        self.added_by = added
        """The work that each cause has done on the bodies, J."""
        self.dissipated_by = dissipated
        """The energy that each cause has taken out, J."""

    @property
    def added(self) -> float:
        """All work done on the bodies, J."""
        return sum(self.added_by.values())

    @property
    def dissipated(self) -> float:
        """All energy taken out on purpose, J."""
        return sum(self.dissipated_by.values())

    @property
    def energy(self) -> float:
        """H = kinetic + potentials, J."""
        return self.kinetic + sum(self.potentials.values())

    @property
    def target(self) -> float:
        """What the energy should be: initial + added - dissipated, J."""
        return self.initial + self.added - self.dissipated

    def __getitem__(self, cause: str) -> float:
        if cause in self.added_by:
            return self.added_by[cause]
        return self.dissipated_by[cause]

    def __iter__(self) -> Iterator[str]:
        yield from self.added_by
        yield from self.dissipated_by

    def __len__(self) -> int:
        return len(self.added_by) + len(self.dissipated_by)

    def __repr__(self) -> str:
        causes = ", ".join(f"{cause}: {joules:.6g}" for cause, joules in self.items() if joules)
        return f"<sinew.Ledger energy {self.energy:.6g} J, target {self.target:.6g} J{'; ' + causes if causes else ''}>"


__all__ = ["Ledger"]
