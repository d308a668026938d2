// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "zarrlib/base/compiler/thread_value.h"

namespace zarr {

/// Borrows a T that belongs to the calling thread, for the lifetime of this object. The context of a C library, for
/// example, is thus made once per thread, and freed when the thread ends. A new T is default-constructed. If the T is
/// already borrowed, a second borrower gets a new one.
///
/// Also works while the thread's own objects are being destroyed (for a dataset that is closed at exit): the T then
/// lives only as long as this object.
template <typename T>
class PerThread {
 public:
  PerThread() : value_(gone_ ? T() : std::exchange(GetSlot(), T())) {}
  ~PerThread() {
    if (!gone_) GetSlot() = std::move(value_);
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  T& operator*() { return value_; }
  T* operator->() { return &value_; }

 private:
  struct Holder {
    T value{};
    ~Holder() { gone_ = true; }
  };
  static T& GetSlot() { return ThreadValue<Holder>::Get().value; }

  // Without a destructor, it can be read until the very end of the thread.
  static inline thread_local bool gone_ = false;

  T value_;
};

}  // namespace zarr
