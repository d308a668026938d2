// SPDX-License-Identifier: MIT
#include "driver/create/references/write_references.h"

#include <optional>
#include <utility>
#include <vector>

#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

/// An array whose chunks are written after all documents. `blocks` is null if the chunks are those of the copy.
struct PendingArray : DescribedArray {
  std::string path;
  std::shared_ptr<const zarr::Array> copy;
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

class Writer {
 public:
  Writer(const zarr::Hierarchy& hierarchy, const std::function<bool(double)>& progress, ReferenceSink* sink)
      : hierarchy_(hierarchy), progress_(progress), sink_(*sink) {}

  template <typename Describe>
  void PutDocuments(const std::string& path, const Describe& describe) {
    if (hierarchy_.Probe(path) == zarr::NodeKind::kArray) return PutArray(path, describe);
    CopyDocuments(path, {zarr::kV2Group, zarr::kV2Attributes, zarr::kV3Document});
    for (const auto& child : hierarchy_.List(path)) PutDocuments(zarr::JoinKey(path, child.name), describe);
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

  template <typename Describe>
  void PutArray(const std::string& path, const Describe& describe) {
    const auto copy = hierarchy_.OpenArray(path);
    auto described = RunFor(path, [&] { return describe(*copy); });
    if (!described) {
      CopyDocuments(path, {zarr::kV2Array, zarr::kV2Attributes, zarr::kV3Document});
      arrays_.push_back({{copy->metadata(), nullptr}, path, copy});
    } else {
      for (const zarr::MetadataDocument& document : zarr::MakeDocuments(described->metadata)) {
        const bool is_v3 = document.name == zarr::kV3Document;
        sink_.PutDocument(zarr::JoinKey(path, document.name),
                          document.content.Dump(is_v3 ? zarr::JsonNode::Style::kV3 : zarr::JsonNode::Style::kV2));
      }
      arrays_.push_back({*std::move(described), path, copy});
    }
    total_ += CountChunks(arrays_.back().metadata);
  }

  static double CountChunks(const zarr::ArrayMetadata& metadata) {
    double count = 1;
    for (const std::uint64_t length : metadata.chunk_grid.grid_shape()) count *= static_cast<double>(length);
    return count;
  }

  void PutBlocks(const PendingArray& array) {
    ForEachChunk(array, [&](const zarr::Shape& index) {
      if (const auto block = array.blocks->Find(index)) sink_.PutChunk(index, *block);
    });
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

void WriteReferences(const zarr::Hierarchy& hierarchy, const DescribeFunction& describe,
                     const std::function<bool(double)>& progress, ReferenceSink* sink) {
  Writer writer(hierarchy, progress, sink);
  writer.PutDocuments("", describe);
  writer.PutChunks();
}

}  // namespace gdal_zarr
