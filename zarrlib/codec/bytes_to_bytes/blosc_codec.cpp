// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/blosc_codec.h"

#include <blosc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr {
namespace {

// --- decoding ---------------------------------------------------------------------------------------------------

/// The first 16 bytes of a Blosc 1 buffer.
struct Header {
  unsigned version = 0;
  unsigned flags = 0;
  std::uint32_t type_size = 0;
  std::uint32_t decoded_size = 0;
  std::uint32_t block_size = 0;
  std::uint32_t encoded_size = 0;

  bool stored() const { return (flags & BLOSC_MEMCPYED) != 0; }
  unsigned compressor_format() const { return flags >> 5; }
};

// The compressors, by the number of their format in the header's flags.
constexpr std::array<const char*, 5> kFormats = {BLOSC_BLOSCLZ_COMPNAME, BLOSC_LZ4_COMPNAME, BLOSC_SNAPPY_COMPNAME,
                                                 BLOSC_ZLIB_COMPNAME, BLOSC_ZSTD_COMPNAME};

[[noreturn]] void FailHeader(std::string_view what, std::string_view expected, std::uint64_t got) {
  throw Error(ErrorKind::kCorrupt, "wrong header: expected " + std::string(what) + " " + std::string(expected) +
                                       ", got " + std::to_string(got));
}

Header LoadHeader(ByteSpan encoded) {
  if (encoded.size() < BLOSC_MIN_HEADER_LENGTH) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a header of 16 bytes", std::to_string(encoded.size()) + " bytes"));
  }
  const std::byte* const p = encoded.data();
  return {std::to_integer<unsigned>(p[0]),        std::to_integer<unsigned>(p[2]),
          std::to_integer<unsigned>(p[3]),        LoadLittleEndian<std::uint32_t>(p + 4),
          LoadLittleEndian<std::uint32_t>(p + 8), LoadLittleEndian<std::uint32_t>(p + 12)};
}

void CheckBlocks(const Header& header) {
  if (header.type_size == 0) FailHeader("type size", "1..255", 0);
  const std::uint32_t max_block = std::min<std::uint32_t>(header.decoded_size, BLOSC_MAX_BLOCKSIZE);
  if (header.block_size == 0 || header.block_size > max_block) {
    FailHeader("block size", "1.." + std::to_string(max_block), header.block_size);
  }
  if (header.stored()) {
    const std::uint64_t whole = std::uint64_t{header.decoded_size} + BLOSC_MIN_HEADER_LENGTH;
    if (header.encoded_size != whole) FailHeader("encoded size", std::to_string(whole), header.encoded_size);
    return;
  }
  const std::uint64_t blocks = (std::uint64_t{header.decoded_size} - 1) / header.block_size + 1;
  const std::uint64_t offsets_end = BLOSC_MIN_HEADER_LENGTH + blocks * sizeof(std::uint32_t);
  if (offsets_end > header.encoded_size)
    FailHeader("encoded size", ">= " + std::to_string(offsets_end), header.encoded_size);
}

/// Checks that the library can decode that format; otherwise the library would print an error to stderr.
void CheckCompressor(const Header& header) {
  const unsigned format = header.compressor_format();
  if (format >= kFormats.size()) FailHeader("compressor", "0..4", format);
  if (blosc_compname_to_compcode(kFormats[format]) < 0) {
    throw Error(ErrorKind::kUnsupported, "the Blosc library was built without " + std::string(kFormats[format]));
  }
}

/// Loads the header from the first bytes, and checks its fields against each other and against the total size.
Header GetCheckedHeader(ByteSpan head, std::uint64_t size) {
  constexpr unsigned kReservedFlag = 0x08;
  const Header header = LoadHeader(head);
  if (header.version != BLOSC_VERSION_FORMAT)
    FailHeader("version", std::to_string(BLOSC_VERSION_FORMAT), header.version);
  if ((header.flags & kReservedFlag) != 0) FailHeader("flags", "without bit 3", header.flags);
  if (header.encoded_size != size) FailHeader("encoded size", std::to_string(size), header.encoded_size);
  if (header.decoded_size > BLOSC_MAX_BUFFERSIZE) {
    FailHeader("decoded size", "<= " + std::to_string(BLOSC_MAX_BUFFERSIZE), header.decoded_size);
  }
  if (header.decoded_size > 0) CheckBlocks(header);
  return header;
}

