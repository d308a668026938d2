// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/create/bands/own_coordinates.h"
#include "driver/create/common_type.h"
#include "driver/create/copy_domains.h"
#include "driver/create/copy_in_progress.h"
#include "driver/create/copy_source.h"
#include "driver/create/creation.h"
#include "driver/create/creation_request.h"
#include "driver/create/let_go.h"
#include "driver/create/netcdf/netcdf_items.h"
#include "driver/create/netcdf/netcdf_view.h"
#include "driver/create/own_types.h"
#include "driver/create/references/make_references.h"
#include "driver/create/removal.h"
#include "driver/create/signed_bytes.h"
#include "driver/create/source_edges.h"
#include "driver/create/virtual_sources.h"
#include "driver/dataset/node_paths.h"
#include "driver/dataset/open_stores.h"
#include "driver/dataset/pam_files.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/multidim/copying/side_files.h"
#include "driver/multidim/multidim_dataset.h"
#include "driver/raster/band_stack.h"
#include "driver/raster/raster_dataset.h"
#include "driver/stores/vsi/look_at.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

/// Copies the units of bands, because GDAL's copying leaves them out (at least up to 3.6). A unit that cannot be kept
/// is an error if `strict`.
bool CopyUnits(GDALDataset* source, GDALDataset* copy, bool strict) {
  for (int band = 1; band <= copy->GetRasterCount(); ++band) {
    const std::string unit = source->GetRasterBand(band)->GetUnitType();
    if (unit.empty() || unit == copy->GetRasterBand(band)->GetUnitType()) continue;
    if (!strict) CPLPushErrorHandler(CPLQuietErrorHandler);
    const CPLErr result = copy->GetRasterBand(band)->SetUnitType(unit.c_str());
    if (!strict) {
      CPLPopErrorHandler();
      CPLErrorReset();
    }
    if (result != CE_None && strict) return false;
  }
  return true;
}

/// Copies a geotransform whose numbers are pixels and lines, because GDAL's copying takes it for none.
bool CopyTransformOfPixels(GDALDataset& source, GDALDataset& copy) {
  GeoTransformNumbers transform;
  GeoTransformNumbers known;
  if (source.GetGeoTransform(transform) != CE_None || copy.GetGeoTransform(known) == CE_None) return true;
  const GeoTransform numbers = {transform[0], transform[1], transform[2], transform[3], transform[4], transform[5]};
  const bool is_left_out = numbers == GeoTransform{0, 1, 0, 0, 0, 1} || numbers == GeoTransform{0, 1, 0, 0, 0, -1};
  return !is_left_out || copy.SetGeoTransform(transform) == CE_None;
}

/// Saves all data of a copy while a failure can still be reported: in some versions of GDAL, closing a dataset does not
/// report failures, and GDAL's copy functions ignore the results of setters. Afterwards, a store in an archive cannot
/// be changed.
template <typename Dataset>
bool Completes(GDALDataset& copy) {
  auto* dataset = dynamic_cast<Dataset*>(&copy);
  if (!dataset) return false;
  if (dataset->Complete() == CE_None) return true;
  dataset->Abandon();
  return false;
}

bool IsComplete(GDALDataset& copy, CopyInProgress* progress) {
  progress->AllowFinish();
  return Completes<RasterDataset>(copy) || Completes<BandStack>(copy) || Completes<MultidimDataset>(copy);
}

/// Returns true if GDAL can save PAM files for a store that does not exist yet.
bool MayGetSideFiles(const char* name, const CreationOptions& options) {
  if (!CPLTestBool(CPLGetConfigOption("GDAL_PAM_ENABLED", "YES")) || options.is_icechunk()) return false;
  try {
    const std::string store = FindStoreToWrite(name, options.GetBoolean("APPEND_SUBDATASET"));
    return !NamesRepository(store) && CanSaveSideFiles(store + "/zarr.json");
  } catch (const zarr::Error&) {
    return true;  // the name is invalid, which creating the store will report
  }
}

