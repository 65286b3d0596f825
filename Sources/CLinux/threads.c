// SPDX-License-Identifier: Apache-2.0
//
// Starting threads when the system has few left.
//
// GLib and libzmq trap or abort if they cannot start a thread, and no call asks beforehand. So this
// process has a `pthread_create` of its own, which the dynamic linker gives to them, too: it ends the
// program with a line and the documented exit code. Our own threads are started by
// `linux_start_thread`, which reports the failure.

#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int linux_last_words = STDERR_FILENO;

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

// Sanitizers have one of their own, and know no thread that was not started by it.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

int linux_start_thread(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  return pthread_create(thread, attributes, start, argument);
}

#else

int linux_start_thread(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  create *next = (create *)dlsym(RTLD_NEXT, "pthread_create");
  return next ? next(thread, attributes, start, argument) : ENOSYS;
}

int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  int failure = linux_start_thread(thread, attributes, start, argument);
  if (failure == 0) return 0;
  dprintf(
    linux_last_words, "%s: a library needs one more thread: %s (ulimit -u, ulimit -v, pids.max)\n",
    program_invocation_short_name, strerror(failure));
  _exit(71);
}

#endif
