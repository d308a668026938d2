// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "autotest/cpp/support/filter_test_util.h"

/// Helpers for the tests of codecs whose chunks are images.
namespace zarr::test {

/// Decodes the bytes that `hex` stands for.
inline Bytes DecodeImage(const ArrayCodec& codec, std::string_view hex, std::size_t size) {
  return DecodeChunk(*codec, FromHex(hex), size);
}

/// Returns the message of the error that decoding gives.
inline std::string GetImageMessage(const ArrayCodec& codec, const Bytes& encoded, std::size_t size, ErrorKind kind) {
  const Error error = ErrorOf([&] { DecodeChunk(*codec, encoded, size); });
  EXPECT_EQ(error.kind(), kind) << error.what();
  return error.message();
}

/// Decodes the image with each byte changed, and cut at each length: that gives pixels or an Error.
inline void ExpectNoCrash(const ArrayCodec& codec, std::string_view hex, std::size_t size) {
  const Bytes whole = FromHex(hex);
  const auto decode = [&](const Bytes& encoded) {
    try {
      DecodeChunk(*codec, encoded, size);
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kUnsupported) << error.what();
    }
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    decode(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i)));
    for (const unsigned change : {0x01u, 0x02u, 0x10u, 0x80u, 0xFFu}) {
      Bytes damaged = whole;
      damaged[i] ^= static_cast<std::byte>(change);
      decode(damaged);
    }
  }
}

/// Expects that every shorter image is refused as corrupt.
inline void ExpectCutsAreErrors(const ArrayCodec& codec, std::string_view hex, std::size_t size, std::size_t longest) {
  const Bytes whole = FromHex(hex);
  for (std::size_t i = 0; i <= longest; ++i) {
    GetImageMessage(codec, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i)), size,
                    ErrorKind::kCorrupt);
  }
}

}  // namespace zarr::test
