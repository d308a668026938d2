#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The templates of a file of kerchunk references: names that stand for texts, in which there may be other names.
///
/// Of the template language that kerchunk uses (Jinja), `{{ }}` with names, integers, strings, + - * // %, parentheses
/// and templates with arguments, as in `{{f(c='text')}}`. Unlike there, an unknown name is an error, and not "".
/// Immutable; safe for any number of threads.
class ReferenceTemplates {
 public:
  using Value = std::variant<std::int64_t, std::string>;
  using Variables = std::map<std::string, Value, std::less<>>;

  ReferenceTemplates() = default;
  /// Throws Error(corrupt) for what is no object of strings.
  explicit ReferenceTemplates(const zarr::JsonNode& templates);

  bool empty() const { return templates_.empty(); }
  const std::map<std::string, std::string, std::less<>>& texts() const { return templates_; }
  /// The text, with what stands in `{{ }}` resolved: variables come before templates. Throws Error(unsupported) for
  /// what is beyond the language above, Error(limit_exceeded) for what takes too long; neither names a place. What it
  /// took is added to `work`: a step for each thing that is evaluated, and for each 16 characters that are put
  /// together.
  std::string Render(std::string_view text, const Variables& variables = {}, std::uint64_t* work = nullptr) const;

 private:
  std::map<std::string, std::string, std::less<>> templates_;
};

}  // namespace gdal_zarr
