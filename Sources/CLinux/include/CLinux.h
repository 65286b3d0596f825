// SPDX-License-Identifier: Apache-2.0
//
// System calls that Swift cannot reach: variadic ones, macros, and those that glibc hides. Every
// function returns what the call returns: -1 with errno set if it failed.

#ifndef ORRERY_LINUX_H
#define ORRERY_LINUX_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Creates a memory file without a name, close-on-exec, that can be sealed.
int linux_memory_file(const char *_Nonnull name);

// Creates a file without a name in a directory's file system, readable and writable by this user
// only.
int linux_unnamed_file(const char *_Nonnull directory);

// Forbids shrinking, growing, new writable mappings and further seals.
int linux_seal_against_readers(int descriptor);

// Returns 1 if no process can shrink or grow the file any more, else 0.
int linux_is_sealed_against_resizing(int descriptor);

// Creates a non-blocking listening socket of sequenced packets at a path.
int linux_listen(const char *_Nonnull path, int backlog);

// Opens a blocking connection to such a socket. Waits at most ten seconds to be accepted, then and
// for room to send.
int linux_connect(const char *_Nonnull path);

// Accepts a connection, non-blocking, as long as there is a descriptor. This library also replaces
// `accept4`, for libzmq: see accept.c.
int linux_accept(int listener);

// Gets the user of the process at the other end.
int linux_peer_user(int socket, uid_t *_Nonnull user);

// Sends one packet, with a descriptor attached unless `attached` is negative. Never raises SIGPIPE.
ssize_t linux_send(int socket, const void *_Nonnull bytes, size_t count, int attached);

// Receives one packet and the descriptor attached to it, -1 for none.
ssize_t linux_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull attached);

// Creates a non-blocking event counter, readable after the first write to it.
int linux_wake_descriptor(void);

// Starts to count SIGINT, SIGTERM, SIGHUP and the signal of linux_end_with_parent instead of ending the
// process, and to ignore SIGPIPE. The last two count only if they are the first. A SIGHUP that is ignored
// stays so.
int linux_catch_stop_signals(void);

// The number of these signals so far.
int linux_stop_signal_count(void);

// From now on, the second of these signals prints the message on standard error, removes the file if
// there is a path, and ends the process with exit code 130. NULL as message: it is only counted.
void linux_end_at_second_stop_signal(const char *_Nullable message, const char *_Nullable path);

// A descriptor that is readable after the first of these signals; -1 before
// linux_catch_stop_signals.
int linux_stop_signal_descriptor(void);

// Lets keys be read one by one from a terminal, without a line feed and unseen; Ctrl-C still raises a
// signal. The terminal is as before whenever this process is stopped by Ctrl-Z, and after its end.
int linux_read_keys(int terminal);

// Gives the terminal back as it was before linux_read_keys; does nothing if no keys are read.
void linux_stop_reading_keys(void);

// Takes the whole screen of the terminal on standard output, whose text comes back with linux_leave_screen, at the
// process's end, and while it is stopped by Ctrl-Z. Keys must be read.
void linux_take_screen(void);
void linux_leave_screen(void);

// How often the process was continued while it had the screen, which then shows nothing.
int linux_screen_resumptions(void);

// Whether this process is in the terminal's foreground: only then can it read keys.
int linux_owns_terminal(int terminal);

// Gives a pipe room for up to this many bytes.
int linux_set_pipe_room(int descriptor, int bytes);

// Creates a pipe whose ends are closed on exec: [0] to read, [1] to write.
int linux_pipe(int *_Nonnull ends);

// The path of this program, without a closing zero.
ssize_t linux_program_path(char *_Nonnull path, size_t capacity);

// Asks the kernel for a signal when the parent dies, a real-time signal that ends the process unless it
// is caught. A parent of another process id has died already: the signal is raised.
int linux_end_with_parent(int parent);

// The same with SIGKILL, which no inherited signal mask can block.
int linux_die_with_parent(void);

// Sleeps while the word has the expected value, until woken or until the timeout.
void linux_futex_wait(const uint32_t *_Nonnull word, uint32_t expected, uint64_t timeout_ns);

// Wakes every waiter of the word.
void linux_futex_wake_all(const uint32_t *_Nonnull word);

// The same for a word in memory that processes share; waiting needs no write access.
void linux_futex_wait_shared(
  const uint32_t *_Nonnull word, uint32_t expected, uint64_t timeout_ns);
void linux_futex_wake_shared(const uint32_t *_Nonnull word);

// SCHED_BATCH, which Swift does not see.
#define LINUX_BATCH_POLICY 3

// Schedules the calling thread so that it no longer preempts the thread that wakes it.
void linux_schedule_as_batch(void);

// Keeps large freed blocks for later allocations of this process. To return them to the system and
// get them back page by page takes longer than to fill them.
void linux_keep_freed_memory(void);

// Gives large freed blocks back to the system at once, and takes small ones from few places. Call it before other
// threads start; `linux_keep_freed_memory` does nothing afterwards.
void linux_give_back_freed_memory(void);

// Gives the heap's free pages back to the system.
void linux_trim_heap(void);

// Reserves disk space for `count` bytes from `offset` on, without a change of the file's size.
int linux_reserve(int descriptor, off_t offset, off_t count);

// Takes the lock for writing of the byte at an offset, or -1 with EAGAIN if another open file has it; gives it back. The
// lock is the open file's: it ends with it, or with the process.
int linux_lock_byte(int descriptor, off_t offset);
int linux_unlock_byte(int descriptor, off_t offset);

// Gets the IPv4 address, in network order, of a host or a network interface. Returns 0, or -1 if
// there is none.
int linux_resolve(const char *_Nonnull host, uint32_t *_Nonnull address);

// A number that identifies a socket: no other socket had it since this machine started; 0 if this
// is no socket.
uint64_t linux_socket_cookie(int socket);

// Bytes received over a TCP connection; 0 if this is none.
uint64_t linux_tcp_received(int socket);

// Tells the processor that the thread spins.
static inline void linux_spin_hint(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// The counter that all processors share, in its own unit. linux_counter_after reads it after all
// earlier instructions have completed.
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

// Processors that this process may run on; at least 1.
int linux_processor_count(void);

// The processor that runs this thread now.
int linux_processor(void);

// Where the line goes with which a library's lack of a thread ends the program: standard error, unless that
// is kept from the screen for a while.
extern int linux_last_words;

// Starts a thread as pthread_create does, which this library replaces for other libraries: see
// threads.c. Returns 0 or an error number.
int linux_start_thread(
  pthread_t *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
  void *_Nullable (*_Nonnull start)(void *_Nullable), void *_Nullable argument);

// The system's number of this thread.
int linux_thread_id(void);

// Lets another thread run wherever this one may, but not on one processor. Does nothing if there is no
// other processor.
void linux_keep_off(int thread, int processor);

// Binds this thread, and the threads that it starts, to one of the processors that it may use. 0 is
// the first; numbers from 1 on take turns over the others. Does nothing if there is only one.
void linux_run_on(int number);

// Prefetches memory that will be read or written soon; any address is allowed.
static inline void linux_prefetch(const void *_Nullable address) { __builtin_prefetch(address, 1); }

// Prefetches memory that will be read soon, and that others can keep reading.
static inline void linux_prefetch_for_reading(const void *_Nullable address) {
  __builtin_prefetch(address, 0);
}

// Sets bytes like `memset`, but bypasses the caches: their contents stay.
void linux_fill_past_caches(void *_Nonnull start, int byte, size_t count);

#endif
