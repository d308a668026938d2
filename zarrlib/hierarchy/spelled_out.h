// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/json/json_node.h"

namespace zarr {

/// Returns a document of a node in one of several forms that mean the same: without members whose value is the default,
/// and with an object where v3 also allows a mere name. What is not known stays as it is. Never throws Error.
JsonNode SpellOut(const JsonNode& document);

}  // namespace zarr
