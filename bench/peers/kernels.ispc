// SPDX-License-Identifier: Apache-2.0
//
// The five motions in ISPC, for ispc.cpp: structure of arrays, its own sin, cos and exp.
//
//   orbit 24 bytes, marquee 16 and flow 20 in place, tween 24, spring 36

typedef unsigned int32 uint;

export void ispc_orbit(
  uniform int64 count, uniform float x[], uniform float y[], uniform uint phase[],
  uniform const uint step[], uniform const float radius[]) {
  foreach (i = 0 ... count) {
    const uint p = phase[i] + step[i];
    phase[i] = p;
    float sine, cosine;
    sincos((float)(int)p * 1.462918e-9f, &sine, &cosine);
    x[i] = radius[i] * cosine;
    y[i] = radius[i] * sine;
  }
}

export void ispc_marquee(
  uniform int64 count, uniform float offset[], uniform const float step[],
  uniform const float span[]) {
  foreach (i = 0 ... count) {
    const float next = offset[i] + step[i];
    offset[i] = next >= span[i] ? next - span[i] : next;
  }
}

export void ispc_flow(
  uniform int64 count, uniform float x[], uniform float offset[], uniform const float step[],
  uniform const float span[]) {
  foreach (i = 0 ... count) {
    float next = offset[i] + step[i];
    next = next >= span[i] ? next - span[i] : next;
    offset[i] = next;
    x[i] = max(next, 0.0f);
  }
}

// `curve` is a, b, c of x(s) = ((a s + b) s + c) s, then those of y.
export void ispc_tween(
  uniform int64 count, uniform float x[], uniform uint phase[], uniform const uint step[],
  uniform const float from[], uniform const float span[], uniform const float curve[]) {
  const uniform float a = curve[0], b = curve[1], c = curve[2];
  const uniform float ya = curve[3], yb = curve[4], yc = curve[5];
  foreach (i = 0 ... count) {
    const uint p = phase[i] + step[i];
    phase[i] = p;
    const float progress = abs((float)(int)p) * 4.6566129e-10f;
    float s = progress;
    for (uniform int k = 0; k < 2; k++)
      s -= (((a * s + b) * s + c) * s - progress) * rcp((3 * a * s + 2 * b) * s + c);
    x[i] = from[i] + span[i] * (((ya * s + yb) * s + yc) * s);
  }
}

export void ispc_spring(
  uniform int64 count, uniform float x[], uniform uint phase[], uniform const uint step[],
  uniform const float from[], uniform const float span[], uniform const float decay[],
  uniform const float frequency[], uniform const float quotient[]) {
  foreach (i = 0 ... count) {
    const uint p = phase[i] + step[i];
    phase[i] = p;
    const float s = (float)(int)(p & 0x7fffffff);
    float sine, cosine;
    sincos(s * frequency[i], &sine, &cosine);
    const float shape = exp(s * decay[i]) * (cosine + quotient[i] * sine);
    x[i] = from[i] + span[i] * ((int)p < 0 ? shape : 1.0f - shape);
  }
}
