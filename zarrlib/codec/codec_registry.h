#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes the codec that `spec` names, which is "gzip", "numcodecs.gzip" (also the name that v1's and v2's compressors
/// and filters have in the model), or an alias. Throws Error(unsupported) for an unknown name, or one that was left out
/// of this build, and Error(corrupt) for a wrong configuration, both at the place in the metadata.
Codec MakeCodec(const CodecSpec& spec);

/// The v3 names of all codecs of this build.
std::vector<std::string> CodecNames();

/// Whether the specification's member names and types hold, as opposed to numcodecs'.
inline bool IsNumcodecs(const CodecSpec& spec) {
  return spec.name.starts_with("numcodecs.");
}

}  // namespace zarr
