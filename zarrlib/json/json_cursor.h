// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zarr {

/// Walks over JSON text from front to back without parsing it, and reports the positions of values. The caller steps
/// into the objects that it needs, and over other values. Does not allocate.
///
/// Checks that brackets and quotes match and are at most kMaxJsonDepth deep, but not that values are valid JSON. Once
/// the text does not match what the caller expects, `ok` becomes false and stays false, and every further step fails.
/// Views point into the text, which must outlive them.
class JsonCursor {
 public:
  /// Ignores a byte order mark and trailing NUL bytes, as JsonNode does.
  explicit JsonCursor(std::string_view text);

  bool ok() const { return ok_; }
  /// Returns true if only white space is left.
  bool IsAtEnd();

  bool IsNextObject();
  /// Steps into the next value, which must be an object.
  void EnterObject();
  /// Steps to the value of the next member, and returns the member's name, as it is between its quotes, in `*name`. At
  /// the end of the object, steps out of it and returns false.
  bool ReadNextMember(std::string_view* name);
  /// Steps over a value and returns its text.
  std::string_view TakeValue();

  /// Returns the position in the text, in bytes.
  std::size_t position() const { return position_; }
  std::string_view GetTextFrom(std::size_t begin) const { return text_.substr(begin, position_ - begin); }

 private:
  char Peek();
  void Fail() { ok_ = false; }
  void SkipString();
  void SkipContainer();
  void SkipScalar();

  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<bool> had_member_;  // one for each object that the cursor is in, the innermost last
  bool ok_ = true;
};

/// Parses a string without escapes. Returns nullopt for other text.
std::optional<std::string_view> ParsePlainString(std::string_view text);
/// Parses a list of strings without escapes. Returns nullopt for other text.
std::optional<std::vector<std::string_view>> ParsePlainStrings(std::string_view text);
/// Parses a list of unsigned 64-bit integers. Returns nullopt for other text.
std::optional<std::vector<std::uint64_t>> ParsePlainIntegers(std::string_view text);

}  // namespace zarr
