"""Angles of a pendulum as an encoder reads them: writes `pendulum.csv` by NumPy 2.4 and SciPy 1.17, and prints a fit.

True values: l = 0.62 m, c = 0.025 N m s; m = 0.4 kg, g = 9.81 m/s^2; released at 1.1 rad with -0.7 rad/s. The zero of
the encoder is off by 0.03 rad. Errors are normal with a standard deviation of 0.01 rad. Every seventeenth reading is
lost.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

M, G, SIGMA = 0.4, 9.81, 0.01
TIMES = np.arange(0, 241) / 30


def angles(l, c, start, rate, zero):
    motion = lambda t, x: [x[1], -G / l * np.sin(x[0]) - c / (M * l * l) * x[1]]
    run = solve_ivp(motion, (0, TIMES[-1]), [start, rate], "DOP853", TIMES, rtol=1e-12, atol=1e-12)
    return run.y[0] + zero


noise = SIGMA * np.random.default_rng(2026).standard_normal(TIMES.size)
read = np.round(angles(0.62, 0.025, 1.1, -0.7, 0.03) + noise, 5)
kept = np.arange(TIMES.size) % 17 != 16
with open("pendulum.csv", "w") as file:
    file.write("t,angle\n")
    for t, angle, sound in zip(TIMES, read, kept):
        file.write(f"{t:.6f},{angle if sound else ''}\n")

TIMES = np.round(TIMES, 6)
fit = least_squares(lambda x: ((angles(*x) - read) / SIGMA)[kept], [0.8, 0.01, 1, 0, 0], "3-point", x_scale="jac",
                    xtol=1e-15, ftol=1e-15, gtol=1e-15)
deviation = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
for name, value, off in zip(["l", "c", "start", "rate", "zero"], fit.x, deviation):
    print(f"{name}: {value:.12g} +- {off:.6g}")
print(f"chi square {2 * fit.cost:.9g} of {kept.sum() - 5}")
