// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/windows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr::fuzz {
namespace {

constexpr std::uint64_t kMaxElements = 2048;
constexpr std::uint64_t kMaxWindowBytes = std::uint64_t{1} << 16;
constexpr std::uint64_t kMaxEdge = 37;

/// Copies elements of variable length to std::string objects.
class ToTexts final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (; count > 0; --count, source += source_stride, destination += destination_stride) {
      std::string_view text;
      std::memcpy(&text, source, sizeof(text));
      *reinterpret_cast<std::string*>(destination) = text;
    }
  }
  bool replicable() const override { return false; }
};

/// The reverse of ToTexts.
class ToViews final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (; count > 0; --count, source += source_stride, destination += destination_stride) {
      const std::string_view text = *reinterpret_cast<const std::string*>(source);
      std::memcpy(destination, &text, sizeof(text));
    }
  }
};

std::uint64_t GetMaxElements(const Array& array) {
  return std::min(kMaxElements, kMaxWindowBytes / std::max<std::uint64_t>(array.data_type().size, 1));
}

Shape ChooseCount(const Array& array) {
  Shape count(array.rank());
  std::uint64_t room = GetMaxElements(array);
  for (std::size_t axis = array.rank(); axis-- > 0;) {
    count[axis] = std::min({array.shape()[axis], room, kMaxEdge});
    room /= std::max<std::uint64_t>(count[axis], 1);
  }
  return count;
}

std::size_t GetItemSize(const Array& array) {
  return array.data_type().variable() ? sizeof(std::string) : array.data_type().size;
}

}  // namespace

std::optional<Selection> ChooseFirstWindow(const Array& array) {
  if (GetMaxElements(array) == 0) return std::nullopt;
  return Selection::FromBox({Shape(array.rank()), ChooseCount(array)});
}

std::optional<Selection> ChooseLastWindow(const Array& array) {
  auto window = ChooseFirstWindow(array);
  if (!window) return std::nullopt;
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    const std::uint64_t length = array.shape()[axis];
    if (length == 0) continue;
    std::uint64_t& count = window->count[axis];
    window->step[axis] = length / count >= 2 ? 2 : 1;
    window->start[axis] = length - 1 - (count - 1) * window->step[axis];
  }
  return window;
}

Elements ReadWindow(const Array& array, const Selection& window, bool use_cache) {
  Elements elements;
  const std::size_t count = ComputeProduct(window.count);
  ReadOptions options;
  options.threads = 1;
  options.use_cache = use_cache;
  options.max_chunk_bytes = kMaxChunkBytes;
  const ToTexts to_texts;
  Destination destination;
  destination.strides = GetContiguousStrides(window.count, GetItemSize(array));
  if (array.data_type().variable()) {
    elements.texts.resize(count);
    destination.data = reinterpret_cast<std::byte*>(elements.texts.data());
    destination.converter = &to_texts;
  } else {
    elements.bytes.resize(count * array.data_type().size);
    destination.data = reinterpret_cast<std::byte*>(elements.bytes.data());
  }
  array.Read(window, destination, options);
  return elements;
}

bool IsSmallToWrite(const Array& array) {
  constexpr std::uint64_t kMaxInnerChunksToWrite = 4096;
  const Shape chunk = array.metadata().chunk_grid.max_chunk_shape();
  const auto elements = ComputeCheckedProduct(chunk);
  const std::uint64_t item_size = std::max<std::uint64_t>(GetItemSize(array), 1);
  if (!elements || *elements > kMaxChunkBytes / item_size) return false;
  const auto inner = array.inner_chunk_shape();
  return !inner || *elements / std::max<std::uint64_t>(ComputeProduct(*inner), 1) <= kMaxInnerChunksToWrite;
}

void WriteWindow(const std::shared_ptr<const Array>& array, const Selection& window, const Elements& elements) {
  const ToViews to_views;
  ElementSource source;
  source.strides = GetContiguousStrides(window.count, GetItemSize(*array));
  if (array->data_type().variable()) {
    source.data = reinterpret_cast<const std::byte*>(elements.texts.data());
    source.converter = &to_views;
  } else {
    source.data = reinterpret_cast<const std::byte*>(elements.bytes.data());
  }
  WriteOptions options;
  options.threads = 1;
  const auto writer = ArrayWriter::Make(array);
  writer->Write(window, source, options);
  writer->Flush(options);
}

}  // namespace zarr::fuzz
