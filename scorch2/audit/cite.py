"""The papers behind a report, as BibTeX: of its metrics, its profile, its intervals, tests and corrections.

A field that could not be verified is left out. Pages have two hyphens, names of people the order of BibTeX.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from scorch2.model.options import DEFAULTS, OPTIONS
from scorch2.model.values import PROFILES
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.metric import Mean
from scorch2.version import __version__

if TYPE_CHECKING:
    from scorch2.scoring.report import Report

_ACL = "https://aclanthology.org/"
_LEA = "Proceedings of the 54th Annual Meeting of the Association for Computational Linguistics"
_ACL_2014 = (
    "Proceedings of the 52nd Annual Meeting of the Association for Computational Linguistics "
    "(Volume 2: Short Papers)"
)


class Paper(NamedTuple):
    """An entry of BibTeX."""

    kind: str  # ``inproceedings``, ``article``, ``book`` or ``misc``
    fields: Mapping[str, str]


def _paper(kind: str, author: str, title: str, year: int, **more: str) -> Paper:
    return Paper(kind, {"author": author, "title": title, "year": str(year), **more})


PAPERS: Mapping[str, Paper] = {
    "vilain-etal-1995": _paper(
        "inproceedings",
        "Vilain, Marc and Burger, John and Aberdeen, John and Connolly, Dennis and Hirschman, Lynette",
        "A Model-Theoretic Coreference Scoring Scheme",
        1995,
        booktitle="Sixth Message Understanding Conference (MUC-6)",
        pages="45--52",
        url=f"{_ACL}M95-1005",
    ),
    "bagga-baldwin-1998": _paper(
        "inproceedings",
        "Bagga, Amit and Baldwin, Breck",
        "Algorithms for Scoring Coreference Chains",
        1998,
        booktitle="The First International Conference on Language Resources and Evaluation Workshop on "
        "Linguistics Coreference",
        pages="563--566",
    ),
    "luo-2005": _paper(
        "inproceedings",
        "Luo, Xiaoqiang",
        "On Coreference Resolution Performance Metrics",
        2005,
        booktitle="Proceedings of Human Language Technology Conference and Conference on Empirical Methods "
        "in Natural Language Processing",
        pages="25--32",
        url=f"{_ACL}H05-1004",
    ),
    "cai-strube-2010": _paper(
        "inproceedings",
        "Cai, Jie and Strube, Michael",
        "Evaluation Metrics For End-to-End Coreference Resolution Systems",
        2010,
        booktitle="Proceedings of the SIGDIAL 2010 Conference",
        pages="28--36",
        url=f"{_ACL}W10-4305",
    ),
    "recasens-hovy-2011": _paper(
        "article",
        "Recasens, Marta and Hovy, Eduard",
        "BLANC: Implementing the Rand Index for Coreference Evaluation",
        2011,
        journal="Natural Language Engineering",
        volume="17",
        number="4",
        pages="485--510",
    ),
    "pradhan-etal-2012": _paper(
        "inproceedings",
        "Pradhan, Sameer and Moschitti, Alessandro and Xue, Nianwen and Uryupina, Olga and Zhang, Yuchen",
        "CoNLL-2012 Shared Task: Modeling Multilingual Unrestricted Coreference in OntoNotes",
        2012,
        booktitle="Joint Conference on EMNLP and CoNLL: Shared Task",
        pages="1--40",
    ),
    "luo-etal-2014": _paper(
        "inproceedings",
        "Luo, Xiaoqiang and Pradhan, Sameer and Recasens, Marta and Hovy, Eduard",
        "An Extension of BLANC to System Mentions",
        2014,
        booktitle=_ACL_2014,
        pages="24--29",
        doi="10.3115/v1/P14-2005",
        url=f"{_ACL}P14-2005",
    ),
    "pradhan-etal-2014": _paper(
        "inproceedings",
        "Pradhan, Sameer and Luo, Xiaoqiang and Recasens, Marta and Hovy, Eduard and Ng, Vincent and Strube, "
        "Michael",
        "Scoring Coreference Partitions of Predicted Mentions: A Reference Implementation",
        2014,
        booktitle=_ACL_2014,
        pages="30--35",
        doi="10.3115/v1/P14-2006",
        url=f"{_ACL}P14-2006",
    ),
    "tuggener-2014": _paper(
        "inproceedings",
        "Tuggener, Don",
        "Coreference Resolution Evaluation for Higher Level Applications",
        2014,
        booktitle="Proceedings of the 14th Conference of the European Chapter of the Association for "
        "Computational Linguistics, volume 2: Short Papers",
        pages="231--235",
    ),
    "moosavi-strube-2016": _paper(
        "inproceedings",
        "Moosavi, Nafise Sadat and Strube, Michael",
        "Which Coreference Evaluation Metric Do You Trust? A Proposal for a Link-based Entity Aware Metric",
        2016,
        booktitle=f"{_LEA} (Volume 1: Long Papers)",
        pages="632--642",
        doi="10.18653/v1/P16-1060",
        url=f"{_ACL}P16-1060",
    ),
    "lee-etal-2017": _paper(
        "inproceedings",
        "Lee, Kenton and He, Luheng and Lewis, Mike and Zettlemoyer, Luke",
        "End-to-end Neural Coreference Resolution",
        2017,
        booktitle="Proceedings of the 2017 Conference on Empirical Methods in Natural Language Processing",
        pages="188--197",
        doi="10.18653/v1/D17-1018",
        url=f"{_ACL}D17-1018",
    ),
    "moosavi-etal-2019": _paper(
        "inproceedings",
        "Moosavi, Nafise Sadat and Born, Leo and Poesio, Massimo and Strube, Michael",
        "Using Automatically Extracted Minimum Spans to Disentangle Coreference Evaluation from Boundary "
        "Detection",
        2019,
        booktitle="Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics "
        "(Volume 1: Long Papers)",
        pages="4168--4178",
        doi="10.18653/v1/P19-1408",
        url=f"{_ACL}P19-1408",
    ),
    "yu-etal-2022": _paper(
        "inproceedings",
        "Yu, Juntao and Khosla, Sopan and Moosavi, Nafise and Paun, Silviu and Pradhan, Sameer and Poesio, "
        "Massimo",
        "The Universal Anaphora Scorer",
        2022,
        booktitle="Proceedings of the 13th Language Resources and Evaluation Conference (LREC)",
        pages="4873--4883",
        url=f"{_ACL}2022.lrec-1.521",
    ),
    "zabokrtsky-etal-2022": _paper(
        "inproceedings",
        "{\\v{Z}}abokrtsk{\\'y}, Zden{\\v{e}}k and Konop{\\'i}k, Miloslav and Nedoluzhko, Anna and "
        "Nov{\\'a}k, Michal and Ogrodniczuk, Maciej and Popel, Martin and Pra{\\v{z}}{\\'a}k, Ond{\\v{r}}ej "
        "and Sido, Jakub and Zeman, Daniel and Zhu, Yilun",
        "Findings of the Shared Task on Multilingual Coreference Resolution",
        2022,
        booktitle="Proceedings of the CRAC 2022 Shared Task on Multilingual Coreference Resolution",
        pages="1--17",
        url=f"{_ACL}2022.crac-mcr.1",
    ),
    "yu-etal-2023": _paper(
        "inproceedings",
        "Yu, Juntao and Nov{\\'a}k, Michal and Aloraini, Abdulrahman and Moosavi, Nafise Sadat and "
        "Paun, Silviu and Pradhan, Sameer and Poesio, Massimo",
        "The Universal Anaphora Scorer 2.0",
        2023,
        booktitle="Proceedings of the 15th International Conference on Computational Semantics",
        pages="183--194",
    ),
    "manikantan-etal-2024": _paper(
        "misc",
        "Manikantan, Kawshik and Toshniwal, Shubham and Tapaswi, Makarand and Gandhi, Vineet",
        "Major Entity Identification: A Generalizable Alternative to Coreference Resolution",
        2024,
        url="https://arxiv.org/abs/2406.14654",
    ),
    "novak-etal-2025": _paper(
        "misc",
        "Nov{\\'a}k, Michal and Konop{\\'i}k, Miloslav and Nedoluzhko, Anna and Popel, Martin and "
        "Pra{\\v{z}}{\\'a}k, Ond{\\v{r}}ej and Sido, Jakub and Straka, Milan and "
        "{\\v{Z}}abokrtsk{\\'y}, Zden{\\v{e}}k and Zeman, Daniel",
        "Findings of the Fourth Shared Task on Multilingual Coreference Resolution: Can LLMs Dethrone "
        "Traditional Approaches?",
        2025,
        url="https://arxiv.org/abs/2509.17796",
    ),
    "holm-1979": _paper(
        "article",
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        1979,
        journal="Scandinavian Journal of Statistics",
        volume="6",
        number="2",
        pages="65--70",
        url="https://www.jstor.org/stable/4615733",
    ),
    "noreen-1989": _paper(
        "book",
        "Noreen, Eric W.",
        "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
        1989,
        publisher="John Wiley \\& Sons",
    ),
    "efron-tibshirani-1993": _paper(
        "book",
        "Efron, Bradley and Tibshirani, Robert J.",
        "An Introduction to the Bootstrap",
        1993,
        publisher="Chapman \\& Hall",
        doi="10.1007/978-1-4899-4541-9",
    ),
    "berg-kirkpatrick-etal-2012": _paper(
        "inproceedings",
        "Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
        "An Empirical Investigation of Statistical Significance in NLP",
        2012,
        booktitle="Proceedings of the 2012 Joint Conference on Empirical Methods in Natural Language "
        "Processing and Computational Natural Language Learning",
        pages="995--1005",
        url=f"{_ACL}D12-1091",
    ),
}

SCORCH2 = _paper(
    "misc",
    "{The scorch2 authors}",
    "scorch2: a scorer for coreference resolution and entity linking",
    2026,
    note=f"Version {__version__}",
)
"""The entry of this program, which `.github/CITATION.cff` has, too."""
OF_TESTS: Mapping[str, tuple[str, ...]] = {
    "permutation": ("noreen-1989",),
    "bootstrap": ("efron-tibshirani-1993", "berg-kirkpatrick-etal-2012"),
}
"""The papers of each test of differences."""
OF_CORRECTIONS: Mapping[str, tuple[str, ...]] = {"holm": ("holm-1979",)}
INTERVALS = ("efron-tibshirani-1993",)
MINA = ("moosavi-etal-2019",)  # of the value of ``match``


class Used(NamedTuple):
    """The metrics, the profile and all else that numbers were made with."""

    metrics: Collection[str] = ()
    profile: str | None = None
    match: str = ""
    intervals: bool = False
    tests: Collection[str] = ()
    corrections: Collection[str] = ()


def bibtex(used: Used) -> str:
    """Return the entries of all that was used, the oldest first, and of scorch2."""
    rows = [METRICS[part] for name in used.metrics for part in _parts(name)]
    keys = {key for row in rows for key in row.papers}
    keys.update(PROFILES[used.profile].papers if used.profile else ())
    keys.update(MINA if used.match == "mina" else ())
    keys.update(INTERVALS if used.intervals else ())
    keys.update(key for name in used.tests for key in OF_TESTS[name])
    keys.update(key for name in used.corrections for key in OF_CORRECTIONS[name])
    papers = entries(sorted(keys, key=lambda key: (PAPERS[key].fields["year"], key)))
    return "\n".join(filter(None, [papers, _entry("scorch2", SCORCH2)]))


def _parts(name: str) -> Iterable[str]:
    row = METRICS[name]
    return (*(row.of if isinstance(row, Mean) else ()), name)


def entries(keys: Iterable[str]) -> str:
    """Return papers as BibTeX; titles keep their capitals."""
    return "\n".join(_entry(key, PAPERS[key]) for key in keys)


def _entry(key: str, paper: Paper) -> str:
    fields = {**paper.fields, "title": f"{{{paper.fields['title']}}}"}
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{paper.kind}{{{key},", *lines, "}\n"])


def citations_of_scores(report: "Report", *, intervals: bool = False) -> str:
    """Return the papers behind a report as BibTeX; `intervals` says that it has some that were not read."""
    options = report.options
    tested = any(verdict.p is not None for verdict in report.gates)
    return bibtex(
        Used(
            [name for name in report.scores if name in METRICS],
            profile_of({name: getattr(options, name) for name in OPTIONS}),
            options.match,
            intervals or report.confidence is not None,
            ["permutation"] if tested else [],
        )
    )


def profile_of(choices: Mapping[str, object]) -> str | None:
    """Return the profile that options are of: the one of most settings; None for the defaults."""
    # A report does not say which profile was typed
    found: dict[str, int] = {}
    for name, row in PROFILES.items():
        own = {option: value for option, value in row.settings.items() if option in DEFAULTS}
        if all(choices[option] == value for option, value in own.items()):
            found[name] = len(own)
    return max(found, key=lambda name: found[name], default=None)
