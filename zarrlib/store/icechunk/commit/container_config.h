// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/containers.h"

namespace zarr {

/// Makes the configuration of a repository that declares containers of virtual chunks, each under its URL, as
/// ReadContainers reads it. Throws Error(unsupported) for the kinds of stores whose options are not known here.
Bytes EncodeContainers(std::span<const Container> containers);

}  // namespace zarr
