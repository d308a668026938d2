// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_scan.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

constexpr std::array<std::string_view, 3> kNonFiniteTokens = {"NaN", "Infinity", "-Infinity"};

/// The mark as it appears in JSON text.
constexpr std::string_view kEscapedMark = "\"\\u0001zarr:";
constexpr std::uint32_t kFirstOfMark = 1;
constexpr char kSecondOfMark = 'z';

constexpr std::size_t kEscapeLength = 6;  // of \uXXXX

/// A number with this many digits and without an exponent fits into a double.
constexpr std::size_t kLongestPlain = 300;

bool IsHighSurrogate(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool IsLowSurrogate(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

class Normalizer {
 public:
  explicit Normalizer(std::string_view text) : text_(text) {}

  std::string Run() {
    output_.reserve(text_.size());
    while (position_ < text_.size()) {
      switch (text_[position_]) {
        case '"':
          CopyString();
          break;
        case '{':
        case '[':
          if (++depth_ > kMaxJsonDepth) {
            throw Error(ErrorKind::kCorrupt, "JSON nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
          }
          CopyOne();
          break;
        case '}':
        case ']':
          if (depth_ > 0) --depth_;
          CopyOne();
          break;
        case ',':
          if (++commas_ > limit_) FailJsonValues();
          CopyOne();
          break;
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9':
          CopyNumber();
          break;
        case 'N':
        case 'I':
        case '-':
          CopyToken();
          break;
        default:
          CopyOne();
      }
    }
    return std::move(output_);
  }

 private:
  void CopyOne() { output_ += text_[position_++]; }

  void CopyToken() {
    for (const std::string_view token : kNonFiniteTokens) {
      if (text_.substr(position_).starts_with(token)) {
        output_.append(kEscapedMark).append(token).append("\"");
        position_ += token.size();
        return;
      }
    }
    CopyOne();
  }

  /// Copies a number whose sign has already been copied.
  void CopyNumber() {
    const std::size_t begin = position_;
    bool has_exponent = false;
    for (; position_ < text_.size() && IsOfNumber(text_[position_]); ++position_) {
      has_exponent = has_exponent || text_[position_] == 'e' || text_[position_] == 'E';
    }
    const std::string_view number = text_.substr(begin, position_ - begin);
    if ((!has_exponent && number.size() <= kLongestPlain) || !IsTooLarge(number)) {
      output_ += number;
      return;
    }
    const bool negative = output_.ends_with('-');
    if (negative) output_.pop_back();
    output_.append(kEscapedMark).append(negative ? "-" : "").append(number).append("\"");
  }

  static bool IsOfNumber(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
  }

  /// Returns true if the number is too large for a double.
  static bool IsTooLarge(std::string_view number) {
    if (number.find('-') != std::string_view::npos) return false;
    double value = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
    return parsed.ec == std::errc::result_out_of_range && parsed.ptr == number.data() + number.size();
  }

  void CopyString() {
    CopyOne();
    if (MayBeMark(position_)) {  // so that a string can never look like a mark
      output_ += "\\ufffd";
      position_ += kEscapeLength;
    }
    while (position_ < text_.size() && text_[position_] != '"') {
      if (text_[position_] != '\\') {
        CopyOne();
      } else if (const auto unit = ReadEscapedUnit(position_)) {
        CopyEscapedUnit(*unit);
      } else {
        CopyOne();
        if (position_ < text_.size()) CopyOne();
      }
    }
    if (position_ < text_.size()) CopyOne();
  }

  /// Returns true if the text at `position` has the first two characters of the mark.
  bool MayBeMark(std::size_t position) const {
    if (ReadEscapedUnit(position) != kFirstOfMark) return false;
    const std::size_t next = position + kEscapeLength;
    return next < text_.size() && (text_[next] == kSecondOfMark || ReadEscapedUnit(next) == kSecondOfMark);
  }

  /// Returns the code unit of the `\uXXXX` at `position`, or nullopt if there is none.
  std::optional<std::uint32_t> ReadEscapedUnit(std::size_t position) const {
    if (text_.size() - position < kEscapeLength || text_[position] != '\\' || text_[position + 1] != 'u')
      return std::nullopt;
    std::uint32_t unit = 0;
    const char* digits = text_.data() + position + 2;
    const auto result = std::from_chars(digits, digits + 4, unit, 16);
    if (result.ptr != digits + 4) return std::nullopt;
    return unit;
  }

  void CopyEscapedUnit(std::uint32_t unit) {
    if (IsHighSurrogate(unit)) {
      const auto next =
          position_ + kEscapeLength <= text_.size() ? ReadEscapedUnit(position_ + kEscapeLength) : std::nullopt;
      if (next && IsLowSurrogate(*next)) {
        output_ += text_.substr(position_, 2 * kEscapeLength);
        position_ += 2 * kEscapeLength;
        return;
      }
    }
    output_ += IsHighSurrogate(unit) || IsLowSurrogate(unit) ? "\\ufffd" : text_.substr(position_, kEscapeLength);
    position_ += kEscapeLength;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  std::size_t commas_ = 0;
  const std::uint64_t limit_ = GetLimit(Limit::kJsonValues);
  std::string output_;
};

}  // namespace

void FailJsonValues() {
  throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot(FormatAtMost(Limit::kJsonValues, "values of JSON"), "more"));
}

std::string_view TrimPadding(std::string_view text) {
  constexpr std::size_t kBlock = 64 << 10;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t i = 0; i < kBlock && !text.empty() && text.back() == '\0'; ++i) text.remove_suffix(1);
  return text;
}

std::string NormalizeJson(std::string_view text) {
  text = TrimPadding(text);
  if (text.ends_with('\0')) throw Error(ErrorKind::kCorrupt, "invalid JSON: too many NUL bytes at the end");
  return Normalizer(text).Run();
}

}  // namespace zarr
