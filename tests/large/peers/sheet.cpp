// The stiff sheet of examples/cloth.rs by other programs: CVODE's BDF with KLU and with GMRES, both with exact
// derivatives, and Dormand and Prince's pair as DOPRI5 has it. For `cargo bench -p ode-model-large --bench sheet`.
//
// Debian: libsundials-dev, libsuitesparse-dev. c++ -O3 -march=native -ffast-math -I/usr/include/suitesparse sheet.cpp
// -lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixsparse -lsundials_sunlinsolklu -lsundials_sunlinsolspgmr
//
// sheet <nodes a side> <file of positions> <klu|gmres|dopri5> <relative> <absolute tolerance>: seconds of the
// processor, the largest error in m, steps, evaluations, iterations, matrices. Without arguments: versions.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <SuiteSparse_config.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_sparse.h>

struct Spring {
    int i, j;
    double k, rest;
};

// y = (x, v), each node by node.
struct Sheet {
    int n;
    double mass, g = 9.81, lag = 5e-4;
    std::vector<Spring> springs;
    // columns of the Jacobian, and for each spring where its blocks (i, i), (j, j), (i, j) and (j, i) begin in a column
    std::vector<sunindextype> starts, rows;
    std::vector<int> places;

    explicit Sheet(int side) : n(side * side), mass(0.3 / (side * side)) {
        const int ways[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
        const double stiff[6] = {1e5, 1e5, 4e4, 4e4, 50.0, 50.0};
        for (int p = 0; p < n; ++p)
            for (int way = 0; way < 6; ++way) {
                const int column = p % side + ways[way][0], row = p / side + ways[way][1];
                if (column < 0 || column >= side || row >= side) continue;
                const double rest = std::hypot(ways[way][0], ways[way][1]) / (side - 1);
                springs.push_back({p, row * side + column, stiff[way], rest});
            }
    }
    int side() const { return static_cast<int>(std::lround(std::sqrt(n))); }

    std::vector<double> start() const {
        std::vector<double> y(6 * n, 0.0);
        for (int p = 0, s = side(); p < n; ++p)
            y[3 * p] = double(p % s) / (s - 1), y[3 * p + 1] = double(p / s) / (s - 1);
        return y;
    }

    void hold(double* f) const {
        for (int p : {n - 1, n - side()})
            for (int k = 0; k < 3; ++k) f[3 * p + k] = f[3 * (n + p) + k] = 0.0;
    }

    void rates(const double* y, double* f) const {
        const double *x = y, *v = y + 3 * n, over = 1.0 / mass;
        double* a = f + 3 * n;
        std::memcpy(f, v, 3 * n * sizeof(double));
        for (int p = 0; p < n; ++p) a[3 * p] = a[3 * p + 1] = 0.0, a[3 * p + 2] = -g;
        for (const Spring& s : springs) {
            double d[3], along = 0.0, square = 0.0;
            for (int k = 0; k < 3; ++k) {
                d[k] = x[3 * s.j + k] - x[3 * s.i + k];
                square += d[k] * d[k];
                along += d[k] * (v[3 * s.j + k] - v[3 * s.i + k]);
            }
            const double inverse = 1.0 / std::sqrt(square);
            const double pull = over * s.k * (1.0 - s.rest * inverse + lag * along * inverse * inverse);
            for (int k = 0; k < 3; ++k) a[3 * s.i + k] += pull * d[k], a[3 * s.j + k] -= pull * d[k];
        }
        hold(f);
    }

    // ∂a/∂x and ∂a/∂v of a spring's first node by the second; by its own they are the negative
    void blocks(const Spring& s, const double* x, const double* v, double stiff[9], double damp[9]) const {
        double d[3], w[3], along = 0.0, square = 0.0;
        for (int k = 0; k < 3; ++k) {
            d[k] = x[3 * s.j + k] - x[3 * s.i + k];
            w[k] = v[3 * s.j + k] - v[3 * s.i + k];
            square += d[k] * d[k];
            along += d[k] * w[k];
        }
        const double r = 1.0 / square, root = std::sqrt(r), c = s.k / mass;
        const double pull = c * (1.0 - s.rest * root + lag * along * r);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double slope = c * (s.rest * root * r * d[j] + lag * (w[j] * r - 2.0 * along * r * r * d[j]));
                stiff[3 * i + j] = d[i] * slope + (i == j ? pull : 0.0);
                damp[3 * i + j] = c * lag * r * d[i] * d[j];
            }
    }

