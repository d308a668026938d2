// SPDX-License-Identifier: MIT
#include "zarrlib/tools/reshard/new_metadata.h"

#include <algorithm>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/tools/reshard/lossy_codecs.h"
#include "zarrlib/tools/reshard/reshard_copy.h"

namespace zarr::tools {
namespace {

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
  const auto check_rank = [&](const std::string& option, const Shape& edges) {
    const std::string rank = std::to_string(array.shape.size());
    if (edges.size() != array.shape.size()) {
      fail(option + ": " + FormatExpectedGot(rank + " edges, one for each axis", ToString(edges)));
    }
  };
  check_rank("--chunks", options.chunks);
  CheckSize("--chunks", array, options.chunks);
  if (!options.shards) return;
  if (array.zarr_format != ZarrFormat::kV3) fail("--shards: only v3 has shards");
  check_rank("--shards", *options.shards);
  for (std::size_t i = 0; i < options.chunks.size(); ++i) {
    const std::uint64_t edge = (*options.shards)[i];
    if (edge == 0 || edge % options.chunks[i] != 0) {
      fail("--shards: " +
           FormatExpectedGot("multiples of the chunks' edges " + ToString(options.chunks), ToString(*options.shards)));
    }
  }
  CheckSize("--shards", array, *options.shards);
}

}  // namespace

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

void CheckKeepsValues(const ArrayMetadata& array, const std::vector<CodecSpec>& codecs, bool allow_lossy) {
  const auto lossy = FindLossyCodec(codecs, array.data_type);
  if (!lossy || allow_lossy) return;
  array.document.Fail(ErrorKind::kUnsupported,
                      "the codec " + *lossy +
                          " does not keep every bit, so that encoding its values again may change them once more; "
                          "--allow-lossy allows this");
}

ArrayMetadata MakeReshardedMetadata(const ArrayMetadata& array, const ReshardOptions& options) {
  CheckEdges(array, options);
  ArrayMetadata result = array;
  result.chunk_grid = ChunkGrid::MakeRegular(array.shape, options.shards.value_or(options.chunks));
  result.codecs = GetInnerCodecs(array);
  CheckKeepsValues(array, result.codecs, options.allow_lossy);
  if (options.shards) result.codecs = {MakeShardingSpec(options.chunks, result.codecs)};
  return result;
}

ArrayMetadata ReadBack(const std::vector<MetadataDocument>& documents) {
  if (documents[0].name == kV3Document) return ParseArrayV3(documents[0].content);
  return ParseArrayV2(documents[0].content, documents.size() > 1 ? std::optional(documents[1].content) : std::nullopt);
}

}  // namespace zarr::tools
