#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/stores/kerchunk/reference_template.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Where a value stands, as a file of kerchunk references says it.
struct Reference {
  std::string url;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;      ///< Nothing: all of what is at the URL.
  std::optional<std::string> inline_value;  ///< The value itself, if it stands in the file.
};

/// One item of `gen`: references of one form, for every combination of some variables.
class ReferenceGenerator {
 public:
  /// Throws Error(corrupt) for what does not follow kerchunk's specification, Error(limit_exceeded) for too many
  /// combinations.
  explicit ReferenceGenerator(const zarr::JsonNode& item);

  std::uint64_t count() const { return count_; }
  /// The key, or the reference, of a combination. Throws what ReferenceTemplates::Render throws, with the place. `work`
  /// is that of ReferenceTemplates::Render, with some steps for each variable.
  std::string KeyOf(std::uint64_t combination, const ReferenceTemplates& templates, std::uint64_t* work) const;
  Reference ReferenceOf(std::uint64_t combination, const ReferenceTemplates& templates) const;
  /// What the URLs are made of.
  const std::string& url() const { return url_.AsString(); }

 private:
  struct Dimension {
    std::string name;
    std::uint64_t count = 0;
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::vector<ReferenceTemplates::Value> values;  // instead of start and step
  };

  static Dimension ParseDimension(std::string name, const zarr::JsonNode& range);
  ReferenceTemplates::Variables VariablesOf(std::uint64_t combination) const;
  std::uint64_t IntegerOf(const zarr::JsonNode& text, const ReferenceTemplates& templates,
                          const ReferenceTemplates::Variables& variables) const;

  zarr::JsonNode key_;
  zarr::JsonNode url_;
  std::optional<zarr::JsonNode> offset_;
  std::optional<zarr::JsonNode> length_;
  std::vector<Dimension> dimensions_;
  std::uint64_t count_ = 1;
};

/// ReferenceTemplates::Render, whose errors name where the text stands.
std::string RenderAt(const zarr::JsonNode& place, std::string_view text, const ReferenceTemplates& templates,
                     const ReferenceTemplates::Variables& variables = {}, std::uint64_t* work = nullptr);

}  // namespace gdal_zarr
