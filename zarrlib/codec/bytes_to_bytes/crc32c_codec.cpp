// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/crc32c_codec.h"

#include <cstdint>

#include "zarrlib/base/crc_tables.h"
#include "zarrlib/codec/bytes_to_bytes/checksum_codec.h"
#include "zarrlib/metadata/codec_names.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace zarr {
namespace {

constexpr CrcTables kTables = MakeCrcTables(0x82F63B78);  // Castagnoli's polynomial, lowest bit first

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t ComputeCrcByInstruction(ByteSpan bytes) {
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t wide = ~std::uint32_t{0};
  for (; left >= 8; left -= 8, p += 8) wide = _mm_crc32_u64(wide, LoadLittleEndian<std::uint64_t>(p));
  auto state = static_cast<std::uint32_t>(wide);
  for (; left > 0; --left, ++p) state = _mm_crc32_u8(state, std::to_integer<unsigned char>(*p));
  return ~state;
}

bool HasInstruction() {
  return __builtin_cpu_supports("sse4.2") != 0;
}
#else
std::uint32_t ComputeCrcByInstruction(ByteSpan bytes) {
  return ComputeCrc(kTables, bytes);
}
bool HasInstruction() {
  return false;
}
#endif

}  // namespace

std::uint32_t ComputeCrc32cByTable(ByteSpan bytes) {
  return ComputeCrc(kTables, bytes);
}

std::uint32_t ComputeCrc32c(ByteSpan bytes) {
  static const bool has_instruction = HasInstruction();
  return has_instruction ? ComputeCrcByInstruction(bytes) : ComputeCrc32cByTable(bytes);
}

Codec MakeCrc32cCodec(const CodecSpec& spec) {
  return MakeChecksumCodec(ComputeCrc32c, IsNumcodecs(spec) && HasChecksumAtStart(spec, false));
}

}  // namespace zarr
