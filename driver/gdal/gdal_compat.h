// SPDX-License-Identifier: MIT
#pragma once

// All differences between the versions of GDAL that this driver can be compiled with, 3.6 to 3.13. No other file checks
// the version. Include this header before any header of GDAL.

#include <gdal_version.h>

#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 6, 0)
#error "GDAL 3.6 or later is needed"
#endif

#include <gdal_pam.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
#include <gdal_pam_multidim.h>
#endif

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 8, 0)
#include <gdalsubdatasetinfo.h>
#define ZARR_HAS_SUBDATASET_INFO
#endif

// These macros mark member functions that are virtual since the version in their name.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 8, 0)
#define ZARR_OVERRIDE_SINCE_GDAL_3_8 override
#else
#define ZARR_OVERRIDE_SINCE_GDAL_3_8
#endif

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
#define ZARR_OVERRIDE_SINCE_GDAL_3_7 override
#else
#define ZARR_OVERRIDE_SINCE_GDAL_3_7
#endif

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
#define ZARR_OVERRIDE_SINCE_GDAL_3_13 override
#else
#define ZARR_OVERRIDE_SINCE_GDAL_3_13
#endif

namespace gdal_zarr {
/// Returns the default of the creation option FORMAT, which is that of GDAL's built-in driver.
constexpr const char* GetDefaultFormat(int gdal_version = GDAL_VERSION_NUM) {
  return gdal_version >= GDAL_COMPUTE_VERSION(3, 14, 0) ? "ZARR_V3" : "ZARR_V2";
}
}  // namespace gdal_zarr

// GDALMDArray has GetRawBlockInfo since GDAL 3.12.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
#define ZARR_HAS_RAW_BLOCK_INFO
#endif

// GDAL's programs take coordinates that a group does not list, as its Zarr driver computes them, since GDAL 3.13.
inline constexpr bool kTakesComputedCoordinates = GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0);

// GDALMDArray::SetStatistics has options since GDAL 3.8.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 8, 0)
#define ZARR_HAS_STATISTICS_OPTIONS
#endif

// Drivers can have commands, "gdal driver zarr ...", since GDAL 3.11.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 11, 0)
#define ZARR_HAS_DRIVER_COMMANDS
#endif

// Marks member functions that are const since GDAL 3.12.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
#define ZARR_CONST_SINCE_GDAL_3_12 const
#else
#define ZARR_CONST_SINCE_GDAL_3_12
#endif

namespace gdal_zarr {

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
inline constexpr GDALDataType kInt8Type = GDT_Int8;
using FlushResult = CPLErr;  // the result of GDALDataset::FlushCache
#else
inline constexpr GDALDataType kInt8Type = GDT_Int16;
using FlushResult = void;
#endif

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 11, 0)
inline constexpr bool kHasFloat16 = true;
inline constexpr GDALDataType kFloat16Type = GDT_Float16;
inline constexpr GDALDataType kComplexFloat16Type = GDT_CFloat16;
#else
inline constexpr bool kHasFloat16 = false;
inline constexpr GDALDataType kFloat16Type = GDT_Float32;
inline constexpr GDALDataType kComplexFloat16Type = GDT_CFloat32;
#endif

// The argument types of GDALDataset::GetGeoTransform and SetGeoTransform.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
using GeoTransformOut = GDALGeoTransform&;
using GeoTransformIn = const GDALGeoTransform&;
using GeoTransformNumbers = GDALGeoTransform;
#else
using GeoTransformOut = double*;
using GeoTransformIn = double*;
using GeoTransformNumbers = double[6];
#endif

// The type of the options of AdviseRead.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
using AdviseOptions = CSLConstList;
#else
using AdviseOptions = char**;
#endif

// GDALProxyRasterBand::RefUnderlyingRasterBand has an argument since GDAL 3.7.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
#define ZARR_BOOL_SINCE_GDAL_3_7 bool
#else
#define ZARR_BOOL_SINCE_GDAL_3_7
#endif

// PAM distinguishes views of arrays since GDAL 3.10; before, it handles them like subdatasets.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
#define ZARR_SET_PAM_VIEW_NAME SetDerivedDatasetName
#else
#define ZARR_SET_PAM_VIEW_NAME SetSubdatasetName
#endif

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
inline constexpr bool kPamHasViews = true;
#else
inline constexpr bool kPamHasViews = false;
#endif

// The type of metadata that GetMetadata returns, and that SetMetadata and a driver's create functions accept.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
using MetadataList = CSLConstList;
#else
using MetadataList = char**;
#endif

// The arguments of GDALDataset::Close, which drivers override since GDAL 3.7.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
#define ZARR_CLOSE_ARGUMENTS GDALProgressFunc, void*
#else
#define ZARR_CLOSE_ARGUMENTS
#endif

// The type of IRasterIO's list of bands. GDAL offers a constant one (GDAL_BANDMAP_TYPE_CONST_SAFE), but its library
// does not export the functions that this would need.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
using BandMap = BANDMAP_TYPE;
#else
using BandMap = int*;
#endif

/// Returns the overview file of an array, as registered by GDAL in the store's PAM file; "" before GDAL 3.13, which
/// does not register such files.
inline std::string GetRegisteredOverviewFile([[maybe_unused]] GDALPamMultiDim& pam,
                                             [[maybe_unused]] const std::string& array) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
  return pam.GetOverviewFilename(array, "");
#else
  return "";
#endif
}

/// The statistics that GDAL has saved for an array.
struct PamStatistics {
  bool is_approximate = false;
  double min = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;
  GUInt64 count = 0;
};

