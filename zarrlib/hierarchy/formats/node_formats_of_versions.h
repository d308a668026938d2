// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "zarrlib/hierarchy/formats/node_format.h"

/// The only object for each version, from node_format_v3, node_format_v3_draft, node_format_v2 and node_format_v1.
namespace zarr {

const NodeFormat& NodeFormatOfV3();
const NodeFormat& NodeFormatOfV3Draft();
const NodeFormat& NodeFormatOfV2();
const NodeFormat& NodeFormatOfV1();
/// For releases before v1.
const NodeFormat& NodeFormatOfV0();

const NodeFormat& GetNodeFormat(ZarrFormat version);
/// Returns all versions, in the order in which they are tried for a store's root.
std::span<const NodeFormat* const> ListNodeFormats();

}  // namespace zarr
