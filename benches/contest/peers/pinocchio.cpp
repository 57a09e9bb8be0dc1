// The arm by Pinocchio 4.1: kernels `fd`, `fdj`, `resj` and `id`, matrices whole and column by column.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

namespace {
struct Link {
  double rotation[9], place[3], mass[1], centre[3], inertia[9];
};
const Link LINKS[] = {
#include "arm.h"
};
const int N = sizeof LINKS / sizeof *LINKS;

using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
using Three = Eigen::Map<const Eigen::Vector3d>;
using Vector = Eigen::Map<Eigen::VectorXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;

pinocchio::Model arm() {
  pinocchio::Model model;
  for (int i = 0; i < N; i++) {
    const Link &link = LINKS[i];
    pinocchio::SE3 place(Rows(link.rotation), Three(link.place));
    auto joint = model.addJoint(i, pinocchio::JointModelRZ(), place, "joint" + std::to_string(i));
    pinocchio::Inertia inertia(link.mass[0], Three(link.centre), Rows(link.inertia));
    model.appendBodyToJoint(joint, inertia, pinocchio::SE3::Identity());
  }
  model.gravity.linear() << 0, 0, -9.81;
  return model;
}

pinocchio::Model model = arm();
pinocchio::Data data(model);
Eigen::VectorXd q(N), v(N), x(N);

void read(const double *in) {
  q = Eigen::Map<const Eigen::VectorXd>(in, N);
  v = Eigen::Map<const Eigen::VectorXd>(in + N, N);
  x = Eigen::Map<const Eigen::VectorXd>(in + 2 * N, N);
}

template <class M> void whole(M &upper, double *out) {
  upper.template triangularView<Eigen::StrictlyLower>() =
      upper.transpose().template triangularView<Eigen::StrictlyLower>();
  Matrix(out, N, N) = upper;
}
} // namespace

extern "C" void fd(const double *in, double *out) {
  read(in);
  Vector(out, N) = pinocchio::aba(model, data, q, v, x);
}

extern "C" void id(const double *in, double *out) {
  read(in);
  Vector(out, N) = pinocchio::rnea(model, data, q, v, x);
}

extern "C" void fdj(const double *in, double *out) {
  read(in);
  pinocchio::computeABADerivatives(model, data, q, v, x);
  Vector(out, N) = data.ddq;
  Matrix(out + N, N, N) = data.ddq_dq;
  Matrix(out + N + N * N, N, N) = data.ddq_dv;
  whole(data.Minv, out + N + 2 * N * N);
}

extern "C" void resj(const double *in, double *out) {
  read(in);
  pinocchio::computeRNEADerivatives(model, data, q, v, x);
  Vector(out, N) = data.tau;
  Matrix(out + N, N, N) = data.dtau_dq;
  Matrix(out + N + N * N, N, N) = data.dtau_dv;
  whole(data.M, out + N + 2 * N * N);
}
