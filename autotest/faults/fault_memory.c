// SPDX-License-Identifier: MIT
/* The calls for memory of the shim. Only those that the plugin or zarrkit makes may fail, also through operator new:
 * other libraries may end the process without memory. */

#define _GNU_SOURCE
#include "fault_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);

enum { kMaxFrames = 12 };

/* Looking at the stack may take memory itself. */
static __thread int is_looking;

typedef struct {
  int frames;
  int is_ours;
} Search;

static int EndsWith(const char* text, const char* end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The first frame decides that is not one of this library or of the C++ library. */
static _Unwind_Reason_Code LookAtFrame(struct _Unwind_Context* context, void* argument) {
  Search* search = argument;
  Dl_info caller, self;
  if (++search->frames > kMaxFrames) return _URC_END_OF_STACK;
  if (!dladdr((void*)(uintptr_t)_Unwind_GetIP(context), &caller) || !caller.dli_fname) return _URC_END_OF_STACK;
  if (dladdr((void*)(uintptr_t)LookAtFrame, &self) && caller.dli_fbase == self.dli_fbase) return _URC_NO_REASON;
  if (strstr(caller.dli_fname, "libstdc++")) return _URC_NO_REASON;
  search->is_ours = EndsWith(caller.dli_fname, "gdal_Zarr.so") || EndsWith(caller.dli_fname, "zarrkit");
  return _URC_END_OF_STACK;
}

static int FailsHere(const char* call) {
  if (!CountsMemory() || is_looking) return 0;
  is_looking = 1;
  Search search = {0, 0};
  _Unwind_Backtrace(LookAtFrame, &search);
  const int fails = search.is_ours && FailsForMemory(call);
  is_looking = 0;
  if (fails) errno = ENOMEM;
  return fails;
}

void* malloc(size_t size) {
  return FailsHere("malloc") ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return FailsHere("calloc") ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return size != 0 && FailsHere("realloc") ? NULL : __libc_realloc(old, size);
}
