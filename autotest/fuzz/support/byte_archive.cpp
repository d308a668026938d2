// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/byte_archive.h"

#include <algorithm>
#include <cstdint>

namespace zarr::fuzz {
namespace {

std::uint64_t TakeNumber(std::string_view* rest, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) number |= std::uint64_t{static_cast<unsigned char>((*rest)[i])} << (8 * i);
  rest->remove_prefix(bytes);
  return number;
}

std::string TakeText(std::string_view* rest, std::uint64_t length) {
  std::string text(rest->substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(length, rest->size()))));
  rest->remove_prefix(text.size());
  return text;
}

void AppendNumber(std::uint64_t number, std::size_t bytes, std::string* text) {
  for (std::size_t i = 0; i < bytes; ++i, number >>= 8) *text += static_cast<char>(number & 0xff);
}

}  // namespace

Archive ParseArchive(std::string_view input) {
  constexpr std::size_t kHeader = 6;
  Archive archive;
  while (input.size() >= kHeader && archive.size() < kMaxEntries) {
    const std::uint64_t key_length = TakeNumber(&input, 2);
    const std::uint64_t value_length = TakeNumber(&input, 4);
    std::string key = TakeText(&input, key_length);
    std::string value = TakeText(&input, value_length);
    archive.push_back({std::move(key), std::move(value)});
  }
  return archive;
}

std::string FormatArchive(const Archive& archive) {
  std::string text;
  for (const ArchiveEntry& entry : archive) {
    const std::string_view key = std::string_view(entry.key).substr(0, UINT16_MAX);
    AppendNumber(key.size(), 2, &text);
    AppendNumber(entry.value.size(), 4, &text);
    text.append(key).append(entry.value);
  }
  return text;
}

std::shared_ptr<MemoryStore> MakeStore(const Archive& archive) {
  static std::uint64_t number = 0;
  auto store = std::make_shared<MemoryStore>("memory-" + std::to_string(number++));
  for (const ArchiveEntry& entry : archive) {
    if (IsKey(entry.key)) store->Set(entry.key, AsBytes(entry.value));
  }
  return store;
}

}  // namespace zarr::fuzz
