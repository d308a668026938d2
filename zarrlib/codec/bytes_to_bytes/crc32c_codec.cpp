// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/crc32c_codec.h"

#include <cstdint>

#include "zarrlib/base/compiler/instructions.h"
#include "zarrlib/base/crc_tables.h"
#include "zarrlib/codec/bytes_to_bytes/checksum_codec.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr {
namespace {

constexpr CrcTables kTables = MakeCrcTables(0x82F63B78);  // Castagnoli's polynomial, lowest bit first

#ifdef ZARR_X86_64
ZARR_USES("sse4.2") std::uint32_t ComputeCrcByInstruction(ByteSpan bytes) {
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t wide = ~std::uint32_t{0};
  for (; left >= 8; left -= 8, p += 8) wide = _mm_crc32_u64(wide, LoadLittleEndian<std::uint64_t>(p));
  auto state = static_cast<std::uint32_t>(wide);
  for (; left > 0; --left, ++p) state = _mm_crc32_u8(state, std::to_integer<unsigned char>(*p));
  return ~state;
}

#else
std::uint32_t ComputeCrcByInstruction(ByteSpan bytes) {
  return ComputeCrc(kTables, bytes);
}
#endif

}  // namespace

std::uint32_t ComputeCrc32cByTable(ByteSpan bytes) {
  return ComputeCrc(kTables, bytes);
}

std::uint32_t ComputeCrc32c(ByteSpan bytes) {
  static const bool has_instruction = HasInstructions(Instructions::kSse42);
  return has_instruction ? ComputeCrcByInstruction(bytes) : ComputeCrc32cByTable(bytes);
}

Codec MakeCrc32cCodec(const CodecSpec& spec) {
  return MakeChecksumCodec(ComputeCrc32c, IsNumcodecs(spec) && HasChecksumAtStart(spec, false));
}

}  // namespace zarr
