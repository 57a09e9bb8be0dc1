"""What the kernels of a model compute, in the symbols of a tool.

fd    in q, v, u, p             a, λ
fdj   in q, v, u, p             a, λ and ∂(a, λ)/∂(q, v, u)
resj  in q, v, a, λ, u, p       r, φ, ∂r/∂q, ∂r/∂v, the lower triangle of M, ∂φ/∂q
tan   in q, v, a, λ, u, w, p    r, φ and [w₀ M + w₁ ∂r/∂v + w₂ ∂r/∂q, ∂r/∂λ; w₂ ∂φ/∂q, 0]
id    in q, v, a, λ, u          r of the arm

Solutions are never differentiated: their derivatives come from the implicit function theorem, with the factors of the
solution. Matrices are their structural nonzeros, column by column.
"""
from dataclasses import dataclass

WEIGHTS = [1.0, 0.5, 0.25]


@dataclass
class Kernel:
    """Inputs and outputs; `places` names outputs, `start` has numbers of the inputs, `varied` says how many vary."""
    inputs: list
    outputs: list
    places: list
    start: list
    varied: int


class Outputs:
    """Outputs with the names of their places."""

    def __init__(self, tool):
        self.tool, self.values, self.places = tool, [], []

    def vector(self, name, values):
        self.values += values
        self.places += [f"{name}.{i}" for i in range(len(values))]
        return self

    def matrix(self, rows, name):
        for column in range(len(rows[0]) if rows else 0):
            for row, entries in enumerate(rows):
                if not self.tool.zero(entries[column]):
                    self.values.append(entries[column])
                    self.places.append(name(row, column))
        return self


def named(name):
    return lambda row, column: f"{name}.{row}.{column}"


def total(tool, terms):
    """The sum of products that are not zero."""
    value = 0
    for x, y in terms:
        if not tool.zero(x) and not tool.zero(y):
            value = x * y if tool.zero(value) else value + x * y
    return value


