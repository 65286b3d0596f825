// SPDX-License-Identifier: Apache-2.0
//
// Highway with its own Sin, Cos and Exp of hwy/contrib/math, compiled for this machine (static dispatch).
//
//   orbit 24 bytes, spring by its closed form 36

// Use the best instruction set that the compiler flags allow.
#define HWY_COMPILE_ONLY_STATIC

#include "lanes.h"
#include "peer.h"

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

namespace hw = hwy::HWY_NAMESPACE;
static const hw::CappedTag<float, lane_count> tag;
typedef hw::Vec<decltype(tag)> Vector;

static inline Lanes exponential(Lanes a) { return hw::Exp(tag, Vector{a}).raw; }
static inline void sincos_of(Lanes a, Lanes &sine, Lanes &cosine) {
  sine = hw::Sin(tag, Vector{a}).raw;
  cosine = hw::Cos(tag, Vector{a}).raw;
}

#include "closed.h"
