// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/rechunk.h"

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/string_elements.h"

namespace zarr {
namespace {

void CopyBox(const Array& from, ArrayWriter* to, const Selection& selection) {
  ReadOptions options;
  options.use_cache = false;
  const auto count = static_cast<std::size_t>(ComputeProduct(selection.count));
  if (from.data_type().variable()) {
    std::vector<std::string> strings(count);
    const Strides strides = GetContiguousStrides(selection.count, sizeof(std::string));
    auto* const data = reinterpret_cast<std::byte*>(strings.data());
    const TakeStrings take;
    const GiveStrings give;
    from.Read(selection, {data, strides, &take}, options);
    to->Write(selection, {data, strides, &give});
  } else {
    Bytes elements(ToMemorySize(ComputeProduct(selection.count) * from.data_type().size));
    const Strides strides = GetContiguousStrides(selection.count, from.data_type().size);
    from.Read(selection, {elements.data(), strides, nullptr}, options);
    to->Write(selection, {elements.data(), strides, nullptr});
  }
}

/// Removes leftover nodes. A retry also removes nodes left by a failed attempt.
void DeleteForSure(EditableHierarchy& hierarchy, const std::string& path) {
  try {
    hierarchy.Delete(path);
  } catch (...) {
    if (hierarchy.Probe(path)) hierarchy.Delete(path);
  }
}

/// Cleans up after an error, which is the one to report.
void DeleteIfPossible(EditableHierarchy& hierarchy, const std::string& path) {
  try {
    if (hierarchy.Probe(path)) DeleteForSure(hierarchy, path);
  } catch (const std::exception&) {
    // The store rejects writes.
  }
}

void CopyElements(const Array& from, const std::shared_ptr<const Array>& to, const WriterOptions& options) {
  const auto writer = ArrayWriter::Make(to, options);
  const ChunkRange chunks(to->metadata().chunk_grid, Selection::FromBox({Shape(to->rank(), 0), to->shape()}));
  for (std::uint64_t i = 0; i < chunks.count(); ++i) CopyBox(from, writer.get(), Selection::FromBox(chunks.At(i).live));
  writer->Flush();
}

/// Replaces an array by another one, atomically if the store supports it. Otherwise, if moving is cheap, the old array
/// is removed last, so that it can be restored after an error. A failed move may have taken effect.
void TakePlace(EditableHierarchy& hierarchy, const std::string& fresh, const std::string& path) {
  if (!hierarchy.store()->folders()) {
    hierarchy.Delete(path);
    hierarchy.Rename(fresh, path);
    return;
  }
  if (hierarchy.Exchange(fresh, path)) return DeleteForSure(hierarchy, fresh);
  const std::string old = fresh + ".old";
  try {
    hierarchy.Rename(path, old);
    hierarchy.Rename(fresh, path);
  } catch (...) {
    if (!hierarchy.Probe(path)) hierarchy.Rename(old, path);
    DeleteIfPossible(hierarchy, old);
    throw;
  }
  DeleteForSure(hierarchy, old);
}

}  // namespace

std::shared_ptr<const Array> RechunkArray(EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                          const ChunkGrid& grid, const WriterOptions& options) {
  const std::string path = array->path();
  if (path.empty()) {
    throw Error(ErrorKind::kInvalidArgument, array->store().name(), "", "",
                "the array that is the root of its store has no place beside it for another one");
  }
  ArrayMetadata metadata = array->metadata();
  metadata.chunk_grid = grid;
  const std::string beside = path + ".rechunked";
  const bool is_free = !hierarchy.Probe(beside);
  try {
    CopyElements(*array, hierarchy.CreateArray(beside, metadata), options);
    TakePlace(hierarchy, beside, path);
  } catch (...) {
    // If the array has been removed, the new one is the only copy. Creating it may fail after its document was written.
    if (is_free && hierarchy.Probe(path)) DeleteIfPossible(hierarchy, beside);
    throw;
  }
  return hierarchy.OpenArray(path);
}

}  // namespace zarr
