// SPDX-License-Identifier: MIT
// A store of any bytes: opened, listed, read, written, consolidated, and walked again. The input is a byte archive.
#include <memory>
#include <string>
#include <vector>

#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/node_walk.h"
#include "autotest/fuzz/support/windows.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/tools/reshard/lossy_codecs.h"

namespace zarr::fuzz {
namespace {

constexpr std::size_t kMaxArrays = 8;

/// Reads a window with the cache and without it, and returns its elements.
std::optional<Elements> ReadTwice(const Array& array, const Selection& window) {
  const auto cached = Try([&] { return ReadWindow(array, window, true); });
  auto direct = Try([&] { return ReadWindow(array, window, false); });
  Require(cached == direct, "a read with the cache is one without it", array.path());
  return direct;
}

bool KeepsEveryBit(const Array& array) {
  const ArrayMetadata& metadata = array.metadata();
  return Try([&] { return !tools::FindLossyCodec(metadata.codecs, metadata.data_type).has_value(); }).value_or(false);
}

/// Writes back what was read, and reads it again.
void Rewrite(const std::shared_ptr<Store>& store, const std::shared_ptr<const Array>& array, const Selection& window,
             const Elements& elements) {
  if (!IsSmallToWrite(*array) || !Succeeds([&] { WriteWindow(array, window, elements); })) return;
  if (!KeepsEveryBit(*array)) return;
  Require(ReadWindow(*array, window, false) == elements, "written elements are read", array->path());
  const auto reopened = EditableHierarchy::Open(store)->OpenArray(array->path());
  Require(ReadWindow(*reopened, window, true) == elements, "stored elements are read", array->path());
}

void ReadAndWrite(const std::shared_ptr<Store>& store, const Hierarchy& hierarchy, const std::string& path) {
  const auto array = Try([&] { return hierarchy.OpenArray(path); });
  if (!array) return;
  for (const auto& window : {ChooseFirstWindow(**array), ChooseLastWindow(**array)}) {
    if (!window) continue;
    if (const auto elements = ReadTwice(**array, *window)) Rewrite(store, *array, *window, *elements);
  }
}

/// Asks for an array that is not there, under a name that is near to one that is: the error names what was found.
void AskForMissing(const Hierarchy& hierarchy, std::string path) {
  path.back() = path.back() == 'x' ? 'y' : 'x';
  Try([&] { return hierarchy.OpenArray(path); });
}

/// Writes consolidated metadata, and walks by them.
void Consolidate(const std::shared_ptr<Store>& store, const std::shared_ptr<EditableHierarchy>& hierarchy) {
  if (!Succeeds([&] {
        hierarchy->SetConsolidate(true);
        hierarchy->WriteConsolidated();
      })) {
    return;
  }
  const auto again = Try([&] { return EditableHierarchy::Open(store); });
  Require(again.has_value(), "a consolidated store opens");
  WalkNodes(**again);
}

void Run(std::string_view input) {
  const auto store = MakeStore(ParseArchive(input));
  const auto hierarchy = Try([&] { return EditableHierarchy::Open(store); });
  if (!hierarchy) return;
  std::size_t arrays = 0;
  for (const WalkedNode& node : WalkNodes(**hierarchy)) {
    if (node.kind == NodeKind::kArray && arrays++ < kMaxArrays) ReadAndWrite(store, **hierarchy, node.path);
    if (arrays == 1 && !node.path.empty()) AskForMissing(**hierarchy, node.path);
  }
  Consolidate(store, *hierarchy);
  ChunkCache::GetShared().Clear();
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  return 0;
}
