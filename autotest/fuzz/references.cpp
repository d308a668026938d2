// SPDX-License-Identifier: MIT
// kerchunk references: the input is the file of references. What they refer to is in memory; nothing else is followed.
#include <cpl_vsi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/gdal_setup.h"
#include "autotest/fuzz/support/node_walk.h"
#include "driver/stores/kerchunk/reference_file.h"
#include "driver/stores/kerchunk/reference_store.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::fuzz {
namespace {

constexpr std::size_t kMaxKeys = 300;
constexpr std::string_view kFolder = "/vsimem/fuzz/";
/// With sanitizers, the millions that the library takes would need longer than an input may.
constexpr std::uint64_t kMaxReferences = 100000;

/// The keys below a prefix, at most some hundred. Returns false if there are more.
bool CollectKeys(const Store& store, const std::string& prefix, std::vector<std::string>* keys) {
  const auto listing = store.List(prefix);
  for (const std::string& key : listing->keys) {
    keys->push_back(prefix + key);
    if (keys->size() > kMaxKeys) return false;
  }
  for (const std::string& folder : listing->prefixes) {
    if (!CollectKeys(store, prefix + folder + "/", keys)) return false;
  }
  return true;
}

/// Whether a value is in the references or in the folder of this target.
bool IsInMemory(const gdal_zarr::ReferenceStore& store, const std::string& key) {
  const auto location = Try([&] { return store.requests()->Locate(key); });
  if (!location) return true;
  Require(location->has_value(), "a key that is listed is there", key);
  return (*location)->bytes || (*location)->path.starts_with(kFolder);
}

void ReadValue(const gdal_zarr::ReferenceStore& store, const std::string& key) {
  Require(store.Exists(key), "a key that is listed exists", key);
  const auto value = Try([&] {
    Bytes bytes;
    store.Get(key, &bytes, nullptr, UINT64_MAX);
    return std::string(AsText(bytes));
  });
  const auto suffix = Try([&] {
    Bytes bytes;
    VersionStamp stamp;
    store.GetSuffix(key, 4, &bytes, &stamp);
    return std::string(AsText(bytes));
  });
  Require(!value || (suffix && value->ends_with(*suffix)), "the end of a value is that of the whole", key);
}

void Run(std::string_view input) {
  WriteMemoryFile(std::string(kFolder) + "target", "0123456789abcdefghijklmnopqrstuvwxyz");
  WriteMemoryFile(std::string(kFolder) + "refs.json", input);
  const auto store =
      Try([&] { return std::make_shared<gdal_zarr::ReferenceStore>(std::string(kFolder) + "refs.json"); });
  if (!store) return;
  std::vector<std::string> keys;
  bool in_memory = CollectKeys(**store, "", &keys);
  for (const std::string& key : keys) {
    if (IsInMemory(**store, key)) {
      ReadValue(**store, key);
    } else {
      in_memory = false;
    }
  }
  if (!in_memory) return;
  if (const auto hierarchy = Try([&] { return EditableHierarchy::Open(*store); })) WalkNodes(**hierarchy);
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::SetUpGdal();
  zarr::SetLimit(zarr::Limit::kReferences, zarr::fuzz::kMaxReferences);
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  VSIRmdirRecursive("/vsimem/fuzz");
  return 0;
}
