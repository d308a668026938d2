// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace zarr {

/// Thrown instead of replacing a value that others have changed since it was read. Nothing has been written, and the
/// change may be repeated from its first read on: see RepeatWhileOutrun.
class ChangedMeanwhile : public std::exception {
 public:
  ChangedMeanwhile(std::string store, std::string key);

  const char* what() const noexcept override { return text_.c_str(); }
  const std::string& store() const { return store_; }
  const std::string& key() const { return key_; }

 private:
  std::string store_;
  std::string key_;
  std::string text_;
};

/// The waits between the repetitions of one change.
class Repetition {
 public:
  /// Waits for a random time, which grows with each call, so that those who compete drift apart. Throws Error(io) after
  /// very many calls.
  void Wait(const ChangedMeanwhile& reason);
  int times() const { return times_; }

 private:
  int times_ = 0;
};

/// Returns the result of `change`, which reads values under their locks (store_locks.h), merges its changes with them,
/// and replaces them. Calls it again while others change the values in between.
template <typename Change>
auto RepeatWhileOutrun(const Change& change) {
  Repetition repetition;
  while (true) {
    try {
      return change();
    } catch (const ChangedMeanwhile& reason) {
      repetition.Wait(reason);
    }
  }
}

}  // namespace zarr