    // J p
    void product(const double* y, const double* p, double* out) const {
        const double *x = y, *v = y + 3 * n;
        std::memcpy(out, p + 3 * n, 3 * n * sizeof(double));
        std::fill(out + 3 * n, out + 6 * n, 0.0);
        for (const Spring& s : springs) {
            double d[3], w[3], e[3], u[3], along = 0.0, square = 0.0, de = 0.0, we = 0.0, du = 0.0;
            for (int k = 0; k < 3; ++k) {
                d[k] = x[3 * s.j + k] - x[3 * s.i + k];
                w[k] = v[3 * s.j + k] - v[3 * s.i + k];
                e[k] = p[3 * s.j + k] - p[3 * s.i + k];
                u[k] = p[3 * (n + s.j) + k] - p[3 * (n + s.i) + k];
                square += d[k] * d[k], along += d[k] * w[k], de += d[k] * e[k], we += w[k] * e[k], du += d[k] * u[k];
            }
            const double r = 1.0 / square, root = std::sqrt(r), c = s.k / mass;
            const double pull = c * (1.0 - s.rest * root + lag * along * r);
            const double slope = c * (s.rest * root * r * de + lag * ((we + du) * r - 2.0 * along * r * r * de));
            for (int k = 0; k < 3; ++k) {
                const double change = pull * e[k] + slope * d[k];
                out[3 * (n + s.i) + k] += change, out[3 * (n + s.j) + k] -= change;
            }
        }
        hold(out);
    }

    // The pattern by columns: those of x have rows of a; those of v the identity and the same rows.
    void pattern() {
        std::vector<std::vector<int>> beside(n);
        for (int p = 0; p < n; ++p) beside[p].push_back(p);
        for (const Spring& s : springs) beside[s.i].push_back(s.j), beside[s.j].push_back(s.i);
        for (auto& list : beside) std::sort(list.begin(), list.end());
        starts.push_back(0);
        for (int half = 0; half < 2; ++half)
            for (int p = 0; p < n; ++p)
                for (int k = 0; k < 3; ++k) {
                    if (half == 1) rows.push_back(3 * p + k);
                    for (int to : beside[p])
                        for (int l = 0; l < 3; ++l) rows.push_back(3 * (n + to) + l);
                    starts.push_back(static_cast<sunindextype>(rows.size()));
                }
        auto place = [&](int row, int column) {
            const auto& list = beside[column];
            return 3 * int(std::lower_bound(list.begin(), list.end(), row) - list.begin());
        };
        for (const Spring& s : springs)
            for (int at : {place(s.i, s.i), place(s.j, s.j), place(s.i, s.j), place(s.j, s.i)}) places.push_back(at);
    }

    void jacobian(const double* y, double* values) const {
        const double *x = y, *v = y + 3 * n;
        const int first = n - side(), second = n - 1;
        std::fill(values, values + rows.size(), 0.0);
        for (int p = 0; p < n; ++p)
            for (int k = 0; k < 3; ++k) values[starts[3 * (n + p) + k]] = p == first || p == second ? 0.0 : 1.0;
        for (size_t index = 0; index < springs.size(); ++index) {
            const Spring& s = springs[index];
            const int* at = &places[4 * index];
            double stiff[9], damp[9];
            blocks(s, x, v, stiff, damp);
            auto add = [&](int row, int column, int place, double sign) {
                if (row == first || row == second) return;
                for (int j = 0; j < 3; ++j) {
                    double* to = values + starts[3 * column + j] + place;
                    double* rate = values + starts[3 * (n + column) + j] + 1 + place;
                    for (int i = 0; i < 3; ++i) to[i] += sign * stiff[3 * i + j], rate[i] += sign * damp[3 * i + j];
                }
            };
            add(s.i, s.i, at[0], -1.0), add(s.j, s.j, at[1], -1.0);
            add(s.i, s.j, at[2], 1.0), add(s.j, s.i, at[3], 1.0);
        }
    }
};

