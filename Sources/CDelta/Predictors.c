// SPDX-License-Identifier: Apache-2.0

#include "CDelta.h"
#include "Versioned.h"

#include <string.h>

// A multiplication and an addition in one instruction would round once, and give other bits.
#pragma STDC FP_CONTRACT OFF

// What is expected after x1, x2, …, of which x1 is the last: docs/reference/trace.md, "Prediction". Sums of floats in
// binary64 are mostly exact, so an order adds no rounding of its own. `predictor` is a constant where this is inlined:
// frames that are not needed are not read.
INLINE double predict(const int predictor, double x1, double x2, double x3, double x4, double x5) {
  // Steps, changes of steps, and so on.
  const double d1 = x1 - x2, d2 = x2 - x3, d3 = x3 - x4, d4 = x4 - x5;
  const double e1 = d1 - d2, e2 = d2 - d3, e3 = d3 - d4;
  const double f1 = e1 - e2, f2 = e2 - e3;
  switch (predictor) {
    case 1: return x1;
    case 2: return x1 + d1;
    case 3: return x1 + (d1 + e1);
    case 4: return x1 + (d1 + (e1 + f1));
    case 5: return x1 + (d1 + (e1 + (f1 + (f1 - f2))));
    case DELTA_MEDIAN: {
      const double low = d1 < d2 ? d1 : d2, high = d1 < d2 ? d2 : d1;
      const double bound = high < d3 ? high : d3;
      return x1 + (low < bound ? bound : low);
    }
    default: {
      const double a = d1 * d4 - d2 * d3, b = d2 * d2 - d1 * d3;
      return x1 + (a * d1 + b * d2) / (d2 * d4 - d3 * d3);
    }
  }
}

INLINE uint32_t bits_at(const void *values, int i) {
  uint32_t bits;
  memcpy(&bits, (const char *)values + 4 * i, 4);
  return bits;
}

INLINE double value_at(const uint32_t *values, int i) {
  float value;
  memcpy(&value, values + i, 4);
  return value;
}

// The ordered bits of the expected float, or those of the last one where it is no number.
INLINE uint32_t expected(const int predictor, const uint32_t *const *frames, int i) {
  const float next = (float)predict(
    predictor, value_at(frames[0], i), value_at(frames[1], i), value_at(frames[2], i),
    value_at(frames[3], i), value_at(frames[4], i));
  uint32_t bits;
  memcpy(&bits, &next, 4);
  return ordered((bits & 0x7f800000) == 0x7f800000 ? frames[0][i] : bits);
}

// Calls a loop with a constant predictor.
#define EACH_PREDICTOR(CALL)                  \
  switch (predictor) {                        \
    case 1: return CALL(1);                   \
    case 2: return CALL(2);                   \
    case 3: return CALL(3);                   \
    case 4: return CALL(4);                   \
    case 5: return CALL(5);                   \
    case DELTA_MEDIAN: return CALL(DELTA_MEDIAN); \
    default: return CALL(DELTA_RECURRENCE);   \
  }

INLINE uint32_t from_predicted(
  const int predictor, const void *values, const uint32_t *const *frames,
  uint32_t *restrict residuals) {
  uint32_t used = 0;
  for (int i = 0; i < N; i++) {
    const uint32_t r = zigzag_32(ordered(bits_at(values, i)) - expected(predictor, frames, i));
    residuals[i] = r;
    used |= r;
  }
  return used;
}

INLINE uint32_t delta_from_predicted_loop(
  uint32_t predictor, const void *values, const uint32_t *const *frames, uint32_t *residuals) {
#define CALL(P) from_predicted(P, values, frames, residuals)
  EACH_PREDICTOR(CALL)
#undef CALL
}
VERSIONED(
  uint32_t, delta_from_predicted, (predictor, values, frames, residuals), uint32_t predictor,
  const void *values, const uint32_t *const *frames, uint32_t *residuals)

INLINE void to_predicted(
  const int predictor, const uint32_t *residuals, const uint32_t *const *frames,
  uint32_t *restrict values) {
  for (int i = 0; i < N; i++)
    values[i] = ordered(expected(predictor, frames, i) + unzigzag_32(residuals[i]));
}

INLINE void delta_to_predicted_loop(
  uint32_t predictor, const uint32_t *residuals, const uint32_t *const *frames, uint32_t *values) {
#define CALL(P) to_predicted(P, residuals, frames, values)
  EACH_PREDICTOR(CALL)
#undef CALL
}
VERSIONED(
  void, delta_to_predicted, (predictor, residuals, frames, values), uint32_t predictor,
  const uint32_t *residuals, const uint32_t *const *frames, uint32_t *values)
