// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/memfd.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

int linux_memory_file(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int linux_unnamed_file(const char *directory) {
  return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int linux_seal_against_readers(int descriptor) {
  return fcntl(
    descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
}

int linux_is_sealed_against_resizing(int descriptor) {
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0) return 0;
  int needed = F_SEAL_SHRINK | F_SEAL_GROW;
  return (seals & needed) == needed;
}

static int unix_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

int linux_listen(const char *path, int backlog) {
  struct sockaddr_un address;
  if (unix_address(path, &address) < 0) return -1;
  int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ||
      listen(descriptor, backlog) < 0) {
    int number = errno;
    close(descriptor);
    errno = number;
    return -1;
  }
  return descriptor;
}

int linux_connect(const char *path) {
  struct sockaddr_un address;
  if (unix_address(path, &address) < 0) return -1;
  int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  // A listener that accepts nothing for so long is stopped or stuck.
  struct timeval patience = {.tv_sec = 10};
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    int number = errno;
    close(descriptor);
    errno = number;
    return -1;
  }
  return descriptor;
}

int linux_peer_user(int socket, uid_t *user) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
  *user = credentials.uid;
  return 0;
}

ssize_t linux_send(int socket, const void *bytes, size_t count, int attached) {
  struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
  } control;
  if (attached >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &attached, sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t linux_receive(int socket, void *bytes, size_t count, int *attached) {
  struct iovec vector = {.iov_base = bytes, .iov_len = count};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct msghdr message = {
    .msg_iov = &vector,
    .msg_iovlen = 1,
    .msg_control = control.bytes,
    .msg_controllen = sizeof control.bytes,
  };
  *attached = -1;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    // Padding leaves room for a second descriptor; a sender of several must not fill our table.
    size_t descriptor_count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < descriptor_count; index++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      if (*attached < 0) {
        *attached = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
  return received;
}

int linux_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Written by the handler, on whatever thread it runs, and read by other threads.
static atomic_int stop_signal_count;
static atomic_int stop_signal_event = -1;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal's handler may use no lock");

// What the second signal prints and removes; NULL: nothing. The handler reads a whole value or none,
// since the signals are blocked while it changes.
static const char *_Atomic second_message;
static const char *_Atomic second_path;
_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "a signal's handler may use no lock");

// What the kernel sends when the parent has died. It repeats it for each thread that the parent had,
// so it is a signal that nobody else sends.
static int parent_signal(void) { return SIGRTMIN; }

// The signals that ask for the end. A terminal that hangs up sends SIGHUP.
static sigset_t stop_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  sigaddset(&signals, parent_signal());
  return signals;
}

void linux_end_at_second_stop_signal(const char *message, const char *path) {
  char *message_copy = message ? strdup(message) : NULL;
  char *path_copy = path ? strdup(path) : NULL;
  sigset_t stops = stop_signals(), previous;
  pthread_sigmask(SIG_BLOCK, &stops, &previous);
  void *old_message = (void *)second_message;
  void *old_path = (void *)second_path;
  second_message = message_copy;
  second_path = path_copy;
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  free(old_message);
  free(old_path);
}

static void count_stop_signal(int number) {
  int kept = errno;
  int count = 0;
  if (number == SIGINT || number == SIGTERM) {
    count = atomic_fetch_add(&stop_signal_count, 1) + 1;
  } else if (!atomic_compare_exchange_strong(&stop_signal_count, &count, 1)) {
    // Only a person asks twice: the shell and the kernel may both send SIGHUP for one terminal.
    errno = kept;
    return;
  }
  const char *message = second_message;
  if (count > 1 && message) {
    const char *path = second_path;
    if (path) unlink(path);
    ssize_t printed = write(STDERR_FILENO, message, strlen(message));
    (void)printed;
    _exit(130);
  }
  uint64_t one = 1;
  ssize_t written = write(stop_signal_event, &one, sizeof one);
  (void)written;
  errno = kept;
}

int linux_catch_stop_signals(void) {
  stop_signal_event = linux_wake_descriptor();
  if (stop_signal_event < 0) return -1;
  // Without SA_RESTART: a signal ends the sleep of a tick clock or poll, which then checks the
  // count.
  struct sigaction action = {.sa_handler = count_stop_signal};
  sigemptyset(&action.sa_mask);
  struct sigaction ignore = {.sa_handler = SIG_IGN}, hang_up;
  if (sigaction(SIGINT, &action, NULL) < 0) return -1;
  if (sigaction(SIGTERM, &action, NULL) < 0) return -1;
  if (sigaction(parent_signal(), &action, NULL) < 0) return -1;
  // nohup starts programs that ignore it.
  if (sigaction(SIGHUP, NULL, &hang_up) < 0) return -1;
  if (hang_up.sa_handler != SIG_IGN && sigaction(SIGHUP, &action, NULL) < 0) return -1;
  if (sigaction(SIGPIPE, &ignore, NULL) < 0) return -1;
  // The process that started this one may have blocked them, and a mask is inherited.
  sigset_t caught = stop_signals();
  return sigprocmask(SIG_UNBLOCK, &caught, NULL);
}

