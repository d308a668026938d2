// SPDX-License-Identifier: MIT
#include "driver/multidim/carry_out_chunk_plans.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/chunk_plans.h"
#include "driver/dataset/shared_resource.h"
#include "driver/multidim/md_array.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/new_array/chunk_edges.h"
#include "driver/new_array/creation_options.h"
#include "zarrlib/hierarchy/rechunk.h"

namespace gdal_zarr {

namespace {

/// Recomputes the chunk grid of an array from the options of its plan.
void CarryOut(const std::shared_ptr<SharedResource>& resource, const ChunkPlans::Plan& plan,
              const CPLStringList& options) {
  const auto object = MDArray::Make(resource, plan.array);
  const CreationOptions parsed(options);
  std::vector<NewDimension> lengths;
  for (const auto& dimension : object->GetDimensions()) lengths.push_back({dimension->GetName(), dimension->GetSize()});
  const zarr::ChunkGrid grid =
      MakeArrayMetadata(resource->hierarchy().format(), lengths, plan.type, parsed, ChooseDefaultChunk(lengths))
          .chunk_grid;
  zarr::WriterOptions writer_options;
  writer_options.store_empty_chunks = GetWritePolicy(parsed).store_empty_chunks;
  resource->edits().writers.Finish(plan.array);
  auto rechunked = zarr::RechunkArray(resource->Change(), object->shared_array(), grid, writer_options);
  resource->edits().writers.Drop(plan.array);
  resource->edits().writers.SetPolicy(plan.array, GetWritePolicy(parsed));
  object->Replace(std::move(rechunked));
  resource->edits().chunk_plans.Remove(plan.array);  // last, because closing checks for plans that were not carried out
}

std::string JoinLengths(const std::vector<GUInt64>& lengths) {
  std::string text;
  for (const GUInt64 length : lengths) text += (text.empty() ? "" : ",") + std::to_string(length);
  return text;
}

}  // namespace

void CarryOutChunkPlans(const std::shared_ptr<SharedResource>& resource) {
  for (const ChunkPlans::Plan& plan : resource->edits().chunk_plans.List()) {
    const auto object = MDArray::Make(resource, plan.array);
    const std::string edges = plan.options.FetchNameValue(kChunkEdges);
    if (IsSourcePlan(edges.c_str()) || AwaitsCoordinates(edges, object->GetDimensions())) continue;
    CPLStringList options = plan.options;
    options.SetNameValue(kChunkEdges, ExpandChunkPlans(edges, object->GetDimensions()).c_str());
    CarryOut(resource, plan, options);
  }
}

void CarryOutSourcePlan(const std::shared_ptr<SharedResource>& resource, const std::string& array,
                        const GDALMDArray& source) {
  for (const ChunkPlans::Plan& plan : resource->edits().chunk_plans.List()) {
    if (plan.array != array || !IsSourcePlan(plan.options.FetchNameValue(kChunkEdges))) continue;
    CPLStringList options = plan.options;
    const char* edges = CSLFetchNameValue(source.GetStructuralInfo(), kChunkEdges);
    const auto object = MDArray::Make(resource, array);
    options.SetNameValue(kChunkEdges, edges ? JoinEdges(edges, object->GetDimensions()).c_str() : nullptr);
    const std::vector<GUInt64> block = source.GetBlockSize();
    const bool has_blocks = std::ranges::all_of(block, [](GUInt64 length) { return length > 0; });
    if (!edges && has_blocks && !block.empty()) options.SetNameValue("BLOCKSIZE", JoinLengths(block).c_str());
    CarryOut(resource, plan, options);
  }
}

}  // namespace gdal_zarr
