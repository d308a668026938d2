// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/manifest_writer.h"

#include <algorithm>
#include <utility>

#include "zarrlib/store/icechunk/flat/flat_numbers.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {
namespace {

FlatObject MakeRefTable(const FlatSchema& schema, ChunkCoordinates coordinates, const ChunkRef& ref) {
  FlatObject table(schema);
  table.SetBytes(of_chunk_ref::kIndex, MakeFlatVector(coordinates));
  if (ref.kind == ChunkRef::Kind::kInline) {
    table.SetBytes(of_chunk_ref::kInline, ref.bytes);
    return table;
  }
  if (ref.offset > 0) table.SetNumber(of_chunk_ref::kOffset, ref.offset);
  table.SetNumber(of_chunk_ref::kLength, ref.length);
  if (ref.kind == ChunkRef::Kind::kNative) {
    table.SetBytes(of_chunk_ref::kChunkId, ByteSpan(ref.file));
    return table;
  }
  table.SetBytes(of_chunk_ref::kLocation, ref.location);
  if (!ref.etag.empty()) table.SetBytes(of_chunk_ref::kEtag, ref.etag);
  if (ref.last_modified > 0) table.SetNumber(of_chunk_ref::kLastModified, ref.last_modified);
  return table;
}

std::size_t FindDifference(ChunkCoordinates a, ChunkCoordinates b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

void ManifestWriter::Add(ChunkCoordinates coordinates, const ChunkRef& ref) {
  if (!refs_.empty()) {
    const std::size_t difference = FindDifference(coordinates_.front(), coordinates);
    if (difference < bound_) {
      Write(refs_.size());
      bound_ = difference;
    }
  }
  if (refs_.size() >= kMostRefs) Cut();
  static const FlatSchema& schema =
      FlatObject(FlatObject(kManifestSchema).schema_of(of_manifest::kArrays)).schema_of(of_array_manifest::kRefs);
  refs_.push_back(MakeRefTable(schema, coordinates, ref));
  coordinates_.emplace_back(coordinates.begin(), coordinates.end());
}

/// Writes the references before the last one that begins a new index in the first dimension in which they differ.
void ManifestWriter::Cut() {
  const std::size_t dimension = FindDifference(coordinates_.front(), coordinates_.back());
  const std::uint32_t last = coordinates_.back()[dimension];
  const auto begins = [&](const std::vector<std::uint32_t>& at) { return at[dimension] == last; };
  Write(static_cast<std::size_t>(std::ranges::find_if(coordinates_, begins) - coordinates_.begin()));
  bound_ = dimension;
}

void ManifestWriter::Write(std::size_t count) {
  const ObjectId id = MakeObjectId();
  FlatObject manifest(kManifestSchema);
  manifest.SetBytes(of_manifest::kId, ByteSpan(id));
  manifest.SetNumber(of_manifest::kCompressionAlgorithm, 0);
  FlatObject& array = manifest.Append(of_manifest::kArrays);
  array.SetBytes(of_array_manifest::kNodeId, ByteSpan(array_));
  const auto end = refs_.begin() + static_cast<std::ptrdiff_t>(count);
  array.tables(of_array_manifest::kRefs).assign(std::move_iterator(refs_.begin()), std::move_iterator(end));
  refs_.erase(refs_.begin(), end);
  const Bytes object = EncodeObject(manifest.Save(kFileIdentifier), ObjectType::kManifest, version_);
  folder_->Set("manifests/" + FormatObjectId(id), object);
  files_[id] = {object.size(), count};

  ManifestRef& ref = manifests_.emplace_back(ManifestRef{id, {}});
  for (const std::uint32_t at : coordinates_.front()) ref.extents.push_back({at, at + 1});
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < ref.extents.size(); ++j) {
      ref.extents[j].from = std::min(ref.extents[j].from, coordinates_[i][j]);
      ref.extents[j].to = std::max(ref.extents[j].to, coordinates_[i][j] + 1);
    }
  }
  coordinates_.erase(coordinates_.begin(), coordinates_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ManifestWriter::Finish() {
  if (!refs_.empty()) Write(refs_.size());
}

}  // namespace zarr
