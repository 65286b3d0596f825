// SPDX-License-Identifier: Apache-2.0
//
// Accepting connections when descriptors are short.
//
// libzmq 4.3.4 ends the process when `accept4` on one of its Unix sockets finds no descriptor. So this
// process has an `accept4` of its own, which the dynamic linker gives to libzmq, too: a connection that
// leaves too few descriptors is closed at once, as if its peer had hung up.

#include "CLinux.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Descriptors that connections leave to files: keys, notes of shards, snapshots, what /proc says.
enum { descriptors_kept = 16 };

static int has_room(int descriptor) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 1;
  // The kernel gives the lowest free number.
  return (rlim_t)descriptor + descriptors_kept < limit.rlim_cur;
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  int descriptor = (int)syscall(SYS_accept4, listener, address, length, flags);
  if (descriptor >= 0 && has_room(descriptor)) return descriptor;
  if (descriptor >= 0) {
    close(descriptor);
    errno = ECONNABORTED;
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
    // The connection still waits, and the caller would ask again at once.
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
    errno = ECONNABORTED;
  }
  return -1;
}

int linux_accept(int listener) {
  return (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
