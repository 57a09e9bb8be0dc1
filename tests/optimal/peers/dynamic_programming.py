"""The problems P2d, P4 and P5 by Crocoddyl, beside this crate's solvers, in turns in one run.

    pip install crocoddyl==3.1.0 pin==3.8.0 libpinocchio==3.8.0 'cmeel-urdfdom<5' 'cmeel-tinyxml2<11'
    RUSTFLAGS="-C target-cpu=native" python3 tests/optimal/peers/dynamic_programming.py [rounds]

All of Crocoddyl's is C++; it stops at 1e-9. P2d is without damping, which Crocoddyl would have in Python. P4 is in
Crocoddyl's form, with velocities in the body and its steps on SE(3), so that the two optima differ; ours is in the
world's. Times are the least of all solves: CPU time of one thread, and wall time of ours, which has one.
"""
import json
import math
import os
import pathlib
import re

os.environ.setdefault("OMP_NUM_THREADS", "1")

import crocoddyl as co
import numpy as np
import pinocchio as pin

from beside import compare

QUAD = co.ActivationModelWeightedQuad


def on_state(state, weights, wanted, inputs):
    """½ Σ weightᵢ (xᵢ − wantedᵢ)² of a state."""
    residual = co.ResidualModelState(state, np.array(wanted, float), inputs)
    return co.CostModelResidual(state, QUAD(np.array(weights, float)), residual)


def node(state, actuation, cost, h):
    """An explicit step whose positions move by the new velocities."""
    return co.IntegratedActionModelEuler(co.DifferentialActionModelFreeFwdDynamics(state, actuation, cost), h)


def solving(kind, problem, states, inputs):
    solver = kind(problem)
    solver.th_stop = 1e-9

    def once():
        done = solver.solve(states, inputs, 500, False, 1e-6)
        assert done, solver.stop
        return float(solver.cost), int(solver.iter)
    return once


def cart_pole():
    """From the straight line to the upright state."""
    still, h, count = np.zeros((3, 3)), 0.02, 100
    model = pin.Model()
    cart = model.addJoint(0, pin.JointModelPY(), pin.SE3.Identity(), "x")
    model.appendBodyToJoint(cart, pin.Inertia(1.0, np.zeros(3), still), pin.SE3.Identity())
    pole = model.addJoint(cart, pin.JointModelRX(), pin.SE3.Identity(), "th")
    model.appendBodyToJoint(pole, pin.Inertia(0.1, np.array([0.0, 0.0, -0.5]), still), pin.SE3.Identity())
    state = co.StateMultibody(model)
    # the second input is held at 0
    actuation = co.ActuationModelFull(state)
    running, last = co.CostModelSum(state, 2), co.CostModelSum(state, 2)
    effort = co.CostModelResidual(state, QUAD(np.array([2.0, 0.0])), co.ResidualModelControl(state, np.zeros(2)))
    running.addCost("effort", effort, 1.0)
    up = [0.0, math.pi, 0.0, 0.0]
    last.addCost("miss", on_state(state, np.ones(4), up, 2), 1e4)
    step = node(state, actuation, running, h)
    step.u_lb, step.u_ub = np.array([-10.0, 0.0]), np.array([10.0, 0.0])
    problem = co.ShootingProblem(np.zeros(4), [step] * count, node(state, actuation, last, 0.0))
    line = [np.array(up) * k / count for k in range(count + 1)]
    return solving(co.SolverBoxFDDP, problem, line, [np.zeros(2)] * count)


def quadrotor():
    """Through two waypoints, from hovering."""
    h, count, weight, mass, hover = 0.02, 100, 1e3, 1.0, 9.81 / 4
    model = pin.Model()
    body = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root_joint")
    inertia = pin.Inertia(mass, np.zeros(3), np.diag([0.01, 0.01, 0.02]))
    model.appendBodyToJoint(body, inertia, pin.SE3.Identity())
    frame = model.addFrame(pin.Frame("frame", body, 0, pin.SE3.Identity(), pin.FrameType.OP_FRAME))
    state = co.StateMultibody(model)
    hubs = zip([(0.2, 0.0), (0.0, 0.2), (-0.2, 0.0), (0.0, -0.2)], [co.ThrusterType.CW, co.ThrusterType.CCW] * 2)
    rotors = [co.Thruster(pin.SE3(np.eye(3), np.array([*at, 0.0])), 0.016, spin, 0.0, 8.0) for at, spin in hubs]
    actuation = co.ActuationModelFloatingBaseThrusters(state, rotors)
    start = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, *np.zeros(6)])

    def place(cost, at, share):
        residual = co.ResidualModelFrameTranslation(state, frame, np.array(at), 4)
        cost.addCost("place", co.CostModelResidual(state, residual), share)
        return cost

    def running():
        cost = co.CostModelSum(state, 4)
        thrust = co.ResidualModelControl(state, np.full(4, hover))
        cost.addCost("thrust", co.CostModelResidual(state, thrust), 0.01)
        cost.addCost("turning", on_state(state, [0.0] * 9 + [1.0] * 3, start, 4), 0.1)
        return cost

    def step(cost):
        out = node(state, actuation, cost, h)
        out.u_lb, out.u_ub = np.zeros(4), np.full(4, 8.0)
        return out

    last = place(co.CostModelSum(state, 4), [3.0, 0.0, 1.0], weight)
    yaw = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    last.addCost("turn", co.CostModelResidual(state, co.ResidualModelFrameRotation(state, frame, yaw, 4)), weight)
    last.addCost("rest", on_state(state, [0.0] * 6 + [1.0] * 6, start, 4), weight)
    steps = [step(running())] * count
    for k, at in ((33, [1.0, 1.0, 2.0]), (66, [2.0, -1.0, 1.5])):
        steps[k] = step(place(running(), at, weight / h))
    problem = co.ShootingProblem(start, steps, node(state, actuation, last, 0.0))
    return solving(co.SolverBoxFDDP, problem, [start] * (count + 1), [np.full(4, hover)] * count)


