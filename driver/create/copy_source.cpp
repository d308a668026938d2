// SPDX-License-Identifier: MIT
#include "driver/create/copy_source.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "driver/cf/unsigned_attribute.h"
#include "driver/create/common_type.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/native_metadata.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/views.h"
#include "driver/raster/band_attributes.h"
#include "driver/types/type_map.h"

namespace gdal_zarr {
namespace {

// --- values that the bands of an array share -------------------------------------------------------------------------

std::string FormatNumber(double number) {
  return CPLSPrintf("%.17g", number);
}

/// Returns the nodata value as the values of a band may have it: those of Float32 are rounded. One that integers cannot
/// have is meant for such bands next to them.
double GetNodataOfValues(GDALRasterBand& band, int* has) {
  const double nodata = band.GetNoDataValue(has);
  const GDALDataType type = band.GetRasterDataType();
  const bool is_exact = type != GDT_Float32 && CanHold(type, &nodata, GDT_Float64);
  return is_exact || !CanHold(GDT_Float32, &nodata, GDT_Float64) ? nodata : static_cast<float>(nodata);
}

std::string FormatNodata(GDALRasterBand& band) {
  int has = FALSE;
  std::string text;
  if (band.GetRasterDataType() == GDT_Int64) {
    text = std::to_string(band.GetNoDataValueAsInt64(&has));
  } else if (band.GetRasterDataType() == GDT_UInt64) {
    text = std::to_string(band.GetNoDataValueAsUInt64(&has));
  } else {
    text = FormatNumber(GetNodataOfValues(band, &has));
  }
  return has ? text : "none";
}

std::string FormatScale(GDALRasterBand& band) {
  int has = FALSE;
  const double scale = band.GetScale(&has);
  return FormatNumber(has ? scale : 1);
}

std::string FormatOffset(GDALRasterBand& band) {
  int has = FALSE;
  const double offset = band.GetOffset(&has);
  return FormatNumber(has ? offset : 0);
}

std::string FormatUnit(GDALRasterBand& band) {
  const char* unit = band.GetUnitType();
  return unit && *unit ? unit : "none";
}

std::string FormatColors(GDALRasterBand& band) {
  const GDALColorTable* colors = band.GetColorTable();
  std::string text = colors ? "one" : "none";
  for (int i = 0; colors && i < colors->GetColorEntryCount(); ++i) {
    const GDALColorEntry& entry = *colors->GetColorEntry(i);
    text += CPLSPrintf(" %d,%d,%d,%d", entry.c1, entry.c2, entry.c3, entry.c4);
  }
  return text;
}

struct CommonValue {
  const char* name;
  std::string (*text)(GDALRasterBand& band);  ///< Formats the value, for comparisons and messages.
};

enum Row : std::size_t { kNodata, kScale, kOffset, kUnit, kColors };
constexpr CommonValue kCommonValues[] = {{"nodata value", FormatNodata},
                                         {"scale", FormatScale},
                                         {"offset", FormatOffset},
                                         {"unit", FormatUnit},
                                         {"colour table", FormatColors}};

/// An alpha band has no colours of its own, so the others' do not contradict it.
bool HasSuchValue(GDALRasterBand& band, const CommonValue& value) {
  const bool is_colors = &value == &kCommonValues[kColors];
  return !is_colors || band.GetColorTable() || band.GetColorInterpretation() != GCI_AlphaBand;
}

/// Returns a description such as "scale (1 in band 1, 10 in band 2)", or "" if all bands have the same value.
std::string DescribeDifference(GDALDataset& source, const CommonValue& value) {
  std::string first;
  int first_band = 0;
  for (int number = 1; number <= source.GetRasterCount(); ++number) {
    GDALRasterBand& band = *source.GetRasterBand(number);
    if (!HasSuchValue(band, value)) continue;
    const std::string text = value.text(band);
    if (first_band == 0) {
      first = text;
      first_band = number;
    }
    if (text == first) continue;
    constexpr std::size_t kShown = 40;
    return std::string(value.name) + " (" + first.substr(0, kShown) + " in band " + std::to_string(first_band) + ", " +
           text.substr(0, kShown) + " in band " + std::to_string(number) + ")";
  }
  return "";
}

/// Returns the nodata value of a band as text if the type of its copy cannot hold it; otherwise "".
std::string DescribeUnfit(GDALRasterBand& band, GDALDataType type) {
  int has = FALSE;
  const GDALDataType own = band.GetRasterDataType();
  if (own == GDT_Int64) {
    const std::int64_t nodata = band.GetNoDataValueAsInt64(&has);
    return has && !CanHold(type, &nodata, own) ? std::to_string(nodata) : "";
  }
  if (own == GDT_UInt64) {
    const std::uint64_t nodata = band.GetNoDataValueAsUInt64(&has);
    return has && !CanHold(type, &nodata, own) ? std::to_string(nodata) : "";
  }
  const double nodata = band.GetNoDataValue(&has);
  return has && !CanHold(type, &nodata, GDT_Float64) ? FormatNumber(nodata) : "";
}

/// Lists the nodata values that the types of the copies cannot hold, such as "300 of band 1 (Byte)", by band number.
std::map<int, std::string> ListUnfit(GDALDataset& source, const std::vector<GDALDataType>& types) {
  std::map<int, std::string> unfit;
  for (int number = 1; number <= source.GetRasterCount(); ++number) {
    const GDALDataType type = types[static_cast<std::size_t>(number) - 1];
    const std::string nodata = DescribeUnfit(*source.GetRasterBand(number), type);
    if (nodata.empty()) continue;
    unfit[number] = nodata + " of band " + std::to_string(number) + " (" + GDALGetDataTypeName(type) + ")";
  }
  return unfit;
}

bool HasMask(GDALDataset& source) {
  for (int band = 1; band <= source.GetRasterCount(); ++band) {
    // Other masks are derived from values, which are copied.
    if ((source.GetRasterBand(band)->GetMaskFlags() & (GMF_ALL_VALID | GMF_ALPHA | GMF_NODATA)) == 0) return true;
  }
  return false;
}

/// Returns true if a metadata item, given as "name=value", cannot be kept as an item of a raster: GDAL has a function
/// for its meaning.
bool IsLost(std::string_view item) {
  return IsReservedAttribute(item.substr(0, item.find_first_of("=:")));
}

/// Returns true if an item `_Unsigned` of the source agrees with its type, which the copy gets.
bool IsSignOfType(GDALDataset& source) {
  const char* item = source.GetMetadataItem(kUnsignedAttribute);
  const auto is_unsigned = FindUnsigned(zarr::JsonNode::MakeString(item ? item : ""));
  if (!is_unsigned || source.GetRasterCount() == 0) return false;
  return *is_unsigned == (GDALDataTypeIsSigned(source.GetRasterBand(1)->GetRasterDataType()) == 0);
}

std::string ListLostItems(GDALDataset& source, bool hides_sign) {
  std::string list;
  for (CSLConstList item = source.GetMetadata(); item && *item; ++item) {
    const std::string_view text = *item;
    const std::string name(text.substr(0, text.find_first_of("=:")));
    if (IsLost(text) && !(hides_sign && name == kUnsignedAttribute)) list += (list.empty() ? "" : ", ") + name;
  }
  return list;
}

// --- a view of the source without the parts that cannot be kept ------------------------------------------------------

constexpr const char* kRpc = "RPC";

/// Hides the values of a band that cannot be kept from GDAL's copying, and shows the type that the band gets.
class SourceBand final : public BandView {
 public:
  SourceBand(GDALDataset* dataset, int number, GDALRasterBand& band, GDALDataType type, std::set<std::size_t> hidden)
      : BandView(dataset, number, band), hidden_(std::move(hidden)) {
    eDataType = type;
    GDALMajorObject::SetDescription(band.GetDescription());
  }

