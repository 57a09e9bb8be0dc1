"""The models of the contest in the symbols of any tool: M(q) a + Gᵀ λ = F(q, v, u), φ(q) = 0, G = ∂φ/∂q.

Equations and numbers are those of the Rust models in `ours/src/models`. Parameters are inputs of the kernels; the arm's
are constants. The trigonometry of sums is written with shared sines and cosines, as a careful user would.
"""
from dataclasses import dataclass, field
from typing import Callable

import arm


@dataclass
class Model:
    """Symbols and equations; `start` has numbers for q, v, u and p, about which the states of the benchmark are."""
    q: list
    v: list
    u: list
    p: list
    start: dict
    mass: list = field(default_factory=list)
    force: list = field(default_factory=list)
    constraints: list = field(default_factory=list)
    # where they are not M a + Gᵀ λ - F: the rows of the equations as a function of a
    torques: Callable | None = None
    # of a model of states alone: ẋ, with x = (q, v)
    rates: list = field(default_factory=list)


def symbols(tool, start, parameters):
    """Symbols of q, v, u and p as `start` counts them, and the parameters by name."""
    p = {name: tool.symbol("p_" + name) for name in parameters}
    lists = {group: tool.symbols(group, len(start[group])) for group in ("q", "v", "u")}
    start = start | {"p": list(parameters.values())}
    return lists | {"p": list(p.values()), "start": start}, p


def pendulum(tool):
    """A point mass on a rod."""
    start = dict(q=[0.5, -0.49], v=[0.3, 0.2], u=[0.1], a=[0.1, 0.2], lam=[0.4])
    groups, p = symbols(tool, start, dict(m=1.3, g=9.81, l=0.7, d=0.05))
    (x, y), v, u = groups["q"], groups["v"], groups["u"]
    return Model(
        **groups,
        mass=[[p["m"], 0], [0, p["m"]]],
        force=[u[0] - p["d"] * v[0], -p["m"] * p["g"] - p["d"] * v[1]],
        constraints=[x * x + y * y - p["l"] * p["l"]],
    )


def cart(tool):
    """A double pendulum on a cart, angles absolute."""
    start = dict(q=[0.1, 0.6, -0.4], v=[0.3, -0.5, 0.8], u=[0.7], a=[0.1, 0.2, 0.3], lam=[])
    numbers = dict(
        mc=1.0, m1=0.3, m2=0.2, l1=0.5, lc1=0.25, lc2=0.2, j1=0.006, j2=0.003, g=9.81, d0=0.1, d1=0.02, d2=0.01)
    groups, p = symbols(tool, start, numbers)
    q, (vx, w1, w2), u = groups["q"], groups["v"], groups["u"]
    s1, c1, s2, c2 = tool.sin(q[1]), tool.cos(q[1]), tool.sin(q[2]), tool.cos(q[2])
    a1 = p["m1"] * p["lc1"] + p["m2"] * p["l1"]
    a2 = p["m2"] * p["lc2"]
    a12 = a2 * p["l1"]
    b1 = p["m1"] * p["lc1"] * p["lc1"] + p["m2"] * p["l1"] * p["l1"] + p["j1"]
    b2 = a2 * p["lc2"] + p["j2"]
    c12, s12, w = c1 * c2 + s1 * s2, s1 * c2 - c1 * s2, w2 - w1
    return Model(
        **groups,
        mass=[[p["mc"] + p["m1"] + p["m2"], a1 * c1, a2 * c2], [a1 * c1, b1, a12 * c12], [a2 * c2, a12 * c12, b2]],
        force=[
            u[0] - p["d0"] * vx + a1 * s1 * w1 * w1 + a2 * s2 * w2 * w2,
            -p["d1"] * w1 + p["d2"] * w - a12 * s12 * w2 * w2 - p["g"] * a1 * s1,
            -p["d2"] * w + a12 * s12 * w1 * w1 - p["g"] * a2 * s2,
        ],
    )


