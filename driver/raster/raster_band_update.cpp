// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/cf/color_table.h"
#include "driver/cf/set_attribute.h"
#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/native_metadata.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/raster_band.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {

using zarr::JsonNode;

CPLErr RasterBand::IWriteBlock(int block_x, int block_y, void* data) {
  return GuardChange([&] {
    const GSpacing item = GDALGetDataTypeSizeBytes(eDataType);
    const int band = nBand - 1;
    return dataset_.pixels().WriteBlock(GetBlockWindow(block_x, block_y), band,
                                        {data, eDataType, item, item * nBlockXSize, 0});
  });
}

namespace {

/// Returns the buffer pixels that GDAL would write to `count` pixels of a dataset, along one axis.
std::vector<int> FindBufferPixels(int count, int buffer_count) {
  const double step = count / static_cast<double>(buffer_count);
  std::vector<int> pixels;
  for (int i = 0; i < count; ++i) pixels.push_back(std::min(buffer_count - 1, static_cast<int>(i / step)));
  return pixels;
}

}  // namespace

/// GDAL would read whole blocks into its cache and write them back, including pixels that another process has changed
/// since.
CPLErr RasterBand::WriteResampled(const Window& window, const PixelBuffer& buffer, const Window& buffer_window,
                                  const GDALRasterIOExtraArg* extra) {
  constexpr std::size_t kStripBytes = std::size_t{8} << 20;
  const auto item = static_cast<std::size_t>(GDALGetDataTypeSizeBytes(buffer.type));
  const std::size_t row_bytes = static_cast<std::size_t>(window.width) * item;
  const auto strip_height = static_cast<int>(std::max<std::size_t>(1, kStripBytes / row_bytes));
  const int band = nBand - 1;
  return GuardChange([&] {
    const std::vector<int> columns = FindBufferPixels(window.width, buffer_window.width);
    const std::vector<int> rows = FindBufferPixels(window.height, buffer_window.height);
    std::vector<std::byte> strip;
    for (int top = 0; top < window.height; top += strip_height) {
      const int height = std::min(strip_height, window.height - top);
      strip.clear();
      for (int y = top; y < top + height; ++y) {
        const auto* line = static_cast<const std::byte*>(buffer.data) + rows[y] * buffer.line_stride;
        for (const int column : columns) {
          const std::byte* pixel = line + column * buffer.pixel_stride;
          strip.insert(strip.end(), pixel, pixel + item);
        }
      }
      const PixelBuffer pixels{strip.data(), buffer.type, static_cast<GSpacing>(item), static_cast<GSpacing>(row_bytes),
                               0};
      const Window target{window.x, window.y + top, window.width, height};
      if (dataset_.pixels().Write(target, {&band, 1}, pixels, nullptr) != CE_None) return CE_Failure;
      const double share = static_cast<double>(top + height) / window.height;
      if (extra && extra->pfnProgress && !extra->pfnProgress(share, "", extra->pProgressData)) return CE_Failure;
    }
    return CE_None;
  });
}

// --- nodata -----------------------------------------------------------------------------------------------------

CPLErr RasterBand::SaveNodata(const void* value, GDALDataType type) {
  GdalElement element(GDALExtendedDataType::Create(eDataType));
  ConvertNumber(value, type, element.data(), eDataType);
  const auto size = static_cast<std::size_t>(GDALGetDataTypeSizeBytes(eDataType));
  const std::span bytes(static_cast<const std::byte*>(element.data()), size);
  return dataset_.band_values().ChangeNodata(nBand, bytes, [&](MDArray& array) {
    if (!CanHold(eDataType, value, type)) {
      double wanted = 0;
      GDALCopyWords64(value, type, 0, &wanted, GDT_Float64, 0, 1);
      throw zarr::Error(
          zarr::ErrorKind::kInvalidArgument,
          "nodata: " + zarr::FormatExpectedGot(std::string("a value of type ") + GDALGetDataTypeName(eDataType),
                                               std::to_string(wanted)));
    }
    array.ChangeNodata(element.data());
  });
}

