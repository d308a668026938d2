// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The templates of a file of kerchunk references: named strings, which may contain other names.
///
/// kerchunk uses the template language Jinja. This class supports a subset: `{{ }}` with names, integers, strings, + -
/// * // %, parentheses and templates with arguments, as in `{{f(c='text')}}`. Unlike in Jinja, an unknown name is an
/// error rather than "". Immutable, and safe for any number of threads.
class ReferenceTemplates {
 public:
  using Value = std::variant<std::int64_t, std::string_view>;
  /// Views of names and strings that the caller owns.
  using Variables = std::map<std::string_view, Value>;

  ReferenceTemplates() = default;
  /// Throws Error(corrupt) if `templates` is not an object of strings.
  explicit ReferenceTemplates(const zarr::JsonNode& templates);

  bool empty() const { return templates_.empty(); }
  const std::map<std::string, std::string, std::less<>>& texts() const { return templates_; }
  /// Replaces each `{{ }}` in the text. Variables take precedence over templates. Adds one step to `work` for each
  /// evaluation, and one for each 16 characters of strings and results. Throws Error(unsupported) for expressions
  /// beyond the language above, and Error(limit_exceeded) if the work takes too long. The errors do not include a
  /// location.
  std::string Render(std::string_view text, const Variables& variables = {}, std::uint64_t* work = nullptr) const;

 private:
  std::map<std::string, std::string, std::less<>> templates_;
};

}  // namespace gdal_zarr
