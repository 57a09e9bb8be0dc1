// bench [-r rounds] LABEL=LIBRARY@SYMBOL:REFERENCE[:PLACES] ...   checks and times kernels by turns
// bench -c LABEL=…                                                calls one 64 times in `counted`, for callgrind
//
// A kernel is `void kernel(const double *in, double *out)`. REFERENCE has the numbers of inputs, outputs, states and
// checked states, then the inputs of each state and the outputs of each checked one. PLACES has how many outputs a
// kernel writes and how many states it takes a call, the numbers of which then stand side by side, then for each output
// of the reference its index among them, -1 if it is zero by structure, and its sign; without it, they are the same.
// Printed are label, the largest relative error and the median ns of each round, or only the label if the kernel is
// missing. Times are of the thread, over all states, through a pointer that the compiler cannot follow.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*function)(const double *, double *);
typedef struct {
  const char *label;
  function call;
  int inputs, outputs, states, checked, stride, written, lanes;
  int *places, *signs;
  double *x, *expected, *out, *medians, error;
} kernel;

enum { SAMPLES = 7 }; // of each kernel in a round
static volatile double sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void fail(const char *what, const char *which) {
  fprintf(stderr, "%s: %s\n", what, which);
  exit(1);
}

static double number(FILE *file, const char *name) {
  double x;
  if (fscanf(file, "%lf", &x) != 1) fail("a number is missing", name);
  return x;
}

// Whole cache lines.
static double *room(size_t count) { return aligned_alloc(64, (count + 7) / 8 * 64 + 64); }

static void read_places(kernel *k, const char *name) {
  k->written = k->outputs, k->lanes = 1;
  k->places = malloc(sizeof(int) * k->outputs), k->signs = malloc(sizeof(int) * k->outputs);
  for (int i = 0; i < k->outputs; i++) k->places[i] = i, k->signs[i] = 1;
  if (!name) return;
  FILE *file = fopen(name, "r");
  if (!file) fail("no places", name);
  k->written = number(file, name), k->lanes = number(file, name);
  for (int i = 0; i < k->outputs; i++) k->places[i] = number(file, name), k->signs[i] = number(file, name);
  fclose(file);
}

static void read_reference(kernel *k, const char *name, const char *places) {
  FILE *file = fopen(name, "r");
  if (!file) fail("no reference", name);
  k->inputs = number(file, name), k->outputs = number(file, name);
  k->states = number(file, name), k->checked = number(file, name);
  read_places(k, places);
  if (k->states % k->lanes || k->checked % k->lanes) fail("states are left over", name);
  k->stride = (k->inputs * k->lanes + 7) / 8 * 8;
  k->x = room((size_t)k->stride * (k->states / k->lanes)), k->expected = room((size_t)k->outputs * k->checked);
  for (int i = 0; i < k->states; i++)
    for (int j = 0; j < k->inputs; j++)
      k->x[i / k->lanes * k->stride + j * k->lanes + i % k->lanes] = number(file, name);
  for (int i = 0; i < k->outputs * k->checked; i++) k->expected[i] = number(file, name);
  fclose(file);
}

static void check(kernel *k) {
  for (int s = 0; s < k->checked; s++) {
    const double *expected = k->expected + s * k->outputs;
    double scale = 0;
    for (int i = 0; i < k->outputs; i++) scale = fmax(scale, fabs(expected[i]));
    for (int i = 0; i < k->written * k->lanes; i++) k->out[i] = NAN;
    k->call(k->x + s / k->lanes * k->stride, k->out);
    for (int i = 0; i < k->outputs; i++) {
      double found = k->places[i] < 0 ? 0 : k->signs[i] * k->out[k->places[i] * k->lanes + s % k->lanes];
      double error = fabs(found - expected[i]) / (fabs(expected[i]) + 1e-9 * scale + 1e-12);
      if (!(error <= k->error)) k->error = isnan(error) ? INFINITY : error;
    }
  }
}

static void load(kernel *k, char *text) {
  k->label = strsep(&text, "=");
  char *library = strsep(&text, "@"), *symbol = strsep(&text, ":"), *reference = strsep(&text, ":");
  read_reference(k, reference, text);
  k->out = room((size_t)k->written * k->lanes);
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  k->call = handle ? (function)dlsym(handle, symbol) : NULL;
  if (k->call) check(k); else fprintf(stderr, "%s\n", dlerror());
}

// Nanoseconds a state.
static double sample(kernel *k, int times) {
  double sum = 0, start = now();
  for (int n = 0; n < times; n++)
    for (int s = 0; s < k->states / k->lanes; s++) k->call(k->x + s * k->stride, k->out), sum += k->out[0];
  double spent = now() - start;
  sink += sum;
  return spent / ((double)times * k->states);
}

// The median of a few samples of about 100 µs.
static double median(kernel *k) {
  double samples[SAMPLES];
  int times = 100e3 / (sample(k, 1) * k->states + 1) + 1;
  for (int i = 0; i < SAMPLES; i++) samples[i] = sample(k, times);
  qsort(samples, SAMPLES, sizeof(double), ascending);
  return samples[SAMPLES / 2];
}

__attribute__((noinline)) void counted(kernel *k) {
  for (int s = 0; s < 64; s++) k->call(k->x + s % (k->states / k->lanes) * k->stride, k->out);
}

int main(int count, char **words) {
  int rounds = 100, first = 1, counting = count > 1 && !strcmp(words[1], "-c");
  if (counting) first = 2;
  if (count > 2 && !strcmp(words[1], "-r")) rounds = atoi(words[2]), first = 3;
  if (count <= first) fail("usage", "bench [-r rounds | -c] LABEL=LIBRARY@SYMBOL:REFERENCE[:PLACES] ...");
  size_t n = count - first;
  kernel *kernels = calloc(n, sizeof(kernel));
  for (size_t i = 0; i < n; i++) load(kernels + i, words[first + i]), kernels[i].medians = room(rounds);
  if (counting) {
    if (kernels->call) counted(kernels);
    return 0;
  }
  for (int round = 0; round < rounds; round++)
    for (kernel *k = kernels; k < kernels + n; k++)
      if (k->call) k->medians[round] = median(k);
  for (kernel *k = kernels; k < kernels + n; k++) {
    printf("%s", k->label);
    if (k->call) printf(" %.1e", k->error);
    for (int round = 0; k->call && round < rounds; round++) printf(" %.3f", k->medians[round]);
    printf("\n");
  }
}
