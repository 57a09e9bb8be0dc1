"""Builds the libraries that take part, and measures them in one process."""
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from settings import BUILDS, COMPILERS, FLAGS, PACKAGES, PINOCCHIO, settings

HERE = Path(__file__).resolve().parent
WRONG = 1e-6  # relative error


@dataclass
class Contender:
    """A kernel in a library, and what is known of it."""
    label: str
    library: Path
    symbol: str
    places: Path | None = None
    operations: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    rounds: list = field(default_factory=list)
    instructions: int | None = None

    @property
    def peer(self):
        return "." in self.label

    @property
    def ns(self):
        return statistics.median(self.rounds) if self.rounds else None

    def over(self, other):
        """The median of the ratios in rounds: what slows a round slows both."""
        return statistics.median(x / y for x, y in zip(self.rounds, other.rounds))

    def argument(self, reference):
        places = f":{self.places}" if self.places else ""
        return f"{self.label}={self.library}@{self.symbol}:{reference}{places}"


def run(*command, **more):
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}")
    return done.stdout


def write_places(path, written, names, places, lanes=1):
    """For each name the index and the sign of the number that stands for it; -1 where nothing does."""
    lines = [f"{written} {lanes}"] + ["{} {}".format(*places.get(name, (-1, 1))) for name in names]
    path.write_text("\n".join(lines) + "\n")


def one_state(kernel):
    """The kernel of one state a call, which peers have, for one of eight."""
    return kernel.removesuffix("8")


