// SPDX-License-Identifier: MIT
#include "driver/overviews/compute_overviews.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "driver/overviews/plain_band.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

/// Resampling methods that GDAL computes for several bands and levels at once, each level from the preceding one.
constexpr const char* kCascading[] = {"NEAREST", "NEAR",        "AVERAGE", "RMS",      "GAUSS",
                                      "CUBIC",   "CUBICSPLINE", "LANCZOS", "BILINEAR", "MODE"};
/// Resampling methods that GDAL computes band by band.
constexpr const char* kOthers[] = {"NONE", "AVERAGE_MP", "AVERAGE_MAGPHASE", "AVERAGE_BIT2GRAYSCALE",
                                   "AVERAGE_BIT2GRAYSCALE_MINISWHITE"};

template <typename List>
bool IsIn(const List& list, const std::string& name) {
  return std::any_of(std::begin(list), std::end(list), [&](const char* item) { return EQUAL(item, name.c_str()); });
}

/// A part of a progress bar.
class ProgressPart {
 public:
  ProgressPart(const OverviewRequest& request, double from, double to)
      : data_(GDALCreateScaledProgress(from, to, request.progress, request.progress_data), GDALDestroyScaledProgress) {}
  void* data() const { return data_.get(); }

 private:
  std::unique_ptr<void, void (*)(void*)> data_;
};

/// Returns the bands that are computed together. An alpha band is computed first: GDAL makes each level of the other
/// bands from the preceding one, whose alpha values say which pixels count. It is also computed alone: GDAL would apply
/// the mask of the first band to all bands, so that the alpha values would depend on which bands share chunks.
std::vector<std::vector<int>> GroupBands(GDALDataset& base, const OverviewRequest& request) {
  const auto is_alpha = [&](int band) { return base.GetRasterBand(band)->GetColorInterpretation() == GCI_AlphaBand; };
  std::vector<std::vector<int>> groups;
  std::vector<std::vector<int>> others;
  std::size_t taken = 0;
  for (const int band : request.bands) {
    if (taken++ % static_cast<std::size_t>(request.bands_at_once) == 0) others.emplace_back();
    if (is_alpha(band)) {
      groups.push_back({band});
    } else {
      others.back().push_back(band);
    }
  }
  std::ranges::copy_if(others, std::back_inserter(groups), [](const auto& group) { return !group.empty(); });
  return groups;
}

using Bands = std::vector<GDALRasterBand*>;

/// Computes levels of some bands; GDAL makes each level but the first from the preceding one.
CPLErr ComputeBands(const Bands& sources, const std::vector<GDALDataset*>& levels, const std::vector<int>& bands,
                    const OverviewRequest& request, const ProgressPart& progress) {
  std::vector<Bands> targets;
  for (const int band : bands) {
    targets.emplace_back();
    for (GDALDataset* level : levels) targets.back().push_back(level->GetRasterBand(band));
  }
  std::vector<GDALRasterBand**> lists;
  for (auto& list : targets) lists.push_back(list.data());
  return GDALRegenerateOverviewsMultiBand(static_cast<int>(bands.size()), sources.data(),
                                          static_cast<int>(levels.size()), lists.data(), request.resampling.c_str(),
                                          GDALScaledProgress, progress.data(), request.options);
}

Bands GetBands(GDALDataset& dataset, const std::vector<int>& numbers) {
  Bands bands;
  for (const int number : numbers) bands.push_back(dataset.GetRasterBand(number));
  return bands;
}

double CountPixels(GDALDataset& dataset) {
  return static_cast<double>(dataset.GetRasterXSize()) * dataset.GetRasterYSize();
}

/// Like ComputeBands from the base, but by parts of which the result does not depend.
CPLErr ComputeEvenly(GDALDataset& base, const std::vector<GDALDataset*>& levels, const std::vector<int>& bands,
                     const OverviewRequest& request, double from, double to) {
  double total = 0;
  for (GDALDataset* level : levels) total += CountPixels(*level);
  const double share = (to - from) / total;
  GDALDataset* preceding = &base;
  for (GDALDataset* level : levels) {
    // GDAL makes a level of the base if it is as wide as the preceding one.
    GDALDataset& source = preceding->GetRasterXSize() > level->GetRasterXSize() ? *preceding : base;
    std::vector<std::unique_ptr<PlainBand>> plain;
    Bands sources;
    for (GDALRasterBand* band : GetBands(source, bands)) {
      plain.push_back(std::make_unique<PlainBand>(*band, request.resampling));
      sources.push_back(plain.back().get());
    }
    const double end = from + share * CountPixels(*level);
    const CPLErr result = ComputeBands(sources, {level}, bands, request, ProgressPart(request, from, end));
    if (result != CE_None) return result;
    from = end;
    preceding = level;
  }
  return CE_None;
}

