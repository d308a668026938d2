// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

class CodecPipeline;

/// Makes the codec that `spec` names by its v3 name such as "gzip", by "numcodecs.gzip" (which the model also uses for
/// the compressors and filters of v1 and v2), or by an alias. Throws Error at the place in the metadata: unsupported
/// for a name that is unknown or was left out of this build, corrupt for a wrong configuration.
Codec MakeCodec(const CodecSpec& spec);

/// Makes the pipeline of a list of codecs, see CodecPipeline::Make.
std::shared_ptr<const CodecPipeline> MakePipeline(std::span<const CodecSpec> specs, bool implicit_bytes);

/// Adds a codec that this library does not have, by a name in the table of codec_names.cpp. Thread-safe; but arrays
/// that are open keep the codecs that they have. `make` is called by any thread.
void RegisterCodec(std::string_view name, CodecFactory make);

/// Returns the names in v3 of all codecs of this build and of RegisterCodec, one for each.
std::vector<std::string> ListCodecNames();

/// Returns the values of blosc's "cname" that this build can encode; none if it has no blosc.
std::vector<std::string> ListBloscCompressors();

}  // namespace zarr
