// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace gdal_zarr {

/// What a dataset knows about saving: the first failure, and whether a new store is wanted. Thread-safe.
class SaveState {
 public:
  /// Runs a change. If it throws because something could not be saved, CheckComplete will report that again.
  template <typename Function>
  auto Attempt(Function&& change) {
    try {
      return std::forward<Function>(change)();
    } catch (...) {
      NoteFailure();
      throw;
    }
  }
  /// Throws the first failure to save since the dataset was opened, if there is one: the store then lacks data that the
  /// user wanted in it. Requests that were rejected are no such failures.
  void CheckComplete() const;
  /// Does the same for a store that is being made. An existing store may be changed further.
  void CheckMade() const;

  /// Declares that the store has been made successfully, so that it will be finished, not dropped, in the end.
  void Keep() { kept_ = true; }
  bool kept() const { return kept_; }
  /// Revokes Keep: nothing more is saved.
  void Abandon() { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

  /// The last flush has failed, or has not.
  void SetFlushFailed(bool has_failed) { flush_failed_ = has_failed; }
  /// What is incomplete cannot be completed.
  void SetFinishFailed() { finish_failed_ = true; }
  /// Whether a failure has been reported.
  bool HasFailed() const;

 private:
  /// Call this in a catch block.
  void NoteFailure() noexcept;

  std::atomic<bool> kept_ = false;
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> flush_failed_ = false;
  std::atomic<bool> finish_failed_ = false;
  mutable std::mutex mutex_;
  std::exception_ptr failure_;  // of the first change that failed
};

}  // namespace gdal_zarr