static int rates(realtype, N_Vector y, N_Vector f, void* sheet) {
    static_cast<Sheet*>(sheet)->rates(N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static int jacobian(realtype, N_Vector y, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector, N_Vector) {
    const Sheet& sheet = *static_cast<Sheet*>(user);
    std::copy(sheet.starts.begin(), sheet.starts.end(), SUNSparseMatrix_IndexPointers(j));
    std::copy(sheet.rows.begin(), sheet.rows.end(), SUNSparseMatrix_IndexValues(j));
    sheet.jacobian(N_VGetArrayPointer(y), SUNSparseMatrix_Data(j));
    return 0;
}

static int product(N_Vector p, N_Vector out, realtype, N_Vector y, N_Vector, void* sheet, N_Vector) {
    static_cast<Sheet*>(sheet)->product(N_VGetArrayPointer(y), N_VGetArrayPointer(p), N_VGetArrayPointer(out));
    return 0;
}

struct Counts {
    long steps = 0, evaluations = 0, iterations = 0, matrices = 0;
};

// BDF to t = 1, or exit.
static Counts cvode(Sheet& sheet, std::vector<double>& y, bool direct, double relative, double absolute) {
    SUNContext context;
    SUNContext_Create(nullptr, &context);
    N_Vector vector = N_VMake_Serial(static_cast<sunindextype>(y.size()), y.data(), context);
    void* memory = CVodeCreate(CV_BDF, context);
    CVodeInit(memory, rates, 0.0, vector);
    CVodeSetUserData(memory, &sheet);
    CVodeSStolerances(memory, relative, absolute);
    CVodeSetMaxNumSteps(memory, 10'000'000);
    if (direct) {
        sheet.pattern();
        const auto size = static_cast<sunindextype>(y.size()), entries = static_cast<sunindextype>(sheet.rows.size());
        SUNMatrix j = SUNSparseMatrix(size, size, entries, CSC_MAT, context);
        CVodeSetLinearSolver(memory, SUNLinSol_KLU(vector, j, context), j);
        CVodeSetJacFn(memory, jacobian);
    } else {
        CVodeSetLinearSolver(memory, SUNLinSol_SPGMR(vector, SUN_PREC_NONE, 0, context), nullptr);
        CVodeSetJacTimes(memory, nullptr, product);
    }
    realtype t = 0.0;
    CVodeSetStopTime(memory, 1.0);
    if (CVode(memory, 1.0, vector, &t, CV_NORMAL) < 0) std::exit(1);
    Counts counts;
    CVodeGetNumSteps(memory, &counts.steps);
    CVodeGetNumRhsEvals(memory, &counts.evaluations);
    CVodeGetNumNonlinSolvIters(memory, &counts.iterations);
    if (direct) CVodeGetNumLinSolvSetups(memory, &counts.matrices);
    else CVodeGetNumLinIters(memory, &counts.matrices);
    return counts;
}

// Dormand and Prince's 5(4), its last stage the next step's first; Gustafsson's control with DOPRI5's numbers.
static Counts dopri5(const Sheet& sheet, std::vector<double>& y, double relative, double absolute) {
    const double a[7][6] = {{},
                            {1.0 / 5},
                            {3.0 / 40, 9.0 / 40},
                            {44.0 / 45, -56.0 / 15, 32.0 / 9},
                            {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                            {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    const double e[7] = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    const size_t size = y.size();
    std::vector<double> k[7], point(size);
    for (auto& stage : k) stage.resize(size);
    Counts counts;
    double t = 0.0, h = 1e-6, before = 1e-4;
    sheet.rates(y.data(), k[0].data());
    ++counts.evaluations;
    while (t < 1.0) {
        h = std::min(h, 1.0 - t);
        for (int i = 1; i < 7; ++i) {
            double c[6];
            for (int j = 0; j < 6; ++j) c[j] = h * a[i][j];
            const double *k0 = k[0].data(), *k1 = k[1].data(), *k2 = k[2].data(), *k3 = k[3].data(),
                         *k4 = k[4].data(), *k5 = k[5].data();
            auto sum = [&](auto terms) {
                for (size_t l = 0; l < size; ++l) point[l] = y[l] + terms(l);
            };
            // each row its own loop, without its zeros
            if (i == 1) sum([&](size_t l) { return c[0] * k0[l]; });
            if (i == 2) sum([&](size_t l) { return c[0] * k0[l] + c[1] * k1[l]; });
            if (i == 3) sum([&](size_t l) { return c[0] * k0[l] + c[1] * k1[l] + c[2] * k2[l]; });
            if (i == 4) sum([&](size_t l) { return c[0] * k0[l] + c[1] * k1[l] + c[2] * k2[l] + c[3] * k3[l]; });
            if (i == 5)
                sum([&](size_t l) {
                    return c[0] * k0[l] + c[1] * k1[l] + c[2] * k2[l] + c[3] * k3[l] + c[4] * k4[l];
                });
            if (i == 6)
                sum([&](size_t l) {
                    return c[0] * k0[l] + c[2] * k2[l] + c[3] * k3[l] + c[4] * k4[l] + c[5] * k5[l];
                });
            sheet.rates(point.data(), k[i].data());
        }
        counts.evaluations += 6;
        double error = 0.0;
        for (size_t l = 0; l < size; ++l) {
            double sum = 0.0;
            for (int i = 0; i < 7; ++i) sum += e[i] * k[i][l];
            sum *= h / (absolute + relative * std::max(std::fabs(y[l]), std::fabs(point[l])));
            error += sum * sum;
        }
        error = std::max(std::sqrt(error / double(size)), 1e-10);
        const double factor = std::pow(error, 0.17) / std::pow(before, 0.04) / 0.9;
        if (error <= 1.0) {
            t += h;
            y.swap(point);
            k[0].swap(k[6]);
            before = std::max(error, 1e-4);
            h /= std::min(5.0, std::max(0.1, factor));
            ++counts.steps;
        } else {
            h /= std::min(5.0, std::pow(error, 0.17) / 0.9);
        }
    }
    return counts;
}

int main(int count, char** arguments) {
    if (count < 6) {
        std::printf("SUNDIALS %s, SuiteSparse %d.%d.%d\n", SUNDIALS_VERSION, SUITESPARSE_MAIN_VERSION,
                    SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION);
        return 0;
    }
    Sheet sheet(std::atoi(arguments[1]));
    std::vector<double> y = sheet.start();
    const double relative = std::atof(arguments[4]), absolute = std::atof(arguments[5]);
    const std::clock_t from = std::clock();
    const bool explicitly = std::strcmp(arguments[3], "dopri5") == 0;
    const Counts counts = explicitly ? dopri5(sheet, y, relative, absolute)
                                     : cvode(sheet, y, std::strcmp(arguments[3], "klu") == 0, relative, absolute);
    const double took = double(std::clock() - from) / CLOCKS_PER_SEC;
    std::FILE* file = std::fopen(arguments[2], "r");
    if (!file) return 3;
    char line[256];
    double off = 0.0;
    int p = 0;
    while (std::fgets(line, sizeof line, file)) {
        double x[3];
        if (std::sscanf(line, "%lf %lf %lf", x, x + 1, x + 2) != 3) continue;
        for (int k = 0; k < 3; ++k) off = std::max(off, std::fabs(x[k] - y[3 * p + k]));
        ++p;
    }
    std::fclose(file);
    std::printf("%.4f %.3e %ld %ld %ld %ld\n", took, off, counts.steps, counts.evaluations, counts.iterations,
                counts.matrices);
    return p == sheet.n ? 0 : 4;
}
