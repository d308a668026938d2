// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/tools/check/rules.h"
#include "zarrlib/tools/progress.h"

namespace zarr::tools {

/// The problems that `check` has found, and its repairs. Each is printed immediately: as a line with the store, the
/// key, and the name of the rule; or as an object of the list "findings" in one JSON object.
class Findings {
 public:
  /// The bar of `progress` is removed before printing.
  Findings(std::string store, bool json, std::ostream& out, Progress* progress);

  void Add(const Rule& rule, const Error& error);
  void Add(const Rule& rule, std::string_view key, const std::string& message, std::string_view pointer = "");
  /// Reports an action: "removed" or "repaired", and the key.
  void AddDone(std::string_view what, std::string_view key);
  /// Prints the counts, and the number of checked objects.
  void Finish(std::size_t groups, std::size_t arrays, std::size_t chunks);

  /// Returns true if a part of a JSON object has been printed.
  bool has_begun() const { return has_begun_; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }

 private:
  void BeginJson();

  std::string store_;
  bool json_;
  std::ostream& out_;
  Progress& progress_;
  bool has_begun_ = false;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::vector<std::string> done_;  // JSON objects
};

}  // namespace zarr::tools
