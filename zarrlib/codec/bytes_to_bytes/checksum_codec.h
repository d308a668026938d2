// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes a codec that stores a checksum of the bytes, 4 bytes in little-endian order, before or after them.
Codec MakeChecksumCodec(std::function<std::uint32_t(ByteSpan)> checksum, bool at_start);
/// Returns true if the member `location` is "start", false if it is "end", and `fallback` if it is absent.
bool HasChecksumAtStart(const CodecSpec& spec, bool fallback);

/// `crc32` (the checksum of gzip) and `adler32` of numcodecs: at the start, or at the `location` "start" or "end".
Codec MakeCrc32Codec(const CodecSpec& spec);
Codec MakeAdler32Codec(const CodecSpec& spec);
/// `fletcher32` of numcodecs: at the end, computed as in HDF5.
Codec MakeFletcher32Codec(const CodecSpec& spec);
/// `jenkins_lookup3` of numcodecs: Bob Jenkins' lookup3 with `initval`, at the end. Computed over `prefix` (a list of
/// numbers, or a string) and the stored bytes.
Codec MakeJenkinsLookup3Codec(const CodecSpec& spec);

std::uint32_t ComputeAdler32(ByteSpan bytes);
std::uint32_t ComputeFletcher32(ByteSpan bytes);
std::uint32_t ComputeJenkinsLookup3(ByteSpan bytes, std::uint32_t initval);

}  // namespace zarr
