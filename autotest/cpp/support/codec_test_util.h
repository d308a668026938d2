// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/json/json_node.h"

/// Helpers for the tests of bytes-to-bytes codecs.
namespace zarr::codec_test {

using CodecPointer = std::shared_ptr<const BytesToBytesCodec>;

inline CodecSpec Spec(std::string_view name, std::string_view configuration) {
  return {std::string(name), JsonNode::Parse(configuration, "store", "zarr.json")};
}

inline CodecPointer Make(std::string_view name, std::string_view configuration = "{}") {
  return std::get<CodecPointer>(MakeCodec(Spec(name, configuration)));
}

/// Returns the error of making a codec; the test fails if there is none.
inline Error MakeError(std::string_view name, std::string_view configuration = "{}") {
  try {
    MakeCodec(Spec(name, configuration));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << name << " " << configuration << " was accepted";
  return Error(ErrorKind::kIo, "none");
}

/// Expects that the configuration is refused as corrupt, at the member `pointer`.
inline void ExpectWrong(std::string_view name, std::string_view configuration, std::string_view pointer) {
  const Error error = MakeError(name, configuration);
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
  EXPECT_EQ(error.pointer(), pointer) << error.what();
}

/// Tests of a codec that may have been left out of the build; they are then skipped.
class RequiresCodec : public testing::Test {
 protected:
  explicit RequiresCodec(std::string_view name) : name_(name) {}
  void SetUp() override {
    const std::vector<std::string> names = ListCodecNames();
    if (std::find(names.begin(), names.end(), name_) == names.end()) GTEST_SKIP() << name_ << " is not in this build";
  }

 private:
  std::string name_;
};

inline Bytes FromHex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Bytes bytes(hex.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
  }
  return bytes;
}

inline Bytes Concat(ByteSpan a, ByteSpan b) {
  Bytes result(a.begin(), a.end());
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

inline Bytes Zeros(std::size_t size) {
  return Bytes(size, std::byte{0});
}

/// The 99 bytes that the vectors made with Python hold.
inline Bytes ChunkText() {
  std::string text;
  for (int i = 0; i < 16; ++i) text += "chunk ";
  return ToBytes(text + "end");
}

/// A region of the array that the writers of the fixtures got: int32, rising by 37 from the first element on.
inline Bytes Ramp(std::size_t array_width, std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) {
  Bytes bytes(rows * columns * sizeof(std::int32_t));
  std::byte* out = bytes.data();
  for (std::size_t y = row; y < row + rows; ++y) {
    for (std::size_t x = column; x < column + columns; ++x, out += sizeof(std::int32_t)) {
      WriteLittleEndian(out, static_cast<std::int32_t>(-2147483636 + 37 * static_cast<int>(y * array_width + x)));
    }
  }
  return bytes;
}

/// Bytes that can be compressed.
inline Bytes Pattern(std::size_t size) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 5 == 0) state = state * 1664525 + 1013904223;
    bytes[i] = static_cast<std::byte>(i % 4 == 0 ? state >> 24 : i / 256);
  }
  return bytes;
}

/// Bytes that cannot be compressed.
inline Bytes Noise(std::size_t size) {
  Bytes bytes(size);
  std::uint64_t state = 88172645463325252u;
  for (std::byte& byte : bytes) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    byte = static_cast<std::byte>(state >> 32);
  }
  return bytes;
}

