// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes the codec that `spec` names by its v3 name such as "gzip", by "numcodecs.gzip" (which the model also uses for
/// the compressors and filters of v1 and v2), or by an alias. Throws Error at the place in the metadata: unsupported
/// for a name that is unknown or was left out of this build, corrupt for a wrong configuration.
Codec MakeCodec(const CodecSpec& spec);

/// Returns the v3 names of all codecs of this build.
std::vector<std::string> ListCodecNames();

/// Whether the names and types of the members are those of numcodecs, and not those of the specification.
inline bool IsNumcodecs(const CodecSpec& spec) {
  return spec.name.starts_with("numcodecs.");
}

}  // namespace zarr
