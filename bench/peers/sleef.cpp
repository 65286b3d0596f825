// SPDX-License-Identifier: Apache-2.0
//
// SLEEF's sine and cosine to 3.5 ulp and exponential to 1 ulp, the fastest that it has, called for
// sixteen or eight entities at a time; the rest as in intrinsics.cpp.
//
//   orbit 24 bytes, spring by its closed form 36

#include "lanes.h"
#include "peer.h"

#include <sleef.h>

#ifdef __AVX512F__
static inline Lanes exponential(Lanes a) { return Sleef_expf16_u10avx512f(a); }
static inline void sincos_of(Lanes a, Lanes &sine, Lanes &cosine) {
  const auto both = Sleef_sincosf16_u35avx512f(a);
  sine = both.x, cosine = both.y;
}
#else
static inline Lanes exponential(Lanes a) { return Sleef_expf8_u10avx2(a); }
static inline void sincos_of(Lanes a, Lanes &sine, Lanes &cosine) {
  const auto both = Sleef_sincosf8_u35avx2(a);
  sine = both.x, cosine = both.y;
}
#endif

#include "closed.h"
