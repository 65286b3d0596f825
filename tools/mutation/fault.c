// SPDX-License-Identifier: Apache-2.0

#include "fault.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FAULTS_MAX = 65536 };

static unsigned char nowhere[FAULTS_MAX];

int fault_on = -1;
volatile unsigned char *faults_reached = nowhere;

__attribute__((constructor)) static void read_environment(void) {
  const char *number = getenv("ORRERY_FAULT");
  if (number) fault_on = atoi(number);
  const char *path = getenv("ORRERY_FAULTS_REACHED");
  if (!path) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *bytes = mmap(NULL, FAULTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes != MAP_FAILED) faults_reached = bytes;
  close(file);
}
