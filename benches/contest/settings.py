"""What takes part: kernels, generators, compilers, and which of them were fastest."""

KERNELS = {model: ("fd", "fdj", "resj", "tan") for model in ("a_pend", "b_cart2", "c_chain5", "c_chain10", "d_andrews")}
KERNELS |= {"e_arm": ("fd", "fdj", "resj", "tan", "id"), "f_quad": ("fd", "fdj")}
# of eight states a call, by ours alone: for their times a state
EIGHT = ("fd8", "tan8")
KERNELS = {model: names + EIGHT if model[0] in "bcde" else names for model, names in KERNELS.items()}
# the models of the geometric means: a and f are calls and copies more than arithmetic
COUNTED = ("b_cart2", "c_chain5", "c_chain10", "d_andrews", "e_arm")

PACKAGES = ("casadi==3.8.2", "symforce==0.12.0", "wrenfold==0.5.3", "pin==4.1.0", "numpy")

# build: the target of C compilers and the flags of rustc; callgrind knows no AVX-512, so it counts in `v3`
BUILDS = {
    "native": ("native", "-C target-cpu=native"),
    "default": ("x86-64", ""),
    "v3": ("x86-64-v3", "-C target-cpu=x86-64-v3"),
}
# compiler: of C, of C++
COMPILERS = {"clang": ("clang-19", "clang++-19"), "gcc": ("gcc", "g++")}
FLAGS = "-O3 -ffast-math -w -fPIC -shared".split()
# Pinocchio is faster so than with -ffast-math
PINOCCHIO = "-O3 -fno-math-errno -ffp-contract=fast -DNDEBUG -w -fPIC -shared".split()

# Generator and compiler that were fastest of all in a run of 2026-11-22, with parameters at run time (the arm's are
# constants), for native and for default code.
BEST = {
    "a_pend_fd": ("symforce.clang", "symforce.clang"),
    "a_pend_fdj": ("symforce.clang", "casadi.clang"),
    "a_pend_resj": ("casadi.clang", "wrenfold.gcc"),
    "a_pend_tan": ("casadi.clang", "casadi.clang"),
    "b_cart2_fd": ("symforce.gcc", "casadi.gcc"),
    "b_cart2_fdj": ("wrenfold.clang", "wrenfold.clang"),
    "b_cart2_resj": ("wrenfold.clang", "symforce.clang"),
    "b_cart2_tan": ("casadi.clang", "casadi.gcc"),
    "c_chain5_fd": ("symforce.clang", "symforce.clang"),
    "c_chain5_fdj": ("wrenfold.clang", "wrenfold.clang"),
    "c_chain5_resj": ("symforce.gcc", "casadi.clang"),
    "c_chain5_tan": ("casadi.clang", "casadi.clang"),
    "c_chain10_fd": ("symforce.clang", "symforce.clang"),
    "c_chain10_fdj": ("casadi.gcc", "casadi.clang"),
    "c_chain10_resj": ("casadi.clang", "casadi.clang"),
    "c_chain10_tan": ("casadi.clang", "casadi.clang"),
    "d_andrews_fd": ("wrenfold.clang", "wrenfold.gcc"),
    "d_andrews_fdj": ("wrenfold.gcc", "casadi.clang"),
    "d_andrews_resj": ("symforce.gcc", "symforce.clang"),
    "d_andrews_tan": ("casadi.clang", "casadi.gcc"),
    "e_arm_fd": ("symforce.clang", "symforce.clang"),
    "e_arm_fdj": ("casadi.clang", "casadi.clang"),
    "e_arm_resj": ("casadi.clang", "casadi.clang"),
    "e_arm_tan": ("casadi.clang", "casadi.gcc"),
    "e_arm_id": ("symforce.clang", "symforce.clang"),
    "f_quad_fd": ("wrenfold.clang", "wrenfold.clang"),
    "f_quad_fdj": ("casadi.clang", "symforce.clang"),
}


def able(tool, model, kernel):
    """Whether a generator makes a kernel: the others take minutes, or were never near."""
    if tool == "pinocchio":
        return model == "e_arm" and kernel != "tan"
    if tool == "casadi":
        return True
    slow = {("symforce", "e_arm_fdj"), ("wrenfold", "e_arm_fdj"), ("wrenfold", "c_chain10_fdj")}
    return kernel != "tan" and (tool, f"{model}_{kernel}") not in slow


def settings(model, kernel, build, everything):
    """The (generator, compiler) pairs that stand for the peers."""
    if not everything:
        native, default = BEST[f"{model}_{kernel}"]
        return [tuple((default if build == "default" else native).split("."))]
    pairs = [(tool, compiler) for tool in ("casadi", "symforce", "wrenfold") if able(tool, model, kernel)
             for compiler in COMPILERS]
    return pairs + [("pinocchio", "clang")] * able("pinocchio", model, kernel)
