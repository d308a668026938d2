// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace gdal_zarr {

/// Records whether saving a dataset has failed, with the first failure, and whether a new store is wanted. Thread-safe.
class SaveState {
 public:
  /// Runs a change. If it throws because data could not be saved, CheckComplete will report the error again.
  template <typename Function>
  auto Attempt(Function&& change) {
    try {
      return std::forward<Function>(change)();
    } catch (...) {
      NoteFailure();
      throw;
    }
  }
  /// Throws the first failure to save since the dataset was opened, if any: the store then lacks data that the user
  /// wanted in it. Rejected requests do not count as failures.
  void CheckComplete() const;
  /// Like CheckComplete, for a store that is being created. An existing store may be changed further.
  void CheckMade() const;

  /// Declares that the store has been created successfully, so that it will be finished rather than dropped.
  void Keep() { kept_ = true; }
  /// Like Keep, for a store that has been opened for update.
  void KeepExisting() { kept_ = existed_ = true; }
  /// Declares that a copy is being written to the store, which must not be finished before EndCopy: an archive or a
  /// commit would look complete.
  void BeginCopy() { is_copying_ = true; }
  void EndCopy() { is_copying_ = false; }
  bool is_copying() const { return is_copying_; }
  bool may_finish() const { return kept_ && !is_copying_; }
  /// Revokes Keep: nothing more is saved.
  void Abandon() { abandoned_ = true; }
  bool abandoned() const { return abandoned_; }

  /// Records whether the last flush failed.
  void SetFlushFailed(bool has_failed) { flush_failed_ = has_failed; }
  /// Records that finishing failed: an incomplete store cannot be completed.
  void SetFinishFailed() { finish_failed_ = true; }
  /// Returns true if a failure has been reported.
  bool HasFailed() const;

 private:
  /// Call this in a catch block.
  void NoteFailure() noexcept;

  std::atomic<bool> kept_ = false;
  std::atomic<bool> existed_ = false;  // before the dataset did
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> flush_failed_ = false;
  std::atomic<bool> finish_failed_ = false;
  std::atomic<bool> is_copying_ = false;
  mutable std::mutex mutex_;
  std::exception_ptr failure_;  // the failure of the first change that failed
};

}  // namespace gdal_zarr