  double GetNoDataValue(int* has) override {
    return Guard(0.0, [&]() -> double {
      if (Hides(kNodata, has)) return 0;
      return Has(eDataType) ? band().GetNoDataValue(has) : GetNodataOfValues(band(), has);
    });
  }
  int64_t GetNoDataValueAsInt64(int* has) override {
    return Guard(int64_t{0}, [&]() -> int64_t {
      if (Hides(kNodata, has)) return 0;
      return Has(GDT_Int64) ? band().GetNoDataValueAsInt64(has) : static_cast<int64_t>(band().GetNoDataValue(has));
    });
  }
  uint64_t GetNoDataValueAsUInt64(int* has) override {
    return Guard(uint64_t{0}, [&]() -> uint64_t {
      if (Hides(kNodata, has)) return 0;
      return Has(GDT_UInt64) ? band().GetNoDataValueAsUInt64(has) : static_cast<uint64_t>(band().GetNoDataValue(has));
    });
  }
  double GetScale(int* has) override { return Hides(kScale, has) ? 1 : band().GetScale(has); }
  double GetOffset(int* has) override { return Hides(kOffset, has) ? 0 : band().GetOffset(has); }
  const char* GetUnitType() override { return Hides(kUnit) ? "" : band().GetUnitType(); }
  GDALColorTable* GetColorTable() override { return Hides(kColors) ? nullptr : band().GetColorTable(); }
  int GetMaskFlags() override { return GMF_ALL_VALID; }

