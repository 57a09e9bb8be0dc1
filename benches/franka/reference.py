"""The Franka Emika Panda arm, its fingers locked: its data, and its inverse dynamics by Pinocchio.

    python3 -m venv venv && venv/bin/pip install pin==4.1.0 example-robot-data==6.0.0 numpy
    venv/bin/python benches/franka/reference.py model              # the items of examples/franka.rs
    venv/bin/python benches/franka/reference.py values > tests/data/franka.csv

The data are those of `panda.urdf` in example-robot-data, cleaned of round-off (placements are quarter turns about x).
Pinocchio's model is built anew from the cleaned numbers, so that both sides compute with the same ones.
"""
import sys
import sysconfig

import numpy as np
import pinocchio as pin

SEED = 20261121
STATES = 100
TANGENTS = 4


def joints():
    """(name, R, p, m, c, I, parent) of each joint: placement in its parent, inertia about the centre of mass."""
    share = sysconfig.get_paths()["purelib"] + "/cmeel.prefix/share/example-robot-data/robots"
    model = pin.buildModelFromUrdf(share + "/panda_description/urdf/panda.urdf")
    locked = [i for i in range(1, model.njoints) if "finger" in model.names[i]]
    model = pin.buildReducedModel(model, locked, pin.neutral(model))

    def clean(x):
        x = np.array(x, float)
        for value in (0.0, 1.0, -1.0):
            x[np.abs(x - value) < 1e-9] = value
        return np.round(x, 12)

    for i in range(1, model.njoints):
        place, body = model.jointPlacements[i], model.inertias[i]
        yield (model.names[i], clean(place.rotation), clean(place.translation), round(float(body.mass), 12), clean(body.lever),
               clean(body.inertia), int(model.parents[i]))


def rebuilt():
    model = pin.Model()
    for name, rotation, at, mass, centre, inertia, parent in joints():
        i = model.addJoint(parent, pin.JointModelRZ(), pin.SE3(rotation, at), name)
        model.appendBodyToJoint(i, pin.Inertia(mass, centre, inertia), pin.SE3.Identity())
    return model


def print_model():
    def number(x, unit=""):
        return "0.0" if x == 0.0 else repr(float(x)) + unit

    def vector(v, unit=""):
        return "vec3(" + ", ".join(number(x, unit) for x in v) + ")"

    for i, (_, rotation, at, mass, centre, inertia, parent) in enumerate(joints()):
        turn = {0: "", 1: "rot_x(PI / 2.0) * ", -1: "rot_x(-PI / 2.0) * "}[round(rotation[2, 1])]
        base = f"link{parent} * " if parent else ""
        print(f"        let link{i + 1} = {base}frame({vector(at, 'm')}, {turn}rot_z(q[{i}]));")
        print(f"        body b{i + 1} on link{i + 1} {{")
        print(f"            mass: {number(mass)},")
        print(f"            com: {vector(centre)},")
        rows = ["[" + ", ".join(number(x) for x in row) + "]" for row in inertia]
        print("            inertia: [" + (",\n" + 22 * " ").join(rows) + "],")
        print("        }")


def print_values():
    model = rebuilt()
    data = model.createData()
    rng = np.random.default_rng(SEED)
    versions = f"pinocchio {pin.__version__}, numpy {np.__version__}, example-robot-data 6.0.0"
    print(f"# written by benches/franka/reference.py with {versions}, seed {SEED}; gravity {model.gravity.linear[2]} along z")
    print("# torque: q, v, a, tau = rnea(q, v, a), seven numbers each")
    print("# tangent: dtau/dq, dtau/dv, M of the line above, row major")
    for k in range(STATES):
        q, v, a = rng.uniform(-2.8, 2.8, 7), rng.uniform(-2.5, 2.5, 7), rng.uniform(-10.0, 10.0, 7)
        tau = pin.rnea(model, data, q, v, a)
        row("torque", [q, v, a, tau])
        if k < TANGENTS:
            by_q, by_v, mass = pin.computeRNEADerivatives(model, data, q, v, a)
            mass = np.triu(mass) + np.triu(mass, 1).T
            row("tangent", [by_q, by_v, mass])


def row(tag, blocks):
    print(tag + "," + ",".join(repr(float(x)) for block in blocks for x in np.asarray(block).ravel()))


if __name__ == "__main__":
    {"model": print_model, "values": print_values}[sys.argv[1]]()