class Peers:
    """Kernels of other generators, kept in a folder that the texts of this one name."""

    def __init__(self, cache, everything):
        self.everything = everything
        texts = sorted((HERE / "peers").glob("*.*")) + [HERE / "ours/src/models/arm.rs"]
        key = hashlib.sha256(b"".join(path.read_bytes() for path in texts) + repr(PACKAGES).encode()).hexdigest()
        self.folder, self.venv = cache / f"peers-{key[:12]}", cache / "venv"
        self.folder.mkdir(parents=True, exist_ok=True)

    def prepare(self, kernels, build):
        """Generates and compiles what is not there yet."""
        self.compile("bench", ["gcc", "-O2", HERE / "bench.c", "-ldl", "-lm"], key=(HERE / "bench.c").read_bytes())
        wanted = [(model, kernel, *pair) for model, kernel in {(model, one_state(kernel)) for model, kernel in kernels}
                  for pair in settings(model, kernel, build, self.everything)]
        jobs = sorted({(model, kernel, tool) for model, kernel, tool, _ in wanted
                       if not self.source(model, kernel, tool).exists()})
        if jobs:
            self.generate(jobs)
        for model, kernel, tool, compiler in wanted:
            self.build(model, kernel, tool, compiler, build)

    def source(self, model, kernel, tool):
        if tool == "pinocchio":
            return self.folder / "arm.h"
        return self.folder / f"{model}_{kernel}.{tool}{'.c' if tool == 'casadi' else '.cpp'}"

    def generate(self, jobs):
        python = self.venv / "bin/python"
        marker = self.venv / "packages"
        if not marker.exists() or marker.read_text() != repr(PACKAGES):
            run(sys.executable, "-m", "venv", self.venv)
            run(python, "-m", "pip", "install", "--quiet", *PACKAGES)
            marker.write_text(repr(PACKAGES))
        words = [".".join(job) for job in jobs]
        subprocess.run([python, HERE / "peers/generate.py", self.folder, *words], check=True)

    def library(self, model, kernel, tool, compiler, build):
        stem = "arm" if tool == "pinocchio" else f"{model}_{kernel}"
        return self.folder / f"{stem}.{tool}.{compiler}.{build}.so"

    def build(self, model, kernel, tool, compiler, build):
        target, library = BUILDS[build][0], self.library(model, kernel, tool, compiler, build)
        if library.exists():
            return
        source, flags = self.source(model, kernel, tool), FLAGS
        site = next(self.venv.glob("lib/python3*/site-packages"))
        include = ["-I/usr/include/eigen3", f"-I{site}", f"-I{HERE / 'peers'}", f"-I{self.folder}"]
        if tool == "pinocchio":
            source, flags = HERE / "peers/pinocchio.cpp", PINOCCHIO
            include += [f"-I{site / 'cmeel.prefix/include'}", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
                        "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
        c, cxx = COMPILERS[compiler]
        language = [c] if source.suffix == ".c" else [cxx, "-std=c++17"]
        seconds = self.compile(library.name, [*language, *flags, f"-march={target}", *include, source, "-lm"])
        size = int(run("size", library).splitlines()[1].split()[0])
        library.with_suffix(".json").write_text(json.dumps({"seconds": seconds, "bytes": size}))
        print(f"compiled {library.name} in {seconds:.1f} s", flush=True)

    def compile(self, name, command, key=b""):
        """Seconds of CPU; the file appears when it is whole, since others may share the folder."""
        target, stamp = self.folder / name, self.folder / f"{name}.key"
        if target.exists() and (not key or stamp.exists() and stamp.read_bytes() == key):
            return 0.0
        part = self.folder / f"{name}.{os.getpid()}"
        before = os.times()
        run(*command, "-o", part)
        after = os.times()
        part.replace(target)
        if key:
            stamp.write_bytes(key)
        return after.children_user - before.children_user

    def contenders(self, model, kernel, build):
        kernel = one_state(kernel)
        for tool, compiler in settings(model, kernel, build, self.everything):
            library = self.library(model, kernel, tool, compiler, build)
            known = json.loads(library.with_suffix(".json").read_text())
            contender = Contender(f"{tool}.{compiler}", library, "kernel", **known)
            if tool == "pinocchio":
                contender.symbol, contender.places = kernel, self.whole(model, kernel)
            else:
                known = json.loads(self.source(model, kernel, tool).with_suffix(".json").read_text())
                contender.operations = known["operations"]
            yield contender

    def names(self, name):
        return (self.folder / f"{name}.names").read_text().split()

    def whole(self, model, kernel):
        """Places of Pinocchio's matrices, which are whole."""
        places, path = {}, self.folder / f"{model}_{kernel}.pinocchio.places"
        for i in range(7):
            places[f"a.{i}"] = places[f"r.{i}"] = (i, 1)
            for column in range(21):
                places[f"a.{i}.{column}"] = (7 + 7 * column + i, 1)
            for column in range(7):
                places[f"r_q.{i}.{column}"] = (7 + 7 * column + i, 1)
                places[f"r_v.{i}.{column}"] = (56 + 7 * column + i, 1)
                places[f"mass.{i}.{column}"] = (105 + 7 * column + i, 1)
        write_places(path, 7 if kernel in ("fd", "id") else 154, self.names(f"{model}_{kernel}"), places)
        return path


class Ours:
    """A build of our kernels."""

    def __init__(self, library, label, peers, scratch):
        self.path, self.label, self.peers, self.scratch, self.known = library.resolve(), label, peers, scratch, {}
        describe = f"import ctypes; ctypes.CDLL({str(self.path)!r}).describe()"
        for line in run(sys.executable, "-c", describe).splitlines():
            name, outputs, operations, lanes, *places = line.split()
            self.known[name] = int(outputs), int(operations), int(lanes), places
        self.code = reachable(self.path, self.known)

    @classmethod
    def built(cls, root, build, models, peers):
        package, target = HERE / "ours", root / "target" / "contest" / f"ours-{build}"
        # the versions of the workspace: one lock file to maintain
        shutil.copy(root / "Cargo.lock", package / "Cargo.lock")
        environment = os.environ | {"RUSTFLAGS": BUILDS[build][1], "CARGO_TARGET_DIR": str(target)}
        clock = time.perf_counter()
        subprocess.run(["cargo", "build", "--quiet", "--release", "--features", ",".join(models)],
                       cwd=package, env=environment, check=True)
        print(f"ours ({build}) built in {time.perf_counter() - clock:.0f} s", flush=True)
        return cls(target / "release" / "libcontest.so", "ours", peers, target)

    def keep(self, path):
        shutil.copy(self.path, path)

    def contenders(self, model, kernel):
        name = f"{model}_{kernel}"
        if name not in self.known:
            return
        outputs, operations, lanes, places = self.known[name]
        found = {}
        for place in places:
            key, index = place.lstrip("-").rsplit(":", 1)
            found[key] = int(index), -1 if place.startswith("-") else 1
        path = self.scratch / f"{name}.{self.label}.places"
        write_places(path, outputs, self.peers.names(f"{model}_{one_state(kernel)}"), found, lanes)
        yield Contender(self.label, self.path, name, path, operations, self.code.get(name))


def reachable(library, kernels):
    """Bytes of each kernel with the generated functions that it calls; those of the runtime do not count."""
    sizes, calls, current = {}, {}, None
    for line in run("objdump", "--disassemble", "--no-show-raw-insn", library).splitlines():
        head = re.match(r"([0-9a-f]+) <(.*)>:", line)
        if head:
            current, first = head[2], int(head[1], 16)
            calls[current] = set()
        elif current and (at := re.match(r"\s+([0-9a-f]+):", line)):
            sizes[current] = int(at[1], 16) - first
            calls[current] |= set(re.findall(r"\b(?:call|jmp)\s+[0-9a-f]+ <([^+>]*)>", line))
    found = {}
    for kernel in kernels:
        seen, todo = set(), {kernel}
        while todo:
            function = todo.pop()
            seen.add(function)
            todo |= {x for x in calls.get(function, ()) if "contest" in x and x in sizes} - seen
        found[kernel] = sum(sizes.get(x, 0) for x in seen)
    return found


def measure(peers, name, contenders, rounds, count):
    """Times of all contenders by turns, and their instructions if they are asked for."""
    bench, reference = peers.folder / "bench", peers.folder / f"{one_state(name)}.reference"
    lines = run(bench, "-r", rounds, *[x.argument(reference) for x in contenders]).splitlines()
    for contender, line in zip(contenders, lines):
        error, *medians = [float(x) for x in line.split()[1:]] or [float("inf")]
        if error > WRONG:
            print(f"{name}: {contender.label} is wrong by {error:.1e}, and left out")
            continue
        contender.rounds = medians
        contender.instructions = instructions(bench, contender, reference) if count else None


def instructions(bench, contender, reference):
    """Instructions of a call."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=counted",
               bench, "-c", contender.argument(reference)]
    text = subprocess.run([str(x) for x in command], capture_output=True, text=True).stderr
    found = re.search(r"Collected : (\d+)", text)
    return int(found[1]) / 64 if found else None
