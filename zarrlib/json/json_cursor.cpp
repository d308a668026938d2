// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_cursor.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "zarrlib/json/json_scan.h"

namespace zarr {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// The characters at which the search for the end of an object or array stops.
constexpr std::array<bool, 256> kIsMark = [] {
  std::array<bool, 256> marks{};
  for (const char c : {'"', '{', '}', '[', ']'}) marks[static_cast<unsigned char>(c)] = true;
  return marks;
}();

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// Splits a list without lists, objects and strings that contain commas. Returns nullopt for other text.
std::optional<std::vector<std::string_view>> ParseSimpleItems(std::string_view text) {
  text = Trim(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = Trim(text.substr(1, text.size() - 2));
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    items.push_back(Trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
    if (Trim(text).empty()) return std::nullopt;
  }
  return items;
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  text_.remove_suffix(text_.size() - position_ - TrimPadding(text_).size());
}

char JsonCursor::Peek() {
  while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
  return ok_ && position_ < text_.size() ? text_[position_] : '\0';
}

bool JsonCursor::IsAtEnd() {
  Peek();
  return ok_ && position_ == text_.size();
}

bool JsonCursor::IsNextObject() {
  return Peek() == '{';
}

void JsonCursor::EnterObject() {
  if (Peek() != '{' || had_member_.size() >= kMaxJsonDepth) return Fail();
  ++position_;
  had_member_.push_back(false);
}

bool JsonCursor::ReadNextMember(std::string_view* name) {
  if (!ok_ || had_member_.empty()) return false;
  if (Peek() == '}') {
    ++position_;
    had_member_.pop_back();
    return false;
  }
  if (had_member_.back()) {
    if (Peek() != ',') return Fail(), false;
    ++position_;
  }
  had_member_.back() = true;
  if (Peek() != '"') return Fail(), false;
  const std::size_t begin = position_ + 1;
  SkipString();
  if (!ok_) return false;
  *name = text_.substr(begin, position_ - 1 - begin);
  if (Peek() != ':') return Fail(), false;
  ++position_;
  return true;
}

std::string_view JsonCursor::TakeValue() {
  const char first = Peek();
  const std::size_t begin = position_;
  if (first == '"') {
    SkipString();
  } else if (first == '{' || first == '[') {
    SkipContainer();
  } else {
    SkipScalar();
  }
  return ok_ ? GetTextFrom(begin) : std::string_view();
}

void JsonCursor::SkipString() {
  for (++position_; position_ < text_.size(); ++position_) {
    const void* quote = std::memchr(text_.data() + position_, '"', text_.size() - position_);
    if (!quote) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(quote) - text_.data());
    std::size_t backslashes = 0;
    while (backslashes < end - position_ && text_[end - 1 - backslashes] == '\\') ++backslashes;
    position_ = end;
    if (backslashes % 2 == 1) continue;  // the quote is part of the string
    ++position_;
    return;
  }
  Fail();
}

void JsonCursor::SkipContainer() {
  std::array<char, kMaxJsonDepth> closers;
  std::size_t depth = 0;
  const std::size_t limit = kMaxJsonDepth - had_member_.size();
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (!kIsMark[static_cast<unsigned char>(c)]) {
      ++position_;
      continue;
    }
    if (c == '"') {
      SkipString();
      if (!ok_) return;
      continue;
    }
    ++position_;
    if (c == '{' || c == '[') {
      if (depth >= limit) return Fail();
      closers[depth++] = c == '{' ? '}' : ']';
    } else if (closers[--depth] != c) {
      return Fail();
    } else if (depth == 0) {
      return;
    }
  }
  Fail();
}

void JsonCursor::SkipScalar() {
  const std::size_t begin = position_;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (IsSpace(c) || c == ',' || c == ':' || kIsMark[static_cast<unsigned char>(c)]) break;
    ++position_;
  }
  if (position_ == begin) Fail();
}

std::optional<std::string_view> ParsePlainString(std::string_view text) {
  text = Trim(text);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  if (text.find_first_of("\"\\") != std::string_view::npos) return std::nullopt;
  return text;
}

std::optional<std::vector<std::string_view>> ParsePlainStrings(std::string_view text) {
  auto items = ParseSimpleItems(text);
  if (!items) return std::nullopt;
  for (std::string_view& item : *items) {
    const auto plain = ParsePlainString(item);
    if (!plain) return std::nullopt;
    item = *plain;
  }
  return items;
}

std::optional<std::vector<std::uint64_t>> ParsePlainIntegers(std::string_view text) {
  const auto items = ParseSimpleItems(text);
  if (!items) return std::nullopt;
  std::vector<std::uint64_t> integers;
  for (const std::string_view item : *items) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (item.empty() || status != std::errc() || end != item.data() + item.size()) return std::nullopt;
    integers.push_back(value);
  }
  return integers;
}

}  // namespace zarr