CPLErr RasterBand::SetNoDataValue(double value) {
  return GuardChange([&] { return SaveNodata(&value, GDT_Float64); });
}

CPLErr RasterBand::SetNoDataValueAsInt64(int64_t value) {
  return GuardChange([&] { return SaveNodata(&value, GDT_Int64); });
}

CPLErr RasterBand::SetNoDataValueAsUInt64(uint64_t value) {
  return GuardChange([&] { return SaveNodata(&value, GDT_UInt64); });
}

CPLErr RasterBand::DeleteNoDataValue() {
  return GuardChange([&] {
    return dataset_.band_values().ChangeNodata(nBand, {}, [](MDArray& array) { array.ChangeNodata(nullptr); });
  });
}

// --- attributes -------------------------------------------------------------------------------------------------

CPLErr RasterBand::SaveConversion(const char* name, double number, double neutral) {
  BandValues& values = dataset_.band_values();
  // GDAL's programs set these for some bands only, such as those next to an alpha band.
  const bool says_nothing = number == neutral && !values.FindItem(name, 0);
  return values.ChangeAttribute(nBand, name,
                                says_nothing ? std::nullopt : std::optional(MakeFiniteNumber(name, number)));
}

CPLErr RasterBand::SetOffset(double offset) {
  return GuardChange([&] { return SaveConversion(kOffsetAttribute, offset, 0); });
}

CPLErr RasterBand::SetScale(double scale) {
  return GuardChange([&] { return SaveConversion(kScaleAttribute, scale, 1); });
}

bool RasterBand::MayHaveChanged() const {
  return !dataset_.parts().resource->is_on_network();
}

namespace {

/// Takes out a unit of which only the store knows. Not a change through one of several bands.
CPLErr TakeOutUnit(const RasterParts& raster) {
  return ChangeArray(raster, [](MDArray& array) { array.SaveAttribute(kUnitsAttribute, std::nullopt); });
}

}  // namespace

CPLErr RasterBand::SetUnitType(const char* unit) {
  return GuardChange([&] {
    const std::string text = ToUtf8(unit ? unit : "", kUnitsAttribute);
    const bool is_told =
        eAccess == GA_Update && text == GetUnitType() && !dataset_.band_values().FindItem(kUnitsAttribute, 0);
    if (is_told) return text.empty() && MayHaveChanged() ? TakeOutUnit(dataset_.parts()) : CE_None;
    const CPLErr result = dataset_.band_values().ChangeAttribute(
        nBand, kUnitsAttribute, text.empty() ? std::nullopt : std::optional(JsonNode::MakeString(text)));
    if (result == CE_None) unit_ = std::make_shared<const std::string>(text);
    return result;
  });
}

CPLErr RasterBand::ChangeOwn(const std::function<void(zarr::JsonChanges& changes, const BandPlace& place)>& change) {
  return ChangeArray(dataset_.parts(), [&](MDArray& array) {
    const BandPlace place{GetBandIndex(), CountBandsToChange()};
    array.ChangeAttributesLater([&](zarr::JsonChanges& changes) { change(changes, place); });
  });
}

CPLErr RasterBand::SetColorInterpretation(GDALColorInterp interpretation) {
  return GuardChange([&] {
    // Bands without a stored colour interpretation may have one from another source, such as a colour table.
    std::vector<std::string> shown;
    std::string name = GDALGetColorInterpretationName(interpretation);
    if (const auto known = FindItem(kColorInterpretationAttribute); known && known->IsString()) {
      const bool is_same = GDALGetColorInterpretationByName(known->AsString().c_str()) == interpretation;
      if (is_same) name = known->AsString();  // keeps a spelling in different case
    }
    if (!dataset_.band_values().IsListChanged(kColorInterpretationAttribute)) {
      shown.resize(CountBandsToChange());
      for (int band = 1; band <= dataset_.GetRasterCount(); ++band) {
        auto& other = *static_cast<RasterBand*>(dataset_.GetRasterBand(band));
        shown[other.GetBandIndex()] = GDALGetColorInterpretationName(other.GetColorInterpretation());
      }
    }
    const bool is_other_mask = (GetColorInterpretation() == GCI_AlphaBand) != (interpretation == GCI_AlphaBand);
    if (is_other_mask && NoteOtherLevels() != CE_None) return CE_Failure;
    return ChangeOwn([&](zarr::JsonChanges& changes, const BandPlace& place) {
      SetColorInterpretationName(&changes, place, name, shown);
    });
  });
}