/// GDAL continues a copy after many errors, and reports success.
bool IsWithout(const FailureWatch& failures) {
  if (!failures.failed()) return true;
  CPLError(CE_Failure, CPLE_AppDefined, "Zarr: the copy is not made, because of this error: %s",
           failures.message().c_str());
  return false;
}

/// Returns the dimension names of a copy's rows and columns.
PlaneNames GetPlaneNames(const RasterDataset& copy) {
  const auto& names = copy.parts().view.array().metadata().dimension_names;
  const auto get = [&](std::size_t i) { return i < names.size() ? names[i].value_or("") : ""; };
  return {get(copy.parts().view.x_dimension()), get(copy.parts().view.y_dimension())};
}

/// Returns the rasters of a copy's arrays, one for each band if these are arrays; an empty list for other copies.
std::vector<const RasterDataset*> ListRasters(const GDALDataset& copy) {
  if (const auto* raster = AsRasterDataset(&copy)) return {raster};
  std::vector<const RasterDataset*> rasters;
  if (const auto* stack = dynamic_cast<const BandStack*>(&copy)) {
    for (const BandStack::Member& member : stack->members()) rasters.push_back(member.dataset.get());
  }
  return rasters;
}

/// Writes what `items` and the source say of the arrays of a copy and of their coordinates.
void DescribeArrays(SharedResource& target, const std::vector<const RasterDataset*>& rasters, const NetcdfItems& items,
                    const GDALDataset& original) {
  std::optional<PlaneNames> described;
  for (const RasterDataset* raster : rasters) {
    const std::string& path = raster->parts().view.array().path();
    const PlaneNames copied = GetPlaneNames(*raster);
    if (described != copied) {
      items.WriteRowLatitudes(target, copied);
      items.DescribePlane(target, copied);
    }
    described = copied;
    items.WriteMissingValue(target, path);
    items.TypeAttributes(target, path);
    items.WriteUnsaid(target, path, copied);
    TypeAsInSource(original, target, path);
  }
}

/// Copies the parts that GDAL's functions leave out. `original` is the dataset that `source` may be a view of.
bool CopyMore(GDALDataset& source, const GDALDataset& original, GDALDataset* copy, const NetcdfItems& items,
              bool has_side_files, CopyInProgress* progress) {
  const std::vector<const RasterDataset*> rasters = ListRasters(*copy);
  if (rasters.empty()) return true;
  items.WarnOfLosses();
  bool has_geolocation = false;
  const bool changed = progress->ChangeTarget([&](SharedResource& target) {
    DescribeArrays(target, rasters, items, original);
    if (const auto* raster = AsRasterDataset(copy))
      has_geolocation = GeolocationArrays(source).WriteTo(target, raster->parts().view);
  });
  return changed && CopyDomains(source, *copy, has_side_files, has_geolocation);
}

/// Returns the name of a source as one for an array; empty if it has none, like a VRT that is given as XML.
std::string GetArrayName(const GDALDataset& source) {
  std::string name;
  try {
    const DatasetName parsed = ParseDatasetName(source.GetDescription());
    name = parsed.array && !parsed.array->empty() ? GetNodeName(*parsed.array) : GetBaseName(parsed.store);
  } catch (const zarr::Error&) {
    return "";
  }
  return zarr::IsNewNodeName(name) && name.find_first_of("<>:\"\n") == std::string::npos ? name : "";
}

GDALDriver* GetThisDriver() {
  return GetGDALDriverManager()->GetDriverByName("Zarr");
}

/// Returns the types of the arrays that bands become, if these are several; otherwise an empty list.
std::vector<GDALDataType> ListArrayTypes(GDALDataset& source, MetadataList options) {
  if (CPLFetchBool(options, "SINGLE_ARRAY", true)) return {};
  std::vector<GDALDataType> types = ListBandTypes(source);
  return DescribeCommonType(types).empty() ? std::vector<GDALDataType>() : types;
}

