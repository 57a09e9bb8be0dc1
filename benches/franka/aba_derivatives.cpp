// Pinocchio's derivatives of forward dynamics of the arm in examples/franka.rs: nanoseconds a call, the least of many
// short batches, for `cargo bench --bench derivatives`.
//
// pip install pin==4.1.0, Debian's libeigen3-dev and clang. Links are quarter turns about x, then a joint about z; the
// motor torques are zero, as on the other side.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>

namespace pin = pinocchio;

struct Link {
    int quarter;  // turns about x
    Eigen::Vector3d at;
    double mass;
    Eigen::Vector3d com;
    double inertia[6];  // xx, xy, yy, xz, yz, zz, about the centre of mass
};

static const Link LINKS[] = {
    {0, {0.0, 0.0, 0.333}, 4.970684, {0.003875, 0.002081, -0.04762},
     {0.70337, -0.000139, 0.70661, 0.006772, 0.019169, 0.009117}},
    {-1, {0.0, 0.0, 0.0}, 0.646926, {-0.003141, -0.02872, 0.003495},
     {0.007962, -0.003925, 0.02811, 0.010254, 0.000704, 0.025995}},
    {1, {0.0, -0.316, 0.0}, 3.228604, {0.027518, 0.039252, -0.066502},
     {0.037242, -0.004761, 0.036155, -0.011396, -0.012805, 0.01083}},
    {1, {0.0825, 0.0, 0.0}, 3.587895, {-0.05317, 0.104419, 0.027454},
     {0.025853, 0.007796, 0.019552, -0.001332, 0.008641, 0.028323}},
    {-1, {-0.0825, 0.384, 0.0}, 1.225946, {-0.011953, 0.041065, -0.038437},
     {0.035549, -0.002117, 0.029474, -0.004037, 0.000229, 0.008627}},
    {1, {0.0, 0.0, 0.0}, 1.666555, {0.060149, -0.014117, -0.010517},
     {0.001964, 0.000109, 0.004354, -0.001158, 0.000341, 0.005433}},
    {1, {0.088, 0.0, 0.0}, 1.495522, {0.001720874298, 0.001360354417, 0.100485281149},
     {0.016529853713, 0.000394892297, 0.014107248642, -0.000706695711, -0.001051105327, 0.006676955557}},
};

int main() {
    pin::Model model;
    int joint = 0;
    for (const Link& link : LINKS) {
        Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
        if (link.quarter != 0) turn << 1, 0, 0, 0, 0, -link.quarter, 0, link.quarter, 0;
        const double* i = link.inertia;
        Eigen::Matrix3d inertia;
        inertia << i[0], i[1], i[3], i[1], i[2], i[4], i[3], i[4], i[5];
        joint = model.addJoint(joint, pin::JointModelRZ(), pin::SE3(turn, link.at), "q" + std::to_string(joint));
        model.appendBodyToJoint(joint, pin::Inertia(link.mass, link.com, inertia), pin::SE3::Identity());
    }
    model.gravity.linear() << 0, 0, -9.81;
    pin::Data data(model);
    Eigen::VectorXd q(7), v(7), tau = Eigen::VectorXd::Zero(7);
    q << 0.0, -0.6, 0.0, -2.2, 0.0, 1.6, 0.8;
    v << 0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.7;
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (int batch = 0; batch < 10000; ++batch) {
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < 20; ++k) {
            pin::computeABADerivatives(model, data, q, v, tau);
            sum += data.ddq_dq(0, 0);
        }
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
        least = std::fmin(least, time.count() / 20);
    }
    std::printf("%.1f\n", sum == sum ? least : -1.0);
}