/// A copy that ends where its memory ends, so that a sanitizer finds accesses beyond it.
class ExactBuffer {
 public:
  explicit ExactBuffer(std::size_t size) : size_(size), bytes_(new std::byte[size]) {}
  explicit ExactBuffer(ByteSpan content) : ExactBuffer(content.size()) {
    std::copy(content.begin(), content.end(), bytes_.get());
  }
  MutableByteSpan span() const { return {bytes_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// Decodes to a buffer of exactly `capacity` bytes; nothing if it is too small.
inline std::optional<Bytes> Decode(const BytesToBytesCodec& codec, ByteSpan encoded, std::size_t capacity) {
  const ExactBuffer in(encoded);
  const ExactBuffer out(capacity);
  const std::optional<std::size_t> size = codec.Decode(in.span(), out.span());
  if (!size) return std::nullopt;
  EXPECT_LE(*size, capacity);
  const MutableByteSpan decoded = out.span().first(*size);
  return Bytes(decoded.begin(), decoded.end());
}

/// The kind of the error of decoding; nothing if there is none.
inline std::optional<ErrorKind> DecodeErrorKind(const BytesToBytesCodec& codec, ByteSpan encoded,
                                                std::size_t capacity) {
  try {
    Decode(codec, encoded, capacity);
  } catch (const Error& error) {
    return error.kind();
  }
  return std::nullopt;
}

inline void ExpectDecodes(const BytesToBytesCodec& codec, ByteSpan encoded, const Bytes& expected) {
  EXPECT_EQ(Decode(codec, encoded, expected.size()), expected) << "exact buffer";
  EXPECT_EQ(Decode(codec, encoded, expected.size() + 1000), expected) << "larger buffer";
  if (!expected.empty()) {
    EXPECT_EQ(Decode(codec, encoded, expected.size() - 1), std::nullopt) << "smaller buffer";
  }
}

inline void ExpectRoundTrip(const BytesToBytesCodec& codec, const Bytes& decoded, std::size_t item_size) {
  SCOPED_TRACE(std::to_string(decoded.size()) + " bytes, items of " + std::to_string(item_size));
  Bytes encoded = ToBytes("to be replaced");
  codec.Encode(decoded, item_size, &encoded);
  const SizeBound bound = codec.GetEncodedSize({decoded.size(), true});
  ASSERT_TRUE(bound.bytes);
  EXPECT_LE(encoded.size(), *bound.bytes);
  EXPECT_TRUE(!bound.exact || encoded.size() == *bound.bytes);
  EXPECT_EQ(codec.GetClaimedSize(encoded).value_or(decoded.size()), decoded.size());
  const ByteSpan view = codec.DecodeView(encoded).value_or(decoded);
  EXPECT_EQ(Bytes(view.begin(), view.end()), decoded);
  ExpectDecodes(codec, encoded, decoded);
}

inline void ExpectRoundTrips(const BytesToBytesCodec& codec) {
  for (const std::size_t size : {0, 1, 2, 3, 7, 100, 4096, 70000}) {
    ExpectRoundTrip(codec, Pattern(size), 4);
    ExpectRoundTrip(codec, Noise(size), 1);
    ExpectRoundTrip(codec, Zeros(size), 8);
  }
}

/// Expects that no prefix decodes: each is an error, or too large for the buffer if its end is not looked for.
inline void ExpectTruncationsFail(const BytesToBytesCodec& codec, ByteSpan encoded, std::size_t capacity) {
  for (std::size_t length = 0; length < encoded.size(); ++length) {
    for (const std::size_t room : {std::size_t{0}, capacity, capacity + 100}) {
      try {
        EXPECT_EQ(Decode(codec, encoded.first(length), room), std::nullopt) << length << " bytes";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
      }
    }
  }
}

/// Changes every byte in several ways, and returns how often decoding gave other content than `decoded` without an
/// error. An error, or a buffer that is too small, is fine.
inline int CountSilentCorruptions(const BytesToBytesCodec& codec, ByteSpan encoded, const Bytes& decoded) {
  int silent = 0;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    for (const unsigned change : {0x01u, 0x10u, 0x80u, 0xFFu}) {
      Bytes damaged(encoded.begin(), encoded.end());
      damaged[i] ^= static_cast<std::byte>(change);
      try {
        const std::optional<Bytes> result = Decode(codec, damaged, decoded.size());
        if (result && *result != decoded) ++silent;
      } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::kIo) << error.what();
      }
    }
  }
  return silent;
}

}  // namespace zarr::codec_test
