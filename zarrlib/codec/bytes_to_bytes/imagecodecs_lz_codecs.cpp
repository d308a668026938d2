// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/imagecodecs_lz_codecs.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "zarrlib/codec/bytes_to_bytes/byte_output.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

[[noreturn]] void Fail(const char* message) {
  throw Error(ErrorKind::kCorrupt, message);
}

class ReadingCodec : public BytesToBytesCodec {
 public:
  SizeBound GetEncodedSize(SizeBound decoded) const final { return GetCompressedBound(decoded); }
  void Encode(ByteSpan, std::size_t, Bytes*) const final {
    throw Error(ErrorKind::kUnsupported, "this codec is for reading only");
  }
};

// --- LZW ----------------------------------------------------------------------------------------------------------

constexpr unsigned kClear = 256;
constexpr unsigned kEnd = 257;
constexpr unsigned kFirstFree = 258;
constexpr unsigned kLeastWidth = 9;
constexpr unsigned kMostWidth = 12;

/// Reads codes of increasing width, the highest bit first.
class CodeReader {
 public:
  explicit CodeReader(ByteSpan bytes) : bytes_(bytes) {}

  /// Returns the end-of-stream code for an incomplete code.
  unsigned Read(unsigned width) {
    while (count_ < width) {
      if (position_ == bytes_.size()) return kEnd;
      bits_ = (bits_ << 8) | std::to_integer<std::uint32_t>(bytes_[position_++]);
      count_ += 8;
    }
    count_ -= width;
    return (bits_ >> count_) & ((1u << width) - 1);
  }

 private:
  ByteSpan bytes_;
  std::size_t position_ = 0;
  std::uint32_t bits_ = 0;
  unsigned count_ = 0;  // how many of the lowest bits of `bits_` are not read yet
};

/// Every string of the table is a part of the output: the string of an earlier code and the byte after it.
class LzwDecoder {
 public:
  LzwDecoder(ByteSpan encoded, MutableByteSpan out) : codes_(encoded), out_(out) {}

  std::optional<std::size_t> Decode() {
    while (true) {
      const unsigned code = codes_.Read(width_);
      if (code == kEnd) return out_.size();
      if (code == kClear) {
        Clear();
      } else if (!Append(code)) {
        return std::nullopt;
      }
    }
  }

 private:
  struct String {
    std::size_t position = 0;
    std::size_t length = 0;
  };

  void Clear() {
    width_ = kLeastWidth;
    next_ = kFirstFree;
    before_ = {};
  }
  bool Append(unsigned code) {
    AddString();
    if (code >= next_) Fail("an LZW code that is not in the table");
    const std::size_t position = out_.size();
    const std::array byte = {static_cast<std::byte>(code)};
    const bool written =
        code < kClear ? out_.Append(byte) : out_.AppendCopy(table_[code].position, table_[code].length);
    before_ = {position, out_.size() - position};
    return written;
  }
  /// The width grows one code early, as TIFF requires.
  void AddString() {
    if (before_.length == 0 || next_ == table_.size()) return;
    table_[next_++] = {before_.position, before_.length + 1};
    if (next_ + 1 >= (1u << width_) && width_ < kMostWidth) ++width_;
  }

  CodeReader codes_;
  ByteOutput out_;
  unsigned width_ = kLeastWidth;
  unsigned next_ = kFirstFree;
  String before_;  // of the previous code
  std::array<String, 1u << kMostWidth> table_;
};

class LzwCodec final : public ReadingCodec {
 public:
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override {
    constexpr std::byte kOne{1};
    if (encoded.size() > 1 && encoded[0] == std::byte{0} && (encoded[1] & kOne) == kOne) {
      throw Error(ErrorKind::kUnsupported, "LZW with the lowest bit first is not implemented");
    }
    return LzwDecoder(encoded, out).Decode();
  }
};

// --- LZF ----------------------------------------------------------------------------------------------------------

/// Consumes the first bytes of the stream.
ByteSpan Take(std::size_t count, ByteSpan* rest) {
  if (count > rest->size()) Fail("the stream ends too early");
  const ByteSpan taken = rest->first(count);
  *rest = rest->subspan(count);
  return taken;
}
std::size_t TakeByte(ByteSpan* rest) {
  return std::to_integer<std::size_t>(Take(1, rest)[0]);
}

class LzfCodec final : public ReadingCodec {
 public:
  explicit LzfCodec(bool has_header) : has_header_(has_header) {}

  std::optional<std::uint64_t> GetClaimedSize(ByteSpan encoded) const override {
    if (!has_header_ || encoded.size() < kHeaderSize) return std::nullopt;
    return LoadLittleEndian<std::uint32_t>(encoded.data());
  }
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override {
    const std::optional<std::uint64_t> size = GetClaimedSize(encoded);
    if (has_header_) Take(kHeaderSize, &encoded);
    if (size.value_or(0) > out.size()) return std::nullopt;
    ByteOutput output(out);
    while (!encoded.empty()) {
      if (!DecodePiece(&encoded, &output)) return std::nullopt;
    }
    if (size && *size != output.size()) Fail("the stream has another size than its header tells");
    return output.size();
  }

 private:
  static constexpr std::size_t kHeaderSize = 4;

  /// Decodes up to 32 literal bytes, or a copy of earlier bytes.
  static bool DecodePiece(ByteSpan* rest, ByteOutput* out) {
    const std::size_t control = TakeByte(rest);
    if (control < 32) return out->Append(Take(control + 1, rest));
    std::size_t length = control >> 5;
    if (length == 7) length += TakeByte(rest);
    const std::size_t distance = ((control & 31) << 8 | TakeByte(rest)) + 1;
    if (distance > out->size()) Fail("a copy of bytes before the begin");
    return out->AppendCopy(out->size() - distance, length + 2);
  }

  bool has_header_;
};

// --- run lengths --------------------------------------------------------------------------------------------------

class RunLengthCodec final : public ReadingCodec {
 public:
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override {
    ByteOutput output(out);
    while (!encoded.empty()) {
      const std::size_t control = TakeByte(&encoded);
      if (control == 128 || (control == 0 && encoded.empty())) continue;  // a no-op, or padding
      const bool written = control < 128 ? output.Append(Take(control + 1, &encoded))
                                         : output.AppendRun(Take(1, &encoded)[0], 257 - control);
      if (!written) return std::nullopt;
    }
    return output.size();
  }
};

}  // namespace

Codec MakeLzwCodec(const CodecSpec&) {
  return std::shared_ptr<const BytesToBytesCodec>(std::make_shared<LzwCodec>());
}

Codec MakeLzfCodec(const CodecSpec& spec) {
  const std::optional<JsonNode> header = FindOption(spec, "header");
  return std::shared_ptr<const BytesToBytesCodec>(std::make_shared<LzfCodec>(!header || header->AsBoolean()));
}

Codec MakeRunLengthCodec(const CodecSpec&) {
  return std::shared_ptr<const BytesToBytesCodec>(std::make_shared<RunLengthCodec>());
}

}  // namespace zarr
