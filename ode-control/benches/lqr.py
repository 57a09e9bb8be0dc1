"""Gains of the cart-pole by python-control and SciPy: `program problem microseconds`, a line each."""
import time

import numpy as np

A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, 0.981, -0.05, -0.002], [0, 21.582, -0.1, -0.044]])
B = np.array([[0.0], [0], [1], [2]])
Q, R, h = np.diag([1, 10, 0.1, 0.1]), np.array([[0.01]]), 0.02


def least(call):
    call()
    times = []
    for _ in range(200):
        clock = time.perf_counter()
        call()
        times.append(time.perf_counter() - clock)
    return 1e6 * min(times)


import scipy.linalg as linalg

E = linalg.expm(np.block([[A, B], [np.zeros((1, 5))]]) * h)
Ad, Bd = E[:4, :4], E[:4, 4:]
print("scipy continuous", least(lambda: linalg.solve_continuous_are(A, B, Q, R)))
print("scipy discrete", least(lambda: linalg.solve_discrete_are(Ad, Bd, Q, R)))
try:
    import control

    print("python-control continuous", least(lambda: control.lqr(A, B, Q, R)))
    print("python-control discrete", least(lambda: control.dlqr(Ad, Bd, Q, R)))
except ImportError:
    pass
