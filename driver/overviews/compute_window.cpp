// SPDX-License-Identifier: MIT
#include "driver/overviews/compute_window.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/overviews/plain_band.h"

namespace gdal_zarr {
namespace {

struct Method {
  const char* name;
  GDALRIOResampleAlg algorithm;
  std::uint64_t margin;
};

constexpr Method kMethods[] = {
    {"NEAREST", GRIORA_NearestNeighbour, 0},
    {"NEAR", GRIORA_NearestNeighbour, 0},
    {"AVERAGE", GRIORA_Average, 0},
    {"RMS", GRIORA_RMS, 0},
    {"MODE", GRIORA_Mode, 0},
    {"BILINEAR", GRIORA_Bilinear, 2},
    {"GAUSS", GRIORA_Gauss, 3},
    {"CUBIC", GRIORA_Cubic, 3},
    {"CUBICSPLINE", GRIORA_CubicSpline, 3},
    {"LANCZOS", GRIORA_Lanczos, 4},
};

const Method* FindMethod(const std::string& name) {
  const auto method = std::ranges::find_if(kMethods, [&](const Method& m) { return EQUAL(m.name, name.c_str()); });
  return method == std::end(kMethods) ? nullptr : method;
}

/// One axis of a source and of the level made from it.
struct Axis {
  int source;
  int level;

  double ratio() const { return static_cast<double>(source) / level; }
  /// Returns the length in the source of `count` pixels of the level.
  double GetLength(int count) const { return count == level ? source : count * ratio(); }
  /// Returns true if GDAL computes the same ratio from a window.
  bool IsExact(int count) const { return GetLength(count) / count == ratio(); }
  /// Extends a range of pixels of the level to one that GDAL computes like the whole axis.
  void Fit(int multiple, int* start, int* count) const {
    int end = std::min(level, (*start + *count + multiple - 1) / multiple * multiple);
    int begin = *start / multiple * multiple;
    // In a narrow window at the end, all pixels may seem to have the same number of source pixels.
    if (end - begin < multiple) begin = std::max(0, begin - multiple);
    while (end - begin < level && !IsExact(end - begin)) end < level ? ++end : --begin;
    *start = begin;
    *count = end - begin;
  }
};

/// The source pixels of a window.
struct SourceRange {
  double start;
  double length;
  int first;
  int count;

  SourceRange(const Axis& axis, int begin, int pixels)
      : start(begin * axis.ratio()), length(axis.GetLength(pixels)), first(static_cast<int>(start)) {
    count = std::min(axis.source, static_cast<int>(std::ceil(start + length))) - first;
  }
};

using DatasetPtr = std::unique_ptr<GDALDataset>;

DatasetPtr MakeInMemory(int width, int height, GDALDataType type) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("MEM");
  DatasetPtr dataset(driver ? driver->Create("", width, height, 1, type, nullptr) : nullptr);
  if (!dataset) throw zarr::Error(zarr::ErrorKind::kUnsupported, "GDAL's driver MEM is needed to compute overviews");
  return dataset;
}

/// The pixels of a window.
class WindowPixels {
 public:
  WindowPixels(const LevelWindow& window, GDALDataType type)
      : window_(window), type_(type), item_(static_cast<std::size_t>(GDALGetDataTypeSizeBytes(type))) {
    bytes_.resize(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height) * item_);
  }
  std::byte* data() { return bytes_.data(); }
  std::byte* At(int row, int column) {
    return bytes_.data() + (static_cast<std::size_t>(row) * static_cast<std::size_t>(window_.width) +
                            static_cast<std::size_t>(column)) *
                               item_;
  }
  std::size_t item() const { return item_; }
  /// Writes a part of the window to the level.
  CPLErr Write(GDALRasterBand& level, const LevelWindow& part) {
    std::byte* const first = At(part.y - window_.y, part.x - window_.x);
    return level.RasterIO(GF_Write, part.x, part.y, part.width, part.height, first, part.width, part.height, type_,
                          static_cast<GSpacing>(item_), static_cast<GSpacing>(item_) * window_.width, nullptr);
  }

 private:
  LevelWindow window_;
  GDALDataType type_;
  std::size_t item_;
  std::vector<std::byte> bytes_;
};

CPLErr Resample(GDALRasterBand& source, const Axis& x, const Axis& y, const Method& method, const LevelWindow& window,
                WindowPixels* pixels) {
  const SourceRange columns(x, window.x, window.width);
  const SourceRange rows(y, window.y, window.height);
  PlainBand plain(source, method.name);
  GDALRasterIOExtraArg extra;
  INIT_RASTERIO_EXTRA_ARG(extra);
  extra.eResampleAlg = method.algorithm;
  extra.bFloatingPointWindowValidity = TRUE;
  extra.dfXOff = columns.start;
  extra.dfXSize = columns.length;
  extra.dfYOff = rows.start;
  extra.dfYSize = rows.length;
  return plain.RasterIO(GF_Read, columns.first, rows.first, columns.count, rows.count, pixels->data(), window.width,
                        window.height, source.GetRasterDataType(), 0, 0, &extra);
}

