"""Runs this crate's benchmark and other programs in turns, and prints their least times side by side."""
import math
import re
import subprocess
import sys
import time

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3


def ours(name):
    """Cost, iterations and least milliseconds of a problem of `bench.rs`."""
    command = ["cargo", "bench", "--quiet", "-p", "ode-model-optimal", "--bench", "bench", "--", name]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    cost, count, least = re.search(r"J (\S+)\s+(\d+) iterations\s+(\S+) ms", text).groups()
    return float(cost), int(count), float(least)


def compare(name, peers, own=()):
    """`peers` are functions that solve the problem once and return cost and iterations; `own` are names of ours,
    of which the first is the one that is compared."""
    own = own or (name,)
    found = {peer: (math.inf, 0, math.inf) for peer in (*peers, *own)}
    for _ in range(ROUNDS):
        for peer, solve in peers.items():
            for _ in range(5):
                clock = time.process_time()
                cost, count = solve()
                took = 1e3 * (time.process_time() - clock)
                found[peer] = (cost, count, min(took, found[peer][2]))
        for one in own:
            cost, count, took = ours(one)
            found[one] = (cost, count, min(took, found[one][2]))
    for peer, (cost, count, took) in found.items():
        who = f"ours: {peer}" if peer in own else peer
        ratio = found[own[0]][2] / took
        print(f"{name:24} {who:34} J {cost:.9f} {count:3} iterations {took:8.2f} ms   ours / this {ratio:.2f}",
              flush=True)
