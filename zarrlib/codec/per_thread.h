#pragma once

#include <utility>

namespace zarr {

/// A T that belongs to the calling thread, lent while this object lives: a context of a C library is thus made once per
/// thread and freed when the thread ends. A T that was never used is default-constructed. Where the same T is lent
/// twice at once, the second is a new one.
///
/// Also works late, while the thread's own objects are being destroyed (a data set that is closed at exit): what is
/// lent then lives only as long as this object.
template <typename T>
class PerThread {
 public:
  PerThread() : value_(gone_ ? T() : std::exchange(Slot(), T())) {}
  ~PerThread() {
    if (!gone_) Slot() = std::move(value_);
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
  static T& Slot() {
    thread_local Holder holder;
    return holder.value;
  }

  // Has no destructor, and can hence be asked until the thread's very end.
  static inline thread_local bool gone_ = false;

  T value_;
};

}  // namespace zarr
