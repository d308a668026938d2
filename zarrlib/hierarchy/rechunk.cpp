// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/rechunk.h"

#include <exception>
#include <string>
#include <string_view>
#include <vector>

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
    Bytes elements(count * from.data_type().size);
    const Strides strides = GetContiguousStrides(selection.count, from.data_type().size);
    from.Read(selection, {elements.data(), strides, nullptr}, options);
    to->Write(selection, {elements.data(), strides, nullptr});
  }
}

/// Removes what is not needed any more. What one failure has left, a second try removes.
void DeleteForSure(EditableHierarchy& hierarchy, const std::string& path) {
  try {
    hierarchy.Delete(path);
  } catch (...) {
    if (hierarchy.Probe(path)) hierarchy.Delete(path);
  }
}

/// After an error, which is the one to be told.
void DeleteIfPossible(EditableHierarchy& hierarchy, const std::string& path) {
  try {
    if (hierarchy.Probe(path)) DeleteForSure(hierarchy, path);
  } catch (const std::exception&) {
    // The store takes no writes.
  }
}

void CopyElements(const Array& from, const std::shared_ptr<const Array>& to, const WriterOptions& options) {
  const auto writer = ArrayWriter::Make(to, options);
  const ChunkRange chunks(to->metadata().chunk_grid, Selection::FromBox({Shape(to->rank(), 0), to->shape()}));
  for (std::uint64_t i = 0; i < chunks.count(); ++i) CopyBox(from, writer.get(), Selection::FromBox(chunks.At(i).live));
  writer->Flush();
}

/// Puts an array in the place of another one: in one step if the store can. Otherwise, where moving costs little, the
/// old one is removed last, so that it can take its place again after an error. A move that fails may have been made.
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
  const auto fresh = hierarchy.CreateArray(beside, metadata);
  try {
    CopyElements(*array, fresh, options);
    TakePlace(hierarchy, beside, path);
  } catch (...) {
    // If the array has been removed, the new one is the only one.
    if (hierarchy.Probe(path)) DeleteIfPossible(hierarchy, beside);
    throw;
  }
  return hierarchy.OpenArray(path);
}

}  // namespace zarr
