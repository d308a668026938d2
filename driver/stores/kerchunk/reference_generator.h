// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/kerchunk/reference_template.h"
#include "driver/stores/kerchunk/references.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// One item of `gen`: a pattern that generates a reference for each combination of its variables.
class ReferenceGenerator {
 public:
  /// Throws Error(corrupt) if the item does not follow kerchunk's specification, and Error(limit_exceeded) if it has
  /// too many combinations.
  explicit ReferenceGenerator(const zarr::JsonNode& item);

  std::uint64_t count() const { return count_; }
  /// Return the key and the reference of one combination. They throw like ReferenceTemplates::Render, with the location
  /// in the file. They add the steps of Render, and some for each variable, to `work`.
  std::string MakeKey(std::uint64_t combination, const ReferenceTemplates& templates, std::uint64_t* work) const;
  Reference MakeReference(std::uint64_t combination, const ReferenceTemplates& templates) const;
  /// The template of the URLs.
  const std::string& url() const { return url_.AsString(); }

 private:
  struct Dimension {
    std::string name;
    std::uint64_t count = 0;
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::vector<ReferenceTemplates::Value> values;  // used instead of start and step
  };

  static Dimension ParseDimension(std::string name, const zarr::JsonNode& range);
  ReferenceTemplates::Variables GetVariables(std::uint64_t combination) const;
  std::uint64_t GetInteger(const zarr::JsonNode& text, const ReferenceTemplates& templates,
                           const ReferenceTemplates::Variables& variables) const;

  zarr::JsonNode key_;
  zarr::JsonNode url_;
  std::optional<zarr::JsonNode> offset_;
  std::optional<zarr::JsonNode> length_;
  std::vector<Dimension> dimensions_;
  std::uint64_t count_ = 1;
  std::uint64_t work_of_variables_ = 0;  // for one combination
};

/// Calls ReferenceTemplates::Render, and adds the location in the file to its errors.
std::string RenderAt(const zarr::JsonNode& place, std::string_view text, const ReferenceTemplates& templates,
                     const ReferenceTemplates::Variables& variables = {}, std::uint64_t* work = nullptr);

}  // namespace gdal_zarr
