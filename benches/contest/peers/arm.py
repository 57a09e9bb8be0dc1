"""Recursive Newton–Euler and composite bodies for the arm, link by link in link axes; structural zeros are dropped."""
import re
from pathlib import Path

TEXT = Path(__file__).parent.parent / "ours" / "src" / "models" / "arm.rs"
GRAVITY = 9.81


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text)]


def links():
    """(rotation at rest, place in the parent, mass, first moment, inertia about the joint) of each link."""
    found = re.findall(r"frame\(vec3\((.*?)\), (.*?)rot_z.*?mass: (.*?),.*?com: vec3\((.*?)\).*?inertia: (\[\[.*?\]\])",
                       TEXT.read_text(), re.DOTALL)
    for place, turn, mass, centre, inertia in found:
        side = 0.0 if not turn else -1.0 if "-PI" in turn else 1.0
        rotation = [[1.0, 0.0, 0.0], [0.0, 1.0 - abs(side), -side], [0.0, side, 1.0 - abs(side)]]
        m, c, own = float(mass), numbers(centre), numbers(inertia)
        square = sum(x * x for x in c)
        about = [[own[3 * a + b] + m * ((square if a == b else 0.0) - c[a] * c[b]) for b in range(3)] for a in range(3)]
        yield rotation, numbers(place), m, [m * x for x in c], about


class Algebra:
    """Vectors and matrices as lists of a tool's numbers."""

    def __init__(self, tool):
        self.zero = tool.zero

    def plus(self, a, b):
        return b if self.zero(a) else a if self.zero(b) else a + b

    def minus(self, a, b):
        return (0 if self.zero(b) else -b) if self.zero(a) else a if self.zero(b) else a - b

    def times(self, a, b):
        if self.zero(a) or self.zero(b):
            return 0
        for x, y in ((a, b), (b, a)):
            if isinstance(x, float) and abs(x) == 1.0:
                return y if x == 1.0 else -y
        return a * b

    def add(self, *vectors):
        total = vectors[0]
        for vector in vectors[1:]:
            total = [self.plus(x, y) for x, y in zip(total, vector)]
        return total

    def dot(self, a, b):
        total = 0
        for x, y in zip(a, b):
            total = self.plus(total, self.times(x, y))
        return total

    def scale(self, k, a):
        return [self.times(k, x) for x in a]

    def cross(self, a, b):
        return [self.minus(self.times(a[i - 2], b[i - 1]), self.times(a[i - 1], b[i - 2])) for i in range(3)]

    def apply(self, matrix, vector):
        return [self.dot(row, vector) for row in matrix]

    def back(self, matrix, vector):
        return [self.dot([row[i] for row in matrix], vector) for i in range(3)]

    def product(self, a, b):
        return [[self.dot(row, [b[k][j] for k in range(3)]) for j in range(3)] for row in a]


class Arm:
    """The arm at the sines and cosines of its joints."""

    def __init__(self, tool, sines, cosines):
        self.algebra = Algebra(tool)
        self.links = list(links())
        turns = ([[c, -s, 0], [s, c, 0], [0, 0, 1.0]] for s, c in zip(sines, cosines))
        self.axes = [self.algebra.product(link[0], turn) for link, turn in zip(self.links, turns)]

    def inverse_dynamics(self, v, a):
        """Torques for accelerations a."""
        x = self.algebra
        forces, moments = [], []
        for i, (_, place, mass, first, inertia) in enumerate(self.links):
            axes = self.axes[i]
            if i == 0:
                w, dw, acceleration = [0, 0, v[0]], [0, 0, a[0]], x.back(axes, [0, 0, GRAVITY])
            else:
                moved = x.add(acceleration, x.add(x.cross(dw, place), x.cross(w, x.cross(w, place))))
                acceleration = x.back(axes, moved)
                w, dw = x.back(axes, w), x.back(axes, dw)
                dw = [x.plus(dw[0], x.times(w[1], v[i])), x.minus(dw[1], x.times(w[0], v[i])), x.plus(dw[2], a[i])]
                w = [w[0], w[1], x.plus(w[2], v[i])]
            turning = x.add(x.cross(dw, first), x.cross(w, x.cross(w, first)))
            forces.append(x.add(x.scale(mass, acceleration), turning))
            spinning = x.add(x.cross(w, x.apply(inertia, w)), x.cross(first, acceleration))
            moments.append(x.add(x.apply(inertia, dw), spinning))
        torques = [None] * len(self.links)
        for i in reversed(range(len(self.links))):
            torques[i] = moments[i][2]
            if i > 0:
                force = x.apply(self.axes[i], forces[i])
                forces[i - 1] = x.add(forces[i - 1], force)
                handed = x.add(x.apply(self.axes[i], moments[i]), x.cross(self.links[i][1], force))
                moments[i - 1] = x.add(moments[i - 1], handed)
        return torques

    def mass(self):
        """The mass matrix, by composite bodies."""
        x, n = self.algebra, len(self.links)
        masses = [link[2] for link in self.links]
        firsts = [list(link[3]) for link in self.links]
        inertias = [[list(row) for row in link[4]] for link in self.links]
        matrix = [[0] * n for _ in range(n)]
        for i in reversed(range(n)):
            # what a unit acceleration about the joint's axis needs
            force = [x.minus(0, firsts[i][1]), firsts[i][0], 0]
            moment = [inertias[i][0][2], inertias[i][1][2], inertias[i][2][2]]
            matrix[i][i] = moment[2]
            for j in range(i, 0, -1):
                force = x.apply(self.axes[j], force)
                moment = x.add(x.apply(self.axes[j], moment), x.cross(self.links[j][1], force))
                matrix[i][j - 1] = matrix[j - 1][i] = moment[2]
            if i > 0:
                self.merge(i, masses, firsts, inertias)
        return matrix

    def merge(self, i, masses, firsts, inertias):
        """Adds what hangs on joint i to its parent."""
        x, place, axes = self.algebra, self.links[i][1], self.axes[i]
        first, mass = x.apply(axes, firsts[i]), masses[i]
        turned = x.product(x.product(axes, inertias[i]), [list(column) for column in zip(*axes)])
        own = x.plus(x.times(2.0, x.dot(place, first)), x.times(mass, x.dot(place, place)))
        for a in range(3):
            for b in range(a, 3):
                entry = x.plus(turned[a][b], own) if a == b else turned[a][b]
                entry = x.minus(entry, x.plus(x.times(place[a], first[b]), x.times(first[a], place[b])))
                entry = x.minus(entry, x.times(mass, x.times(place[a], place[b])))
                inertias[i - 1][a][b] = inertias[i - 1][b][a] = x.plus(inertias[i - 1][a][b], entry)
        firsts[i - 1] = x.add(firsts[i - 1], x.add(first, x.scale(mass, place)))
        masses[i - 1] += mass
