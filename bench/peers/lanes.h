// SPDX-License-Identifier: Apache-2.0
//
// A thin layer over intrinsics, so that one kernel's source serves AVX-512 and AVX2: `Lanes` floats and
// `Words` integers, sixteen or eight at a time.

#ifndef ORRERY_PEER_LANES_H
#define ORRERY_PEER_LANES_H

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#ifdef __AVX512F__

typedef __m512 Lanes;
typedef __m512i Words;
constexpr size_t lane_count = 16;

static inline Lanes all(float value) { return _mm512_set1_ps(value); }
static inline Words all_words(uint32_t value) { return _mm512_set1_epi32(int(value)); }
static inline Lanes load(const float *at) { return _mm512_load_ps(at); }
static inline Words load(const uint32_t *at) { return _mm512_load_si512(at); }
static inline void store(float *at, Lanes v) { _mm512_store_ps(at, v); }
static inline void store(uint32_t *at, Words v) { _mm512_store_si512(at, v); }
static inline void stream(float *at, Lanes v) { _mm512_stream_ps(at, v); }
static inline Lanes fma(Lanes a, Lanes b, Lanes c) { return _mm512_fmadd_ps(a, b, c); }
static inline Words add(Words a, Words b) { return _mm512_add_epi32(a, b); }
static inline Words multiply(Words a, Words b) { return _mm512_mullo_epi32(a, b); }
static inline Words both(Words a, Words b) { return _mm512_and_si512(a, b); }
static inline Words either(Words a, Words b) { return _mm512_or_si512(a, b); }
static inline Words differ(Words a, Words b) { return _mm512_xor_si512(a, b); }
static inline Words left(Words a, int by) { return _mm512_slli_epi32(a, by); }
static inline Words right(Words a, int by) { return _mm512_srli_epi32(a, by); }
static inline Words signs(Words a) { return _mm512_srai_epi32(a, 31); }
static inline Lanes as_lanes(Words a) { return _mm512_castsi512_ps(a); }
static inline Words as_words(Lanes a) { return _mm512_castps_si512(a); }
// Bit k: the sign of lane k.
static inline uint32_t sign_mask(Words a) { return _mm512_movepi32_mask(a); }
static inline Lanes number(Words a) { return _mm512_cvtepi32_ps(a); }
static inline Lanes reciprocal(Lanes a) { return _mm512_rcp14_ps(a); }
static inline Lanes absolute(Lanes a) { return _mm512_abs_ps(a); }
// Subtracts `limit` where `a` is not below it.
static inline Lanes wrapped(Lanes a, Lanes limit) {
  return _mm512_mask_sub_ps(a, _mm512_cmp_ps_mask(a, limit, _CMP_GE_OQ), a, limit);
}
// `a` where the sign bit of `condition` is set, `b` elsewhere.
static inline Lanes choose(Words condition, Lanes a, Lanes b) {
  return _mm512_mask_blend_ps(_mm512_movepi32_mask(condition), b, a);
}
// 2 to a power, with an error of 10^-7.
static inline Lanes power_of_two(Lanes a) {
  const Lanes whole = _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const Lanes part = a - whole;
  Lanes p = fma(all(0.0013410005f), part, all(0.0096760365f));
  p = fma(p, part, all(0.055502973f));
  p = fma(p, part, all(0.24022107f));
  p = fma(p, part, all(0.69314723f));
  return _mm512_scalef_ps(fma(p, part, all(1.0f)), whole);
}

#else

typedef __m256 Lanes;
typedef __m256i Words;
constexpr size_t lane_count = 8;

static inline Lanes all(float value) { return _mm256_set1_ps(value); }
static inline Words all_words(uint32_t value) { return _mm256_set1_epi32(int(value)); }
static inline Lanes load(const float *at) { return _mm256_load_ps(at); }
static inline Words load(const uint32_t *at) { return _mm256_load_si256((const __m256i *)at); }
static inline void store(float *at, Lanes v) { _mm256_store_ps(at, v); }
static inline void store(uint32_t *at, Words v) { _mm256_store_si256((__m256i *)at, v); }
static inline void stream(float *at, Lanes v) { _mm256_stream_ps(at, v); }
static inline Lanes fma(Lanes a, Lanes b, Lanes c) { return _mm256_fmadd_ps(a, b, c); }
static inline Words add(Words a, Words b) { return _mm256_add_epi32(a, b); }
static inline Words multiply(Words a, Words b) { return _mm256_mullo_epi32(a, b); }
static inline Words both(Words a, Words b) { return _mm256_and_si256(a, b); }
static inline Words either(Words a, Words b) { return _mm256_or_si256(a, b); }
static inline Words differ(Words a, Words b) { return _mm256_xor_si256(a, b); }
static inline Words left(Words a, int by) { return _mm256_slli_epi32(a, by); }
static inline Words right(Words a, int by) { return _mm256_srli_epi32(a, by); }
static inline Words signs(Words a) { return _mm256_srai_epi32(a, 31); }
static inline Lanes as_lanes(Words a) { return _mm256_castsi256_ps(a); }
static inline Words as_words(Lanes a) { return _mm256_castps_si256(a); }
static inline uint32_t sign_mask(Words a) { return uint32_t(_mm256_movemask_ps(as_lanes(a))); }
static inline Lanes number(Words a) { return _mm256_cvtepi32_ps(a); }
static inline Lanes reciprocal(Lanes a) { return _mm256_rcp_ps(a); }
static inline Lanes absolute(Lanes a) { return _mm256_andnot_ps(all(-0.0f), a); }
static inline Lanes wrapped(Lanes a, Lanes limit) {
  return a - _mm256_and_ps(_mm256_cmp_ps(a, limit, _CMP_GE_OQ), limit);
}
static inline Lanes choose(Words condition, Lanes a, Lanes b) {
  return _mm256_blendv_ps(b, a, as_lanes(condition));
}
static inline Lanes power_of_two(Lanes a) {
  const Lanes whole = _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const Lanes part = a - whole;
  Lanes p = fma(all(0.0013410005f), part, all(0.0096760365f));
  p = fma(p, part, all(0.055502973f));
  p = fma(p, part, all(0.24022107f));
  p = fma(p, part, all(0.69314723f));
  const Lanes limited = _mm256_max_ps(whole, all(-126.0f));
  const Words scale = left(add(_mm256_cvtps_epi32(limited), all_words(127)), 23);
  return fma(p, part, all(1.0f)) * as_lanes(scale);
}

#endif

constexpr uint32_t all_lanes = (1u << lane_count) - 1;

// Sine and cosine of turns in [-1/2, 1/2], with errors of 10^-7 and 8·10^-7: one polynomial each over the
// whole circle, so that there are no quadrants to choose between.
static inline void sine_and_cosine(Lanes turns, Lanes &sine, Lanes &cosine) {
  const Lanes z = turns * turns;
  Lanes s = fma(all(-12.233301f), z, all(38.123197f));
  Lanes c = fma(all(-21.076782f), z, all(58.794039f));
  s = fma(s, z, all(-67.043898f));
  c = fma(c, z, all(-85.272397f));
  s = fma(s, z, all(64.834681f));
  c = fma(c, z, all(64.928727f));
  s = fma(s, z, all(-25.132730f));
  c = fma(c, z, all(-19.738983f));
  sine = s * (turns * (z - all(0.25f)));
  cosine = fma(c, z, all(0.99999922f));
}

// Turns in [-1/2, 1/2) of 32-bit phases.
static inline Lanes turns(Words phase) { return number(phase) * all(0x1p-32f); }

#endif
