// SPDX-License-Identifier: Apache-2.0
//
// The switch behind the faults that tools/mutate plants: one build has all of them, and ORRERY_FAULT says
// which one is on. ORRERY_FAULTS_REACHED names a file with a byte for each; it becomes 1 where a fault was
// come by.

#include <stdbool.h>

extern int fault_on;
extern volatile unsigned char *faults_reached;

static inline bool fault_is_active(int number) {
  faults_reached[number] = 1;
  return number == fault_on;
}