/// Returns true for one band of a VRT, such as gdal_translate -b makes of a cube: a slice, not a cube of one step.
bool IsSlice(const GDALDataset& source) {
  GDALDriver* const driver = const_cast<GDALDataset&>(source).GetDriver();
  return driver && EQUAL(driver->GetDescription(), "VRT") && const_cast<GDALDataset&>(source).GetRasterCount() == 1;
}

/// Asks a source for its georeferencing and metadata before the copying does. A strict copy by GDAL stops after any
/// warning of the thread, and drivers warn when they read these; such a warning reaches the user, and loses nothing.
void AskAhead(GDALDataset& source) {
  GeoTransformNumbers transform;
  source.GetGeoTransform(transform);
  source.GetSpatialRef();
  if (source.GetGCPCount() > 0) source.GetGCPSpatialRef();
  for (const char* domain : {"", "RPC", "xml:XMP"}) source.GetMetadata(domain);
  for (int band = 1; band <= source.GetRasterCount(); ++band) {
    source.GetRasterBand(band)->GetMetadata();
    source.GetRasterBand(band)->GetDefaultRAT();
  }
  CPLErrorReset();
}

/// Copies by GDAL's function. If this ends without an error, as it does after a warning if `strict`, reports one.
std::unique_ptr<GDALDataset> CopyByGdal(const char* name, GDALDataset& source, int strict, MetadataList options,
                                        GDALProgressFunc progress, void* progress_data, const FailureWatch& failures) {
  if (strict) AskAhead(source);
  std::unique_ptr<GDALDataset> copy(
      GetThisDriver()->DefaultCreateCopy(name, &source, strict, options, progress, progress_data));
  if (copy || failures.failed()) return copy;
  const std::string warning = CPLGetLastErrorMsg();
  CPLError(CE_Failure, CPLE_AppDefined, "Zarr: the strict copy is not made, because of this warning: %s",
           warning.c_str());
  return copy;
}

/// Copies a raster or a multidimensional dataset. `items` are those of a raster's metadata; `original` is as for
/// CopyMore.
GDALDataset* CopySource(const char* name, GDALDataset* source, GDALDataset& original, const NetcdfItems& items,
                        int strict, MetadataList options, GDALProgressFunc progress, void* progress_data) {
  const CopyLosses losses(*source, CPLFetchBool(options, "SINGLE_ARRAY", true),
                          MayGetSideFiles(name, CreationOptions(options)));
  if (!losses.none()) losses.Report(strict ? CE_Failure : CE_Warning);
  if (losses.fails_if_strict() && strict) return nullptr;
  const std::unique_ptr<GDALDataset> rest = losses.none() ? nullptr : losses.Without(*source);
  GDALDataset* from = rest ? rest.get() : source;
  std::vector<BandDimension> band_dimensions;
  if (!IsSlice(original)) band_dimensions = FindBandDimensions(*from);
  TakeOwnCoordinates(original, &band_dimensions);
  items.AddAttributes(&band_dimensions);
  const bool appends = CPLFetchBool(options, "APPEND_SUBDATASET", false);
  const CreationRequest request{.store = ParseDatasetName(name).store,
                                .bands = from->GetRasterCount(),
                                .options = CreationOptions(options),
                                .band_dimensions = band_dimensions,
                                .default_name = appends ? GetArrayName(original) : ""};
  CPLStringList expanded = ExpandSourcePlan(options, *source, request);
  const PlaneNames plane_names = items.are_understood() ? items.plane_names() : FindPlaneNames(*source);
  CopyInProgress progress_of_copy(band_dimensions, plane_names, GetArrayName(original), ListArrayTypes(*from, options));
  FailureWatch failures;
  std::unique_ptr<GDALDataset> copy =
      CopyByGdal(name, *from, strict, expanded.List(), progress, progress_data, failures);
  const bool is_made = copy != nullptr;
  if (is_made && progress_of_copy.HasAllNodes() && IsWithout(failures) &&
      CopyUnits(from, copy.get(), strict != FALSE) && CopyTransformOfPixels(*from, *copy) &&
      CopyMore(*from, original, copy.get(), items, MayGetSideFiles(name, CreationOptions(options)),
               &progress_of_copy) &&
      IsComplete(*copy, &progress_of_copy) && progress_of_copy.Complete()) {
    if (source->GetRasterCount() == 0) WarnOfSideFiles(*source);
    return copy.release();
  }
  progress_of_copy.PutWaiting();
  copy.reset();
  progress_of_copy.TakeBack();
  if (appends) return nullptr;
  if (is_made) {
    Delete(name);
  } else if (progress_of_copy.has_made_store()) {
    TryTakeBackStore(FindStoreToWrite(name));  // GDAL only removes failed copies of rasters
  }
  return nullptr;
}

