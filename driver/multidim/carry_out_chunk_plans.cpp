// SPDX-License-Identifier: MIT
#include "driver/multidim/carry_out_chunk_plans.h"

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

void CarryOutChunkPlans(const std::shared_ptr<SharedResource>& resource) {
  for (const ChunkPlans::Plan& plan : resource->chunk_plans().List()) {
    const auto object = MDArray::Make(resource, plan.array);
    const auto& dimensions = object->GetDimensions();
    CPLStringList options = plan.options;
    const std::string edges = options.FetchNameValue(kChunkEdges);
    if (AwaitsCoordinates(edges, dimensions)) continue;
    resource->chunk_plans().Remove(plan.array);
    options.SetNameValue(kChunkEdges, ExpandChunkPlans(edges, dimensions).c_str());
    const CreationOptions parsed(options);
    std::vector<NewDimension> lengths;
    for (const auto& dimension : dimensions) lengths.push_back({dimension->GetName(), dimension->GetSize()});
    const zarr::ChunkGrid grid =
        MakeArrayMetadata(zarr::ZarrFormat::kV3, lengths, plan.type, parsed, ChooseDefaultChunk(lengths)).chunk_grid;
    zarr::WriterOptions writer_options;
    writer_options.store_empty_chunks = GetWritePolicy(parsed).store_empty_chunks;
    resource->writers().Flush(plan.array);
    auto rechunked = zarr::RechunkArray(resource->Change(), object->shared_array(), grid, writer_options);
    resource->writers().Drop(plan.array);
    resource->writers().SetPolicy(plan.array, GetWritePolicy(parsed));
    object->Replace(std::move(rechunked));
  }
}

}  // namespace gdal_zarr
