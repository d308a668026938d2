// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>
#include <string_view>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_formats.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/tools/array_folder.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/lossy_codecs.h"
#include "zarrlib/tools/reshard/reshard_copy.h"
#include "zarrlib/tools/reshard/reshard_folder.h"
#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {
namespace {

// --- the new metadata --------------------------------------------------------------------------------------------

/// Returns the codecs of the innermost chunks.
std::vector<CodecSpec> GetInnerCodecs(const ArrayMetadata& array) {
  const auto is_shard = [](const CodecSpec& spec) { return spec.name == "sharding_indexed"; };
  if (std::none_of(array.codecs.begin(), array.codecs.end(), is_shard)) return array.codecs;
  if (array.codecs.size() > 1) {
    array.document.Fail(ErrorKind::kUnsupported, "shards with codecs around them are not changed");
  }
  auto inner = ParseCodecsV3(array.codecs[0].configuration.At("codecs"));
  if (std::any_of(inner.begin(), inner.end(), is_shard)) {
    array.document.Fail(ErrorKind::kUnsupported, "shards within shards are not changed");
  }
  return inner;
}

/// Checks the size of a chunk or shard: both the stored value and the decoded elements must fit into memory.
void CheckSize(const std::string& option, const ArrayMetadata& array, const Shape& edges) {
  const auto bytes = CountCopiedBytes(array.data_type, edges);
  if (bytes && *bytes <= kMaxReshardBytes) return;
  throw Error(ErrorKind::kLimitExceeded, option + ": expected at most " + std::to_string(kMaxReshardBytes) +
                                             " bytes (1 GiB) in each, got " +
                                             (bytes ? std::to_string(*bytes) : "more than 2^64"));
}

void CheckEdges(const ArrayMetadata& array, const ReshardOptions& options) {
  const auto fail = [](const std::string& message) { throw Error(ErrorKind::kInvalidArgument, message); };
  const std::string rank = std::to_string(array.shape.size());
  if (options.chunks.size() != array.shape.size()) fail("--chunks: expected " + rank + " edges");
  CheckSize("--chunks", array, options.chunks);
  if (!options.shards) return;
  if (array.zarr_format != ZarrFormat::kV3) fail("--shards: only v3 has shards");
  if (options.shards->size() != array.shape.size()) fail("--shards: expected " + rank + " edges");
  for (std::size_t i = 0; i < options.chunks.size(); ++i) {
    const std::uint64_t edge = (*options.shards)[i];
    if (edge == 0 || edge % options.chunks[i] != 0) fail("--shards: expected multiples of the chunks' edges");
  }
  CheckSize("--shards", array, *options.shards);
}

ArrayMetadata MakeReshardedMetadata(const ArrayMetadata& array, const ReshardOptions& options) {
  CheckEdges(array, options);
  ArrayMetadata result = array;
  result.chunk_grid = ChunkGrid::MakeRegular(array.shape, options.shards.value_or(options.chunks));
  result.codecs = GetInnerCodecs(array);
  const auto lossy = FindLossyCodec(result.codecs, array.data_type);
  if (lossy && !options.allow_lossy) {
    array.document.Fail(ErrorKind::kUnsupported,
                        "the codec " + *lossy +
                            " does not keep every bit, so that encoding its values again may change them once more; "
                            "--allow-lossy allows this");
  }
  if (options.shards) result.codecs = {MakeShardingSpec(options.chunks, result.codecs)};
  return result;
}

// --- checks of the store -----------------------------------------------------------------------------------------

std::shared_ptr<const Array> OpenToReshard(const std::shared_ptr<Store>& store, const std::string& path) {
  HierarchyOptions own_documents;
  own_documents.use_consolidated = false;
  const auto hierarchy = Hierarchy::Open(store, own_documents);
  hierarchy->CheckWritable();
  auto array = hierarchy->OpenArray(path);
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

/// Returns the metadata that the documents mean when they are read again.
ArrayMetadata ReadBack(const std::vector<MetadataDocument>& documents) {
  if (documents[0].name == kV3Document) return ParseArrayV3(documents[0].content);
  return ParseArrayV2(documents[0].content, documents.size() > 1 ? std::optional(documents[1].content) : std::nullopt);
}

void MakeAnew(const std::shared_ptr<Store>& store, const Array& from, const ArrayMetadata& metadata,
              Progress* progress) {
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  const InterruptWatch watch;
  ReshardFolder folder(store, from.path());
  try {
    progress->Begin("reshard", 1);
    CopyElements(from, Array::Make(store, folder.array_path(), ReadBack(documents)), progress);
    progress->Clear();
    folder.Swap(from, documents);
  } catch (...) {
    folder.Clear();
    throw;
  }
  folder.Clear();
}

}  // namespace

int ReshardArray(const std::shared_ptr<Store>& store, const ReshardOptions& options, std::ostream& out,
                 Progress* progress) {
  if (options.path.empty()) {
    throw Error(ErrorKind::kUnsupported, store->name(), "", "",
                "an array that is the root of its store is not rewritten");
  }
  CheckKey(options.path);
  TakeUpRemains(store, options.path, out);
  const auto from = OpenToReshard(store, options.path);
  MakeAnew(store, *from, MakeReshardedMetadata(from->metadata(), options), progress);
  out << "rewrote " << options.path << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
