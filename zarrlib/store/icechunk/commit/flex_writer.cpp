// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/flex_writer.h"

#include <vector>

namespace zarr {
namespace {

constexpr unsigned kWidth = 4;
constexpr unsigned kWidthBits = 2;  // of 4 bytes
constexpr std::uint8_t kText = 5 << 2 | kWidthBits;
constexpr std::uint8_t kMap = 9 << 2 | kWidthBits;
constexpr std::uint8_t kBoolean = 26 << 2;

bool IsReference(const FlexWriter::Value& value) {
  return value.type == kText || value.type == kMap;
}

void Append(std::string_view bytes, Bytes* buffer) {
  const ByteSpan span = AsBytes(bytes);
  buffer->insert(buffer->end(), span.begin(), span.end());
}

}  // namespace

FlexWriter::Value FlexWriter::MakeBoolean(bool value) {
  return {kBoolean, value ? 1U : 0U};
}

void FlexWriter::Align() {
  while (buffer_.size() % kWidth != 0) buffer_.push_back(std::byte{0});
}

void FlexWriter::AppendNumber(std::uint64_t number) {
  for (unsigned i = 0; i < kWidth; ++i) buffer_.push_back(static_cast<std::byte>(number >> (8 * i) & 255));
}

void FlexWriter::AppendValue(const Value& value) {
  AppendNumber(IsReference(value) ? buffer_.size() - value.number : value.number);
}

FlexWriter::Value FlexWriter::WriteText(std::string_view text) {
  Align();
  AppendNumber(text.size());
  const auto position = static_cast<std::uint32_t>(buffer_.size());
  Append(text, &buffer_);
  buffer_.push_back(std::byte{0});
  return {kText, position};
}

/// A map has three numbers before its values: the offset back to its keys, the width of their offsets and its size.
FlexWriter::Value FlexWriter::WriteMap(const std::map<std::string, Value>& members) {
  std::vector<std::size_t> keys;
  for (const auto& [name, value] : members) {
    keys.push_back(buffer_.size());
    Append(name, &buffer_);
    buffer_.push_back(std::byte{0});
  }
  Align();
  AppendNumber(keys.size());
  const std::size_t offsets = buffer_.size();
  for (const std::size_t key : keys) AppendNumber(buffer_.size() - key);
  AppendNumber(buffer_.size() - offsets);
  AppendNumber(kWidth);
  AppendNumber(members.size());
  const auto position = static_cast<std::uint32_t>(buffer_.size());
  for (const auto& [name, value] : members) AppendValue(value);
  for (const auto& [name, value] : members) buffer_.push_back(static_cast<std::byte>(value.type));
  return {kMap, position};
}

/// A FlexBuffer ends in its root, the type of it and its width.
Bytes FlexWriter::Finish(const Value& root) {
  Align();
  AppendValue(root);
  buffer_.push_back(static_cast<std::byte>(root.type));
  buffer_.push_back(static_cast<std::byte>(kWidth));
  return std::move(buffer_);
}

}  // namespace zarr