/// Returns true if `value` occurs `length` times in a row. Otherwise inspects only a few bytes.
bool HasRun(ByteSpan bytes, std::byte value, std::size_t length) {
  std::size_t start = 0;  // start of the current run
  while (length <= bytes.size() - start) {
    std::size_t end = start + length;
    while (end > start && bytes[end - 1] == value) --end;
    if (end == start) return true;
    start = end;
  }
  return false;
}

/// BloscLZ writes long matches as runs of 0xFF bytes. Its decoder, as of 1.21, adds them up in 32 bits without a check,
/// and overruns its buffers after eight million of them. A valid block is too small for half as many.
void CheckBloscLzRuns(const Header& header, ByteSpan encoded) {
  constexpr std::size_t kTooLong = std::size_t{4} << 20;
  constexpr unsigned kBloscLz = BLOSC_BLOSCLZ_FORMAT;
  if (header.compressor_format() == kBloscLz && HasRun(encoded, std::byte{0xFF}, kTooLong)) {
    throw Error(ErrorKind::kCorrupt, "the compressed blocks are damaged");
  }
}

// --- parts ------------------------------------------------------------------------------------------------------

/// Bytes that are read for the header and the block offsets; if the offsets do not fit, the buffer is decoded as a
/// whole.
constexpr std::size_t kHeadSize = 8192;

/// Some consecutive blocks of a buffer, in decoded order.
struct Blocks {
  std::size_t first = 0;
  std::size_t count = 0;
  ByteRange decoded;
};

/// Returns the blocks that contain a range. The last block of a buffer may be shorter than the others, and is then
/// encoded differently: a buffer with only this block would declare a shorter block size.
Blocks FindBlocks(const Header& header, const ByteRange& wanted) {
  const std::uint64_t size = header.block_size;
  std::uint64_t first = wanted.offset / size;
  const std::uint64_t last = (wanted.offset + wanted.length - 1) / size;
  const bool is_short = (last + 1) * size > header.decoded_size;
  if (is_short && first == last && first > 0) --first;
  const std::uint64_t end = std::min<std::uint64_t>((last + 1) * size, header.decoded_size);
  const std::uint64_t count = last + 1 - first;
  // There are fewer than 2^32 blocks: the header has 32 bits for each size.
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(count), {first * size, end - first * size}};
}

std::vector<std::uint32_t> LoadPlaces(const Header& header, ByteSpan head) {
  std::vector<std::uint32_t> places((header.decoded_size - 1) / header.block_size + 1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = LoadLittleEndian<std::uint32_t>(head.data() + BLOSC_MIN_HEADER_LENGTH + i * sizeof(std::uint32_t));
  }
  return places;
}

/// Returns the range of some encoded blocks, from the first to the last byte. Encoders with several threads write
/// blocks in any order.
ByteRange FindEncodedBlocks(const Header& header, std::span<const std::uint32_t> places, const Blocks& blocks) {
  const auto [low, high] = std::ranges::minmax(places.subspan(blocks.first, blocks.count));
  const std::size_t table_end = BLOSC_MIN_HEADER_LENGTH + places.size_bytes();
  if (low < table_end || high >= header.encoded_size) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("blocks at " + std::to_string(table_end) + ".." + std::to_string(header.encoded_size),
                                  std::to_string(low < table_end ? low : high)));
  }
  std::uint32_t end = header.encoded_size;
  for (const std::uint32_t place : places) {
    if (place > high) end = std::min(end, place);
  }
  return {low, end - low};
}

/// Makes the start of a buffer that differs from another one in its sizes.
void ResizeHead(ByteSpan head, std::size_t decoded_size, std::size_t block_size, std::size_t encoded_size,
                Bytes* part) {
  part->resize(encoded_size);
  std::copy_n(head.begin(), 4, part->begin());
  WriteLittleEndian(part->data() + 4, static_cast<std::uint32_t>(decoded_size));
  WriteLittleEndian(part->data() + 8, static_cast<std::uint32_t>(block_size));
  WriteLittleEndian(part->data() + 12, static_cast<std::uint32_t>(encoded_size));
}

