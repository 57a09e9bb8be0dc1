"""Exudyn's generalised-alpha on the models of `cargo bench --bench peers`: microseconds per step, and the error at t = 1.

pip install exudyn. Each line printed: model, steps, microseconds per step, error.
"""

import math
import time

import exudyn as exu
from exudyn.itemInterface import (
    CoordinateConstraint,
    DistanceConstraint,
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyPosition,
    MarkerNodeCoordinate,
    NodePoint2D,
    NodePointGround,
    NodeRigidBody2D,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectMassPoint2D,
    ObjectRigidBody2D,
)

# 128-bit extrapolation: crank, rod and slider, each (x, y, angle), at t = 1
SLIDER_CRANK = [
    9.771349284425171e-3, 7.436074726064662e-2, 20.289696169820996,
    0.17795822579657583, 7.436074726064662e-2, -0.4388719131140147,
    0.3363737530243013, 0.0, 0.0,
]
# closed form at t = 1
PENDULUM = [-0.9862917511319, -0.1650108531255]


def weigh(mbs, body, mass):
    marker = mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
    mbs.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -9.81, 0]))


def slider_crank(mbs):
    m, l1, l2, a1, rate = [0.2, 0.4, 0.3], 0.15, 0.35, 0.5, 20.0
    a2 = -math.asin(l1 * math.sin(a1) / l2)
    rate2 = -rate * l1 * math.cos(a1) / (l2 * math.cos(a2))
    pin, speed = [l1 * math.cos(a1), l1 * math.sin(a1)], [-l1 * math.sin(a1) * rate, l1 * math.cos(a1) * rate]
    bodies = [
        ([pin[0] / 2, pin[1] / 2, a1], [speed[0] / 2, speed[1] / 2, rate], m[0] * l1**2 / 12),
        (
            [pin[0] + l2 / 2 * math.cos(a2), pin[1] / 2, a2],
            [speed[0] - l2 / 2 * math.sin(a2) * rate2, speed[1] / 2, rate2],
            m[1] * l2**2 / 12,
        ),
        ([pin[0] + l2 * math.cos(a2), 0, 0], [speed[0] - l2 * math.sin(a2) * rate2, 0, 0], 0.001),
    ]
    nodes, objects = [], []
    for (q, v, inertia), mass in zip(bodies, m):
        node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=q, initialVelocities=v))
        body = mbs.AddObject(ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        weigh(mbs, body, mass)
        nodes.append(node)
        objects.append(body)
    ground = mbs.AddObject(ObjectGround())

    def joint(one, at, two, there):
        markers = [
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=one, localPosition=[at, 0, 0])),
            mbs.AddMarker(MarkerBodyPosition(bodyNumber=two, localPosition=[there, 0, 0])),
        ]
        mbs.AddObject(ObjectJointRevolute2D(markerNumbers=markers))

    joint(ground, 0, objects[0], -l1 / 2)
    joint(objects[0], l1 / 2, objects[1], -l2 / 2)
    joint(objects[1], l2 / 2, objects[2], 0)
    still = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    for coordinate in (1, 2):
        moving = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[2], coordinate=coordinate))
        # counted from its reference, which is zero
        mbs.AddObject(CoordinateConstraint(markerNumbers=[still, moving]))
    return nodes, SLIDER_CRANK


def pendulum(mbs):
    node = mbs.AddNode(NodePoint2D(referenceCoordinates=[1, 0]))
    body = mbs.AddObject(ObjectMassPoint2D(mass=1, nodeNumber=node))
    weigh(mbs, body, 1)
    ground = mbs.AddObject(ObjectGround())
    markers = [mbs.AddMarker(MarkerBodyPosition(bodyNumber=item)) for item in (ground, body)]
    mbs.AddObject(DistanceConstraint(markerNumbers=markers, distance=1))
    return [node], PENDULUM


def run(build, steps):
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    nodes, reference = build(mbs)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = 1
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = 2
    begin = time.perf_counter()
    mbs.SolveDynamic(settings)
    seconds = time.perf_counter() - begin
    q = []
    for node in nodes:
        moved = mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)
        fixed = mbs.GetNode(node)["referenceCoordinates"]
        q += [a + b for a, b in zip(moved, fixed)]
    return seconds, max(abs(a - b) for a, b in zip(q, reference))


for name, build in (("slider_crank", slider_crank), ("pendulum", pendulum)):
    few, many = 1000, 5000
    pairs = [(run(build, few)[0], run(build, many)[0]) for _ in range(10)]
    each = (min(b for _, b in pairs) - min(a for a, _ in pairs)) / (many - few)
    print(name, few, each * 1e6, run(build, few)[1])
