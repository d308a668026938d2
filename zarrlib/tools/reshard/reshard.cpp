// SPDX-License-Identifier: MIT
#include <ostream>

#include "zarrlib/array/write/array_replacement.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/removal/removable.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/array_folder.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/chunk_stamps.h"
#include "zarrlib/tools/reshard/new_metadata.h"
#include "zarrlib/tools/reshard/reshard_copy.h"
#include "zarrlib/tools/reshard/reshard_folder.h"

namespace zarr::tools {
namespace {

// --- checks of the store -----------------------------------------------------------------------------------------

std::shared_ptr<EditableHierarchy> OpenOwnDocuments(const std::shared_ptr<Store>& store) {
  HierarchyOptions options;
  options.use_consolidated = false;
  return EditableHierarchy::Open(store, options);
}

std::shared_ptr<const Array> OpenToReshard(const EditableHierarchy& hierarchy, const std::string& path) {
  const std::shared_ptr<Store>& store = hierarchy.store();
  hierarchy.CheckWritable();
  auto array = OpenNamedArray(hierarchy, path);
  if (array->unsupported()) throw *array->unsupported();
  CheckOneFormat(*store, path, array->metadata().zarr_format);
  if (LeadsOut(*store, path)) {
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

/// `state` describes the remaining state if a signal interrupts the cleanup.
void Clear(ReshardFolder* folder, const char* state) {
  try {
    folder->Clear();
  } catch (const Interrupted& interrupted) {
    throw Interrupted{interrupted.signal, state};
  }
}

/// Throws Error(io) if the array stored now is not the one that has been copied.
void CheckSame(const Array& copied, const Array& present) {
  auto why = FindReplacement(copied.metadata(), present.metadata());
  if (!why && present.shape() != copied.shape()) {
    why = FormatExpectedGot("the shape " + ToString(copied.shape()), ToString(present.shape()));
  }
  if (!why) return;
  throw Error(ErrorKind::kIo, copied.store().name(), copied.path(), "",
              "the array has been changed while its chunks were copied: " + *why);
}

/// Replaces the old array by the new one. Other writers are locked out during this, so that their changes since the
/// array was `copied` are not lost.
void TakePlace(EditableHierarchy& hierarchy, ReshardFolder* folder, const Array& from,
               const std::shared_ptr<const Array>& to, const ChunkStamps& copied, const ReshardOptions& options) {
  const auto locked = hierarchy.LockNodes({from.path()});
  const auto present = hierarchy.OpenPresentArray(from.path());
  CheckSame(from, *present);
  CopyChunks(*present, to, ChunkStamps(*present).FindChanged(copied));
  folder->Swap(*present, MakeDocuments(MakeReshardedMetadata(present->metadata(), options)));
}

void MakeAnew(EditableHierarchy& hierarchy, const Array& from, const ArrayMetadata& metadata,
              const ReshardOptions& options, Progress* progress) {
  const std::shared_ptr<Store>& store = hierarchy.store();
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  const InterruptWatch watch;
  ReshardFolder folder(store, from.path());
  try {
    folder.CheckTakesChanges(metadata.zarr_format);
    progress->Begin("reshard", 1);
    const ChunkStamps copied(from);
    const auto to = Array::Make(store, folder.array_path(), ReadBack(documents));
    CopyElements(from, to, {.on_piece = [&](std::uint64_t done, std::uint64_t count) {
                   progress->MoveTo(static_cast<double>(done) / static_cast<double>(count));
                 }});
    progress->Clear();
    TakePlace(hierarchy, &folder, from, to, copied, options);
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
  CheckIsStore(*store, "rewritten");
  TakeUpRemains(store, options.path, out);
  const auto hierarchy = OpenOwnDocuments(store);
  const auto from = OpenToReshard(*hierarchy, options.path);
  const ArrayMetadata metadata = CheckArguments([&] { return MakeReshardedMetadata(from->metadata(), options); });
  store->folders()->EraseAbandoned();  // files left by a killed run
  MakeAnew(*hierarchy, *from, metadata, options, progress);
  out << "rewrote " << options.path << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
