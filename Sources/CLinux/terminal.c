// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

// The terminal whose keys are read; -1: none.
static volatile sig_atomic_t key_terminal = -1;
static struct termios before_keys, for_keys;

// The signals that stop, end or continue the process while keys are read, and what they did before.
static const int key_signals[] = {SIGTSTP, SIGQUIT, SIGCONT};
static struct sigaction before_signals[sizeof key_signals / sizeof *key_signals];

// A process in the background that changes the terminal would be stopped for it.
int linux_owns_terminal(int terminal) { return tcgetpgrp(terminal) == getpgrp(); }

static void apply(const struct termios *attributes) {
  int kept = errno;
  int terminal = key_terminal;
  if (terminal >= 0 && linux_owns_terminal(terminal)) tcsetattr(terminal, TCSANOW, attributes);
  errno = kept;
}

// Whether the whole screen is ours, and how often it became so again.
static volatile sig_atomic_t has_screen, screen_resumptions;

// A screen of its own, without a cursor; and the one before.
static void switch_screen(int is_ours) {
  static const char ours[] = "\033[?1049h\033[?25l", before[] = "\033[0m\033[?25h\033[?1049l";
  int kept = errno;
  ssize_t count = is_ours ? write(STDOUT_FILENO, ours, sizeof ours - 1)
                          : write(STDOUT_FILENO, before, sizeof before - 1);
  (void)count;
  errno = kept;
}

// The signal stops or ends the process as it would have done without a handler.
static void restore_and_pass_on(int number) {
  if (has_screen) switch_screen(0);
  apply(&before_keys);
  if (number == SIGTSTP) {
    kill(getpid(), SIGSTOP);
    return;
  }
  signal(number, SIG_DFL);
  raise(number);
}

static void continue_with_keys(int number) {
  (void)number;
  apply(&for_keys);
  if (!has_screen) return;
  switch_screen(1);
  screen_resumptions++;
}

int linux_read_keys(int terminal) {
  if (tcgetattr(terminal, &before_keys) < 0) return -1;
  for_keys = before_keys;
  // Keys come one by one and are not shown; signals are still typed.
  for_keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  for_keys.c_cc[VMIN] = 0;
  for_keys.c_cc[VTIME] = 0;
  key_terminal = terminal;
  static int is_prepared;
  if (!is_prepared) {
    is_prepared = 1;
    atexit(linux_stop_reading_keys);
  }
  int failed = 0;
  for (size_t index = 0; index < sizeof key_signals / sizeof *key_signals; index++) {
    int number = key_signals[index];
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = number == SIGCONT ? continue_with_keys : restore_and_pass_on;
    sigemptyset(&action.sa_mask);
    failed |= sigaction(number, NULL, &before_signals[index]);
    // A signal that is ignored stays so.
    if (before_signals[index].sa_handler != SIG_IGN) failed |= sigaction(number, &action, NULL);
  }
  apply(&for_keys);
  return failed ? -1 : 0;
}

void linux_take_screen(void) {
  static int is_prepared;
  if (!is_prepared) atexit(linux_leave_screen);
  is_prepared = has_screen = 1;
  switch_screen(1);
}

void linux_leave_screen(void) {
  if (has_screen) switch_screen(0);
  has_screen = 0;
}

int linux_screen_resumptions(void) { return screen_resumptions; }

void linux_stop_reading_keys(void) {
  if (key_terminal < 0) return;
  apply(&before_keys);
  key_terminal = -1;
  for (size_t index = 0; index < sizeof key_signals / sizeof *key_signals; index++) {
    sigaction(key_signals[index], &before_signals[index], NULL);
  }
}
