// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "zarrlib/base/once.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Tells whether a store refuses keys because they do not exist, as a bucket does that may not be listed. Then a
/// refused document is taken for absent, with a warning: otherwise nothing could be read that has neighbours which may
/// exist, such as coordinates. Thread-safe.
class RefusedAbsence {
 public:
  /// `documents` are keys one of which exists. `warn` is called once, in the thread that asks. `store` must outlive
  /// this object.
  RefusedAbsence(const Store& store, std::vector<std::string> documents, std::function<void(const std::string&)> warn)
      : store_(store), documents_(std::move(documents)), warn_(std::move(warn)) {}

  /// Returns true if `error` is a refusal, and the store refuses a key that cannot exist too, but not a document that
  /// does. That takes two requests or more, once.
  bool Explains(const Error& error);
  /// Returns true if a refusal means absence, as Explains does, without a warning.
  bool IsLikely() const { return RefusesAbsentKeys() && HasDocument(); }

 private:
  bool RefusesAbsentKeys() const;
  bool HasDocument() const;

  const Store& store_;
  const std::vector<std::string> documents_;
  const std::function<void(const std::string&)> warn_;
  Once looked_;
  std::atomic<bool> refuses_ = false;
};

}  // namespace zarr
