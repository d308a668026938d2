// SPDX-License-Identifier: MIT
#include "driver/create/references/make_references.h"

#include <cpl_vsi.h>

#include <string_view>
#include <utility>

#include "driver/create/creation_request.h"
#include "driver/create/references/json_references.h"
#include "driver/create/references/parquet_references_writer.h"
#include "driver/create/references/source_arrays.h"
#include "driver/create/references/values_hidden.h"
#include "driver/create/references/write_references.h"
#include "driver/create/whole_store.h"
#include "driver/dataset/left_out_values.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/text.h"
#include "driver/new_array/creation_options.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/vsi_store.h"

namespace gdal_zarr {
namespace {

/// A folder in memory, for its lifetime.
class MemoryFolder {
 public:
  MemoryFolder() : path_("/vsimem/" + zarr::MakeTemporaryName()) {}
  ~MemoryFolder() { VSIRmdirRecursive(path_.c_str()); }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

constexpr const char* kConvention = "GEOREFERENCING_CONVENTION";

/// Options that have no meaning, because the blocks of the source stay as they are, are errors.
void CheckOptions(CSLConstList options) {
  constexpr const char* kReason = "no such option with FORMAT=KERCHUNK, which keeps the blocks of the source";
  const CreationOptions parsed(options);
  for (CSLConstList item = options; item && *item; ++item) {
    const std::string_view text(*item);
    const std::string name(text.substr(0, text.find('=')));
    const bool is_of_array = StartsWithIgnoringCase(name, "ARRAY:");
    const std::string own_name = is_of_array ? name.substr(name.find(':') + 1) : name;
    // GDAL passes on the source's interleaving.
    if (IsOneOfIgnoringCase(own_name, {"FORMAT", "RELATIVE", "ARRAY_NAME", "INTERLEAVE", kConvention})) continue;
    if (is_of_array || parsed.Has(name)) FailOption(name, kReason, text.substr(text.find('=') + 1));
  }
}

/// Makes the options of the copy in memory.
CPLStringList MakeCopyOptions(CSLConstList given, const SourceArrays& arrays) {
  CPLStringList options(CSLDuplicate(const_cast<char**>(given)));
  options.SetNameValue("FORMAT", arrays.needs_v3() ? "ZARR_V3" : "ZARR_V2");
  options.SetNameValue("CREATE_CONSOLIDATED_METADATA", "NO");
  options.SetNameValue("RELATIVE", nullptr);
  options.SetNameValue("INTERLEAVE", !arrays.is_raster() ? nullptr : arrays.is_interleaved() ? "PIXEL" : "BAND");
  options.SetNameValue(arrays.is_raster() ? "COMPRESS" : "ARRAY:COMPRESS", "NONE");
  return options;
}

std::unique_ptr<ReferenceSink> MakeSink(const std::string& path, bool relative) {
  const bool is_parquet = EndsWithIgnoringCase(path, ".parq") || EndsWithIgnoringCase(path, ".parquet");
  if (!is_parquet) return std::make_unique<JsonReferences>(path, relative);
  if (relative) FailOption("RELATIVE", "NO for references in Parquet, whose readers differ in that", "YES");
  return std::make_unique<ParquetReferencesWriter>(path);
}

void Write(const std::string& copy, const SourceArrays& arrays, const LeftOutValues& left_out,
           const ReferenceRequest& request, ReferenceSink* sink) {
  const auto hierarchy = zarr::Hierarchy::Open(OpenStore(copy));
  const auto describe = [&](const zarr::Array& array) -> std::optional<DescribedArray> {
    const auto source = left_out.copies().find(array.path());
    if (source == left_out.copies().end()) return std::nullopt;
    const auto blocks = arrays.MakeBlocks(source->second, array.shape());
    return DescribedArray{DescribeArray(array.metadata(), *blocks), blocks};
  };
  const auto progress = [&](double share) {
    return !request.progress || request.progress(share, "", request.progress_data) != FALSE;
  };
  WriteReferences(*hierarchy, describe, progress, sink);
}

std::unique_ptr<GDALDataset> OpenMade(const std::string& path, bool is_raster) {
  const char* const drivers[] = {"Zarr", nullptr};
  const unsigned kind = is_raster ? GDAL_OF_RASTER : GDAL_OF_MULTIDIM_RASTER;
  return std::unique_ptr<GDALDataset>(
      GDALDataset::Open(path.c_str(), kind | GDAL_OF_VERBOSE_ERROR, drivers, nullptr, nullptr));
}

}  // namespace

bool AreOptionsOfReferences(CSLConstList options) {
  const char* format = CSLFetchNameValue(options, "FORMAT");
  return format && EQUAL(format, kKerchunkFormat);
}

std::unique_ptr<GDALDataset> MakeReferences(const ReferenceRequest& request, const MakeCopyFunction& make_copy) {
  CheckOptions(request.options);
  const CreationOptions options(request.options);
  const std::string path = FindStoreToWrite(request.name.c_str());
  if (!LeadsToNetwork(path)) FindWholeStore(path, WholeStoreUse::kReplace);
  const SourceArrays arrays(request.source);
  const MemoryFolder folder;
  const std::string copy = folder.path() + "/" + GetBaseName(path) + ".zarr";
  const LeftOutValues left_out([&](const std::string& source) { return arrays.Has(source); });
  {
    const ValuesHidden hidden(request.source);
    if (!make_copy(copy, hidden.dataset(), MakeCopyOptions(request.options, arrays).List())) return nullptr;
  }
  const std::unique_ptr<ReferenceSink> sink = MakeSink(path, options.GetBoolean("RELATIVE"));
  Write(copy, arrays, left_out, request, sink.get());
  sink->Finish();
  if (request.progress) request.progress(1.0, "", request.progress_data);
  return OpenMade(path, arrays.is_raster());
}

}  // namespace gdal_zarr
