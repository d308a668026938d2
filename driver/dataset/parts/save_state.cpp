// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/save_state.h"

#include "zarrlib/base/error.h"

namespace gdal_zarr {

void SaveState::NoteFailure() noexcept {
  try {
    throw;
  } catch (const zarr::Error& error) {
    // Errors of other kinds reject a request: they are returned to the caller, and no data is lost.
    const bool is_lost = error.kind() == zarr::ErrorKind::kIo || error.kind() == zarr::ErrorKind::kCorrupt ||
                         error.kind() == zarr::ErrorKind::kLimitExceeded;
    if (!is_lost) return;
  } catch (...) {
    // For example std::bad_alloc.
  }
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
}

void SaveState::CheckComplete() const {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mutex_);
    failure = failure_;
  }
  if (failure) std::rethrow_exception(failure);
}

void SaveState::CheckMade() const {
  if (kept_ && !existed_) CheckComplete();
}

bool SaveState::HasFailed() const {
  const std::lock_guard lock(mutex_);
  return flush_failed_ || finish_failed_ || failure_;
}

}  // namespace gdal_zarr