def links():
    """The turn about x, the place, the mass, the centre and the inertia of each link of `examples/franka.rs`."""
    text = (pathlib.Path(__file__).parents[3] / "examples" / "franka.rs").read_text()
    frame = r"frame\(vec3\(([^)]*)\), (?:rot_x\((-?)PI / 2.0\) \* )?rot_z"
    body = r"mass: (\S+),\s+com: vec3\(([^)]*)\),\s+inertia: (\[\[.*?\]\])"
    for joint, (place, sign), (mass, centre, inertia) in zip(range(7), re.findall(frame, text),
                                                             re.findall(body, text, re.S)):
        numbers = [float(number.removesuffix("m")) for number in place.split(", ")]
        quarters = 0 if joint == 0 else -1 if sign else 1
        centre = np.array([float(number) for number in centre.split(", ")])
        yield quarters, np.array(numbers), float(mass), centre, np.array(json.loads(inertia))


def arm():
    """To a pose, from rest and the torques that hold the arm there."""
    h, count = 0.01, 100
    model = pin.Model()
    joint = 0
    for i, (quarters, at, mass, centre, inertia) in enumerate(links()):
        turn = pin.utils.rotate("x", quarters * math.pi / 2)
        joint = model.addJoint(joint, pin.JointModelRZ(), pin.SE3(turn, at), f"{i}")
        model.appendBodyToJoint(joint, pin.Inertia(mass, centre, inertia), pin.SE3.Identity())
    tool = np.array([0.0, 0.0, 0.107])
    frame = model.addFrame(pin.Frame("hand", joint, 0, pin.SE3(np.eye(3), tool), pin.FrameType.OP_FRAME))
    data = model.createData()
    pin.framesForwardKinematics(model, data, np.array([1.0, 0.3, -0.5, -1.5, 0.6, 2.0, -0.3]))
    goal = data.oMf[frame].copy()
    state = co.StateMultibody(model)
    actuation = co.ActuationModelFull(state)
    running, last = co.CostModelSum(state, 7), co.CostModelSum(state, 7)
    rates = [0.0] * 7 + [1.0] * 7
    running.addCost("effort", co.CostModelResidual(state, co.ResidualModelControl(state, 7)), 1e-3)
    running.addCost("rate", on_state(state, rates, np.zeros(14), 7), 1e-2)
    place = co.ResidualModelFrameTranslation(state, frame, goal.translation, 7)
    turn = co.ResidualModelFrameRotation(state, frame, goal.rotation, 7)
    last.addCost("place", co.CostModelResidual(state, place), 1e4)
    last.addCost("turn", co.CostModelResidual(state, turn), 1e3)
    last.addCost("stop", on_state(state, rates, np.zeros(14), 7), 1e2)
    start = np.array([0.0, -0.4, 0.0, -2.0, 0.0, 1.6, 0.8, *np.zeros(7)])
    hold = pin.rnea(model, data, start[:7], np.zeros(7), np.zeros(7))
    steps = [node(state, actuation, running, h)] * count
    problem = co.ShootingProblem(start, steps, node(state, actuation, last, 0.0))
    return solving(co.SolverFDDP, problem, [start] * (count + 1), [hold] * count)


def main():
    print(f"Crocoddyl {co.__version__}, Pinocchio {pin.__version__}")
    compare("P2d, without damping", {"BoxFDDP": cart_pole()})
    interior = "P4, eight columns at a time"
    compare("P4", {"BoxFDDP": quadrotor()}, (interior, "P4, DDP", "P4, iLQR"))
    compare("P5", {"FDDP": arm()}, ("P5, DDP, Gauss-Newton",))


main()
