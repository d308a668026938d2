// SPDX-License-Identifier: MIT
#include "driver/create/references/stack/stack_references.h"

#include <memory>
#include <optional>

#include "driver/create/creation_request.h"
#include "driver/create/references/copy_in_memory.h"
#include "driver/create/references/reference_formats.h"
#include "driver/create/references/source_arrays.h"
#include "driver/create/references/stack/file_stack.h"
#include "driver/create/references/write_references.h"
#include "driver/create/whole_store.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/stores/store_factory.h"

namespace gdal_zarr {
namespace {

std::unique_ptr<GDALDataset> OpenFile(const std::string& name) {
  const ErrorCollector errors;
  std::unique_ptr<GDALDataset> dataset(
      GDALDataset::Open(name.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_VERBOSE_ERROR));
  if (dataset) return dataset;
  throw zarr::Error(zarr::ErrorKind::kIo, name, "", "", "it cannot be opened: " + errors.GetText());
}

void WriteStack(const StackRequest& request, const std::string& path, const FileStack& stack) {
  const std::unique_ptr<GDALDataset> first = OpenFile(request.files.front());
  const SourceArrays arrays(*first, [&](const std::string& name) { return stack.Find(name) != nullptr; });
  CPLStringList options;
  const bool is_repository = EndsWithIgnoringCase(path, ".icechunk");
  options.SetNameValue("FORMAT", stack.needs_v3() || is_repository ? "ZARR_V3" : "ZARR_V2");
  const CopyInMemory copy(*first, path, options.List(),
                          [&](const std::string& name) { return stack.Find(name) != nullptr || arrays.Has(name); });
  const auto describe = [&](const zarr::Array& array) -> std::optional<DescribedArray> {
    const std::string* const name = copy.FindSource(array.path());
    if (!name) return std::nullopt;
    if (const ArrayStack* of = stack.Find(*name)) return of->Describe(array.metadata(), stack.along());
    const auto blocks = arrays.MakeBlocks(*name, array.shape());
    return DescribedArray{DescribeArray(array.metadata(), *blocks), blocks};
  };
  const std::unique_ptr<ReferenceSink> sink =
      MakeReferenceSink({path, false, is_repository ? std::optional(CommitNote()) : std::nullopt});
  WriteReferences(*zarr::Hierarchy::Open(OpenStore(copy.path())), describe, request.progress, sink.get());
  sink->Finish();
}

}  // namespace

void StackReferences(const StackRequest& request) {
  const std::string path = FindStoreToWrite(request.output.c_str());
  FindWholeStore(path, WholeStoreUse::kReplace);
  FileStack stack(request.along, request.warn);
  double done = 0;
  for (const std::string& file : request.files) {
    stack.Add(*OpenFile(file));
    const double share = ++done / static_cast<double>(request.files.size());
    if (request.progress && !request.progress(share * 0.9)) {
      throw zarr::Error(zarr::ErrorKind::kIo, "the user stopped it");
    }
  }
  stack.Complete();
  WriteStack(request, path, stack);
}

}  // namespace gdal_zarr