CPLErr RasterBand::NoteOtherLevels() {
  return ChangeArray(dataset_.parts(), [](MDArray& array) { NoteChange(*array.resource(), array.array()); });
}

CPLErr RasterBand::CreateMaskBand(int flags) {
  return dataset_.CreateMaskBand(flags);
}

// --- values of a single band ------------------------------------------------------------------------------------

bool RasterBand::HasItem(const std::string& name, const std::string& value) const {
  if (IsKeptAsStatistic(name, value)) {
    const auto statistic = FindItem(name.c_str());
    return statistic && FormatStatistic(*statistic) == value;
  }
  const auto items = FindOwn(kBandMetadata);
  const auto text = items ? FindMember(*items, name) : std::nullopt;
  return text && *text == JsonNode::MakeString(value);
}

std::vector<RasterBand::MetadataChange> RasterBand::ListChanges(const CPLStringList& before,
                                                                const CPLStringList& wanted) const {
  std::vector<MetadataChange> removed;
  std::vector<MetadataChange> set;
  std::set<std::string> kept;
  for (int i = 0; i < wanted.size(); ++i) {
    const auto item = ParseNameValue(wanted[i]);
    if (!item || told_elsewhere_.FetchNameValue(item->first.c_str())) continue;
    const auto& [name, value] = *item;
    // Unchanged items are not written: another process may have changed them.
    if (HasItem(name, value)) {
      kept.insert(name);
    } else {
      set.push_back({name, value});
    }
  }
  for (int i = 0; i < before.size(); ++i) {
    const auto item = ParseNameValue(before[i]);
    if (item && !kept.contains(item->first)) removed.push_back({item->first, std::nullopt});
  }
  removed.insert(removed.end(), set.begin(), set.end());
  return removed;
}

namespace {

/// Returns items about the position of a band, such as "DIM_time_INDEX", under the new names of dimensions.
CPLStringList NamePlacesAnew(MetadataList items, const std::map<std::string, std::string>& renamed) {
  CPLStringList list(CSLDuplicate(const_cast<char**>(items)));
  for (const auto& [before, now] : renamed) {
    for (const char* kind : {"_INDEX", "_VALUE", "_UNIT", "_ISO8601", "_CALENDAR"}) {
      const std::string name = "DIM_" + before + kind;
      const char* const known = list.FetchNameValue(name.c_str());
      if (!known) continue;
      const std::string value = known;
      list.SetNameValue(name.c_str(), nullptr);
      list.SetNameValue(("DIM_" + now + kind).c_str(), value.c_str());
    }
  }
  return list;
}

}  // namespace

CPLErr RasterBand::SetMetadata(MetadataList metadata, const char* domain) {
  return GuardChange([&] {
    if (eAccess != GA_Update) return GDALPamRasterBand::SetMetadata(metadata, domain);
    if (domain && *domain) {
      return dataset_.CheckSideFile(domain) == CE_None ? GDALPamRasterBand::SetMetadata(metadata, domain) : CE_Failure;
    }
    if (!LoadMetadata("")) return CE_Failure;
    const CPLStringList before(CSLDuplicate(const_cast<char**>(RasterBand::GetMetadata(""))));
    const CPLStringList wanted = NamePlacesAnew(metadata, dataset_.renamed_dimensions());
    const std::vector<MetadataChange> list = ListChanges(before, wanted);
    std::map<std::string, std::optional<JsonNode>> statistics;  // read first: the change locks them
    for (const auto& [item, value] : list) statistics[item] = FindItem(item.c_str());
    const CPLErr result = ChangeOwn([&](zarr::JsonChanges& changes, const BandPlace& place) {
      for (const auto& [item, value] : list) SetBandMetadata(&changes, place, item, value, statistics.at(item));
    });
    if (result != CE_None) return result;
    native_metadata_.SetAll(wanted, "");
    // An old value in a PAM file would take precedence.
    return GDALPamRasterBand::GetMetadata("") ? GDALPamRasterBand::SetMetadata(nullptr, "") : CE_None;
  });
}

