// Linearly implicit steps of a chain of masses on damped springs by Eigen's SparseLU, its pattern analysed once:
// microseconds a step, for `cargo bench -p ode-model-large`.
//
// Debian: libeigen3-dev. c++ -O3 -DNDEBUG -march=native -I/usr/include/eigen3 eigen.cpp

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <Eigen/Sparse>
#include <Eigen/SparseLU>

using Vec = Eigen::VectorXd;
using Block = Eigen::Matrix3d;
using Sparse = Eigen::SparseMatrix<double>;

struct Chain {
    int n;  // points that move; the one before the first is held at the origin
    double m = 0.1, k = 1e4, c = 1.0, rest = 0.1, g = 9.81;

    Sparse pattern() const {
        std::vector<Eigen::Triplet<double>> entries;
        for (int i = 0; i < n; ++i)
            for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
                for (int a = 0; a < 9; ++a) entries.emplace_back(3 * j + a / 3, 3 * i + a % 3, 1.0);
        Sparse a(3 * n, 3 * n);
        a.setFromTriplets(entries.begin(), entries.end());
        return a;
    }

    // f, K v and M + h D + h^2 K
    void assemble(const Vec& q, const Vec& v, double h, Vec& force, Vec& rate, Sparse& a) const {
        double* values = a.valuePtr();
        const int* starts = a.outerIndexPtr();
        std::fill(values, values + a.nonZeros(), 0.0);
        auto add = [&](int row, int col, const Block& b, double sign) {
            const int first = std::max(0, col - 1);
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 3; ++i) values[starts[3 * col + j] + 3 * (row - first) + i] += sign * b(i, j);
        };
        rate.setZero();
        for (int i = 0; i < n; ++i) {
            force.segment<3>(3 * i) << 0.0, 0.0, -m * g;
            add(i, i, m * Block::Identity(), 1.0);
        }
        for (int i = 0; i < n; ++i) {
            Eigen::Vector3d d = q.segment<3>(3 * i), w = v.segment<3>(3 * i);
            if (i > 0) d -= q.segment<3>(3 * i - 3), w -= v.segment<3>(3 * i - 3);
            const double r = d.norm(), along = d.dot(w), pull = (k * (r - rest) + c * along / r) / r;
            const Eigen::Vector3d slope = (k * d / r + c * (w / r - along / (r * r * r) * d)) / r - pull / (r * r) * d;
            const Block stiffness = pull * Block::Identity() + d * slope.transpose();
            const Block b = h * h * stiffness + h * c / (r * r) * d * d.transpose();
            const Eigen::Vector3d change = stiffness * w;
            force.segment<3>(3 * i) -= pull * d;
            rate.segment<3>(3 * i) += change;
            add(i, i, b, 1.0);
            if (i > 0) {
                force.segment<3>(3 * i - 3) += pull * d;
                rate.segment<3>(3 * i - 3) -= change;
                add(i - 1, i - 1, b, 1.0);
                add(i, i - 1, b, -1.0);
                add(i - 1, i, b, -1.0);
            }
        }
    }
};

int main(int count, char** arguments) {
    const double h = 0.01;
    for (int k = 1; k < count; ++k) {
        Chain chain{std::atoi(arguments[k]) - 1};
        const int n = 3 * chain.n;
        Sparse a = chain.pattern();
        Eigen::SparseLU<Sparse> lu;
        lu.analyzePattern(a);
        Vec q(n), v = Vec::Zero(n), force(n), rate(n);
        double least = 1e300;
        for (int batch = 0; batch < 40; ++batch) {
            for (int i = 0; i < chain.n; ++i) q.segment<3>(3 * i) << 0.1 * (i + 1), 0.0, 0.0;
            v.setZero();
            const int steps = 20;
            const auto from = std::chrono::steady_clock::now();
            for (int step = 0; step < steps; ++step) {
                // (M + h D + h^2 K) dv = h (f - h K v)
                chain.assemble(q, v, h, force, rate, a);
                lu.factorize(a);
                const Vec right = h * force - h * h * rate;
                v += lu.solve(right);
                q += h * v;
            }
            const auto took = std::chrono::steady_clock::now() - from;
            least = std::min(least, std::chrono::duration<double, std::micro>(took).count() / steps);
        }
        std::printf("%d %.3f %.6f\n", chain.n + 1, least, q[n - 1]);
    }
}
