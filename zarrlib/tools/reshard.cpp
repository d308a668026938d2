#include <algorithm>
#include <ostream>
#include <string_view>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/hierarchy.h"
#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {
namespace {

/// Elements of variable length are kept as strings between reading and writing.
class TakeStrings final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      *reinterpret_cast<std::string*>(destination) = *reinterpret_cast<const std::string_view*>(source);
    }
  }
  bool replicable() const override { return false; }
};

class GiveStrings final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      *reinterpret_cast<std::string_view*>(destination) = *reinterpret_cast<const std::string*>(source);
    }
  }
};

/// One box of an array after the other.
class Copier {
 public:
  Copier(const Array& from, ArrayWriter* to) : from_(from), to_(to) {}

  void Copy(const Selection& selection) {
    ReadOptions options;
    options.use_cache = false;
    const auto count = static_cast<std::size_t>(Product(selection.count));
    if (from_.data_type().variable()) {
      strings_.assign(count, "");
      const Strides strides = ContiguousStrides(selection.count, sizeof(std::string));
      auto* const data = reinterpret_cast<std::byte*>(strings_.data());
      from_.Read(selection, {data, strides, &take_}, options);
      to_->Write(selection, {data, strides, &give_});
    } else {
      elements_.resize(count * from_.data_type().size);
      const Strides strides = ContiguousStrides(selection.count, from_.data_type().size);
      from_.Read(selection, {elements_.data(), strides, nullptr}, options);
      to_->Write(selection, {elements_.data(), strides, nullptr});
    }
  }

 private:
  const Array& from_;
  ArrayWriter* to_;
  TakeStrings take_;
  GiveStrings give_;
  Bytes elements_;
  std::vector<std::string> strings_;
};

/// The codecs of the innermost chunks.
std::vector<CodecSpec> InnerCodecs(const ArrayMetadata& array) {
  const auto is_shard = [](const CodecSpec& spec) { return spec.name == "sharding_indexed"; };
  if (std::none_of(array.codecs.begin(), array.codecs.end(), is_shard)) return array.codecs;
  if (array.codecs.size() > 1) {
    array.document.Fail(ErrorKind::kUnsupported, "shards with codecs around them are not changed");
  }
  const auto inner = CodecsFromV3(array.codecs[0].configuration.At("codecs"));
  if (std::any_of(inner.begin(), inner.end(), is_shard)) {
    array.document.Fail(ErrorKind::kUnsupported, "shards within shards are not changed");
  }
  return inner;
}

void CheckEdges(const ArrayMetadata& array, const ReshardOptions& options) {
  const auto fail = [](const std::string& message) { throw Error(ErrorKind::kInvalidArgument, message); };
  const std::string rank = std::to_string(array.shape.size());
  if (options.chunks.size() != array.shape.size()) fail("--chunks: expected " + rank + " edges");
  if (std::find(options.chunks.begin(), options.chunks.end(), 0u) != options.chunks.end())
    fail("--chunks: an edge is 0");
  if (!options.shards) return;
  if (array.zarr_format != ZarrFormat::kV3) fail("--shards: only v3 has shards");
  if (options.shards->size() != array.shape.size()) fail("--shards: expected " + rank + " edges");
  for (std::size_t i = 0; i < options.chunks.size(); ++i) {
    const std::uint64_t edge = (*options.shards)[i];
    if (edge == 0 || edge % options.chunks[i] != 0) fail("--shards: expected multiples of the chunks' edges");
  }
}

ArrayMetadata Resharded(const ArrayMetadata& array, const ReshardOptions& options) {
  CheckEdges(array, options);
  ArrayMetadata result = array;
  result.chunk_grid = ChunkGrid::Regular(array.shape, options.shards.value_or(options.chunks));
  result.codecs = InnerCodecs(array);
  if (options.shards) result.codecs = {ShardingSpec(options.chunks, result.codecs)};
  return result;
}

void CopyAll(const std::shared_ptr<const Array>& from, const std::shared_ptr<const Array>& to) {
  const auto writer = ArrayWriter::Make(to);
  Copier copier(*from, writer.get());
  const ChunkRange chunks(to->metadata().chunk_grid, Selection::Of({Shape(to->rank(), 0), to->shape()}));
  for (std::uint64_t i = 0; i < chunks.count(); ++i) copier.Copy(Selection::Of(chunks.At(i).live));
  writer->Flush();
}

}  // namespace

int ReshardArray(const std::shared_ptr<Store>& store, const ReshardOptions& options, std::ostream& out) {
  const auto hierarchy = Hierarchy::Open(store);
  const auto from = hierarchy->OpenArray(options.path);
  if (from->unsupported()) throw *from->unsupported();
  if (options.path.empty())
    throw Error(ErrorKind::kUnsupported, "an array that is the root of its store is not changed");
  const ArrayMetadata metadata = Resharded(from->metadata(), options);
  const std::string temporary = options.path + ".resharded";
  CopyAll(from, hierarchy->CreateArray(temporary, metadata));
  hierarchy->Delete(options.path);
  hierarchy->Rename(temporary, options.path);
  hierarchy->WriteConsolidated();
  out << "rewrote " << options.path << "\n";
  return kSuccess;
}

}  // namespace zarr::tools