def chain(n):
    """n uniform links that hang on each other, angles absolute, with torques and damping in the joints."""
    links = range(n)
    start = dict(
        q=[0.3 + 0.17 * i * (-1) ** i for i in links], v=[0.2 - 0.1 * i * (-1) ** i for i in links],
        u=[0.1 * i for i in links], a=[0.1 * (i + 1) for i in links], lam=[])
    numbers = {f"m{i}": round(0.4 + 0.03 * i, 6) for i in links} | {f"l{i}": round(0.5 - 0.01 * i, 6) for i in links}
    numbers |= {f"j{i}": round(0.008 + 0.0005 * i, 6) for i in links} | dict(g=9.81, c=0.02)

    def equations(tool):
        groups, p = symbols(tool, start, numbers)
        q, v, u = groups["q"], groups["v"], groups["u"]
        m, l, j = ([p[f"{name}{i}"] for i in links] for name in "mlj")
        s, c, squares = [tool.sin(x) for x in q], [tool.cos(x) for x in q], [x * x for x in v]
        centre = [tool.number(0.5) * x for x in l]
        beyond = [None] * n  # the mass of all later links
        for i in reversed(range(n - 1)):
            beyond[i] = m[i + 1] if beyond[i + 1] is None else beyond[i + 1] + m[i + 1]
        moment = [m[i] * centre[i] if i == n - 1 else m[i] * centre[i] + beyond[i] * l[i] for i in links]
        mass, across = [[None] * n for _ in links], [[None] * n for _ in links]
        for i in links:
            mass[i][i] = j[i] + m[i] * centre[i] * centre[i]
            if i < n - 1:
                mass[i][i] = mass[i][i] + beyond[i] * l[i] * l[i]
            for k in range(i + 1, n):
                arms = l[i] * moment[k]
                mass[i][k] = mass[k][i] = arms * (c[i] * c[k] + s[i] * s[k])
                across[i][k] = arms * (s[i] * c[k] - c[i] * s[k])
        force = []
        for i in links:
            f = u[i] - p["g"] * moment[i] * s[i]
            f = f - u[i + 1] if i < n - 1 else f
            f = f - p["c"] * (v[i] - v[i - 1] if i > 0 else v[i])
            f = f + p["c"] * (v[i + 1] - v[i]) if i < n - 1 else f
            for k in links:
                if k > i:
                    f = f - across[i][k] * squares[k]
                elif k < i:
                    f = f + across[k][i] * squares[k]
            force.append(f)
        return Model(**groups, mass=mass, force=force)

    return equations


# Hairer & Wanner, Solving ODEs II, VII.7
SQUEEZER = dict(
    m1=0.04325, m2=0.00365, m3=0.02373, m4=0.00706, m5=0.07050, m6=0.00706, m7=0.05498, i1=2.194e-6, i2=4.410e-7,
    i3=5.255e-6, i4=5.667e-7, i5=1.169e-5, i6=5.667e-7, i7=1.912e-5, xa=-0.06934, ya=-0.00227, xb=-0.03635, yb=0.03273,
    xc=0.014, yc=0.072, c0=4530.0, d=28e-3, da=115e-4, e=2e-2, ea=1421e-5, rr=7e-3, ra=92e-5, l0=7785e-5, ss=35e-3,
    sa=1874e-5, sb=1043e-5, sc=18e-3, sd=2e-2, zf=2e-2, zt=4e-2, fa=1421e-5, ta=2308e-5, tb=916e-5, uu=4e-2, ua=1228e-5,
    ub=449e-5)
# the consistent start of the Test Set for IVP Solvers
SQUEEZED = [
    -0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
    -0.222668390165885885, 1.23054744454982119]


def squeezer(tool):
    """Andrews' squeezing mechanism; q = (β, Θ, γ, Φ, δ, Ω, ε)."""
    start = dict(
        q=SQUEEZED, v=[1.0, -2.0, 0.5, 0.7, -0.3, 0.4, 0.9], u=[0.033], a=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        lam=[1.0, -2.0, 0.5, 0.7, -0.3, 0.4])
    groups, p = symbols(tool, start, SQUEEZER)
    be, th, ga, ph, de, om, ep = groups["q"]
    vb, vt, _, vp, vd, vo, ve = groups["v"]
    def trig(x):
        return tool.sin(x), tool.cos(x)

    (sb, cb), (st, ct), (sg, cg), (sp, cp) = trig(be), trig(th), trig(ga), trig(ph)
    (sd, cd), (so, co), (se, ce) = trig(de), trig(om), trig(ep)
    (sbt, cbt), (spd, cpd), (soe, coe) = trig(be + th), trig(ph + de), trig(om + ep)
    m, i = ([None] + [p[f"{name}{k}"] for k in range(1, 8)] for name in "mi")
    da, rr, zt, uu, two = p["da"], p["rr"], p["zt"], p["uu"], tool.number(2.0)
    ee, ff = p["e"] - p["ea"], p["zf"] - p["fa"]
    mass = [[0] * 7 for _ in range(7)]
    mass[0][0] = m[1] * p["ra"] * p["ra"] + m[2] * (rr * rr - two * da * rr * ct + da * da) + i[1] + i[2]
    mass[0][1] = mass[1][0] = m[2] * (da * da - da * rr * ct) + i[2]
    mass[1][1] = m[2] * da * da + i[2]
    mass[2][2] = m[3] * (p["sa"] * p["sa"] + p["sb"] * p["sb"]) + i[3]
    mass[3][3] = m[4] * ee * ee + i[4]
    mass[3][4] = mass[4][3] = m[4] * (ee * ee + zt * ee * sp) + i[4]
    tail = m[5] * (p["ta"] * p["ta"] + p["tb"] * p["tb"]) + i[4] + i[5]
    mass[4][4] = m[4] * (zt * zt + two * zt * ee * sp + ee * ee) + tail
    mass[5][5] = m[6] * ff * ff + i[6]
    mass[5][6] = mass[6][5] = m[6] * (ff * ff - uu * ff * so) + i[6]
    tail = m[7] * (p["ua"] * p["ua"] + p["ub"] * p["ub"]) + i[6] + i[7]
    mass[6][6] = m[6] * (ff * ff - two * uu * ff * so + uu * uu) + tail
    dx = p["sd"] * cg + p["sc"] * sg + p["xb"] - p["xc"]
    dy = p["sd"] * sg - p["sc"] * cg + p["yb"] - p["yc"]
    length = tool.sqrt(dx * dx + dy * dy)
    pull = -p["c0"] * (length - p["l0"]) / length
    fx, fy = pull * dx, pull * dy
    force = [
        groups["u"][0] - m[2] * da * rr * vt * (vt + two * vb) * st,
        m[2] * da * rr * vb * vb * st,
        fx * (p["sc"] * cg - p["sd"] * sg) + fy * (p["sd"] * cg + p["sc"] * sg),
        m[4] * zt * ee * vd * vd * cp,
        -m[4] * zt * ee * vp * (vp + two * vd) * cp,
        -m[6] * uu * ff * ve * ve * co,
        m[6] * uu * ff * vo * (vo + two * ve) * co,
    ]
    x, y = rr * cb - p["d"] * cbt, rr * sb - p["d"] * sbt
    loops = [
        x - p["ss"] * sg - p["xb"], y + p["ss"] * cg - p["yb"],
        x - p["e"] * spd - zt * cd - p["xa"], y + p["e"] * cpd - zt * sd - p["ya"],
        x - p["zf"] * coe - uu * se - p["xa"], y - p["zf"] * soe + uu * ce - p["ya"],
    ]
    return Model(**groups, mass=mass, force=force, constraints=loops)


