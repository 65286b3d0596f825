// SPDX-License-Identifier: Apache-2.0
//
// System calls that Swift cannot reach: variadic ones, macros, and those that glibc hides.
// Every function returns what the call returns, -1 with errno set where it failed.

#ifndef ORRERY_LINUX_H
#define ORRERY_LINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A memory file without a name, close-on-exec, that can be sealed.
int linux_memory_file(const char *_Nonnull name);

// A file without a name in a directory's file system, readable and writable by this user only.
int linux_unnamed_file(const char *_Nonnull directory);

// Forbids shrinking, growing, new writable mappings and further seals.
int linux_seal_against_readers(int descriptor);

// 1 if nobody can shrink or grow the file any more, else 0.
int linux_is_sealed_against_resizing(int descriptor);

// A non-blocking listening socket of sequenced packets at a path.
int linux_listen(const char *_Nonnull path, int backlog);

// A blocking connection to such a socket.
int linux_connect(const char *_Nonnull path);

// A non-blocking accepted connection.
int linux_accept(int listener);

// The user of the process at the other end.
int linux_peer_user(int socket, uid_t *_Nonnull user);

// Sends one packet, with a descriptor attached unless `attached` is negative. Never raises SIGPIPE.
ssize_t linux_send(int socket, const void *_Nonnull bytes, size_t count, int attached);

// Receives one packet and the descriptor attached to it, -1 for none.
ssize_t linux_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull attached);

// A non-blocking event counter: readable once somebody has written to it.
int linux_wake_descriptor(void);

// From now on SIGINT and SIGTERM are counted instead of ending the process, and SIGPIPE is ignored.
int linux_catch_stop_signals(void);

// How many of them came.
int linux_stop_signal_count(void);

// A descriptor that is readable from the first of them on; -1 while they are not caught.
int linux_stop_signal_descriptor(void);

// A pipe whose ends are closed on exec: [0] to read, [1] to write.
int linux_pipe(int *_Nonnull ends);

// The path of this program, without a closing zero.
ssize_t linux_program_path(char *_Nonnull path, size_t capacity);

// Asks the kernel for SIGTERM when the parent dies.
int linux_end_with_parent(void);

// The same with SIGKILL, which no inherited mask keeps off.
int linux_die_with_parent(void);

// Waits until woken, while the word has the expected value, at most so long.
void linux_futex_wait(const uint32_t *_Nonnull word, uint32_t expected, uint64_t timeout_ns);

// Wakes every waiter of the word.
void linux_futex_wake_all(const uint32_t *_Nonnull word);

// The same for a word in memory that processes share; waiting needs no right to write to it.
void linux_futex_wait_shared(
  const uint32_t *_Nonnull word, uint32_t expected, uint64_t timeout_ns);
void linux_futex_wake_shared(const uint32_t *_Nonnull word);

// SCHED_BATCH, which Swift does not see.
#define LINUX_BATCH_POLICY 3

// The calling thread no longer takes the processor from the one that wakes it.
void linux_schedule_as_batch(void);

// Large blocks of memory that are freed are kept for the next ones of this process: giving them back to the
// system, and getting them again page by page, takes longer than filling them.
void linux_keep_freed_memory(void);

// Takes disk space for `count` bytes from `offset` on and leaves the file's size alone.
int linux_reserve(int descriptor, off_t offset, off_t count);

// The IPv4 address, in network order, of a host or a network interface: 0, or -1 if there is none.
int linux_resolve(const char *_Nonnull host, uint32_t *_Nonnull address);

// A number that no other socket of this machine has had since it was started; 0 if it is no socket.
uint64_t linux_socket_cookie(int socket);

// Bytes that have come over a TCP connection; 0 if it is none.
uint64_t linux_tcp_received(int socket);

// Tells the processor that the thread spins.
static inline void linux_spin_hint(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// The counter that all processors share, and its reading after everything that was asked for earlier has been
// done; in its own unit.
static inline uint64_t linux_counter(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#endif
}
static inline uint64_t linux_counter_after(void) {
#if defined(__x86_64__)
  unsigned processor;
  return __builtin_ia32_rdtscp(&processor);
#else
  __asm__ volatile("isb");
  return linux_counter();
#endif
}

// Keeps this thread, and those that it starts, on one of the processors that it may use: 0 is the first;
// from 1 on the others take turns. Does nothing where there is only one.
void linux_run_on(int number);

// Asks for memory that is going to be read or written soon; any address will do.
static inline void linux_prefetch(const void *_Nullable address) { __builtin_prefetch(address, 1); }

// Asks for memory that is going to be read soon, and that others may go on reading.
static inline void linux_prefetch_for_reading(const void *_Nullable address) {
  __builtin_prefetch(address, 0);
}

// Sets bytes as `memset` does, but past the caches: what lies in them stays there.
void linux_fill_past_caches(void *_Nonnull place, int byte, size_t count);

#endif