CPLErr ComputeCascade(GDALDataset& base, const std::vector<GDALDataset*>& levels, const OverviewRequest& request) {
  const std::vector<std::vector<int>> groups = GroupBands(base, request);
  const bool evenly = !HasRegion(request) && PlainBand::IsNeeded(*base.GetRasterBand(1), request.resampling);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto count = static_cast<double>(groups.size());
    const double from = static_cast<double>(i) / count;
    const double to = static_cast<double>(i + 1) / count;
    const CPLErr result =
        evenly ? ComputeEvenly(base, levels, groups[i], request, from, to)
               : ComputeBands(GetBands(base, groups[i]), levels, groups[i], request, ProgressPart(request, from, to));
    if (result != CE_None) return result;
  }
  return CE_None;
}

/// Computes each level in a separate call. A region in the options refers to the base, so only the base may be the
/// source.
CPLErr ComputeOneByOne(GDALDataset& base, const std::vector<GDALDataset*>& levels, const OverviewRequest& request) {
  double total = 0;
  for (GDALDataset* level : levels) total += CountPixels(*level) * static_cast<double>(request.bands.size());
  const bool by_colors = UsesColors(*base.GetRasterBand(1), request.resampling);
  double done = 0;
  GDALDataset* source = &base;
  for (GDALDataset* level : levels) {
    for (const int band : request.bands) {
      const ProgressPart part(request, done / total, (done + CountPixels(*level)) / total);
      GDALRasterBandH target = GDALRasterBand::ToHandle(level->GetRasterBand(band));
      const CPLErr result =
          GDALRegenerateOverviewsEx(GDALRasterBand::ToHandle(source->GetRasterBand(band)), 1, &target,
                                    request.resampling.c_str(), GDALScaledProgress, part.data(), nullptr);
      if (result != CE_None) return result;
      done += CountPixels(*level);
    }
    if (!by_colors) source = level;  // new levels have no palette
  }
  return CE_None;
}

}  // namespace

bool ComputesPixels(const OverviewRequest& request) {
  return !EQUAL(request.resampling.c_str(), "NONE");
}

bool HasRegion(const OverviewRequest& request) {
  return CSLFetchNameValue(request.options, "XOFF") || CSLFetchNameValue(request.options, "YOFF");
}

std::string GetMethodName(const std::string& method) {
  const bool is_known = (IsIn(kCascading, method) || IsIn(kOthers, method)) && !EQUAL(method.c_str(), "NONE");
  if (!is_known) return "";
  return EQUAL(method.c_str(), "NEAR") ? std::string("NEAREST") : std::string(CPLString(method).toupper());
}

OverviewRequest MakeOverviewRequest(const char* resampling, int factor_count, const int* factors, int band_count,
                                    const int* bands, GDALProgressFunc progress, void* progress_data,
                                    CSLConstList options) {
  OverviewRequest request;
  request.resampling = resampling && *resampling ? resampling : "NEAREST";
  request.factors.assign(factors, factors + factor_count);
  request.bands.assign(bands, bands + band_count);
  request.options = options;
  request.progress = progress ? progress : GDALDummyProgress;
  request.progress_data = progress_data;
  std::sort(request.factors.begin(), request.factors.end());
  request.factors.erase(std::unique(request.factors.begin(), request.factors.end()), request.factors.end());
  if (!request.factors.empty() && request.factors.front() < 2) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("factors of 2 or more", std::to_string(request.factors.front())));
  }
  if (!IsIn(kCascading, request.resampling) && !IsIn(kOthers, request.resampling)) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("a resampling method for overviews", request.resampling));
  }
  return request;
}

CPLErr ComputeLevels(GDALDataset& base, const std::vector<GDALDataset*>& levels, const OverviewRequest& request) {
  if (levels.empty() || !ComputesPixels(request)) return CE_None;
  const bool complex = GDALDataTypeIsComplex(base.GetRasterBand(1)->GetRasterDataType()) != 0;
  const bool by_values = !complex && !UsesColors(*base.GetRasterBand(1), request.resampling);
  if (by_values && IsIn(kCascading, request.resampling)) return ComputeCascade(base, levels, request);
  return ComputeOneByOne(base, levels, request);
}

}  // namespace gdal_zarr
