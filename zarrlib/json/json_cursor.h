#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zarr {

/// Walks over JSON text from front to back without parsing it, and says where values stand: the caller steps into what
/// it wants to know and over the rest. Takes no memory.
///
/// Sees that brackets and quotes match and are at most kMaxJsonDepth deep, not that what is stepped over is JSON. Once
/// the text is not what was asked for, `ok` is false and stays so, and every step says that nothing is there. Views are
/// into the text, which must outlive them.
class JsonCursor {
 public:
  /// A byte order mark and trailing NUL bytes are tolerated, as JsonNode does.
  explicit JsonCursor(std::string_view text);

  bool ok() const { return ok_; }
  /// Whether all has been stepped over but white space.
  bool AtEnd();

  bool NextIsObject();
  /// Steps into the object that comes next.
  void EnterObject();
  /// Steps to the value of the next member, whose name is given as it stands between its quotes. False at the end of
  /// the object, which has then been stepped out of.
  bool NextMember(std::string_view* name);
  /// Steps over a value and gives its text.
  std::string_view TakeValue();

  /// The place in the text, in bytes.
  std::size_t position() const { return position_; }
  std::string_view TextFrom(std::size_t begin) const { return text_.substr(begin, position_ - begin); }

 private:
  char Peek();
  void Fail() { ok_ = false; }
  void SkipString();
  void SkipContainer();
  void SkipScalar();

  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<bool> had_member_;  // of the objects that have been stepped into, the innermost last
  bool ok_ = true;
};

/// A string, where it is given by such text and has no escapes.
std::optional<std::string_view> PlainString(std::string_view text);
/// A list of such strings.
std::optional<std::vector<std::string_view>> PlainStrings(std::string_view text);
/// A list of unsigned integers of 64 bits, where the text is one.
std::optional<std::vector<std::uint64_t>> PlainIntegers(std::string_view text);

}  // namespace zarr
