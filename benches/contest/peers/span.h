// What code of wrenfold needs of its `wrenfold/span.h`, over plain pointers.
#pragma once
#include <cmath>
namespace wf {
template <int R, int C> struct in_span {
  const double *__restrict at;
  double operator()(int row, int column) const { return at[row * C + column]; }
};
template <int R, int C> struct out_span {
  double *__restrict at;
  double &operator()(int row, int column) const { return at[row * C + column]; }
};
template <int R, int C> in_span<R, C> make_input_span(const double *at) { return {at}; }
template <int R, int C> out_span<R, C> make_output_span(double *at) { return {at}; }
} // namespace wf
