// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Decodes a Pcodec file (https://github.com/pcodec/pcodec): a standalone file of any version up to 3, in a format of
/// any version up to 4. The numbers must fill `out` exactly; they are in native byte order, and of the type given in
/// the file. Throws Error(corrupt), or Error(unsupported) for later versions.
void DecodePcoFile(ByteSpan file, MutableByteSpan out);

}  // namespace zarr
