"""Swing-ups by fatrop and IPOPT through CasADi, beside this crate's interior point, in turns in one run.

    pip install casadi
    RUSTFLAGS="-C target-cpu=native" python3 tests/optimal/peers/interior_points.py [rounds]

CasADi's functions are compiled by gcc -O2. Times are the least of all solves: CPU time of the peers, whose library
starts no threads, and wall time of ours, which has one. Optima are compared: the peers relax bounds by 1e-8.
"""
import math
import os
import tempfile

import casadi as ca

from beside import compare


def cart_pole(x, u):
    """M and f of M a = f; th = 0 hangs down."""
    m, tip, l, g, c_x, c_th = 1.0, 0.1, 0.5, 9.81, 0.05, 0.001
    s, c = ca.sin(x[1]), ca.cos(x[1])
    mass = ca.blockcat([[m + tip, tip * l * c], [tip * l * c, tip * l * l]])
    force = ca.vertcat(u - c_x * x[2] + tip * l * s * x[3] ** 2, -tip * l * g * s - c_th * x[3])
    return mass, force


def double_pole(x, u):
    """The same of two rods in a row, by absolute angles."""
    m, m1, m2, l, g = 1.0, 0.5, 0.5, 0.5, 9.81
    (a, b), (va, vb) = (x[1], x[2]), (x[4], x[5])
    far, near, both = m2 * l, (m1 + m2) * l, m2 * l * l
    mass = ca.blockcat([
        [m + m1 + m2, near * ca.cos(a), far * ca.cos(b)],
        [near * ca.cos(a), near * l, both * ca.cos(a - b)],
        [far * ca.cos(b), both * ca.cos(a - b), both],
    ])
    force = ca.vertcat(
        u + near * ca.sin(a) * va ** 2 + far * ca.sin(b) * vb ** 2,
        -both * ca.sin(a - b) * vb ** 2 - near * g * ca.sin(a),
        both * ca.sin(a - b) * va ** 2 - far * g * ca.sin(b),
    )
    return mass, force


def problem(model, nq, intervals, most):
    """Variables, objective and conditions, stage by stage as fatrop wants them, and which of these are equations."""
    n, h = 2 * nq, 2.0 / intervals
    x, u = ca.SX.sym("x", n), ca.SX.sym("u")
    mass, force = model(x, u)
    rate = ca.Function("rate", [x, u], [ca.vertcat(x[nq:], ca.solve(mass, force))])
    k1 = rate(x, u)
    k2 = rate(x + h / 2 * k1, u)
    k3 = rate(x + h / 2 * k2, u)
    k4 = rate(x + h * k3, u)
    step = ca.Function("step", [x, u], [x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])
    end = [0.0] + [math.pi] * (nq - 1) + [0.0] * nq
    states = [ca.MX.sym(f"x{k}", n) for k in range(intervals + 1)]
    inputs = [ca.MX.sym(f"u{k}") for k in range(intervals)]
    variables, rows, low, high, equations, guess, cost = [], [], [], [], [], [], 0
    for k in range(intervals + 1):
        variables.append(states[k])
        guess += [e * k / intervals for e in end]
        if k < intervals:
            variables.append(inputs[k])
            guess.append(0.0)
            cost += h * inputs[k] ** 2
            rows.append(states[k + 1] - step(states[k], inputs[k]))
            low, high, equations = low + [0.0] * n, high + [0.0] * n, equations + [True] * n
        if k in (0, intervals):
            wanted = end if k else [0.0] * n
            rows.append(states[k] - ca.DM(wanted))
            low, high, equations = low + [0.0] * n, high + [0.0] * n, equations + [True] * n
        else:
            rows.append(states[k][0])
            low, high, equations = low + [-2.4], high + [2.4], equations + [False]
        if k < intervals:
            rows.append(inputs[k])
            low, high, equations = low + [-most], high + [most], equations + [False]
    nlp = dict(x=ca.vertcat(*variables), f=cost, g=ca.vertcat(*rows))
    return nlp, dict(x0=guess, lbg=low, ubg=high), equations


def solver(name, nlp, equations):
    options = dict(print_time=0, jit=True, compiler="shell", jit_options=dict(flags=["-O2"], verbose=False))
    if name == "fatrop":
        options.update({"structure_detection": "auto", "equality": equations, "fatrop.print_level": 0,
                        "fatrop.tol": 1e-10, "fatrop.max_iter": 1000})
    else:
        options.update({"ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.tol": 1e-10})
    # the compiler leaves its files in the working directory
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return ca.nlpsol("solver", name, nlp, options)
        finally:
            os.chdir(here)


def main():
    problems = [("P2, shooting, N = 50", cart_pole, 2, 50, 10.0), ("P2, shooting, N = 100", cart_pole, 2, 100, 10.0),
                ("P3, shooting, N = 100", double_pole, 3, 100, 20.0)]
    print(f"CasADi {ca.__version__}")
    for name, model, nq, intervals, most in problems:
        nlp, arguments, equations = problem(model, nq, intervals, most)

        def solving(peer):
            solve = solver(peer, nlp, equations)

            def once():
                result = solve(**arguments)
                return float(result["f"]), solve.stats()["iter_count"]
            return once
        compare(name, {peer: solving(peer) for peer in ("fatrop", "ipopt")})


main()