CPLErr RasterBand::SetMetadataItem(const char* name, const char* value, const char* domain) {
  return GuardChange([&] {
    if (eAccess != GA_Update) return GDALPamRasterBand::SetMetadataItem(name, value, domain);
    if (domain && *domain) {
      if (dataset_.CheckSideFile(domain) != CE_None) return CE_Failure;
      return GDALPamRasterBand::SetMetadataItem(name, value, domain);
    }
    if (!LoadMetadata("")) return CE_Failure;
    const auto statistic = FindItem(name);
    const CPLErr result = ChangeOwn([&](zarr::JsonChanges& changes, const BandPlace& place) {
      SetBandMetadata(&changes, place, name, value ? std::optional<std::string>(value) : std::nullopt, statistic);
    });
    if (result != CE_None) return result;
    native_metadata_.Set(name, value);
    return GDALPamRasterBand::GetMetadataItem(name, "") ? GDALPamRasterBand::SetMetadataItem(name, nullptr, "")
                                                        : CE_None;
  });
}

void RasterBand::SetDescription(const char* description) {
  TryChange([&] {
    if (eAccess != GA_Update) {
      is_description_stored_ = false;
      return GDALPamRasterBand::SetDescription(description);
    }
    const std::string text = ToUtf8(description ? description : "", kBandDescription);
    const bool has_own = GDALPamRasterBand::GetDescription()[0] != '\0';
    const bool is_told = !has_own && text == GetDescription();  // derived from coordinates
    if (is_told && !(text.empty() && MayHaveChanged())) return;
    const CPLErr result = ChangeOwn([&](zarr::JsonChanges& changes, const BandPlace& place) {
      const auto value = text.empty() ? std::nullopt : std::optional(JsonNode::MakeString(text));
      SetBandItem(&changes, place, kBandDescription, value);
    });
    if (result != CE_None) return;
    // Skips GDAL's PAM class, which would save it in a PAM file as well.
    GDALMajorObject::SetDescription(text.c_str());  // NOLINT(bugprone-parent-virtual-call)
    // An old description in a PAM file would take precedence.
    if (!std::exchange(is_description_stored_, true)) dataset_.RewriteSideFile();
  });
}

