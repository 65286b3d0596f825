// SPDX-License-Identifier: Apache-2.0
#include "CKernelTable.h"

int kernel_processor_level(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return 4;
  if (__builtin_cpu_supports("x86-64-v3")) return 3;
  if (__builtin_cpu_supports("x86-64-v2")) return 2;
  return 1;
#else
  return 0;
#endif
}

kernel_spring_scratch *kernel_own_spring_scratch(void) {
  static _Thread_local kernel_spring_scratch own __attribute__((aligned(64)));
  static _Thread_local int is_clear;
  if (!is_clear) {
    for (int i = 0; i < KERNEL_SPRINGS_MAX; i++) own.restarted.step[i] = KERNEL_NOT_RESTARTED;
    is_clear = 1;
  }
  return &own;
}
