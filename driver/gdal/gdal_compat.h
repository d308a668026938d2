#pragma once

// What differs between the versions of GDAL that this driver is compiled with, 3.6 to 3.13. No other file asks for the
// version. This one comes before any other header of GDAL.

#include <gdal_version.h>

#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 6, 0)
#error "GDAL 3.6 or later is needed"
#endif

#include <gdal_pam.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
#include <gdal_pam_multidim.h>
#endif

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 8, 0)
#include <gdalsubdatasetinfo.h>
#define ZARR_HAS_SUBDATASET_INFO
#endif

// For members that became virtual in that version.
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

// GDALMDArray::GetRawBlockInfo.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
#define ZARR_HAS_RAW_BLOCK_INFO
#endif

// For members that became const in that version.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
#define ZARR_CONST_SINCE_GDAL_3_12 const
#else
#define ZARR_CONST_SINCE_GDAL_3_12
#endif

namespace gdal_zarr {

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
inline constexpr GDALDataType kInt8Type = GDT_Int8;
using FlushResult = CPLErr;  // of GDALDataset::FlushCache
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

// The arguments of GDALDataset::GetGeoTransform and SetGeoTransform.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
using GeoTransformOut = GDALGeoTransform&;
using GeoTransformIn = const GDALGeoTransform&;
#else
using GeoTransformOut = double*;
using GeoTransformIn = double*;
#endif

// The options of AdviseRead.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
using AdviseOptions = CSLConstList;
#else
using AdviseOptions = char**;
#endif

// GDALProxyRasterBand::RefUnderlyingRasterBand has an argument since that version.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
#define ZARR_BOOL_SINCE_GDAL_3_7 bool
#else
#define ZARR_BOOL_SINCE_GDAL_3_7
#endif

// Side files (PAM) know views of arrays since that version; before it they are like subdatasets.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
#define ZARR_SET_PAM_VIEW_NAME SetDerivedDatasetName
#else
#define ZARR_SET_PAM_VIEW_NAME SetSubdatasetName
#endif

// What GetMetadata returns, and what SetMetadata and the functions of a driver that create are given.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
using MetadataList = CSLConstList;
#else
using MetadataList = char**;
#endif

// The arguments of GDALDataset::Close, which drivers override from 3.7 on.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
#define ZARR_CLOSE_ARGUMENTS GDALProgressFunc, void*
#else
#define ZARR_CLOSE_ARGUMENTS
#endif

// The list of bands of IRasterIO. GDAL offers a constant one (GDAL_BANDMAP_TYPE_CONST_SAFE), but its library does not
// export the functions that would then be called.
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
using BandMap = BANDMAP_TYPE;
#else
using BandMap = int*;
#endif

/// The file with the overviews of an array that GDAL has registered in the store's side file; "" where GDAL does not
/// know of such files (before 3.13).
inline std::string RegisteredOverviewFile([[maybe_unused]] GDALPamMultiDim& pam,
                                          [[maybe_unused]] const std::string& array) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 13, 0)
  return pam.GetOverviewFilename(array, "");
#else
  return "";
#endif
}

/// The parameters of a CF grid mapping variable; empty where GDAL cannot tell them (before 3.9), or CF has none.
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

/// What FlushCache returns, and whether it says that all went well.
inline FlushResult AsFlushResult([[maybe_unused]] CPLErr result) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
  return result;
#endif
}

/// FlushCache of a base class; before 3.7 it tells of failure by an error only.
template <typename Base, typename Dataset>
CPLErr FlushBase(Dataset* dataset, bool at_closing) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
  return dataset->Base::FlushCache(at_closing);
#else
  dataset->Base::FlushCache(at_closing);
  return CE_None;
#endif
}

/// GDALRasterBand::FlushCache: writes its dirty blocks.
inline CPLErr FlushBandBlocks(GDALRasterBand* band) {
  return band->FlushCache(false);
}

/// What an override of GDALDataset::Close does, for a dataset whose FlushCache stores all, and whose FinishStore does
/// what is left then: once, and telling of failure.
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

inline constexpr bool kHasInt8 = kInt8Type != GDT_Int16;

}  // namespace gdal_zarr
