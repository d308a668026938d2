// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/thread_end.h"

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {
namespace {

/// An object of a thread, and those that were made before it.
struct Object {
  void* object;
  void (*destroy)(void* object);
  Object* next;
};

void WINAPI DestroyAll(void* last) {
  for (auto* object = static_cast<Object*>(last); object != nullptr;) {
    object->destroy(object->object);
    Object* const next = object->next;
    delete object;
    object = next;
  }
}

}  // namespace

void DestroyAtThreadEnd(void* object, void (*destroy)(void* object)) {
  // The system calls the function for each thread that ends, with the value that the thread has set.
  static const DWORD index = ::FlsAlloc(DestroyAll);
  if (index == FLS_OUT_OF_INDEXES) return;  // then the object stays
  ::FlsSetValue(index, new Object{object, destroy, static_cast<Object*>(::FlsGetValue(index))});
}

}  // namespace zarr