/// Makes a buffer from a range of a buffer that is stored uncompressed.
void ReadStoredPart(const EncodedValue& value, ByteSpan head, const Header& header, const ByteRange& wanted,
                    Bytes* part) {
  const auto length = static_cast<std::size_t>(wanted.length);
  ResizeHead(head, length, std::min<std::size_t>(header.block_size, length), BLOSC_MIN_HEADER_LENGTH + length, part);
  value.read(BLOSC_MIN_HEADER_LENGTH + wanted.offset, MutableByteSpan(*part).subspan(BLOSC_MIN_HEADER_LENGTH));
}

/// Makes a buffer from some blocks of another. Returns false if there is much data between them.
bool ReadBlocks(const EncodedValue& value, ByteSpan head, const Header& header, const Blocks& blocks, Bytes* part) {
  const std::vector<std::uint32_t> places = LoadPlaces(header, head);
  const ByteRange encoded = FindEncodedBlocks(header, places, blocks);
  if (encoded.length > *GetCompressedBound({blocks.decoded.length}).bytes) return false;
  const std::size_t table_end = BLOSC_MIN_HEADER_LENGTH + blocks.count * sizeof(std::uint32_t);
  ResizeHead(head, blocks.decoded.length, header.block_size, table_end + encoded.length, part);
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const auto place = static_cast<std::uint32_t>(places[blocks.first + i] - encoded.offset + table_end);
    WriteLittleEndian(part->data() + BLOSC_MIN_HEADER_LENGTH + i * sizeof(std::uint32_t), place);
  }
  value.read(encoded.offset, MutableByteSpan(*part).subspan(table_end));
  return true;
}

// --- configuration ----------------------------------------------------------------------------------------------

constexpr int kAutoShuffle = -1;

struct Configuration {
  std::string compressor;
  int level = 5;
  int shuffle = BLOSC_SHUFFLE;
  std::size_t type_size = 0;  ///< 0 means the size of the array's elements.
  std::size_t block_size = 0;
};

std::string ParseCompressor(const CodecSpec& spec) {
  constexpr std::array<std::string_view, 6> kNames = {BLOSC_LZ4_COMPNAME,  BLOSC_LZ4HC_COMPNAME, BLOSC_BLOSCLZ_COMPNAME,
                                                      BLOSC_ZSTD_COMPNAME, BLOSC_ZLIB_COMPNAME,  BLOSC_SNAPPY_COMPNAME};
  const std::optional<JsonNode> node = FindOption(spec, "cname");
  if (!node) return BLOSC_LZ4_COMPNAME;
  if (std::find(kNames.begin(), kNames.end(), node->AsString()) == kNames.end()) {
    node->FailExpected("one of \"lz4\", \"lz4hc\", \"blosclz\", \"zstd\", \"zlib\", \"snappy\"");
  }
  return node->AsString();
}

Configuration ParseConfiguration(const CodecSpec& spec) {
  Configuration result;
  result.compressor = ParseCompressor(spec);
  result.level = static_cast<int>(GetIntegerOption(spec, "clevel", 0, 9, result.level));
  result.shuffle = static_cast<int>(GetBloscShuffle(spec));
  result.type_size = static_cast<std::size_t>(GetIntegerOption(spec, "typesize", 0, INT32_MAX, 0));
  result.block_size = static_cast<std::size_t>(GetIntegerOption(spec, "blocksize", 0, INT32_MAX, 0));
  return result;
}

// --- the codec --------------------------------------------------------------------------------------------------

class BloscCodec final : public BytesToBytesCodec {
 public:
  explicit BloscCodec(Configuration configuration) : configuration_(std::move(configuration)) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<ByteSpan> DecodeView(ByteSpan encoded) const override;
  std::optional<std::uint64_t> GetClaimedSize(ByteSpan encoded) const override;
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  bool has_parts() const override { return true; }
  std::optional<ByteRange> ReadPart(const EncodedValue& value, std::uint64_t decoded_size, const ByteRange& wanted,
                                    std::uint64_t most, Bytes* part) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  Configuration configuration_;
};

std::optional<ByteSpan> BloscCodec::DecodeView(ByteSpan encoded) const {
  const Header header = GetCheckedHeader(encoded, encoded.size());
  if (!header.stored()) return std::nullopt;
  return encoded.subspan(BLOSC_MIN_HEADER_LENGTH, header.decoded_size);
}

