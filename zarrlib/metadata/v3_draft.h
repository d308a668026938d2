// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

/// The draft of v3 from 2020 to 2022, as written by GDAL 3.4 to 3.7, zarr-python 2.11 to 2.18 and zarrita. A store has
/// an entry point `zarr.json`, documents of nodes under `meta/root`, and chunks under `data/root`.
namespace zarr {

/// The value of `zarr_format` in the entry point.
inline constexpr std::string_view kV3DraftFormat = "https://purl.org/zarr/spec/protocol/core/3.0";

/// The reason why stores of the draft are read-only.
inline constexpr std::string_view kV3DraftIsReadOnly =
    "the draft of Zarr v3 (2020 to 2022) is only read; \"zarrkit migrate\" makes a new store of v3 of it";

/// Returns true if the document `zarr.json` of a root is the entry point of the draft, and not a node of v3.
bool IsEntryPointV3Draft(const JsonNode& zarr_json);
/// Throws Error for an entry point whose store cannot be read.
void CheckEntryPointV3Draft(const JsonNode& zarr_json);

ArrayMetadata ParseArrayV3Draft(const JsonNode& document);
GroupMetadata ParseGroupV3Draft(const JsonNode& document);

}  // namespace zarr
