"""generate.py FOLDER MODEL.KERNEL.TOOL ...: writes the sources, what is known of them, and reference values by CasADi.

    c_chain5_fd.casadi.c      the source; beside it .json with operations and seconds
    c_chain5_fd.reference     64 states, outputs at eight of them
    c_chain5_fd.names         what each output is
"""
import json
import logging
import random
import sys
import time
from pathlib import Path

import arm
from kernels import Builder
from models import MODELS
from tools import TOOLS

STATES, CHECKED, SPREAD, SEED = 64, 8, 0.1, 1


def build(tool, model, kernel):
    return getattr(Builder(tool, MODELS[model](tool)), kernel)()


def reference(folder, model, kernel):
    """Inputs about the start, and what CasADi's interpreter gives for some."""
    casadi = TOOLS["casadi"]()
    built, rng = build(casadi, model, kernel), random.Random(SEED)
    states = []
    for _ in range(STATES):
        shifts = [SPREAD * rng.uniform(-1.0, 1.0) if i < built.varied else 0.0 for i in range(len(built.start))]
        states.append([float(x) + shift for x, shift in zip(built.start, shifts)])
    rows = states + casadi.values(built, states[:CHECKED])
    head = f"{len(built.start)} {len(built.outputs)} {STATES} {CHECKED}\n"
    (folder / f"{model}_{kernel}.names").write_text(" ".join(built.places))
    (folder / f"{model}_{kernel}.reference").write_text(head + "".join(" ".join(map(repr, row)) + "\n" for row in rows))


def pinocchio(folder):
    """The arm's numbers for Pinocchio, which has the inertia about the centre of mass."""
    lines = []
    for rotation, place, mass, first, inertia in arm.links():
        centre = [x / mass for x in first]
        square = sum(x * x for x in centre)
        own = [inertia[a][b] - mass * ((square if a == b else 0.0) - centre[a] * centre[b])
               for a in range(3) for b in range(3)]
        rows = [[x for row in rotation for x in row], place, [mass], centre, own]
        lines.append("{" + ", ".join("{" + ", ".join(map(repr, row)) + "}" for row in rows) + "},\n")
    (folder / "arm.h").write_text("".join(lines))


def main():
    logging.disable(logging.WARNING)
    folder = Path(sys.argv[1])
    for job in sys.argv[2:]:
        model, kernel, name = job.split(".")
        if not (folder / f"{model}_{kernel}.reference").exists():
            reference(folder, model, kernel)
        if name == "pinocchio":
            pinocchio(folder)
            continue
        clock, tool = time.perf_counter(), TOOLS[name]()
        source = folder / f"{model}_{kernel}.{name}{tool.suffix}"
        operations = tool.write(build(tool, model, kernel), source)
        known = {"operations": operations, "seconds": time.perf_counter() - clock}
        source.with_suffix(".json").write_text(json.dumps(known))
        print(f"generated {source.name}: {operations} operations", flush=True)


main()
