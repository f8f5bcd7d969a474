"""CPU time against the number of mentions, both logarithmic: a straight line of slope 1 is linear time."""

from collections.abc import Sequence

from programs import PLOTTED


def draw(path: str, costs: Sequence[tuple[str, float]]) -> None:
    """Draw the costs of programs, in seconds, each on the corpora of `PLOTTED` in their order."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    mentions = [int(scale.partition(":")[2]) for scale in PLOTTED]
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for name in dict.fromkeys(name for name, _ in costs):
        seconds = [cost for program, cost in costs if program == name]
        axes.loglog(mentions, seconds, marker="o", label=name)
    axes.set(xlabel="mentions of a side, in one document", ylabel="CPU seconds of the whole process")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)
    plt.close(figure)
