// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/packed_columns.h"

#include <algorithm>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kBlockSize = 1024;
constexpr std::size_t kGroupSize = 16;
constexpr std::size_t kMostKnown = 1 << 14;
constexpr std::size_t kMostMemory = std::size_t{512} << 20;

std::uint8_t GetWidth(std::uint64_t largest) {
  std::uint8_t width = 0;
  for (; largest > 0; largest >>= 8) ++width;
  return width;
}

void AppendLength(std::size_t length, std::string* text) {
  for (; length >= 0x80; length >>= 7) *text += static_cast<char>(length | 0x80);
  *text += static_cast<char>(length);
}

std::size_t TakeLength(std::string_view* rest) {
  std::size_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(rest->front());
    rest->remove_prefix(1);
    length |= std::size_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return length;
  }
}

}  // namespace

void PackedIntegers::Append(std::uint64_t value) {
  pending_.push_back(value);
  ++size_;
  if (pending_.size() == kBlockSize) Finish();
}

void PackedIntegers::Finish() {
  if (pending_.empty()) return;
  const auto [least, largest] = std::ranges::minmax(pending_);
  Block block{least, GetWidth(largest - least), nullptr};
  const std::size_t bytes = block.width * pending_.size();
  if (bytes > 0) block.differences.reset(new std::byte[bytes]);
  for (std::size_t i = 0; bytes > 0 && i < pending_.size(); ++i) {
    zarr::WriteBits(&block.differences[i * block.width], block.width, pending_[i] - least);
  }
  memory_size_ += bytes + sizeof(Block);
  blocks_.push_back(std::move(block));
  pending_.clear();
}

std::uint64_t PackedIntegers::Get(std::uint64_t index) const {
  if (index >= size_) return 0;
  const Block& block = blocks_[static_cast<std::size_t>(index / kBlockSize)];
  if (block.width == 0) return block.least;
  return block.least + zarr::LoadBits(&block.differences[index % kBlockSize * block.width], block.width);
}

std::uint64_t PackedStrings::Add(std::string_view text) {
  if (count_ > 0 && text == last_) return count_;
  if (const auto found = known_.find(std::string(text)); found != known_.end()) return found->second;
  const bool begins_group = count_ % kGroupSize == 0;
  if (begins_group && count_ > 0) groups_.back().shrink_to_fit();
  if (begins_group) groups_.emplace_back();
  const std::size_t most = begins_group ? 0 : std::min(text.size(), last_.size());
  const auto shared =
      static_cast<std::size_t>(std::mismatch(text.begin(), text.begin() + most, last_.begin()).first - text.begin());
  std::string& group = groups_.back();
  const std::size_t before = group.size();
  AppendLength(shared, &group);
  AppendLength(text.size() - shared, &group);
  group += text.substr(shared);
  memory_size_ += group.size() - before + (begins_group ? sizeof(std::string) + 16 : 0);
  if (memory_size_ > kMostMemory) {
    throw zarr::Error(zarr::ErrorKind::kLimitExceeded,
                      "more than " + std::to_string(kMostMemory) + " bytes of paths and values");
  }
  last_ = text;
  ++count_;
  // Longer strings are values, which seldom repeat.
  constexpr std::size_t kLongestKnown = 1 << 10;
  if (known_.size() < kMostKnown && text.size() <= kLongestKnown) known_.emplace(text, count_);
  return count_;
}

void PackedStrings::Finish() {
  known_ = {};
  last_ = {};
  if (!groups_.empty()) groups_.back().shrink_to_fit();
}

std::string PackedStrings::Get(std::uint64_t number) const {
  std::string text;
  std::string_view rest = groups_[static_cast<std::size_t>((number - 1) / kGroupSize)];
  for (std::uint64_t left = (number - 1) % kGroupSize + 1; left > 0; --left) {
    text.resize(TakeLength(&rest));
    const std::size_t added = TakeLength(&rest);
    text += rest.substr(0, added);
    rest.remove_prefix(added);
  }
  return text;
}

}  // namespace gdal_zarr
