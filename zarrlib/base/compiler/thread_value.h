// SPDX-License-Identifier: MIT
#pragma once

#ifdef __MINGW32__
#include <memory>

#include "zarrlib/base/system/thread_end.h"
#endif

namespace zarr {

/// A T that each thread makes when it first asks for it, and that is destroyed when the thread ends. Each T has one in
/// a thread. For objects with a destructor, in place of thread_local: what MinGW's compiler makes of that frees the
/// memory of such objects before it destroys them (GCC's bug 83562).
template <typename T>
class ThreadValue {
 public:
  static T& Get() {
#ifdef __MINGW32__
    thread_local T* value = nullptr;
    if (value == nullptr) {
      auto made = std::make_unique<T>();
      DestroyAtThreadEnd(made.get(), [](void* object) { delete static_cast<T*>(object); });
      value = made.release();
    }
    return *value;
#else
    thread_local T value{};
    return value;
#endif
  }
};

}  // namespace zarr
