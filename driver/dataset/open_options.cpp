// SPDX-License-Identifier: MIT
#include "driver/dataset/open_options.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "driver/gdal/option_values.h"
#include "driver/gdal/repository_name.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/metadata/chunk_key_encoding.h"
#include "zarrlib/store/icechunk/iso_time.h"

namespace gdal_zarr {
namespace {

struct OptionRow {
  const char* name;
  const char* alias;
  const char* type;  // as in GDAL's option lists
  const char* default_value;
  std::vector<const char*> values;  // for the type string-select
  const char* description;
  /// Sets the option. Returns false if the value is not allowed.
  using Apply = bool (*)(std::string_view value, OpenOptions* options);
  Apply apply;
};

template <bool OpenOptions::*member>
bool ApplyBoolean(std::string_view value, OpenOptions* options) {
  const std::optional<bool> parsed = ParseBoolean(value);
  if (parsed) options->*member = *parsed;
  return parsed.has_value();
}

bool ApplyNothing(std::string_view value, OpenOptions*) {
  return ParseBoolean(value).has_value();
}

template <std::string OpenOptions::*member>
bool ApplyText(std::string_view value, OpenOptions* options) {
  options->*member = value;
  return true;
}

/// Combines several lists into one.
bool ApplySelect(std::string_view value, OpenOptions* options) {
  options->select += (options->select.empty() ? "" : ",") + std::string(value);
  return true;
}

bool ApplyDelay(std::string_view value, OpenOptions* options) {
  if (IsEqualIgnoringCase(value, "unlimited")) {
    options->load_extra_dim_metadata_delay = std::numeric_limits<double>::infinity();
    return true;
  }
  const auto seconds = zarr::ParseNumber<double>(value);
  if (!seconds || !(*seconds >= 0)) return false;
  options->load_extra_dim_metadata_delay = *seconds;
  return true;
}

bool ApplyV1Order(std::string_view value, OpenOptions* options) {
  options->v1_order_literal = IsEqualIgnoringCase(value, "AS_DECLARED");
  return options->v1_order_literal || IsEqualIgnoringCase(value, "AS_WRITTEN");
}

bool ApplyConsolidated(std::string_view value, OpenOptions* options) {
  const std::optional<bool> use = ParseBoolean(value);
  if (use) options->use_consolidated_metadata = options->trust_consolidated_metadata = *use;
  return use.has_value();
}

bool ApplyDimSeparator(std::string_view value, OpenOptions* options) {
  options->dim_separator = value;
  return std::ranges::find(zarr::kChunkKeyForms, value) != std::end(zarr::kChunkKeyForms);
}

bool ApplyFillValueUse(std::string_view value, OpenOptions* options) {
  options->fill_value_use = FillValueUse::kAuto;
  if (IsEqualIgnoringCase(value, "AUTO")) return true;
  const std::optional<bool> use = ParseBoolean(value);
  if (use) options->fill_value_use = *use ? FillValueUse::kYes : FillValueUse::kNo;
  return use.has_value();
}

bool ApplyPartialWrites(std::string_view value, OpenOptions* options) {
  options->refuse_partial_writes = IsEqualIgnoringCase(value, "ERROR");
  return options->refuse_partial_writes || IsEqualIgnoringCase(value, "MERGE");
}

bool ApplyRefresh(std::string_view value, OpenOptions* options) {
  const std::optional<bool> parsed = ParseBoolean(value);
  const bool is_unit = !parsed && value.find(' ') != std::string_view::npos;
  options->refresh_overviews = parsed.value_or(false);
  options->overview_unit = is_unit ? value : std::string_view();
  return parsed || is_unit;
}

/// Adds a selector of a repository; the name of the dataset may have others.
bool AddSelector(const char* name, std::string_view value, OpenOptions* options) {
  std::string* const selectors = &options->repository_selectors;
  *selectors += (selectors->empty() ? "" : "&") + MakeSelector(name, value);
  return !value.empty();
}

bool ApplyAsOf(std::string_view value, OpenOptions* options) {
  return zarr::ParseIsoTime(value) && AddSelector("as-of", value, options);
}

bool ApplyIgnoreTimestampEtag(std::string_view value, OpenOptions* options) {
  const std::optional<bool> ignore = ParseBoolean(value);
  return ignore && (!*ignore || AddSelector("ignore-timestamp-etag", "yes", options));
}

/// Makes a row for a YES/NO option. `apply` may do more than set a member.
OptionRow MakeSwitch(const char* name, const char* default_value, const char* description, OptionRow::Apply apply,
                     const char* alias = "") {
  return {name, alias, "boolean", default_value, {}, description, apply};
}

OptionRow MakeTextOption(const char* name, const char* default_value, const char* description, OptionRow::Apply apply) {
  return {name, "", "string", default_value, {}, description, apply};
}

/// Makes a row for an option with a list of allowed values. The first value is the default.
OptionRow MakeChoice(const char* name, std::vector<const char*> values, const char* description,
                     OptionRow::Apply apply) {
  return {name, "", "string-select", values.front(), values, description, apply};
}

std::span<const OptionRow> GetOptionTable() {
  static const std::vector<OptionRow> table = {
      MakeSwitch("USE_CONSOLIDATED_METADATA", nullptr,
                 "Whether to use consolidated metadata, where a store has them. If the option is not given, they are "
                 "used, and on local disks compared with the own documents of nodes that are opened, of which the last "
                 "changed count",
                 ApplyConsolidated, "USE_ZMETADATA"),
      MakeSwitch("CACHE_TILE_PRESENCE", "NO", "Whether to list the chunks once, and ask only for those that are there",
                 ApplyBoolean<&OpenOptions::cache_tile_presence>),
      MakeSwitch("CACHE_KERCHUNK_JSON", "NO",
                 "Accepted and ignored: references in JSON are fast enough to read directly", ApplyNothing),
      MakeSwitch("LIST_ALL_ARRAYS", "NO",
                 "Whether to list all arrays as subdatasets, also those of fewer than two dimensions, coordinates and "
                 "bounds",
                 ApplyBoolean<&OpenOptions::list_all_arrays>),
      MakeSwitch("ALIKE_ARRAYS_AS_BANDS", "NO",
                 "Whether arrays of a group with equal shape, data type, chunks and dimensions are the bands of one "
                 "dataset (classic raster API)",
                 ApplyBoolean<&OpenOptions::alike_arrays_as_bands>),
      MakeSwitch("MULTIBAND", "YES",
                 "Whether an array of three or more dimensions is one dataset of many bands (classic raster API)",
                 ApplyBoolean<&OpenOptions::multiband>),
      MakeTextOption("DIM_X", nullptr, "Name or index of the X dimension (only used when MULTIBAND=YES)",
                     ApplyText<&OpenOptions::dim_x>),
      MakeTextOption("DIM_Y", nullptr, "Name or index of the Y dimension (only used when MULTIBAND=YES)",
                     ApplyText<&OpenOptions::dim_y>),
      MakeTextOption("SELECT", nullptr,
                     "Slices to show, by the nearest coordinates (classic raster API): dimension=value,... with "
                     "dimension==value for an equal coordinate, and dimension=#index",
                     ApplySelect),
      MakeTextOption("LOAD_EXTRA_DIM_METADATA_DELAY", "5",
                     "Seconds to spend on the DIM_{name}_VALUE metadata of bands at most, or unlimited", ApplyDelay),
      MakeChoice("V1_ORDER", {"AS_WRITTEN", "AS_DECLARED"},
                 "Memory order of Zarr v1 arrays of order F that are not compressed by Blosc: zarr 1.x declares F and "
                 "writes C",
                 ApplyV1Order),
      {"DIM_SEPARATOR",
       "",
       "string-select",
       nullptr,
       {".", "/", "0.0", "0/0", "c.0.0", "c/0/0", "C.0.0", "C/0/0"},
       "Separator in the keys of chunks, or the key of the first chunk of two dimensions, where the metadata declare "
       "other keys than the chunks have",
       ApplyDimSeparator},
      MakeChoice("FILL_VALUE_AS_NODATA", {"AUTO", "YES", "NO"},
                 "Whether the fill value is the nodata value if no attribute gives one. AUTO: not if it is zero in "
                 "Zarr v3",
                 ApplyFillValueUse),
      MakeSwitch("STORE_EMPTY_CHUNKS", "NO",
                 "Update mode: whether to write chunks that hold nothing but the fill value",
                 ApplyBoolean<&OpenOptions::store_empty_chunks>),
      MakeChoice(
          "PARTIAL_WRITES", {"MERGE", "ERROR"},
          "Update mode: whether a chunk or shard that is written in part is merged with the stored one, or is an "
          "error. ERROR is for jobs of several processes on stores without locks and conditional writes",
          ApplyPartialWrites),
      MakeTextOption("REFRESH_OVERVIEWS", nullptr,
                     "Update mode: YES or NO, whether stale parts of overviews are computed again at the close; or a "
                     "unit of zarrkit plan --overviews, computed at the flush. By default the configuration option "
                     "ZARR_REFRESH_OVERVIEWS, or NO",
                     ApplyRefresh),
      MakeTextOption(
          "BRANCH", nullptr, "Icechunk: the branch whose last snapshot is read (default: main)",
          [](std::string_view value, OpenOptions* options) { return AddSelector("branch", value, options); }),
      MakeTextOption("TAG", nullptr, "Icechunk: the tag of the snapshot to read",
                     [](std::string_view value, OpenOptions* options) { return AddSelector("tag", value, options); }),
      MakeTextOption(
          "SNAPSHOT", nullptr, "Icechunk: the ID of the snapshot to read",
          [](std::string_view value, OpenOptions* options) { return AddSelector("snapshot", value, options); }),
      MakeTextOption("AS_OF", nullptr,
                     "Icechunk: reads the last snapshot of the branch until then, such as 2026-05-01T12:00:00Z",
                     ApplyAsOf),
      MakeTextOption(
          "COMMIT_MESSAGE", "Written by GDAL", "Icechunk, update mode: the message of the commit at the close",
          [](std::string_view value, OpenOptions* options) { return options->commit.message = value, true; }),
      MakeTextOption("COMMIT_AUTHOR", nullptr, "Icechunk, update mode: the name of the author of the commit",
                     [](std::string_view value, OpenOptions* options) { return options->commit.author = value, true; }),
      MakeSwitch(
          "IGNORE_TIMESTAMP_ETAG", "NO",
          "Icechunk: whether to read files of virtual chunks that were changed after the references to them were "
          "made",
          ApplyIgnoreTimestampEtag),
  };
  return table;
}

const OptionRow* FindOption(std::string_view name) {
  return FindOptionRow(GetOptionTable(), name);
}

std::string ListExpectedValues(const OptionRow& row) {
  if (std::string_view(row.type) == "boolean") return "YES or NO";
  if (row.apply == ApplyDelay) return "a number of seconds, or unlimited";
  if (row.apply == ApplyAsOf) return "a time such as 2026-05-01T12:00:00Z";
  if (row.apply == ApplyRefresh) return "YES, NO or a unit such as ovr_2x/a 0:256,0:256";
  if (row.values.empty()) return "a name";
  return JoinValues(row, " or ");
}

void ApplyOption(const OptionRow& row, std::string_view value, OpenOptions* options) {
  if (row.apply(value, options)) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, std::string("open option ") + row.name + ": " +
                                                           zarr::FormatExpectedGot(ListExpectedValues(row), value));
}

}  // namespace

std::string MakeOpenOptionListXml() {
  std::string xml = "<OpenOptionList>";
  for (const OptionRow& row : GetOptionTable()) xml += MakeOptionXml(row);
  return xml + "</OpenOptionList>";
}

OpenOptions ParseOpenOptions(CSLConstList options) {
  OpenOptions result;
  if (const char* delay = CPLGetConfigOption("GDAL_LOAD_EXTRA_DIM_METADATA_DELAY", nullptr)) {
    ApplyOption(*FindOption("LOAD_EXTRA_DIM_METADATA_DELAY"), delay, &result);
  }
  if (const char* refresh = CPLGetConfigOption(kRefreshOverviews, nullptr)) {
    ApplyOption(*FindOption("REFRESH_OVERVIEWS"), refresh, &result);
  }
  for (CSLConstList item = options; item && *item; ++item) {
    const std::string_view text(*item);
    const std::size_t equal = text.find('=');
    if (equal == std::string_view::npos) continue;
    if (const OptionRow* row = FindOption(text.substr(0, equal))) ApplyOption(*row, text.substr(equal + 1), &result);
  }
  return result;
}

}  // namespace gdal_zarr