/// Throws zarr::Error if a source reads the store that its copy would replace, which it may not have opened yet.
void CheckIsNoSource(const Replacement& replacement, GDALDataset& source) {
  const GDALDriver* driver = source.GetDriver();
  if (replacement.place().empty() || !driver || !EQUAL(driver->GetDescription(), "VRT")) return;
  bool is_source = false;
  replacement.WithOldInPlace([&] { is_source = ReadsFrom(source, replacement.place()); });
  if (!is_source) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, replacement.place(), "", "",
                    "the copy would replace the store that it is made from; give it another name");
}

/// Throws zarr::Error if the source was at the path of the copy, and has been removed by another process since it was
/// opened: its values would read as fill values, or as those of the copy.
void CheckIsThere(const std::string& path, GDALDataset& source) {
  if (!FindOpenStoreIn(path) || LookAt(path) != Presence::kAbsent) return;
  const std::string place = GetPlace(path);
  const auto is_it = [&] {
    try {
      return IsInPlace(GetPlace(ParseDatasetName(source.GetDescription()).store), place);
    } catch (const zarr::Error&) {
      return false;  // the source's name is not that of a store
    }
  };
  if (!is_it() && !ReadsFrom(source, place)) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, path, "", "",
                    "the source of the copy was here, and has been removed since it was opened");
}

GDALDataset* CreateCopyOrThrow(const char* name, GDALDataset* source, int strict, MetadataList options,
                               GDALProgressFunc progress, void* progress_data) {
  std::optional<Replacement> replacement;
  const bool appends = CPLFetchBool(options, "APPEND_SUBDATASET", false);
  const std::string path = FindStoreToWrite(name, appends);
  if (!appends) replacement.emplace(name, path);
  const KeptFolder kept_folder(appends ? std::nullopt : FindEmptyFolder(path));
  CheckIsThere(path, *source);
  if (replacement) CheckIsNoSource(*replacement, *source);
  GDALDataset& original = *source;
  NetcdfTypes types(*source);
  const auto signed_bytes = MakeViewOfSignedBytes(*source);
  if (signed_bytes) source = signed_bytes.get();
  const NetcdfItems items(*source, std::move(types));
  const auto view = items.are_understood() ? MakeNetcdfView(*source, items) : nullptr;
  GDALDataset* copy =
      CopySource(name, view ? view.get() : source, original, items, strict, options, progress, progress_data);
  if (copy && replacement) replacement->Succeed();
  return copy;
}

GDALDataset* CreateReferences(const char* name, GDALDataset* source, int strict, MetadataList options,
                              GDALProgressFunc progress, void* progress_data) {
  const std::string path = FindStoreToWrite(name);
  Replacement replacement(name, path);
  const KeptFolder kept_folder(FindEmptyFolder(path));
  auto references = MakeReferences({name, *source, options, strict != FALSE, progress, progress_data});
  if (references) replacement.Succeed();
  return references.release();
}

}  // namespace

GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, MetadataList options,
                        GDALProgressFunc progress, void* progress_data) {
  return Guard<GDALDataset*>(
      nullptr,
      [&] {
        const auto create = AreOptionsOfReferences(options) ? CreateReferences : CreateCopyOrThrow;
        return create(name, source, strict, options, progress, progress_data);
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