int linux_stop_signal_count(void) { return stop_signal_count; }

int linux_stop_signal_descriptor(void) { return stop_signal_event; }

int linux_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int linux_set_pipe_room(int descriptor, int bytes) { return fcntl(descriptor, F_SETPIPE_SZ, bytes); }

ssize_t linux_program_path(char *path, size_t capacity) {
  return readlink("/proc/self/exe", path, capacity);
}

int linux_end_with_parent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, parent_signal()) < 0) return -1;
  return getppid() == parent ? 0 : raise(parent_signal());
}

int linux_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

static void futex_wait(const uint32_t *word, int operation, uint32_t expected, uint64_t timeout_ns) {
  struct timespec timeout = {
    .tv_sec = (time_t)(timeout_ns / 1000000000u), .tv_nsec = (long)(timeout_ns % 1000000000u)};
  syscall(SYS_futex, word, operation, expected, &timeout, NULL, 0);
}

void linux_futex_wait(const uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  futex_wait(word, FUTEX_WAIT_PRIVATE, expected, timeout_ns);
}

void linux_futex_wake_all(const uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff, NULL, NULL, 0);
}

void linux_futex_wait_shared(const uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  futex_wait(word, FUTEX_WAIT, expected, timeout_ns);
}

void linux_futex_wake_shared(const uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0);
}

_Static_assert(LINUX_BATCH_POLICY == SCHED_BATCH, "the kernel's number");

void linux_schedule_as_batch(void) {
  struct sched_param none = {0};
  sched_setscheduler(0, SCHED_BATCH, &none);
}

int linux_reserve(int descriptor, off_t offset, off_t count) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, count);
}

static int set_byte_lock(int descriptor, off_t offset, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int linux_lock_byte(int descriptor, off_t offset) {
  return set_byte_lock(descriptor, offset, F_WRLCK);
}

int linux_unlock_byte(int descriptor, off_t offset) {
  return set_byte_lock(descriptor, offset, F_UNLCK);
}

int linux_processor_count(void) {
  cpu_set_t all;
  // A machine with more processors than fit into the set is one with enough of them.
  if (sched_getaffinity(0, sizeof all, &all) != 0) return errno == EINVAL ? CPU_SETSIZE : 1;
  return CPU_COUNT(&all);
}

int linux_processor(void) { return sched_getcpu(); }

int linux_thread_id(void) { return (int)syscall(SYS_gettid); }

void linux_keep_off(int thread, int processor) {
  cpu_set_t others;
  if (sched_getaffinity(0, sizeof others, &others) != 0) return;
  if (processor >= 0 && processor < CPU_SETSIZE) CPU_CLR(processor, &others);
  if (CPU_COUNT(&others) > 0) sched_setaffinity(thread, sizeof others, &others);
}

void linux_run_on(int number) {
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  int count = CPU_COUNT(&all);
  if (count < 2) return;
  int wanted = number == 0 ? 0 : 1 + (number - 1) % (count - 1);
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &all) || wanted-- > 0) continue;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

static int gives_memory_back;

void linux_give_back_freed_memory(void) {
  gives_memory_back = 1;
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 2);
}

void linux_trim_heap(void) { malloc_trim(0); }

void linux_keep_freed_memory(void) {
  if (gives_memory_back) return;
  // The largest block that malloc can take from the heap, and more than two such blocks.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
}

void linux_fill_past_caches(void *start, int byte, size_t count) {
  typedef long long line __attribute__((vector_size(16)));
  size_t before = -(uintptr_t)start % sizeof(line);
  if (before > count) before = count;
  memset(start, byte, before);
  unsigned char *at = (unsigned char *)start + before;
  unsigned char *end = at + (count - before) / sizeof(line) * sizeof(line);
  line value;
  memset(&value, byte, sizeof value);
  for (; at < end; at += sizeof(line)) __builtin_nontemporal_store(value, (line *)at);
  memset(end, byte, (count - before) % sizeof(line));
  // These stores are not ordered with other stores.
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}