def franka(tool):
    """The Franka arm, its fingers locked, constants baked in."""
    start = dict(
        q=[0.3, -0.6, 0.4, -1.8, 0.5, 1.4, 0.2], v=[0.5, -0.4, 0.3, 0.6, -0.2, 0.7, -0.5],
        u=[5.0, -3.0, 2.0, -1.0, 0.5, 0.3, -0.2], a=[5.0, -3.0, 2.0, -1.0, 0.5, 0.3, -0.2], lam=[])
    groups, _ = symbols(tool, start, {})
    q, v, u = groups["q"], groups["v"], groups["u"]
    chain = arm.Arm(tool, [tool.sin(x) for x in q], [tool.cos(x) for x in q])
    bias = chain.inverse_dynamics(v, [0] * 7)
    force = [torque - own for torque, own in zip(u, bias)]
    return Model(**groups, mass=chain.mass(), force=force, torques=lambda a: chain.inverse_dynamics(v, a))


def quadrotor(tool):
    """A free body with four thrusts, as states alone: position, quaternion, velocity, body rates."""
    start = dict(
        q=[0.1, 0.2, 0.3, 0.9, 0.1, -0.2, 0.374], v=[0.3, -0.2, 0.1, 0.5, -0.4, 0.3], u=[2.5, 2.7, 2.6, 2.9])
    numbers = dict(m=1.1, g=9.81, jx=0.012, jy=0.014, jz=0.021, l=0.2, kt=0.016, cd=0.05, cw=0.002)
    groups, p = symbols(tool, start, numbers)
    (w, x, y, z), (vx, vy, vz, wx, wy, wz), u = groups["q"][3:], groups["v"], groups["u"]
    half, two = tool.number(0.5), tool.number(2.0)
    lift, drag = (u[0] + u[1] + u[2] + u[3]) / p["m"], p["cd"] / p["m"]
    rates = [
        vx, vy, vz,
        half * (-x * wx - y * wy - z * wz), half * (w * wx + y * wz - z * wy),
        half * (w * wy - x * wz + z * wx), half * (w * wz + x * wy - y * wx),
        lift * (two * (x * z + w * y)) - drag * vx,
        lift * (two * (y * z - w * x)) - drag * vy,
        lift * (w * w - x * x - y * y + z * z) - drag * vz - p["g"],
        (p["l"] * (u[1] - u[3]) - p["cw"] * wx + (p["jy"] - p["jz"]) * wy * wz) / p["jx"],
        (p["l"] * (u[2] - u[0]) - p["cw"] * wy + (p["jz"] - p["jx"]) * wz * wx) / p["jy"],
        (p["kt"] * (u[0] - u[1] + u[2] - u[3]) - p["cw"] * wz + (p["jx"] - p["jy"]) * wx * wy) / p["jz"],
    ]
    return Model(**groups, rates=rates)


MODELS = dict(a_pend=pendulum, b_cart2=cart, c_chain5=chain(5), c_chain10=chain(10), d_andrews=squeezer, e_arm=franka,
              f_quad=quadrotor)
