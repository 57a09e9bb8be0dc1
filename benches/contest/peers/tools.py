"""The generators: how each spells symbols and derivatives, and writes `void kernel(const double *in, double *out)`."""
import os
import re
import tempfile
from pathlib import Path

PLAIN = (int, float)


class Casadi:
    """CasADi's SX, with its own common subexpressions removed. It also gives the reference values."""
    name, suffix = "casadi", ".c"

    def __init__(self):
        import casadi
        self.ca = casadi
        self.sin, self.cos, self.sqrt, self.number, self.symbol = (
            casadi.sin, casadi.cos, casadi.sqrt, casadi.SX, casadi.SX.sym)

    def symbols(self, name, count):
        return [self.symbol(f"{name}{i}") for i in range(count)]

    def zero(self, x):
        return x == 0 if isinstance(x, PLAIN) else x.is_zero()

    def column(self, entries):
        return self.ca.vertcat(*[self.ca.SX(x) for x in entries])

    def rows(self, matrix):
        there = matrix.sparsity().has_nz
        return [[matrix[i, j] if there(i, j) else 0 for j in range(matrix.shape[1])] for i in range(matrix.shape[0])]

    def jacobian(self, rows, by):
        return self.rows(self.ca.jacobian(self.column(rows), self.column(by))) if rows and by else []

    def directional(self, rows, by, seeds):
        """Derivatives along the directions `seeds`, by one forward sweep each."""
        along = self.ca.horzcat(*[self.column(seed) for seed in seeds])
        return self.rows(self.ca.jtimes(self.column(rows), self.column(by), along))

    def replace(self, rows, old, new):
        flat = self.column([x for row in rows for x in row])
        flat = self.ca.substitute(flat, self.column(old), self.column(new))
        at = iter(range(flat.numel()))
        return [[0 if self.zero(x) else flat[i] for x, i in zip(row, at)] for row in rows]

    def function(self, kernel):
        outputs = self.ca.densify(self.column(kernel.outputs))
        return self.ca.Function("f", [self.column(kernel.inputs)], [outputs], {"cse": True})

    def write(self, kernel, path):
        function, back = self.function(kernel), os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            function.generate("f.c", {"with_header": False, "avoid_stack": False})
            text = Path("f.c").read_text()
            os.chdir(back)
        # pointers that are not null and do not overlap: the null checks of the generated code vanish
        path.write_text(f"""#define CASADI_STATIC
{text}
__attribute__((nonnull, visibility("default")))
void kernel(const double *restrict in, double *restrict out) {{
  const double *arguments[1] = {{in}};
  double *results[1] = {{out}};
  {"casadi_f0" if "casadi_f0(" in text else "f"}(arguments, results, 0, 0, 0);
}}
""")
        idle = {self.ca.OP_INPUT, self.ca.OP_OUTPUT, self.ca.OP_CONST}
        return sum(function.instruction_id(i) not in idle for i in range(function.n_instructions()))

    def values(self, kernel, states):
        function = self.function(kernel)
        return [[float(x) for x in function(state).full().ravel()] for state in states]


class Symforce:
    """SymForce's C++ generator; the SymEngine that it brings differentiates."""
    name, suffix = "symforce", ".cpp"

    def __init__(self):
        import symforce
        symforce.set_epsilon_to_number(0.0)
        import symforce.symbolic as sf
        self.sf, self.sin, self.cos, self.sqrt, self.symbol = sf, sf.sin, sf.cos, sf.sqrt, sf.Symbol

    def number(self, x):
        return self.sf.S(int(x)) if x == int(x) else self.sf.Rational(1, 2) if x == 0.5 else self.sf.S(x)

    def symbols(self, name, count):
        return [self.symbol(f"{name}{i}") for i in range(count)]

    def zero(self, x):
        return x == 0

    def jacobian(self, rows, by):
        return [[self.sf.S(row).diff(x) for x in by] for row in rows]

    def replace(self, rows, old, new):
        pairs = dict(zip(old, new))
        return [[x if x == 0 else x.subs(pairs) for x in row] for row in rows]

    def write(self, kernel, path):
        from symforce import codegen
        from symforce.values import Values
        matrix, number = self.sf.Matrix, self.sf.S
        inputs = Values(x=matrix([[x] for x in kernel.inputs]))
        outputs = Values(y=matrix([[number(y)] for y in kernel.outputs]))
        generated = codegen.Codegen(inputs=inputs, outputs=outputs, config=codegen.CppConfig(), name="kernel_of")
        with tempfile.TemporaryDirectory() as folder:
            generated.generate_function(output_dir=folder, skip_directory_nesting=True)
            text = Path(folder, "kernel_of.h").read_text()
        path.write_text(f"""#define EIGEN_MAX_ALIGN_BYTES 0
#define EIGEN_MAX_STATIC_ALIGN_BYTES 0
{text.replace("#pragma once", "")}
extern "C" void kernel(const double *__restrict in, double *__restrict out) {{
  using In = const Eigen::Matrix<double, {len(kernel.inputs)}, 1>;
  using Out = Eigen::Matrix<double, {len(kernel.outputs)}, 1>;
  sym::KernelOf<double>(*reinterpret_cast<In *>(in), reinterpret_cast<Out *>(out));
}}
""")
        return int(re.search(r"Total ops: (\d+)", text)[1])


class Wrenfold:
    """wrenfold's C++ generator; of two settings of its factorisation that with fewer operations."""
    name, suffix = "wrenfold", ".cpp"

    def __init__(self):
        from wrenfold import sym
        self.sym, self.sin, self.cos, self.sqrt, self.symbol = sym, sym.sin, sym.cos, sym.sqrt, sym.symbol

    def number(self, x):
        sym = self.sym
        return sym.integer(int(x)) if x == int(x) else sym.rational(1, 2) if x == 0.5 else sym.float_constant(x)

    def expression(self, x):
        return self.number(x) if isinstance(x, PLAIN) else x

    def symbols(self, name, count):
        return [self.symbol(f"{name}{i}") for i in range(count)]

    def zero(self, x):
        return x == 0 if isinstance(x, PLAIN) else x.is_identical_to(self.sym.integer(0))

    def jacobian(self, rows, by):
        return [[self.expression(row).diff(x) for x in by] for row in rows]

    def replace(self, rows, old, new):
        pairs = list(zip(old, new))
        return [[x if self.zero(x) else x.subs(pairs) for x in row] for row in rows]

    def write(self, kernel, path):
        from typing import Annotated

        import wrenfold
        from wrenfold import code_generation
        outputs = self.sym.vector(*[self.expression(y) for y in kernel.outputs])

        def kernel_of(x):
            return [wrenfold.OutputArg(outputs.subs([(own, x[i]) for i, own in enumerate(kernel.inputs)]), "y")]

        shape = wrenfold.Shape(rows=len(kernel.inputs), cols=1)
        kernel_of.__annotations__ = {"x": Annotated[self.sym.MatrixExpr, shape]}
        texts = []
        for passes in (0, 2):
            settings = code_generation.OptimizationParams()
            settings.factorization_passes, settings.binarize_operations = passes, True
            text = wrenfold.generate_function(
                kernel_of, wrenfold.CppGenerator(), name="kernel_of", optimization_params=settings)
            texts.append((int(re.search(r"total: (\d+)", text)[1]), text))
        operations, text = min(texts)
        path.write_text(f"""#include "span.h"
{text}
extern "C" void kernel(const double *__restrict in, double *__restrict out) {{ kernel_of<double>(in, out); }}
""")
        return operations


TOOLS = {tool.name: tool for tool in (Casadi, Symforce, Wrenfold)}