namespace {

/// Returns the attributes of flags and colours, without reading all other attributes.
JsonNode FindFlags(const MDArray& array) {
  zarr::JsonMembers flags;
  const auto add = [&](const char* name) {
    if (const auto value = array.FindAttribute(name)) flags.emplace_back(name, *value);
  };
  std::ranges::for_each(kFlagAttributes, add);
  add(kColorTableAttribute);
  return JsonNode::MakeObject(flags);
}

JsonNode MakeColorList(const GDALColorTable& colors) {
  std::vector<JsonNode> entries;
  for (int i = 0; i < colors.GetColorEntryCount(); ++i) {
    const GDALColorEntry& entry = *colors.GetColorEntry(i);
    entries.push_back(JsonNode::MakeArray({JsonNode::MakeInteger(entry.c1), JsonNode::MakeInteger(entry.c2),
                                           JsonNode::MakeInteger(entry.c3), JsonNode::MakeInteger(entry.c4)}));
  }
  return JsonNode::MakeArray(entries);
}

/// `flag_colors` has a colour per flag. If there will be other flags, the colours that it gives to values stay in a
/// colour table.
void KeepColors(zarr::JsonChanges* changes, const JsonNode& flags, const std::optional<JsonNode>& new_values) {
  if (SaysAlready(FindMember(flags, "flag_values"), new_values)) return;
  const GDALColorTable colors = ReadColorTable(flags, true);
  const bool has_table = FindMember(flags, kColorTableAttribute).has_value();
  if (!has_table && colors.GetColorEntryCount() > 0) {
    changes->SetMember(kColorTableAttribute, MakeColorList(colors));
  }
  changes->SetMember("flag_colors", std::nullopt);
}

/// `flags` are those of the array, and `is_whole` if the band is a whole array of integers, whose names are its flags.
/// Otherwise, the flags are those of other bands, too.
void SetCategories(zarr::JsonChanges* changes, const BandPlace& place, const CPLStringList& list, const JsonNode& flags,
                   bool is_whole) {
  bool are_flags = is_whole;
  std::string meanings;
  std::vector<JsonNode> values;
  std::vector<JsonNode> texts;
  for (int i = 0; i < list.size(); ++i) {
    const std::string name = ToUtf8(list[i], kBandCategories);
    texts.push_back(JsonNode::MakeString(name));
    if (name.empty()) continue;
    are_flags = are_flags && name.find_first_of(" \t") == std::string::npos;
    values.push_back(JsonNode::MakeInteger(i));
    meanings += (meanings.empty() ? "" : " ") + name;
  }
  // If the last entry has no name, the list would lose entries at its end.
  are_flags = are_flags && !texts.empty() && list[list.size() - 1][0] != '\0';
  // An empty list says that the band does not have the names of the flags.
  const bool needs_none = texts.empty() && (is_whole || ReadCategoryNames(flags).empty());
  const auto exact = are_flags || needs_none ? std::nullopt : std::optional(JsonNode::MakeArray(texts));
  SetBandItem(changes, place, kBandCategories, exact);
  if (!is_whole) return;
  const auto new_values = are_flags ? std::optional(JsonNode::MakeArray(values)) : std::nullopt;
  KeepColors(changes, flags, new_values);
  changes->SetMember("flag_masks", std::nullopt);
  changes->SetMember("flag_values", new_values);
  changes->SetMember("flag_meanings", are_flags ? std::optional(JsonNode::MakeString(meanings)) : std::nullopt);
}

CPLErr RemoveFlagColors(const RasterParts& raster) {
  return ChangeArray(raster, [](MDArray& array) {
    if (array.FindAttribute("flag_colors")) array.SaveAttribute("flag_colors", std::nullopt);
  });
}

}  // namespace

CPLErr RasterBand::SetCategoryNames(char** names) {
  return GuardChange([&] {
    if (eAccess != GA_Update) return GDALPamRasterBand::SetCategoryNames(names);
    const CPLStringList list(CSLDuplicate(names));
    const CPLErr result = ChangeArray(dataset_.parts(), [&](MDArray& array) {
      const bool is_integer = GDALDataTypeIsInteger(eDataType);
      const auto own = FindOwn(kBandCategories);
      const JsonNode flags = is_integer ? FindFlags(array) : JsonNode::MakeObject({});
      const bool takes_out = list.empty() && MayHaveChanged();
      if (!takes_out && AreEqual(list, own ? ReadCategories(own) : ReadCategoryNames(flags))) return;
      const BandPlace place{GetBandIndex(), CountBandsToChange()};
      array.ChangeAttributesLater([&](zarr::JsonChanges& changes) {
        SetCategories(&changes, place, list, flags, CountBands() == 1 && is_integer);
      });
    });
    if (result != CE_None) return result;
    categories_ = list;
    has_own_categories_ = true;
    dataset_.ShowFlags();
    return CE_None;
  });
}

CPLErr RasterBand::SetColorTable(GDALColorTable* colors) {
  return GuardChange([&] {
    if (eAccess != GA_Update) return GDALPamRasterBand::SetColorTable(colors);
    const bool has_colors = colors && colors->GetColorEntryCount() > 0;
    const CPLErr result = dataset_.band_values().ChangeAttribute(
        nBand, kColorTableAttribute, has_colors ? std::optional(MakeColorList(*colors)) : std::nullopt);
    if (result != CE_None) return result;
    if (!has_colors && RemoveFlagColors(dataset_.parts()) != CE_None) return CE_Failure;
    dataset_.ShowFlags();
    return CE_None;
  });
}

}  // namespace gdal_zarr
