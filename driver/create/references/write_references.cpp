// SPDX-License-Identifier: MIT
#include "driver/create/references/write_references.h"

#include <optional>
#include <utility>
#include <vector>

#include "driver/create/references/block_check.h"
#include "driver/dataset/attribute_names.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

/// An array whose chunks are written after all documents.
struct PendingArray {
  std::string path;
  std::shared_ptr<const zarr::Array> copy;
  std::shared_ptr<const SourceBlocks> blocks;  // null if the chunks are those of the copy
  zarr::ArrayMetadata metadata;
};

/// Calls a function, and adds the array to its errors.
template <typename Function>
auto RunFor(const std::string& array, const Function& function) {
  try {
    return function();
  } catch (const zarr::Error& error) {
    throw error.Within("array \"" + array + "\"");
  }
}

/// Gives the array the fill value that blocks have which are not stored. A nodata value that the copy has as its fill
/// value stays in an attribute.
void SetFillValue(const SourceBlocks& blocks, const zarr::Shape& absent, zarr::ArrayMetadata* metadata) {
  zarr::Box element{zarr::Shape(absent.size()), zarr::Shape(absent.size(), 1)};
  for (std::size_t i = 0; i < absent.size(); ++i) element.origin[i] = metadata->chunk_grid.axis(i).At(absent[i]).start;
  zarr::FillValue value{zarr::Bytes(metadata->data_type.size), true};
  blocks.ReadElements(element, value.bytes);
  if (value.bytes == metadata->fill_value.bytes) return;
  if (metadata->fill_value.defined && !zarr::FindMember(metadata->attributes, kFillValueAttribute)) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      "blocks are absent which have another value than the nodata value");
  }
  metadata->fill_value = std::move(value);
}

zarr::ArrayMetadata DescribeArray(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks) {
  const FirstBlocks first = FindFirstBlocks(blocks);
  zarr::ArrayMetadata metadata = first.present
                                     ? DescribeByBlock(copy, blocks, first.present->first, first.present->second)
                                     : DescribeWithoutBlock(copy, blocks);
  if (first.absent) SetFillValue(blocks, *first.absent, &metadata);
  return metadata;
}

class Writer {
 public:
  Writer(const zarr::Hierarchy& hierarchy, const std::function<bool(double)>& progress, ReferenceSink* sink)
      : hierarchy_(hierarchy), progress_(progress), sink_(*sink) {}

  template <typename FindBlocks>
  void PutDocuments(const std::string& path, const FindBlocks& find_blocks) {
    if (hierarchy_.Probe(path) == zarr::NodeKind::kArray) return PutArray(path, find_blocks);
    CopyDocuments(path, {zarr::kV2Group, zarr::kV2Attributes, zarr::kV3Document});
    for (const auto& child : hierarchy_.List(path)) PutDocuments(zarr::JoinKey(path, child.name), find_blocks);
  }
  void PutChunks() {
    for (const PendingArray& array : arrays_) {
      RunFor(array.path, [&] {
        sink_.BeginArray(array.path, array.metadata);
        array.blocks ? PutBlocks(array) : PutInline(array);
      });
    }
  }

 private:
  void CopyDocuments(const std::string& path, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      const std::string key = zarr::JoinKey(path, name);
      if (const auto text = hierarchy_.store()->GetText(key)) sink_.PutDocument(key, *text);
    }
  }

  template <typename FindBlocks>
  void PutArray(const std::string& path, const FindBlocks& find_blocks) {
    const auto copy = hierarchy_.OpenArray(path);
    auto blocks = find_blocks(*copy);
    if (!blocks) {
      CopyDocuments(path, {zarr::kV2Array, zarr::kV2Attributes, zarr::kV3Document});
      arrays_.push_back({path, copy, nullptr, copy->metadata()});
    } else {
      zarr::ArrayMetadata metadata = RunFor(path, [&] { return DescribeArray(copy->metadata(), *blocks); });
      for (const zarr::MetadataDocument& document : zarr::MakeDocuments(metadata)) {
        const bool is_v3 = document.name == zarr::kV3Document;
        sink_.PutDocument(zarr::JoinKey(path, document.name),
                          document.content.Dump(is_v3 ? zarr::JsonNode::Style::kV3 : zarr::JsonNode::Style::kV2));
      }
      arrays_.push_back({path, copy, std::move(blocks), std::move(metadata)});
    }
    total_ += CountChunks(arrays_.back().metadata);
  }

  static double CountChunks(const zarr::ArrayMetadata& metadata) {
    double count = 1;
    for (const std::uint64_t length : metadata.chunk_grid.grid_shape()) count *= static_cast<double>(length);
    return count;
  }

  void PutBlocks(const PendingArray& array) {
    std::optional<std::pair<zarr::Shape, SourceBlock>> last;
    ForEachChunk(array, [&](const zarr::Shape& index) {
      auto block = array.blocks->Find(index);
      if (!block) return;
      sink_.PutChunk(index, *block);
      last.emplace(index, *std::move(block));
    });
    if (last) CheckBlock(array.metadata, *array.blocks, last->first, last->second);
  }

  void PutInline(const PendingArray& array) {
    zarr::Bytes bytes;
    ForEachChunk(array, [&](const zarr::Shape& index) {
      if (!hierarchy_.store()->Get(array.copy->MakeChunkKey(index), &bytes)) return;
      sink_.PutChunk(index, {"", 0, bytes.size(), std::string(zarr::AsText(bytes))});
    });
  }

  template <typename Visit>
  void ForEachChunk(const PendingArray& array, const Visit& visit) {
    const zarr::Shape shape = array.metadata.chunk_grid.grid_shape();
    if (zarr::ComputeCheckedProduct(shape) == std::uint64_t{0}) return;
    zarr::Shape index(shape.size());
    do {
      visit(index);
      constexpr std::uint64_t kStep = 4096;
      if (++done_ % kStep == 0 && progress_ && !progress_(static_cast<double>(done_) / total_)) {
        throw zarr::Error(zarr::ErrorKind::kIo, "the user stopped it");
      }
    } while (zarr::AdvanceIndex(shape, &index));
  }

  const zarr::Hierarchy& hierarchy_;
  const std::function<bool(double)>& progress_;
  ReferenceSink& sink_;
  std::vector<PendingArray> arrays_;
  std::uint64_t done_ = 0;
  double total_ = 0;
};

}  // namespace

void WriteReferences(const zarr::Hierarchy& hierarchy,
                     const std::function<std::shared_ptr<const SourceBlocks>(const zarr::Array& array)>& find_blocks,
                     const std::function<bool(double)>& progress, ReferenceSink* sink) {
  Writer writer(hierarchy, progress, sink);
  writer.PutDocuments("", find_blocks);
  writer.PutChunks();
}

}  // namespace gdal_zarr