std::optional<std::uint64_t> BloscCodec::GetClaimedSize(ByteSpan encoded) const {
  if (encoded.size() < BLOSC_MIN_HEADER_LENGTH) return std::nullopt;
  return LoadHeader(encoded).decoded_size;
}

std::optional<std::size_t> BloscCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  const Header header = GetCheckedHeader(encoded, encoded.size());
  const std::size_t size = header.decoded_size;
  if (size > out.size()) return std::nullopt;
  if (size == 0) return size;
  if (header.stored()) {
    const ByteSpan content = encoded.subspan(BLOSC_MIN_HEADER_LENGTH, size);
    std::copy(content.begin(), content.end(), out.begin());
    return size;
  }
  CheckCompressor(header);
  CheckBloscLzRuns(header, encoded);
  const int result = blosc_decompress_ctx(encoded.data(), out.data(), size, /*numinternalthreads=*/1);
  if (result < 0 || static_cast<std::size_t>(result) != size) {
    throw Error(ErrorKind::kCorrupt, "the compressed blocks are damaged");
  }
  return size;
}

/// Uses whole blocks, because the library cannot decode less.
std::optional<ByteRange> BloscCodec::ReadPart(const EncodedValue& value, std::uint64_t decoded_size,
                                              const ByteRange& wanted, std::uint64_t most, Bytes* part) const {
  std::array<std::byte, kHeadSize> bytes;
  const MutableByteSpan head(bytes.data(), static_cast<std::size_t>(std::min<std::uint64_t>(kHeadSize, value.size)));
  value.read(0, head);
  const Header header = GetCheckedHeader(head, value.size);
  if (header.decoded_size != decoded_size || decoded_size == 0) return std::nullopt;
  if (header.stored()) {
    if (wanted.length > most) return std::nullopt;
    ReadStoredPart(value, head, header, wanted, part);
    return wanted;
  }
  const std::uint64_t count = (decoded_size - 1) / header.block_size + 1;
  if (BLOSC_MIN_HEADER_LENGTH + count * sizeof(std::uint32_t) > head.size()) return std::nullopt;
  const Blocks blocks = FindBlocks(header, wanted);
  if (blocks.count == count || blocks.decoded.length > most) return std::nullopt;
  return ReadBlocks(value, head, header, blocks, part) ? std::optional(blocks.decoded) : std::nullopt;
}

void BloscCodec::Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const {
  const Configuration& c = configuration_;
  if (decoded.size() > BLOSC_MAX_BUFFERSIZE) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot("at most " + std::to_string(BLOSC_MAX_BUFFERSIZE) + " bytes",
                                  std::to_string(decoded.size())));
  }
  if (blosc_compname_to_compcode(c.compressor.c_str()) < 0) {
    throw Error(ErrorKind::kUnsupported, "the Blosc library was built without " + c.compressor);
  }
  std::size_t type_size = c.type_size != 0 ? c.type_size : item_size;
  if (type_size == 0 || type_size > BLOSC_MAX_TYPESIZE) type_size = 1;
  int shuffle = c.shuffle;
  if (shuffle == kAutoShuffle) shuffle = item_size == 1 ? BLOSC_BITSHUFFLE : BLOSC_SHUFFLE;

  encoded->resize(decoded.size() + BLOSC_MAX_OVERHEAD);  // always enough
  const int result = blosc_compress_ctx(c.level, shuffle, type_size, decoded.size(), decoded.data(), encoded->data(),
                                        encoded->size(), c.compressor.c_str(), std::min(c.block_size, decoded.size()),
                                        /*numinternalthreads=*/1);
  if (result <= 0) throw Error(ErrorKind::kInvalidArgument, "the bytes cannot be encoded");
  encoded->resize(static_cast<std::size_t>(result));
}

}  // namespace

Codec MakeBloscCodec(const CodecSpec& spec) {
  return std::make_shared<BloscCodec>(ParseConfiguration(spec));
}

std::vector<std::string> ListCompressorsOfBlosc() {
  std::vector<std::string> names;
  std::string_view list = blosc_list_compressors();  // "blosclz,lz4"
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    names.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

}  // namespace zarr
