#include "zarrlib/codec/crc32c_codec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/codec/codec_util.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace zarr {
namespace {

constexpr std::size_t kChecksumSize = 4;

// Table k holds the remainders of a byte that k further bytes follow: eight bytes are looked up at once.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables MakeTables() {
  constexpr std::uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's, lowest bit first
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = remainder;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

std::uint32_t UpdateByTable(std::uint32_t state, ByteSpan bytes) {
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    const std::uint64_t word = LoadLittleEndian<std::uint64_t>(p) ^ state;
    state = 0;
    for (std::size_t i = 0; i < 8; ++i) state ^= kTables[7 - i][(word >> (8 * i)) & 0xFF];
  }
  for (; left > 0; --left, ++p) state = (state >> 8) ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(*p)) & 0xFF];
  return state;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t UpdateByInstruction(std::uint32_t state, ByteSpan bytes) {
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t wide = state;
  for (; left >= 8; left -= 8, p += 8) wide = _mm_crc32_u64(wide, LoadLittleEndian<std::uint64_t>(p));
  state = static_cast<std::uint32_t>(wide);
  for (; left > 0; --left, ++p) state = _mm_crc32_u8(state, std::to_integer<unsigned char>(*p));
  return state;
}

bool HasInstruction() {
  return __builtin_cpu_supports("sse4.2") != 0;
}
#else
std::uint32_t UpdateByInstruction(std::uint32_t state, ByteSpan bytes) {
  return UpdateByTable(state, bytes);
}
bool HasInstruction() {
  return false;
}
#endif

class Crc32cCodec final : public BytesToBytesCodec {
 public:
  explicit Crc32cCodec(bool at_start) : at_start_(at_start) {}

  SizeBound EncodedSize(SizeBound decoded) const override;
  std::optional<ByteSpan> DecodeView(ByteSpan encoded) const override;
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  bool at_start_;
};

SizeBound Crc32cCodec::EncodedSize(SizeBound decoded) const {
  if (!decoded.bytes || *decoded.bytes > UINT64_MAX - kChecksumSize) return {};
  return {*decoded.bytes + kChecksumSize, decoded.exact};
}

std::optional<ByteSpan> Crc32cCodec::DecodeView(ByteSpan encoded) const {
  if (encoded.size() < kChecksumSize) {
    throw Error(ErrorKind::kCorrupt, ExpectedGot("a checksum of 4 bytes", std::to_string(encoded.size()) + " bytes"));
  }
  const std::size_t size = encoded.size() - kChecksumSize;
  const ByteSpan content = encoded.subspan(at_start_ ? kChecksumSize : 0, size);
  const auto stored = LoadLittleEndian<std::uint32_t>(encoded.data() + (at_start_ ? 0 : size));
  const std::uint32_t computed = Crc32c(content);
  if (stored != computed) {
    throw Error(ErrorKind::kCorrupt,
                "checksum mismatch: " + ExpectedGot(std::to_string(stored), std::to_string(computed)));
  }
  return content;
}

std::optional<std::size_t> Crc32cCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  const ByteSpan content = *DecodeView(encoded);
  if (content.size() > out.size()) return std::nullopt;
  std::copy(content.begin(), content.end(), out.begin());
  return content.size();
}

void Crc32cCodec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  encoded->resize(decoded.size() + kChecksumSize);
  std::byte* const content = encoded->data() + (at_start_ ? kChecksumSize : 0);
  std::copy(decoded.begin(), decoded.end(), content);
  StoreLittleEndian(at_start_ ? encoded->data() : content + decoded.size(), Crc32c(decoded));
}

bool AtStart(const CodecSpec& spec) {
  const std::optional<JsonNode> location = IsNumcodecs(spec) ? FindOption(spec, "location") : std::nullopt;
  if (!location || (location->IsString() && location->AsString() == "end")) return false;
  if (location->IsString() && location->AsString() == "start") return true;
  location->FailExpected("\"start\" or \"end\"");
}

}  // namespace

std::uint32_t Crc32cByTable(ByteSpan bytes) {
  return ~UpdateByTable(~std::uint32_t{0}, bytes);
}

std::uint32_t Crc32c(ByteSpan bytes) {
  static const bool has_instruction = HasInstruction();
  return has_instruction ? ~UpdateByInstruction(~std::uint32_t{0}, bytes) : Crc32cByTable(bytes);
}

Codec MakeCrc32cCodec(const CodecSpec& spec) {
  return std::make_shared<Crc32cCodec>(AtStart(spec));
}

}  // namespace zarr
