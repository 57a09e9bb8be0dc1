// Simbody's GeodesicIntegrator on the planar Cartesian pendulum: nanoseconds per attempted step, for `cargo bench --bench peers`.
//
// Debian: libsimbody-dev. c++ -O3 -DNDEBUG -I/usr/include/simbody geodesic.cpp -lSimTKcommon

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "SimTKcommon.h"
#include "simmath/internal/GeodesicIntegrator.h"

using SimTK::Real;
using SimTK::Vec;

// A point on the unit circle, C = (x² + y² − 1)/2, with the period 2 when it is let go at the height of the centre.
struct Pendulum {
    enum { NQ = 2, NC = 2, N = 4 };
    Real g = 13.7503716373294544;

    void calcDerivs(Real, const Vec<N>& y, Vec<N>& ydot) const {
        // [1 Gᵀ; G 0] by its Schur complement; G = (x, y), γ = v·v
        const Real gg = y[0] * y[0] + y[1] * y[1];
        const Real lambda = (g * y[1] - (y[2] * y[2] + y[3] * y[3])) / gg;
        ydot[0] = y[2];
        ydot[1] = y[3];
        ydot[2] = lambda * y[0];
        ydot[3] = lambda * y[1] - g;
    }
    void calcConstraintErrors(Real, const Vec<N>& y, Vec<NC>& c) const {
        c[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1);
        c[1] = y[0] * y[2] + y[1] * y[3];
    }
    bool projectIfNeeded(Real tolerance, Real t, Vec<N>& y) const {
        const Real enough = 0.1 * tolerance;
        Vec<NC> c;
        calcConstraintErrors(t, y, c);
        if (std::fabs(c[0]) <= enough && std::fabs(c[1]) <= enough) return true;
        for (int i = 0; i < 10 && std::fabs(c[0]) > enough; ++i) {
            const Real step = c[0] / (y[0] * y[0] + y[1] * y[1]);
            y[0] -= step * y[0];
            y[1] -= step * y[1];
            calcConstraintErrors(t, y, c);
        }
        const Real normal = c[1] / (y[0] * y[0] + y[1] * y[1]);
        y[2] -= normal * y[0];
        y[3] -= normal * y[1];
        calcConstraintErrors(t, y, c);
        return std::fabs(c[0]) <= tolerance && std::fabs(c[1]) <= tolerance;
    }
};

int main() {
    const Real settings[3][2] = {{1e-3, 1e-4}, {1e-6, 1e-10}, {1e-9, 1e-10}};
    for (const auto& [accuracy, tolerance] : settings) {
        double least = std::numeric_limits<double>::infinity();
        int attempted = 0;
        for (int run = 0; run < 200; ++run) {
            const Pendulum pendulum;
            SimTK::GeodesicIntegrator<Pendulum> integrator(pendulum, accuracy, tolerance);
            const auto begin = std::chrono::steady_clock::now();
            integrator.initialize(0, Vec<4>(1, 0, 0, 0));
            while (integrator.getTime() < 20) integrator.takeOneStep(20);
            const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
            attempted = integrator.getNumStepsAttempted();
            least = std::fmin(least, time.count() / attempted);
        }
        std::printf("%g %g %d %.2f\n", accuracy, tolerance, attempted, least);
    }
}
