// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/manifest.h"

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flat_buffer.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {
namespace {

constexpr std::size_t kMaxLocation = std::size_t{1} << 14;
constexpr std::size_t kMaxEtag = 1024;
/// Tables are smaller than the FlatBuffer, unless its references share what they refer to. Sharing must not multiply
/// the memory.
constexpr std::uint64_t kRoom = 4096;
/// So many references are a few megabytes of the FlatBuffer.
constexpr std::size_t kRefsPerDrop = 16384;

[[noreturn]] void FailInManifest(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

std::string_view CheckText(std::string_view text, std::size_t most, std::string_view what) {
  if (!text.empty() && text.size() <= most) return text;
  FailInManifest(FormatExpectedGot(std::string(what) + " of 1 to " + std::to_string(most) + " bytes",
                                   std::to_string(text.size())));
}

/// Reads the references of a manifest.
class RefReader {
 public:
  RefReader(const FlatTable& manifest, const std::function<void()>& drop)
      : drop_(drop),
        dictionary_(manifest.FindBytes(of_manifest::kLocationDictionary)),
        algorithm_(manifest.GetNumber<std::uint8_t>(of_manifest::kCompressionAlgorithm, 1)) {}

  /// Returns a reference, whose parts are valid until the next call.
  const ChunkRef& Read(const FlatTable& table) {
    if (drop_ && ++count_ % kRefsPerDrop == 0) drop_();
    const auto inline_bytes = table.FindBytes(of_chunk_ref::kInline);
    const auto file = table.FindStruct(of_chunk_ref::kChunkId, ref_.file.size());
    const auto location = table.FindText(of_chunk_ref::kLocation);
    const auto compressed = table.FindBytes(of_chunk_ref::kCompressedLocation);
    const int kinds = (inline_bytes ? 1 : 0) + (file ? 1 : 0) + (location || compressed ? 1 : 0);
    if (kinds != 1)
      FailInManifest("a reference to a chunk must be inline, native or virtual, but is " + std::to_string(kinds) +
                     " of these");
    ref_.etag.clear();
    ref_.last_modified = 0;
    ref_.offset = table.GetNumber<std::uint64_t>(of_chunk_ref::kOffset);
    ref_.length = table.GetNumber<std::uint64_t>(of_chunk_ref::kLength);
    if (ref_.offset > UINT64_MAX - ref_.length) {
      FailInManifest("a chunk has bytes " + std::to_string(ref_.offset) + " + " + std::to_string(ref_.length));
    }
    ref_.kind = inline_bytes ? ChunkRef::Kind::kInline : file ? ChunkRef::Kind::kNative : ChunkRef::Kind::kVirtual;
    if (inline_bytes) ref_.bytes = *inline_bytes;
    if (file) ref_.file = ReadId<ObjectId>(*file);
    if (ref_.kind == ChunkRef::Kind::kVirtual) ReadVirtual(table, compressed ? Decompress(*compressed) : *location);
    return ref_;
  }

 private:
  void ReadVirtual(const FlatTable& table, std::string_view location) {
    ref_.location = CheckText(location, kMaxLocation, "a location");
    if (const auto etag = table.FindText(of_chunk_ref::kEtag)) ref_.etag = CheckText(*etag, kMaxEtag, "an ETag");
    ref_.last_modified = table.GetNumber<std::uint32_t>(of_chunk_ref::kLastModified);
  }

  std::string_view Decompress(ByteSpan compressed) {
    if (algorithm_ != 1 || !dictionary_) {
      FailInManifest("a location is compressed, but the manifest has no dictionary for compression algorithm 1, got " +
                     std::to_string(algorithm_));
    }
    if (!decoder_) decoder_.emplace(*dictionary_);
    return decoder_->Decode(compressed, kMaxLocation);
  }

  const std::function<void()>& drop_;
  std::size_t count_ = 0;  // of references
  std::optional<ByteSpan> dictionary_;
  int algorithm_;
  std::optional<DictionaryDecoder> decoder_;
  ChunkRef ref_;
};

void ReadCoordinates(const FlatTable& ref, std::vector<std::uint32_t>* coordinates) {
  const FlatVector index = ref.GetVector(of_chunk_ref::kIndex, sizeof(std::uint32_t), "index");
  constexpr std::size_t kMaxRank = 1024;
  if (index.size > kMaxRank) FailInManifest("a chunk has " + std::to_string(index.size) + " coordinates");
  coordinates->resize(index.size);
  for (std::size_t i = 0; i < index.size; ++i) {
    (*coordinates)[i] = LoadLittleEndian<std::uint32_t>(index.item(i).data());
  }
}

ChunkTable ReadRefs(const FlatVector& refs, std::uint64_t max_size, RefReader* reader) {
  std::optional<ChunkTable> table;
  std::vector<std::uint32_t> coordinates;
  for (std::size_t i = 0; i < refs.size; ++i) {
    const FlatTable ref = FlatTable::OpenItem(refs, i);
    ReadCoordinates(ref, &coordinates);
    if (!table) table.emplace(coordinates.size());
    if (coordinates.size() != table->rank()) {
      FailInManifest(
          FormatExpectedGot("references with " + std::to_string(table->rank()) + " coordinates, as the first one has",
                            std::to_string(coordinates.size())));
    }
    table->Add(coordinates, reader->Read(ref), max_size);
  }
  if (!table) return ChunkTable(0);
  table->Finish();
  return *std::move(table);
}

}  // namespace

Manifest::Manifest(ByteSpan payload, const std::function<void()>& drop) {
  const FlatTable manifest = FlatTable::OpenRoot(payload);
  id_ = ReadId<ObjectId>(manifest.GetStruct(of_manifest::kId, id_.size(), "id"));
  RefReader reader(manifest, drop);
  const FlatVector arrays = manifest.GetTables(of_manifest::kArrays, "arrays");
  const std::uint64_t max_size = 2 * payload.size() + kRoom;
  for (std::size_t i = 0; i < arrays.size; ++i) {
    const FlatTable array = FlatTable::OpenItem(arrays, i);
    const auto id = ReadId<NodeId>(array.GetStruct(of_array_manifest::kNodeId, NodeId().size(), "node_id"));
    if (arrays_.contains(id)) FailInManifest("the manifest has the references of an array twice");
    ChunkTable table = ReadRefs(array.GetTables(of_array_manifest::kRefs, "refs"), max_size - memory_, &reader);
    memory_ += table.memory();
    arrays_.emplace(id, std::move(table));
  }
}

const ChunkTable* Manifest::Find(const NodeId& array) const {
  const auto found = arrays_.find(array);
  return found == arrays_.end() ? nullptr : &found->second;
}

}  // namespace zarr