 protected:
  CPLErr IReadBlock(int x, int y, void* data) override {
    return Guard(CE_Failure, [&] { return Has(eDataType) ? band().ReadBlock(x, y, data) : ReadConverted(x, y, data); });
  }

 private:
  bool Has(GDALDataType type) const { return band().GetRasterDataType() == type; }

  CPLErr ReadConverted(int x, int y, void* data) {
    const int column = x * nBlockXSize;
    const int row = y * nBlockYSize;
    const int width = std::min(nBlockXSize, nRasterXSize - column);
    const int height = std::min(nBlockYSize, nRasterYSize - row);
    const int bytes = GDALGetDataTypeSizeBytes(eDataType);
    return band().RasterIO(GF_Read, column, row, width, height, data, width, height, eDataType, bytes,
                           static_cast<GSpacing>(bytes) * nBlockXSize, nullptr);
  }

  bool Hides(Row row, int* has = nullptr) const {
    const bool hides = hidden_.contains(row);
    if (hides && has) *has = FALSE;
    return hides;
  }

  std::set<std::size_t> hidden_;
};

class SourceDataset final : public DatasetView {
 public:
  SourceDataset(GDALDataset& source, bool hides_points, bool hides_rpc)
      : DatasetView(source), hides_points_(hides_points), hides_rpc_(hides_rpc) {}

  void ShowBand(GDALDataType type, std::set<std::size_t> hidden) {
    const int band = GetRasterCount() + 1;
    SetBand(band, new SourceBand(this, band, *source().GetRasterBand(band), type, std::move(hidden)));
  }

  int GetGCPCount() override { return hides_points_ ? 0 : source().GetGCPCount(); }
  MetadataList GetMetadata(const char* domain) override {
    return Guard<MetadataList>(nullptr, [&]() -> MetadataList {
      if (!IsDefaultDomain(domain)) return Hides(domain) ? nullptr : source().GetMetadata(domain);
      items_.Clear();
      for (CSLConstList item = source().GetMetadata(domain); item && *item; ++item) {
        if (!IsLost(*item)) items_.AddString(*item);
      }
      return items_.List();
    });
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    return Guard<const char*>(nullptr, [&] {
      const bool hides = IsDefaultDomain(domain) ? name && IsLost(name) : Hides(domain);
      return hides ? nullptr : source().GetMetadataItem(name, domain);
    });
  }

