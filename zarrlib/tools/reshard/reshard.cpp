// SPDX-License-Identifier: MIT
#include <ostream>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_formats.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/array_folder.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/new_metadata.h"
#include "zarrlib/tools/reshard/reshard_copy.h"
#include "zarrlib/tools/reshard/reshard_folder.h"
#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {
namespace {

// --- checks of the store -----------------------------------------------------------------------------------------

std::shared_ptr<const Array> OpenToReshard(const std::shared_ptr<Store>& store, const std::string& path) {
  HierarchyOptions own_documents;
  own_documents.use_consolidated = false;
  const auto hierarchy = Hierarchy::Open(store, own_documents);
  hierarchy->CheckWritable();
  auto array = OpenNamedArray(*hierarchy, path);
  if (array->unsupported()) throw *array->unsupported();
  CheckOneFormat(*store, path, array->metadata().zarr_format);
  if (store->LeadsOut(path + "/")) {
    throw Error(ErrorKind::kUnsupported, store->name(), path, "",
                "this is behind a link out of the store: an array is rewritten in the store that it is in");
  }
  ArrayFolder(*store, array->metadata()).CheckReplaceable(path);
  CheckConsolidatedHaveDocuments(*store, array->metadata().zarr_format == ZarrFormat::kV3);
  return array;
}

// --- the rewrite -------------------------------------------------------------------------------------------------

void TakeUpRemains(const std::shared_ptr<Store>& store, const std::string& path, std::ostream& out) {
  if (!ReshardFolder::Exists(*store, path)) return;
  const bool placed = ReshardFolder(store, path).Clear();
  out << (placed ? "completed an interrupted reshard of /" : "removed the remains of an interrupted reshard of /")
      << path << "\n";
}

/// `state` says what is left if a signal interrupts the removal of what is no longer needed.
void Clear(ReshardFolder* folder, const char* state) {
  try {
    folder->Clear();
  } catch (const Interrupted& interrupted) {
    throw Interrupted{interrupted.signal, state};
  }
}

void MakeAnew(const std::shared_ptr<Store>& store, const Array& from, const ArrayMetadata& metadata,
              Progress* progress) {
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  const InterruptWatch watch;
  ReshardFolder folder(store, from.path());
  try {
    progress->Begin("reshard", 1);
    CopyElements(from, Array::Make(store, folder.array_path(), ReadBack(documents)),
                 {.on_piece = [&](std::uint64_t done, std::uint64_t count) {
                   progress->MoveTo(static_cast<double>(done) / static_cast<double>(count));
                 }});
    progress->Clear();
    folder.Swap(from, documents);
  } catch (...) {
    InterruptWatch::Forget();  // the signal has ended the work; another one ends the removal
    Clear(&folder, "the array is as it was; the next reshard of it removes what this one has written");
    throw;
  }
  Clear(&folder, "the array has its new chunks; the next reshard of it removes the old ones");
}

}  // namespace

int ReshardArray(const std::shared_ptr<Store>& store, const ReshardOptions& options, std::ostream& out,
                 Progress* progress) {
  if (options.path.empty()) {
    throw Error(
        ErrorKind::kUnsupported, store->name(), "", "",
        "an array that is the root of its store is not rewritten; zarrkit copy with --chunks makes a new store of "
        "it");
  }
  CheckKey(options.path);
  TakeUpRemains(store, options.path, out);
  const auto from = OpenToReshard(store, options.path);
  const ArrayMetadata metadata = CheckArguments([&] { return MakeReshardedMetadata(from->metadata(), options); });
  MakeAnew(store, *from, metadata, progress);
  out << "rewrote " << options.path << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
