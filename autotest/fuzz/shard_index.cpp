// SPDX-License-Identifier: MIT
// A shard of any bytes, read whole and in parts, and written in part. The first byte of the input chooses how the array
// is made, and the rest is the shard.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/shard_forms.h"
#include "autotest/fuzz/support/windows.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::fuzz {
namespace {

std::optional<Elements> Read(const Array& array, const Selection& window, bool use_cache) {
  return Try([&] { return ReadWindow(array, window, use_cache); });
}

/// The elements of a window of an array of rank 2, taken out of all elements.
Elements Cut(const Array& array, const Selection& window, const Elements& all) {
  Elements part;
  for (std::uint64_t row = 0; row < window.count[0]; ++row) {
    for (std::uint64_t column = 0; column < window.count[1]; ++column) {
      const std::uint64_t number =
          (window.start[0] + row * window.step[0]) * array.shape()[1] + window.start[1] + column * window.step[1];
      if (array.data_type().variable()) {
        part.texts.push_back(all.texts[number]);
      } else {
        part.bytes.append(all.bytes, number * array.data_type().size, array.data_type().size);
      }
    }
  }
  return part;
}

std::vector<Selection> MakeWindows() {
  return {Selection::FromBox({{0, 0}, {1, 1}}), Selection::FromBox({{3, 3}, {1, 1}}),
          Selection::FromBox({{1, 1}, {2, 2}}), Selection{{0, 0}, {2, 2}, {2, 3}}};
}

void CheckWindows(const Array& array, const std::optional<Elements>& all) {
  for (const Selection& window : MakeWindows()) {
    const auto part = Read(array, window, false);
    Require(part == Read(array, window, true), "a read with the cache is one without it");
    if (!all) continue;
    Require(part.has_value(), "what is read whole is read in part");
    Require(*part == Cut(array, window, *all), "a part of a shard is that of the whole one");
  }
}

/// Writes one element of a shard that can be read: the others stay.
void CheckWrite(const std::shared_ptr<const Array>& array, const Elements& all) {
  const Selection window = Selection::FromBox({{1, 2}, {1, 1}});
  const Selection other = Selection::FromBox({{2, 1}, {1, 1}});
  const Elements value = Cut(*array, other, all);
  if (!Succeeds([&] { WriteWindow(array, window, value); })) return;
  Require(Read(*array, window, false) == value, "a written element is read");
  Require(Read(*array, other, false) == value, "an element that was not written stays");
  if (!Succeeds([&] { WriteWindow(array, window, Cut(*array, window, all)); })) return;
  Require(Read(*array, Selection::FromBox({{0, 0}, array->shape()}), false) == all, "a rewritten shard is the old one");
}

void Run(std::string_view input) {
  if (input.empty()) return;
  const std::string document = MakeShardedArray(static_cast<unsigned char>(input[0]));
  const auto store = MakeStore({{"zarr.json", document}, {"c/0/0", std::string(input.substr(1))}});
  const auto array = EditableHierarchy::Open(store)->OpenArray("");
  const Selection whole = Selection::FromBox({{0, 0}, array->shape()});
  const auto all = Read(*array, whole, false);
  Require(all == Read(*array, whole, true), "a read with the cache is one without it");
  CheckWindows(*array, all);
  if (all) CheckWrite(array, *all);
  ChunkCache::GetShared().Clear();
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  return 0;
}
