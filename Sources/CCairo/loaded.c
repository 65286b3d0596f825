// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CCairo.h"
#include "CLinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

// A function of the list in loaded.S, which reads the address and calls what is below while it is 0.
typedef struct loaded_function {
  void *address;
  char name[];
} loaded_function;

// The other libraries are its dependencies, in which a search goes on. None is ever unloaded.
static void *open_library(void) {
  return dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_NODELETE);
}

bool text_is_there(void) { return open_library() != NULL; }

__attribute__((visibility("hidden"))) void *loaded_address(loaded_function *function) {
  void *library = open_library();
  void *address = library == NULL ? NULL : dlsym(library, function->name);
  if (address == NULL) {
    dprintf(
      linux_last_words, "%s: Pango cannot be loaded: %s\n", program_invocation_short_name,
      dlerror());
    _exit(EX_UNAVAILABLE);
  }
  // Pairs with the load in loaded.S: the library's memory is ready for whoever sees its address.
  __atomic_store_n(&function->address, address, __ATOMIC_RELEASE);
  return address;
}
