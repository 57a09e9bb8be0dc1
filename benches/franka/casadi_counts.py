"""Operations of CasADi's code for the Franka arm: what tests/arm.rs of ode-codegen compares with.

    venv/bin/pip install casadi==3.8.2 pin==4.1.0 example-robot-data==6.0.0 numpy
    venv/bin/python benches/franka/casadi_counts.py

Recursive Newton–Euler in link axes with moments about the joints (id), and that with its Jacobian by (q, v) and the mass matrix by
composite bodies (resj); constants baked in, structural zeros dropped, CasADi's own common subexpressions removed. Counted is every
instruction of the SX function but inputs, outputs and constants; a negation and a square count one.
"""
import casadi as ca

from reference import joints

N = 7
IDLE = {ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST}


def zero(x):
    return x == 0 if isinstance(x, (int, float)) else x.is_zero()


def add(a, b):
    return b if zero(a) else a if zero(b) else a + b


def sub(a, b):
    return (0 if zero(b) else -b) if zero(a) else a if zero(b) else a - b


def mul(a, b):
    if zero(a) or zero(b):
        return 0
    for x, y in ((a, b), (b, a)):
        if isinstance(x, float) and abs(x) == 1.0:
            return y if x == 1.0 else -y
    return a * b


def plus(a, b):
    return [add(x, y) for x, y in zip(a, b)]


def dot(a, b):
    total = 0
    for x, y in zip(a, b):
        total = add(total, mul(x, y))
    return total


def turn(m, x):
    return [dot(row, x) for row in m]


def back(m, x):
    return [dot([m[k][i] for k in range(3)], x) for i in range(3)]


def product(a, b):
    return [[dot(a[i], [b[k][j] for k in range(3)]) for j in range(3)] for i in range(3)]


def transposed(a):
    return [[a[j][i] for j in range(3)] for i in range(3)]


def cross(a, b):
    return [sub(mul(a[i], b[j]), mul(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))]


def links():
    for _, rotation, at, m, c, inertia, _ in joints():
        c = [float(x) for x in c]
        cc = sum(x * x for x in c)
        about = [[float(inertia[i][j]) + m * ((cc if i == j else 0) - c[i] * c[j]) for j in range(3)] for i in range(3)]
        yield {"m": m, "h": [m * x for x in c], "I": about, "R": rotation.tolist(), "p": at.tolist()}


def rotations(all_links, s, c):
    return [product(l["R"], [[c[i], -s[i], 0], [s[i], c[i], 0], [0, 0, 1.0]]) for i, l in enumerate(all_links)]


def inverse_dynamics(all_links, q, v, a, s, c):
    turns = rotations(all_links, s, c)
    w, al, ac, f, n = ([None] * N for _ in range(5))
    for i, l in enumerate(all_links):
        if i == 0:
            w[0], al[0], ac[0] = [0, 0, v[0]], [0, 0, a[0]], back(turns[0], [0, 0, 9.81])
        else:
            k, p = i - 1, l["p"]
            wp, ap = back(turns[i], w[k]), back(turns[i], al[k])
            w[i] = [wp[0], wp[1], add(wp[2], v[i])]
            al[i] = [add(ap[0], mul(wp[1], v[i])), sub(ap[1], mul(wp[0], v[i])), add(ap[2], a[i])]
            ac[i] = back(turns[i], plus(ac[k], plus(cross(al[k], p), cross(w[k], cross(w[k], p)))))
        h = l["h"]
        f[i] = plus([mul(l["m"], x) for x in ac[i]], plus(cross(al[i], h), cross(w[i], cross(w[i], h))))
        n[i] = plus(turn(l["I"], al[i]), plus(cross(w[i], turn(l["I"], w[i])), cross(h, ac[i])))
    for i in reversed(range(1, N)):
        carried = turn(turns[i], f[i])
        f[i - 1] = plus(f[i - 1], carried)
        n[i - 1] = plus(n[i - 1], plus(turn(turns[i], n[i]), cross(all_links[i]["p"], carried)))
    return [x[2] for x in n]


def mass_matrix(all_links, s, c):
    turns = rotations(all_links, s, c)
    m, h = [l["m"] for l in all_links], [list(l["h"]) for l in all_links]
    inertia = [[list(r) for r in l["I"]] for l in all_links]
    mass = [[0] * N for _ in range(N)]
    for i in reversed(range(N)):
        f, n = [sub(0, h[i][1]), h[i][0], 0], [inertia[i][k][2] for k in range(3)]
        mass[i][i], j = n[2], i
        while j > 0:
            carried = turn(turns[j], f)
            n, f, j = plus(turn(turns[j], n), cross(all_links[j]["p"], carried)), carried, j - 1
            mass[i][j] = mass[j][i] = n[2]
        if i == 0:
            continue
        p, hr = all_links[i]["p"], turn(turns[i], h[i])
        turned = product(product(turns[i], inertia[i]), transposed(turns[i]))
        across = add(mul(2.0, dot(p, hr)), mul(m[i], dot(p, p)))
        for a in range(3):
            for b in range(a, 3):
                t = add(turned[a][b], across) if a == b else turned[a][b]
                t = sub(t, add(mul(p[a], hr[b]), mul(hr[a], p[b])))
                t = sub(t, mul(m[i], mul(p[a], p[b])))
                inertia[i - 1][a][b] = inertia[i - 1][b][a] = add(inertia[i - 1][a][b], t)
        h[i - 1] = plus(h[i - 1], [add(hr[k], mul(m[i], p[k])) for k in range(3)])
        m[i - 1] += m[i]
    return mass


def count(inputs, outputs):
    f = ca.Function("f", [ca.vertcat(*inputs)], ca.cse(outputs))
    return sum(f.instruction_id(k) not in IDLE for k in range(f.n_instructions()))


def main():
    q, v, a = ([ca.SX.sym(f"{name}{i}") for i in range(N)] for name in "qva")
    s, c = [ca.sin(x) for x in q], [ca.cos(x) for x in q]
    all_links = list(links())
    tau = ca.vertcat(*(ca.SX(x) for x in inverse_dynamics(all_links, q, v, a, s, c)))
    mass = ca.vertcat(*(ca.SX(x) for row in mass_matrix(all_links, s, c) for x in row))
    by_state = ca.densify(ca.jacobian(tau, ca.vertcat(*q, *v)))
    print("casadi", ca.__version__)
    print("id  ", count(q + v + a, [tau]))
    print("crba", count(q + v + a, [mass]))
    print("resj", count(q + v + a, [tau, by_state, mass]))


if __name__ == "__main__":
    main()