/// What GDAL has saved for one array. `Pam` is GDALPamMultiDim, whose functions need the context of a view, too, in
/// later versions.
template <typename Pam>
class PamEntry {
 public:
  PamEntry(Pam& pam, std::string array) : pam_(pam), array_(std::move(array)) {}

  std::optional<PamStatistics> FindStatistics() const {
    PamStatistics s;
    const auto find = [&](bool may_be_approximate, const auto&... names) {
      return pam_.GetStatistics(names..., may_be_approximate, &s.min, &s.max, &s.mean, &s.deviation, &s.count);
    };
    const auto has = [&](bool may_be_approximate) {
      if constexpr (kHasContext)
        return find(may_be_approximate, array_, std::string()) == CE_None;
      else
        return find(may_be_approximate, array_) == CE_None;
    };
    if (has(false)) return s;
    s.is_approximate = true;
    return has(true) ? std::optional(s) : std::nullopt;
  }
  void SetStatistics(const PamStatistics& s) {
    if constexpr (kHasContext)
      pam_.SetStatistics(array_, "", s.is_approximate, s.min, s.max, s.mean, s.deviation, s.count);
    else
      pam_.SetStatistics(array_, s.is_approximate, s.min, s.max, s.mean, s.deviation, s.count);
  }
  void ClearStatistics() {
    if constexpr (kHasContext)
      pam_.ClearStatistics(array_, "");
    else
      pam_.ClearStatistics(array_);
  }
  std::shared_ptr<OGRSpatialReference> GetSpatialRef() const {
    if constexpr (kHasContext)
      return pam_.GetSpatialRef(array_, "");
    else
      return pam_.GetSpatialRef(array_);
  }
  /// Removes the CRS if `srs` is null.
  void SetSpatialRef(const OGRSpatialReference* srs) {
    if constexpr (kHasContext)
      pam_.SetSpatialRef(array_, "", srs);
    else
      pam_.SetSpatialRef(array_, srs);
  }

 private:
  static constexpr bool kHasContext = requires(Pam & pam, const std::string& name) { pam.GetSpatialRef(name, name); };

  Pam& pam_;
  std::string array_;
};

/// Returns the parameters of a CF grid mapping variable. The list is empty if CF cannot express the SRS, and before
/// GDAL 3.9, which does not have this export.
inline CPLStringList ExportToCf([[maybe_unused]] const OGRSpatialReference& srs) {
  CPLStringList parameters;
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 9, 0)
  char* name = nullptr;
  char** values = nullptr;
  char* units = nullptr;
  CPLPushErrorHandler(CPLQuietErrorHandler);
  if (srs.exportToCF1(&name, &values, &units, nullptr) == OGRERR_NONE) {
    parameters = CPLStringList(values);
    values = nullptr;
  }
  CPLPopErrorHandler();
  CPLFree(name);
  CPLFree(units);
  CSLDestroy(values);
#endif
  return parameters;
}

/// Converts a CPLErr to the result type of FlushCache.
inline FlushResult ToFlushResult([[maybe_unused]] CPLErr result) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
  return result;
#endif
}

/// Calls FlushCache of a base class. Before GDAL 3.7 it reports failure only by raising an error.
template <typename Base, typename Dataset>
CPLErr FlushBase(Dataset* dataset, bool at_closing) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
  return dataset->Base::FlushCache(at_closing);
#else
  dataset->Base::FlushCache(at_closing);
  return CE_None;
#endif
}

/// Writes the band's dirty blocks (GDALRasterBand::FlushCache).
inline CPLErr FlushBandBlocks(GDALRasterBand* band) {
  return band->FlushCache(false);
}

/// Implements an override of GDALDataset::Close: FlushCache saves everything, FinishStore completes the store. Both run
/// once; the result indicates whether they succeeded.
template <typename Dataset>
CPLErr CloseDataset([[maybe_unused]] Dataset* dataset) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
  constexpr int kClosed = -1;  // GDALDataset::OPEN_FLAGS_CLOSED, which is protected
  CPLErr result = CE_None;
  if (dataset->nOpenFlags != kClosed) {
    if (dataset->FlushCache(true) != CE_None || dataset->FinishStore() != CE_None) result = CE_Failure;
    if (dataset->GDALDataset::Close() != CE_None) result = CE_Failure;
  }
  return result;
#else
  return CE_None;
#endif
}

/// True if GDAL's netCDF driver may free strings without dimensions before it copies them.
inline constexpr bool kFreesTexts = GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 10, 0);

/// True if GDAL reports the current error handler, on which MayBeQuiet relies.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
inline constexpr bool kKnowsQuiet = true;
#else
inline constexpr bool kKnowsQuiet = false;
#endif

/// Returns true if errors of this thread may be handled by GDAL's quiet handler.
inline bool MayBeQuiet() {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
  return CPLGetErrorHandler(nullptr) == CPLQuietErrorHandler;
#else
  return true;
#endif
}

/// Passes an error from a handler to the handler that was in use before it. `data` belongs to the handler.
inline void CallPreviousHandler(CPLErr level, CPLErrorNum number, const char* message,
                                [[maybe_unused]] CPLErrorHandler handler, [[maybe_unused]] void* data) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 8, 0)
  CPLCallPreviousHandler(level, number, message);
#else
  CPLPopErrorHandler();
  CPLError(level, number, "%s", CPLString(message).c_str());  // the message may be in the new handler's memory
  CPLPushErrorHandlerEx(handler, data);
#endif
}

inline constexpr bool kHasInt8 = kInt8Type != GDT_Int16;

}  // namespace gdal_zarr