 private:
  bool Hides(const char* domain) const { return hides_rpc_ && EQUAL(domain, kRpc); }

  CPLStringList items_;
  bool hides_points_;
  bool hides_rpc_;
};

}  // namespace

CopyLosses::CopyLosses(GDALDataset& source, bool one_array, bool has_side_files)
    : types_(ListBandTypes(source)),
      items_(ListLostItems(source, IsSignOfType(source))),
      hides_sign_(IsSignOfType(source)),
      masks_(HasMask(source)),
      points_(source.GetGCPCount() > 0 && !has_side_files),
      rpc_(source.GetMetadata(kRpc) != nullptr && !has_side_files) {
  if (one_array) {
    common_type_ = DescribeCommonType(types_);
    std::ranges::fill(types_, FindCommonType(types_));
  }
  unfit_ = ListUnfit(source, types_);
  if (!one_array || source.GetRasterCount() < 2) return;  // a multidimensional source does not have bands
  for (std::size_t row = 0; row < std::size(kCommonValues); ++row) {
    std::string text = DescribeDifference(source, kCommonValues[row]);
    if (!text.empty()) unlike_.push_back({row, std::move(text)});
  }
}

void CopyLosses::Report(CPLErr level) const {
  if (!items_.empty()) {
    CPLError(CE_Warning, CPLE_NotSupported,
             "Zarr: these metadata items of the source are left out: %s; GDAL has functions for what they say",
             items_.c_str());
  }
  std::string list;
  for (const Unlike& unlike : unlike_) list += (list.empty() ? "" : ", ") + unlike.text;
  if (!list.empty()) {
    CPLError(level, CPLE_NotSupported,
             "Zarr: the bands of an array share these values, so they cannot be written: %s; with SINGLE_ARRAY=NO "
             "each band is an array",
             list.c_str());
  }
  if (!common_type_.empty()) {
    CPLError(level, CPLE_NotSupported,
             "Zarr: the bands of an array share one data type, so all become %s; with SINGLE_ARRAY=NO each band is an "
             "array",
             common_type_.c_str());
  }
  if (!unfit_.empty()) {
    const std::size_t more = unfit_.size() - 1;
    CPLError(level, CPLE_NotSupported, "Zarr: the nodata value %s is none that the type can hold%s",
             unfit_.begin()->second.c_str(),
             more > 0 ? (", nor are those of " + std::to_string(more) + " more bands").c_str() : "");
  }
  if (masks_) {
    CPLError(level, CPLE_NotSupported,
             "Zarr: the mask of the source cannot be written; a nodata value or an alpha band can");
  }
  ReportSideFiles(level);
}

void CopyLosses::ReportSideFiles(CPLErr level) const {
  std::string list = points_ ? "ground control points (GCPs)" : "";
  if (rpc_) list += points_ ? " and rational polynomial coefficients (RPC)" : "rational polynomial coefficients (RPC)";
  if (list.empty()) return;
  CPLError(level, CPLE_NotSupported,
           "Zarr: %s of the source cannot be written: they need side files, which cannot be made here", list.c_str());
}

std::unique_ptr<GDALDataset> CopyLosses::Without(GDALDataset& source) const {
  std::set<std::size_t> hidden;
  for (const Unlike& unlike : unlike_) hidden.insert(unlike.row);
  auto view = std::make_unique<SourceDataset>(source, points_, rpc_);
  for (std::size_t i = 0; i < types_.size(); ++i) {
    std::set<std::size_t> hidden_of_band = hidden;
    if (unfit_.contains(static_cast<int>(i) + 1)) hidden_of_band.insert(kNodata);
    view->ShowBand(types_[i], std::move(hidden_of_band));
  }
  return view;
}

}  // namespace gdal_zarr
