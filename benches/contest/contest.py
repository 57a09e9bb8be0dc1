#!/usr/bin/env python3
"""Generated code of this library against that of CasADi, SymForce, wrenfold and Pinocchio: see README.md.

    benches/contest/contest.py [--build native default] [--models c_chain5 d_andrews] [--kernels fd tan] [--all]
                               [--count] [--beside LABEL=LIBRARY] [--rounds 100] [--cache FOLDER] [--keep FILE]
"""
import argparse
import math
import os
import sys
from pathlib import Path

from contenders import Ours, Peers, measure
from settings import BUILDS, COUNTED, EIGHT, KERNELS

ROOT = Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--build", nargs="+", choices=BUILDS, default=["native", "default"], help="targets")
    add("--models", nargs="+", choices=KERNELS, default=list(KERNELS), metavar="MODEL", help=" ".join(KERNELS))
    add("--kernels", nargs="+", choices=["fd", "fdj", "resj", "tan", "id", *EIGHT],
        help="which of each model's kernels")
    add("--all", action="store_true", help="every generator and compiler, not only those that were fastest before")
    add("--count", action="store_true", help="instructions by callgrind beside the times; for --build v3 default")
    add("--beside", nargs="+", default=[], metavar="LABEL=LIBRARY", help="other builds of ours, kept before")
    add("--keep", type=Path, metavar="FILE", help="copies the library that was built, for --beside later")
    add("--rounds", type=int, default=100, help="how often contenders take turns, about a millisecond each")
    add("--cache", type=Path, default=Path(os.environ.get("CONTEST_CACHE", ROOT / "target" / "contest")),
        help="where peers are kept: CONTEST_CACHE, or target/contest")
    return parser.parse_args()


def number(x):
    return "-" if x is None else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def heading(count):
    counted = f"{'instructions':>14} " if count else ""
    print(f"{'kernel':<16} {'ours':>7} {'ratio':>6}  {'best peer':<24} {'operations':>13} {counted}{'bytes':>13} "
          f"{'peer cc':>7}  others")


def pair(ours, theirs):
    return f"{number(ours)}/{number(theirs)}"


def row(name, results, count):
    """Prints a line, and gives the ratio of our time to that of the best peer."""
    peers = sorted((x for x in results if x.peer and x.ns), key=lambda x: x.ns)
    ours = next((x for x in results if x.label == "ours"), None)
    if not ours or not ours.ns or not peers:
        print(f"{name:<16} not measured")
        return None
    best, ratio = peers[0], ours.over(peers[0])
    rest = [x for x in results if x.ns and x not in (ours, best)]
    others = "  ".join(f"{x.label} {number(x.ns)}" + (f" ({x.over(best):.2f})" if not x.peer else "") for x in rest)
    counted = f"{pair(ours.instructions, best.instructions):>14} " if count else ""
    print(f"{name:<16} {number(ours.ns):>7} {ratio:>6.2f}  {best.label:<16} {number(best.ns):>7} "
          f"{pair(ours.operations, best.operations):>13} {counted}{pair(ours.bytes, best.bytes):>13} "
          f"{number(best.seconds):>7}  {others}", flush=True)
    return ratio


def means(ratios):
    """Geometric means over the models that count."""
    for kernel in ("fd", "fdj", "resj", "tan", *EIGHT):
        found = [ratios[f"{model}_{kernel}"] for model in COUNTED if ratios.get(f"{model}_{kernel}")]
        if found:
            mean = math.exp(sum(map(math.log, found)) / len(found))
            print(f"  {kernel:<5} {mean:.3f}  geometric mean of {len(found)} of {' '.join(COUNTED)}")


def main():
    asked = arguments()
    kernels = [(model, kernel) for model in asked.models for kernel in KERNELS[model]
               if not asked.kernels or kernel in asked.kernels]
    peers = Peers(asked.cache.resolve(), asked.all)
    for build in asked.build:
        if asked.count and build == "native":
            sys.exit("callgrind does not know AVX-512: ask for --build v3 default")
        peers.prepare(kernels, build)
        ours = Ours.built(ROOT, build, asked.models, peers)
        if asked.keep:
            ours.keep(asked.keep.with_suffix(f".{build}.so") if len(asked.build) > 1 else asked.keep)
        beside = [x.split("=", 1) for x in asked.beside]
        beside = [Ours(Path(path), label, peers, ours.scratch) for label, path in beside]
        print(f"\n{build}: median ns a state; of ours and the best peer operations and bytes; its seconds to compile")
        heading(asked.count)
        ratios = {}
        for model, kernel in kernels:
            contenders = [x for library in [ours, *beside] for x in library.contenders(model, kernel)]
            contenders += peers.contenders(model, kernel, build)
            measure(peers, f"{model}_{kernel}", contenders, asked.rounds, asked.count)
            ratios[f"{model}_{kernel}"] = row(f"{model}/{kernel}", contenders, asked.count)
        means(ratios)


main()
