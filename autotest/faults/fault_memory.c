// SPDX-License-Identifier: MIT
/* The calls for memory of the shim. Only those that the plugin or zarrkit makes may fail, also through operator new:
 * other libraries may end the process without memory. */

#define _GNU_SOURCE
#include "fault_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);

enum { kMaxFrames = 12 };

/* Looking at the stack may take memory itself. */
static __thread int is_looking;

typedef enum { kOther, kPassed, kOurs } Side;

typedef struct {
  int frames;
  Side side;
} Search;

static int EndsWith(const char* text, const char* end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Whose code that is. That of this library and of the C++ library is passed over. Takes no lock and no memory. */
static Side SideOf(uintptr_t address) {
  struct dl_find_object object, self;
  if (_dl_find_object((void*)address, &object) != 0) return kOther;
  const char* name = object.dlfo_link_map->l_name;
  if (!*name) return EndsWith(program_invocation_name, "zarrkit") ? kOurs : kOther;
  if (EndsWith(name, "gdal_Zarr.so")) return kOurs;
  if (strstr(name, "libstdc++")) return kPassed;
  return _dl_find_object((void*)(uintptr_t)SideOf, &self) == 0 && self.dlfo_link_map == object.dlfo_link_map ? kPassed
                                                                                                             : kOther;
}

/* The first frame decides that is not passed over. */
static _Unwind_Reason_Code LookAtFrame(struct _Unwind_Context* context, void* argument) {
  Search* search = argument;
  if (++search->frames > kMaxFrames) return _URC_END_OF_STACK;
  search->side = SideOf(_Unwind_GetIP(context));
  return search->side == kPassed ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Most calls are made by other libraries, which the return address tells. */
static int IsOurs(void* return_address) {
  const Side side = SideOf((uintptr_t)return_address);
  if (side != kPassed) return side == kOurs;
  Search search = {0, kOther};
  _Unwind_Backtrace(LookAtFrame, &search);
  return search.side == kOurs;
}

static int FailsHere(const char* call, void* return_address) {
  if (!CountsMemory() || is_looking) return 0;
  is_looking = 1;
  const int fails = IsOurs(return_address) && FailsForMemory(call);
  is_looking = 0;
  if (fails) errno = ENOMEM;
  return fails;
}

void* malloc(size_t size) {
  return FailsHere("malloc", __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return FailsHere("calloc", __builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return size != 0 && FailsHere("realloc", __builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
