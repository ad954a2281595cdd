"""What a seat, the deal or a role is worth in itself, and what advice is, with intervals over deal groups.

docs/statistics.md has the formulas and says how to read them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from arena.standings.parts import ByGroup, GroupPart, Pairing, Parts
from arena.standings.statistics import Estimate, t_quantile


def effects(parts: Parts, kind: Sequence[str]) -> dict[tuple[str, str | None], Estimate]:
    """The effects of all parts of a kind: the margin a hand in one, less the mean of the margins in all of them.

    Each bot in each pairing is compared with itself, so that it does not matter who comes into which part how often;
    these differences are averaged by their hands. By part and bot, with `None` for all bots together. What a bot makes
    of parts is not told where it has been in some of them only.
    """
    units: defaultdict[tuple[Pairing, str], dict[str, ByGroup]] = defaultdict(dict)
    for (pairing, bot, part), groups in parts.margins.items():
        if part in kind:
            units[pairing, bot][part] = groups
    by_bot: defaultdict[str | None, list[list[ByGroup]]] = defaultdict(list)
    for (_, bot), unit in units.items():
        if len(unit) == len(kind):
            whole = [unit[part] for part in kind]
            by_bot[bot].append(whole)
            by_bot[None].append(whole)
    return {
        (part, bot): _mean_difference(whole, place) for bot, whole in by_bot.items() for place, part in enumerate(kind)
    }


def _mean_difference(units: Sequence[Sequence[ByGroup]], which: int) -> Estimate:
    """The mean over units, weighted by hands, of one part's ratio less the mean of the ratios of all parts."""
    hands = sum([part.hands for unit in units for groups in unit for part in groups.values()])
    differences = []
    deviations: defaultdict[int, float] = defaultdict(float)
    weights = []
    for unit in units:
        sums = [_total(groups) for groups in unit]
        ratios = [total.points / total.hands for total in sums]
        weight = sum([total.hands for total in sums]) / hands
        differences.append(ratios[which] - sum(ratios) / len(ratios))
        weights.append(weight)
        for place, (groups, total, ratio) in enumerate(zip(unit, sums, ratios, strict=True)):
            share = weight * ((place == which) - 1 / len(unit)) / total.hands
            for group, part in groups.items():
                deviations[group] += share * (part.points - ratio * part.hands)
    mean = sum([weight * difference for weight, difference in zip(weights, differences, strict=True)])
    for unit, difference in zip(units, differences, strict=True):  # the weights are counted too
        for groups in unit:
            for group, part in groups.items():
                deviations[group] += (difference - mean) * part.hands / hands
    return _estimate(mean, deviations)


def difference(with_it: Mapping[int, GroupPart], without: Mapping[int, GroupPart]) -> Estimate | None:
    """The points a hand with something less those without, of the same deal groups; `None` where one has no hand."""
    first, second = _total(with_it), _total(without)
    if not first.hands or not second.hands:
        return None
    deviations: defaultdict[int, float] = defaultdict(float)
    for groups, total, sign in ((with_it, first, 1), (without, second, -1)):
        for group, part in groups.items():
            deviations[group] += sign * (part.points - total.points / total.hands * part.hands) / total.hands
    return _estimate(first.points / first.hands - second.points / second.hands, deviations)


def merged(sums: Iterable[ByGroup]) -> ByGroup:
    """The sums of several, group by group."""
    merged: ByGroup = defaultdict(GroupPart)
    for groups in sums:
        for group, part in groups.items():
            merged[group].points += part.points
            merged[group].hands += part.hands
    return dict(merged)


def _total(groups: Mapping[int, GroupPart]) -> GroupPart:
    parts = groups.values()
    return GroupPart(sum([part.points for part in parts]), sum([part.hands for part in parts]))


def _estimate(mean: float, deviations: Mapping[int, float]) -> Estimate:
    """With the interval that the groups' linearised deviations make, as in `ratio_over_groups`."""
    n = len(deviations)
    if n < 2:
        return Estimate(mean, None)
    spread = sum([deviation**2 for deviation in deviations.values()])
    return Estimate(mean, t_quantile(n - 1) * sqrt(n / (n - 1) * spread))
