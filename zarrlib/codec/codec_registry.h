// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

class CodecPipeline;

/// Makes the codec that `spec` names by its v3 name such as "gzip", by "numcodecs.gzip", or by an alias. The model also
/// uses names with "numcodecs." for the compressors and filters of v1 and v2.
///
/// Throws Error at the location in the metadata: unsupported for a name that is unknown or was left out of this build,
/// corrupt for an invalid configuration.
Codec MakeCodec(const CodecSpec& spec);

/// Makes the pipeline of a list of codecs; see CodecPipeline::Make.
std::shared_ptr<const CodecPipeline> MakePipeline(std::span<const CodecSpec> specs, bool implicit_bytes);

/// Adds a codec that this library does not have, by a name in the table of codec_names.cpp. Thread-safe, but arrays
/// that are already open keep their codecs. `make` may be called by any thread.
void RegisterCodec(std::string_view name, CodecFactory make);

/// Sets the function that makes codecs that neither this library nor RegisterCodec has; it returns nullopt for one that
/// it does not know either. Null by default. Thread-safe, and `make` may be called by any thread.
void SetMakerOfUnknownCodecs(std::optional<Codec> (*make)(const CodecSpec& spec));

/// Returns the v3 names of all codecs of this build and of RegisterCodec, one name per codec.
std::vector<std::string> ListCodecNames();

/// Returns the values of blosc's "cname" that this build can encode; an empty list if it does not have blosc.
std::vector<std::string> ListBloscCompressors();

}  // namespace zarr
