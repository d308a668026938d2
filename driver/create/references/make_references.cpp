// SPDX-License-Identifier: MIT
#include "driver/create/references/make_references.h"

#include <cpl_vsi.h>

#include <string_view>
#include <utility>

#include "driver/create/creation_request.h"
#include "driver/create/references/copy_in_memory.h"
#include "driver/create/references/reference_formats.h"
#include "driver/create/references/source_arrays.h"
#include "driver/create/references/write_references.h"
#include "driver/create/whole_store.h"
#include "driver/gdal/text.h"
#include "driver/new_array/creation_options.h"
#include "driver/stores/store_factory.h"

namespace gdal_zarr {
namespace {

constexpr const char* kConvention = "GEOREFERENCING_CONVENTION";

/// Options that have no meaning, because the blocks of the source stay as they are, are errors.
void CheckOptions(CSLConstList options) {
  constexpr const char* kReason = "no such option for references, which keep the blocks of the source";
  const CreationOptions parsed(options);
  for (CSLConstList item = options; item && *item; ++item) {
    const std::string_view text(*item);
    const std::string name(text.substr(0, text.find('=')));
    const bool is_of_array = StartsWithIgnoringCase(name, "ARRAY:");
    const std::string own_name = is_of_array ? name.substr(name.find(':') + 1) : name;
    // GDAL passes on the source's interleaving.
    const bool is_of_commit = IsOneOfIgnoringCase(own_name, {"VIRTUAL", "COMMIT_MESSAGE", "COMMIT_AUTHOR"});
    if (is_of_commit && parsed.is_icechunk()) continue;
    if (IsOneOfIgnoringCase(own_name, {"FORMAT", "RELATIVE", "ARRAY_NAME", "INTERLEAVE", kConvention})) continue;
    if (is_of_array || parsed.Has(name)) FailOption(name, kReason, text.substr(text.find('=') + 1));
  }
}

/// Makes the options of the copy in memory.
CPLStringList MakeCopyOptions(CSLConstList given, const SourceArrays& arrays) {
  CPLStringList options(CSLDuplicate(const_cast<char**>(given)));
  const bool is_v3 = arrays.needs_v3() || CreationOptions(given).is_icechunk();
  options.SetNameValue("FORMAT", is_v3 ? "ZARR_V3" : "ZARR_V2");
  options.SetNameValue("RELATIVE", nullptr);
  options.SetNameValue("VIRTUAL", nullptr);
  options.SetNameValue("INTERLEAVE", !arrays.is_raster() ? nullptr : arrays.is_interleaved() ? "PIXEL" : "BAND");
  return options;
}

std::unique_ptr<GDALDataset> OpenMade(const std::string& path, bool is_raster) {
  const char* const drivers[] = {"Zarr", nullptr};
  const unsigned kind = is_raster ? GDAL_OF_RASTER : GDAL_OF_MULTIDIM_RASTER;
  return std::unique_ptr<GDALDataset>(
      GDALDataset::Open(path.c_str(), kind | GDAL_OF_VERBOSE_ERROR, drivers, nullptr, nullptr));
}

}  // namespace

bool AreOptionsOfReferences(CSLConstList options) {
  const char* format = CSLFetchNameValueDef(options, "FORMAT", "");
  return EQUAL(format, kKerchunkFormat) || (EQUAL(format, kIcechunkFormat) && CPLFetchBool(options, "VIRTUAL", false));
}

std::unique_ptr<GDALDataset> MakeReferences(const ReferenceRequest& request) {
  CheckOptions(request.options);
  const CreationOptions options(request.options);
  const std::string path = FindStoreToWrite(request.name.c_str());
  FindWholeStore(path, WholeStoreUse::kReplace);
  const SourceArrays arrays(request.source);
  const CopyInMemory copy(
      request.source, path, MakeCopyOptions(request.options, arrays).List(),
      [&](const std::string& source) { return arrays.Has(source); }, request.is_strict);
  const auto describe = [&](const zarr::Array& array) -> std::optional<DescribedArray> {
    const std::string* const source = copy.FindSource(array.path());
    if (!source) return std::nullopt;
    const auto blocks = arrays.MakeBlocks(*source, array.shape());
    return DescribedArray{DescribeArray(array.metadata(), *blocks), blocks};
  };
  const auto progress = [&](double share) {
    return !request.progress || request.progress(share, "", request.progress_data) != FALSE;
  };
  const std::unique_ptr<ReferenceSink> sink = MakeReferenceSink(
      {path, options.GetBoolean("RELATIVE"), options.is_icechunk() ? std::optional(options.commit()) : std::nullopt});
  WriteReferences(*zarr::Hierarchy::Open(OpenStore(copy.path())), describe, progress, sink.get());
  sink->Finish();
  progress(1.0);
  return OpenMade(path, arrays.is_raster());
}

}  // namespace gdal_zarr
