// SPDX-License-Identifier: MIT
// A ZIP archive of any bytes: listed, every file read whole and in part, and opened as a store.
#include <memory>
#include <string>
#include <vector>

#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/node_walk.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/zip/zip_store.h"

namespace zarr::fuzz {
namespace {

constexpr std::size_t kMaxFiles = 64;
constexpr std::uint64_t kMaxFileSize = std::uint64_t{4} << 20;

/// The keys below a prefix.
void CollectKeys(const Store& store, const std::string& prefix, std::vector<std::string>* keys) {
  const auto listing = Try([&] { return store.List(prefix); });
  if (!listing || !*listing) return;
  for (const std::string& key : (*listing)->keys) {
    if (keys->size() < kMaxFiles) keys->push_back(prefix + key);
  }
  for (const std::string& folder : (*listing)->prefixes) {
    if (keys->size() < kMaxFiles) CollectKeys(store, prefix + folder + "/", keys);
  }
}

std::optional<std::string> Get(const Store& store, const std::string& key) {
  return Try([&] {
    Bytes value;
    Require(store.Get(key, &value, nullptr, kMaxFileSize), "a file that is listed is there", key);
    return std::string(AsText(value));
  });
}

std::optional<std::string> GetRange(const Store& store, const std::string& key, const ByteRange& range) {
  return Try([&] {
    std::string bytes(range.length, '\0');
    const MutableByteSpan buffer(reinterpret_cast<std::byte*>(bytes.data()), bytes.size());
    store.GetRanges(key, {&range, 1}, {&buffer, 1}, nullptr);
    return bytes;
  });
}

/// Reads a file in every way. Parts are those of the whole, whose checksum was right.
void ReadFile(const Store& store, const std::string& key) {
  const auto value = Get(store, key);
  const auto beyond = GetRange(store, key, {UINT64_MAX - 2, 2});
  Require(!beyond, "there is nothing beyond the end", key);
  GetRange(store, key, {0, 3});
  const auto suffix = Try([&] {
    Bytes bytes;
    VersionStamp stamp;
    store.GetSuffix(key, 5, &bytes, &stamp);
    return std::string(AsText(bytes));
  });
  if (!value) return;
  Require(!suffix || value->ends_with(*suffix), "the end of a file is that of the whole", key);
  if (value->size() < 3) return;
  const auto part = GetRange(store, key, {1, value->size() - 2});
  Require(!part || *part == value->substr(1, value->size() - 2), "a part of a file is that of the whole", key);
}

void Run(std::string_view input) {
  auto archives = std::make_shared<MemoryStore>();
  archives->Set("a.zip", AsBytes(input));
  const auto store = std::make_shared<ZipStore>("a.zip", archives, "a.zip", "");
  std::vector<std::string> keys;
  CollectKeys(*store, "", &keys);
  for (const std::string& key : keys) ReadFile(*store, key);
  if (const auto hierarchy = Try([&] { return EditableHierarchy::Open(store); })) WalkNodes(**hierarchy);
  const ZipStore folder("a.zip", archives, "a.zip", "a");
  Try([&] { return folder.List("").has_value(); });
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  return 0;
}
