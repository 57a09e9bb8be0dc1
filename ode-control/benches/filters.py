"""filterpy on the two estimation problems of `filters.rs`: microseconds of a prediction and of an update."""

import math
import sys
import time

import numpy as np
from filterpy.kalman import ExtendedKalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter

L, C, G, H, DT = 0.8, 0.2, 9.81, 0.02, 0.01


def rate(x):
    return np.array([x[1], -G / L * math.sin(x[0]) - C * x[1]])


def slope(x):
    return np.array([[0.0, 1.0], [-G / L * math.cos(x[0]), -C]])


def step(x, h=H):
    k1 = rate(x)
    k2 = rate(x + h / 2 * k1)
    k3 = rate(x + h / 2 * k2)
    k4 = rate(x + h * k3)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def derivative(x, h=H):
    k1, one = rate(x), np.eye(2)
    a1 = slope(x)
    k2, a2 = rate(x + h / 2 * k1), slope(x + h / 2 * k1) @ (one + h / 2 * a1)
    k3, a3 = rate(x + h / 2 * k2), slope(x + h / 2 * k2) @ (one + h / 2 * a2)
    a4 = slope(x + h * k3) @ (one + h * a3)
    return one + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


def least(work, count=2000, rounds=5):
    best = math.inf
    for _ in range(rounds):
        clock = time.perf_counter()
        for _ in range(count):
            work()
        best = min(best, (time.perf_counter() - clock) / count)
    return best * 1e6


def pendulum():
    kf = ExtendedKalmanFilter(2, 1)
    kf.x, kf.P, kf.R, q = np.array([0.6, 0.0]), np.diag([0.1, 0.5]), np.array([[0.0025]]), np.diag([1e-6, 1e-4])

    def predict():
        f = derivative(kf.x)
        kf.P = f @ kf.P @ f.T + q
        kf.x = step(kf.x)

    h = np.array([[1.0, 0.0]])
    print("pendulum extended", least(predict), least(lambda: kf.update(np.array([0.5]), lambda _: h, lambda x: x[:1])))
    points = MerweScaledSigmaPoints(2, 0.5, 2.0, 0.0)
    kf = UnscentedKalmanFilter(2, 1, H, lambda x: x[:1], step, points)
    kf.x, kf.P, kf.R, kf.Q = np.array([0.6, 0.0]), np.diag([0.1, 0.5]), np.array([[0.0025]]), q
    both = least(lambda: (kf.predict(), kf.update(np.array([0.5]))))
    print("pendulum unscented", least(kf.predict), both - least(kf.predict))


def cross(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def attitude():
    kf = ExtendedKalmanFilter(6, 6)
    kf.x, kf.P, kf.R = np.zeros(6), np.diag([0.5] * 3 + [0.01] * 3), np.eye(6) * 0.0009
    q, turned, n = np.diag([4e-6] * 3 + [2.5e-7] * 3), [np.eye(3)], (np.array([0, 0, 1.0]), np.array([0.5, 0, -0.866]))

    def turn(v):
        t, k = np.linalg.norm(v) + 1e-12, cross(v)
        return np.eye(3) + math.sin(t) / t * k + (1 - math.cos(t)) / t**2 * k @ k, np.eye(3) - (
            1 - math.cos(t)
        ) / t**2 * k + (t - math.sin(t)) / t**3 * k @ k

    def predict():
        r, j = turn(np.array([0.1, 0.2, 0.3]) * DT)
        f = np.eye(6)
        f[:3, :3], f[:3, 3:] = r.T, -j * DT
        turned[0] = turned[0] @ r
        kf.P = f @ kf.P @ f.T + q

    def update():
        y = [turned[0].T @ n for n in n]
        h = np.zeros((6, 6))
        h[:3, :3], h[3:, :3] = cross(y[0]), cross(y[1])
        kf.x[:] = 0.0
        kf.update(np.array([0.1, 0.0, 1.0, 0.5, 0.1, -0.8]), lambda _: h, lambda _: np.concatenate(y))
        r, j = turn(kf.x[:3])
        turned[0] = turned[0] @ r
        kf.P[:3] = j @ kf.P[:3]
        kf.P[:, :3] = kf.P[:, :3] @ j.T

    print("attitude extended", least(predict), least(update))


if __name__ == "__main__":
    pendulum()
    attitude()
    sys.exit(0)
