#pragma once

#include <cstdint>
#include <functional>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The codec that puts a checksum of the bytes beside them, 4 bytes, little-endian.
Codec MakeChecksumCodec(std::function<std::uint32_t(ByteSpan)> checksum, bool at_start);
/// The member `location`: "start" (true) or "end".
bool ChecksumAtStart(const CodecSpec& spec, bool fallback);

/// Those of numcodecs. `crc32` (that of gzip) and `adler32` stand at the start, or where the member `location` says,
/// "start" or "end".
Codec MakeCrc32Codec(const CodecSpec& spec);
Codec MakeAdler32Codec(const CodecSpec& spec);
/// At the end, as HDF5 computes it.
Codec MakeFletcher32Codec(const CodecSpec& spec);
/// Bob Jenkins' lookup3 from `initval`, at the end; of the bytes `prefix` (a list of numbers, or a string) and those
/// stored.
Codec MakeJenkinsLookup3Codec(const CodecSpec& spec);

std::uint32_t Adler32(ByteSpan bytes);
std::uint32_t Fletcher32(ByteSpan bytes);
std::uint32_t JenkinsLookup3(ByteSpan bytes, std::uint32_t initval);

}  // namespace zarr