/// Some versions of GDAL pass pixels of this method through another type, and round them. So the chosen pixels are
/// repeated, and GDAL chooses again.
CPLErr PassThroughGdal(const LevelWindow& window, GDALDataType type, WindowPixels* pixels) {
  const DatasetPtr source = MakeInMemory(2 * window.width, window.height, type);
  const DatasetPtr target = MakeInMemory(window.width, window.height, type);
  GDALRasterBand* from = source->GetRasterBand(1);
  GDALRasterBand* to = target->GetRasterBand(1);
  const auto item = static_cast<GSpacing>(pixels->item());
  std::vector<std::byte> twice(2 * pixels->item() * static_cast<std::size_t>(window.width));
  for (int row = 0; row < window.height; ++row) {
    for (std::size_t column = 0; column < static_cast<std::size_t>(window.width); ++column) {
      const std::byte* pixel = pixels->At(row, static_cast<int>(column));
      for (std::size_t copy : {2 * column, 2 * column + 1}) {
        std::copy_n(pixel, pixels->item(), twice.data() + copy * pixels->item());
      }
    }
    const CPLErr result = from->RasterIO(GF_Write, 0, row, 2 * window.width, 1, twice.data(), 2 * window.width, 1, type,
                                         item, 0, nullptr);
    if (result != CE_None) return result;
  }
  GDALRasterBand** const targets = &to;
  if (GDALRegenerateOverviewsMultiBand(1, &from, 1, &targets, "NEAREST", GDALDummyProgress, nullptr, nullptr) !=
      CE_None)
    return CE_Failure;
  return to->RasterIO(GF_Read, 0, 0, window.width, window.height, pixels->data(), window.width, window.height, type, 0,
                      0, nullptr);
}

/// GDAL's RasterIO chooses the nearest pixels by another rule than its overviews do.
CPLErr ChooseNearest(GDALRasterBand& source, const Axis& x, const Axis& y, const LevelWindow& window,
                     WindowPixels* pixels) {
  const auto choose = [](const Axis& axis, int pixel) {
    return std::min(axis.source - 1, static_cast<int>(std::floor(0.5 + pixel * axis.ratio())));
  };
  const int first = choose(x, window.x);
  const int count = choose(x, window.x + window.width - 1) - first + 1;
  const GDALDataType type = source.GetRasterDataType();
  std::vector<std::byte> line(static_cast<std::size_t>(count) * pixels->item());
  for (int row = 0; row < window.height; ++row) {
    const CPLErr result = source.RasterIO(GF_Read, first, choose(y, window.y + row), count, 1, line.data(), count, 1,
                                          type, 0, 0, nullptr);
    if (result != CE_None) return result;
    for (int column = 0; column < window.width; ++column) {
      const auto place = static_cast<std::size_t>(choose(x, window.x + column) - first);
      std::copy_n(line.data() + place * pixels->item(), pixels->item(), pixels->At(row, column));
    }
  }
  return PassThroughGdal(window, type, pixels);
}

/// Returns a window that contains `window` and is inside the level. GDAL computes its pixels exactly as it does if it
/// computes the whole level: it takes several at once and the rest one by one, which may round differently, and the
/// number of source pixels per pixel must not be rounded.
LevelWindow FitWindow(const LevelWindow& window, const Axis& x, const Axis& y) {
  LevelWindow fit = window;
  x.Fit(kPixelsAtOnce, &fit.x, &fit.width);
  y.Fit(1, &fit.y, &fit.height);
  return fit;
}

}  // namespace

bool CanComputeWindows(GDALRasterBand& source, const std::string& method) {
  const bool spreads_nodata = CPLTestBool(CPLGetConfigOption("GDAL_OVR_PROPAGATE_NODATA", "NO"));
  return FindMethod(method) && !spreads_nodata && !UsesColors(source, method) &&
         !GDALDataTypeIsComplex(source.GetRasterDataType());
}

std::uint64_t GetKernelMargin(const std::string& method) {
  const Method* known = FindMethod(method);
  return known ? known->margin : 0;
}

CPLErr ComputeWindow(GDALRasterBand& source, GDALRasterBand& level, const std::string& method,
                     const LevelWindow& window) {
  const Axis x{source.GetXSize(), level.GetXSize()};
  const Axis y{source.GetYSize(), level.GetYSize()};
  const Method& known = *FindMethod(method);
  const bool is_same_size = x.source == x.level && y.source == y.level;
  const bool chooses = known.algorithm == GRIORA_NearestNeighbour || is_same_size;
  const LevelWindow computed = chooses ? window : FitWindow(window, x, y);
  WindowPixels pixels(computed, source.GetRasterDataType());
  const CPLErr result =
      chooses ? ChooseNearest(source, x, y, computed, &pixels) : Resample(source, x, y, known, computed, &pixels);
  return result == CE_None ? pixels.Write(level, window) : result;
}

}  // namespace gdal_zarr
