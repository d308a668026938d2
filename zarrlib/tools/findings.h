// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "zarrlib/base/error.h"

namespace zarr::tools {

/// The problems that `check` has found: errors, which make readers fail or get wrong values, and warnings, which
/// readers do not notice. Each is printed at once, with its store and key.
class Findings {
 public:
  Findings(std::string store, std::ostream& err) : store_(std::move(store)), err_(err) {}

  void AddError(const Error& error);
  void AddError(std::string_view key, const std::string& message);
  void AddWarning(std::string_view key, const std::string& message);

  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }

 private:
  std::string store_;
  std::ostream& err_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

}  // namespace zarr::tools