class Builder:
    """The kernels of one model."""

    def __init__(self, tool, model):
        self.tool, self.model = tool, model
        self.n, self.m = len(model.mass), len(model.constraints)
        self.a, self.lam = tool.symbols("a", self.n), tool.symbols("lam", self.m)
        self.jacobian = tool.jacobian(model.constraints, model.q)

    def residual(self):
        """M a + Gᵀ λ - F, or the torques that the arm needs."""
        tool, model = self.tool, self.model
        if model.torques:
            return model.torques(self.a)
        rows = []
        for i in range(self.n):
            row = -model.force[i]
            terms = list(zip(model.mass[i], self.a)) + [(g[i], l) for g, l in zip(self.jacobian, self.lam)]
            for x, y in terms:
                row = row if tool.zero(x) else row + x * y
            rows.append(row)
        return rows

    def bordered(self):
        """[M Gᵀ; G 0] and its right-hand side (F, -(G v)_q v)."""
        tool, model = self.tool, self.model
        rows = [list(row) + [g[i] for g in self.jacobian] for i, row in enumerate(model.mass)]
        rows += [list(g) + [0] * self.m for g in self.jacobian]
        rates = [total(tool, zip(g, model.v)) for g in self.jacobian]
        bent = [total(tool, zip(row, model.v)) for row in tool.jacobian(rates, model.q)]
        return rows, list(model.force) + [0 if tool.zero(x) else -x for x in bent]

    def moving(self, outputs):
        model = self.model
        start = [x for group in ("q", "v", "u", "p") for x in model.start[group]]
        inputs = model.q + model.v + model.u + model.p
        return Kernel(inputs, outputs.values, outputs.places, start, len(inputs) - len(model.p))

    def accelerated(self, outputs, weights=()):
        model = self.model
        inputs = model.q + model.v + self.a + self.lam + model.u
        # the arm's torques are those that its motion needs
        u = [0.0] * len(model.u) if model.torques else model.start["u"]
        start = model.start["q"] + model.start["v"] + model.start["a"] + model.start["lam"] + u
        varied = len(inputs) - (len(u) if model.torques else 0)
        if weights:
            inputs, start = inputs + weights, start + WEIGHTS
        return Kernel(inputs + model.p, outputs.values, outputs.places, start + model.start["p"], varied)

    def fd(self):
        if self.model.rates:
            return self.moving(Outputs(self.tool).vector("zdot", list(self.model.rates)))
        matrix, right = self.bordered()
        return self.moving(self.solution(solve(self.tool, factors(self.tool, matrix), right)))

    def solution(self, found):
        return Outputs(self.tool).vector("a", found[:self.n]).vector("lambda", found[self.n:])

    def fdj(self):
        tool, model = self.tool, self.model
        if model.rates:
            outputs = Outputs(tool).vector("zdot", list(model.rates))
            return self.moving(outputs.matrix(tool.jacobian(model.rates, model.q + model.v + model.u), named("zdot")))
        matrix, right = self.bordered()
        factored = factors(tool, matrix)
        found = solve(tool, factored, right)
        rows = self.residual()
        for g, bent in zip(self.jacobian, right[self.n:]):
            row = -bent
            for x, y in zip(g, self.a):
                row = row if tool.zero(x) else row + x * y
            rows.append(row)
        by = model.q + model.v + ([] if model.torques else model.u)
        slopes = tool.replace(tool.jacobian(rows, by), self.a + self.lam, found)
        columns = []
        for c in range(len(by)):
            columns.append(solve(tool, factored, [0 if tool.zero(row[c]) else -row[c] for row in slopes]))
        if model.torques:
            units = [[tool.number(1.0) if i == k else 0 for i in range(self.n)] for k in range(self.n)]
            inverse = [solve(tool, factored, unit) for unit in units]
            columns += [[inverse[min(i, k)][max(i, k)] for i in range(self.n)] for k in range(self.n)]
        name = lambda row, column: f"a.{row}.{column}" if row < self.n else f"lambda.{row - self.n}.{column}"
        return self.moving(self.solution(found).matrix([list(row) for row in zip(*columns)], name))

    def resj(self):
        tool, model, r = self.tool, self.model, self.residual()
        lower = [[x if k <= i else 0 for k, x in enumerate(row)] for i, row in enumerate(model.mass)]
        outputs = Outputs(tool).vector("r", r).vector("phi", list(model.constraints))
        outputs.matrix(tool.jacobian(r, model.q), named("r_q")).matrix(tool.jacobian(r, model.v), named("r_v"))
        return self.accelerated(outputs.matrix(lower, named("mass")).matrix(self.jacobian, named("phi_q")))

    def tan(self):
        tool, model, r = self.tool, self.model, self.residual()
        w = tool.symbols("w", 3)
        if model.torques:
            seeds = [[w[2 - i // self.n] if i % self.n == c else 0 for i in range(3 * self.n)] for c in range(self.n)]
            matrix = tool.directional(r, model.q + model.v + self.a, seeds)
        else:
            parts = (model.mass, tool.jacobian(r, model.v), tool.jacobian(r, model.q))
            sums = [[total(tool, [(w[k], part[i][j]) for k, part in enumerate(parts)]) for j in range(self.n)]
                    for i in range(self.n)]
            matrix = [row + [g[i] for g in self.jacobian] for i, row in enumerate(sums)]
            matrix += [[0 if tool.zero(x) else w[2] * x for x in g] + [0] * self.m for g in self.jacobian]
        outputs = Outputs(tool).vector("r", r).vector("phi", list(model.constraints))
        return self.accelerated(outputs.matrix(matrix, named("tangent")), w)

    def id(self):
        return self.accelerated(Outputs(self.tool).vector("r", self.residual()))


def factors(tool, matrix):
    """L and the reciprocals of D of L D Lᵀ, without pivoting, zeros left out."""
    n, zero = len(matrix), tool.zero
    lower, scaled, inverse = [[0] * n for _ in range(n)], [[0] * n for _ in range(n)], [None] * n
    for j in range(n):
        pivot = matrix[j][j]
        for k in range(j):
            if not zero(lower[j][k]):
                pivot = pivot - lower[j][k] * scaled[j][k]
        inverse[j] = tool.number(1.0) / pivot
        for i in range(j + 1, n):
            entry = matrix[i][j]
            for k in range(j):
                if not zero(lower[j][k]) and not zero(scaled[i][k]):
                    entry = entry - scaled[i][k] * lower[j][k]
            scaled[i][j] = entry
            lower[i][j] = 0 if zero(entry) else entry * inverse[j]
    return lower, inverse


def solve(tool, factored, right):
    """The solution for a right-hand side."""
    (lower, inverse), zero, x = factored, tool.zero, list(right)
    n = len(x)
    for i in range(n):
        for k in range(i):
            if not zero(lower[i][k]) and not zero(x[k]):
                x[i] = x[i] - lower[i][k] * x[k]
    x = [0 if zero(entry) else entry * d for entry, d in zip(x, inverse)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            if not zero(lower[k][i]) and not zero(x[k]):
                x[i] = x[i] - lower[k][i] * x[k]
    return x
