// SPDX-License-Identifier: MIT
#pragma once

#include <exception>

#include "zarrlib/base/error.h"

namespace zarr {

/// Looks for several documents, one of which decides what a node is, in a store that may refuse keys. A bucket that may
/// not be listed refuses keys that do not exist, so a refused document may exist or not; another one can still decide.
class Refusals {
 public:
  /// Returns the result of `look`, or an empty one if the store refuses the key.
  template <typename Look>
  auto Try(const Look& look) -> decltype(look()) {
    try {
      return look();
    } catch (const Error& error) {
      if (!error.is_refusal()) throw;
      if (!first_) first_ = std::current_exception();
      return {};
    }
  }

  bool any() const { return first_ != nullptr; }
  /// Throws the first refusal, if there was one: no document has decided.
  void Rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

}  // namespace zarr
