// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/object_decoder.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/icechunk_writer.h"
#include "zarrlib/base/error.h"

namespace zarr {
namespace {

/// A text that takes several blocks of zstd, which are not compressed alike.
Bytes MakePayload() {
  Bytes payload(600'000);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    state = state * 1664525 + 1013904223;
    payload[i] = static_cast<std::byte>(i % 100'000 < 1000 ? state >> 24 : i / 1000);
  }
  return payload;
}

/// Decodes an object in pieces of which the first ends at `first`, and the others have `size` bytes.
Bytes Decode(ByteSpan object, std::size_t first, std::size_t size) {
  Bytes payload;
  ObjectDecoder decoder(ObjectType::kManifest, object.size(),
                        [&](ByteSpan bytes) { payload.insert(payload.end(), bytes.begin(), bytes.end()); });
  decoder.Add(object.first(std::min(first, object.size())));
  for (std::size_t at = first; at < object.size(); at += size) {
    decoder.Add(object.subspan(at, std::min(size, object.size() - at)));
  }
  decoder.Finish();
  return payload;
}

TEST(ObjectDecoder, TakesPiecesThatEndAnywhere) {
  const Bytes payload = MakePayload();
  const Bytes plain = icechunk_test::MakeObject(ObjectType::kManifest, payload);
  const Bytes compressed = EncodeObject(payload, ObjectType::kManifest, 2);
  ASSERT_GT(compressed.size(), 3000U);
  for (const Bytes& object : {plain, compressed}) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, object.size()}) {
      EXPECT_EQ(Decode(object, kObjectHeaderSize, size), payload);
    }
    EXPECT_EQ(Decode(object, object.size() - 1, 1), payload);
  }
}

TEST(ObjectDecoder, RefusesStreamsThatAreCutOrContinuedAtTheEndOfAPiece) {
  constexpr std::size_t kSize = 1000;
  Bytes object = EncodeObject(MakePayload(), ObjectType::kManifest, 2);
  for (std::size_t end = kObjectHeaderSize; end < object.size(); end += kSize) {
    EXPECT_THROW(Decode(ByteSpan(object).first(end), kObjectHeaderSize, kSize), Error) << end;
  }
  const std::size_t whole = object.size();
  object.push_back(std::byte{});
  EXPECT_THROW(Decode(object, whole, 1), Error);
  EXPECT_THROW(Decode({}, 0, 1), Error);
  EXPECT_THROW(Decode(object, kObjectHeaderSize - 1, 1), Error);
}

TEST(ObjectDecoder, DamageNextToTheEndOfAPieceGivesBytesOrAnError) {
  constexpr std::size_t kSize = 500;
  const Bytes object = EncodeObject(MakePayload(), ObjectType::kManifest, 2);
  for (std::size_t end = kObjectHeaderSize; end < object.size(); end += kSize) {
    for (const std::size_t at : {end, end - 1}) {
      Bytes damaged = object;
      damaged[at] ^= std::byte{0x55};
      try {
        EXPECT_LE(Decode(damaged, kObjectHeaderSize, kSize).size(), std::size_t{64} << 20);
      } catch (const Error& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
      }
    }
  }
}

}  // namespace
}  // namespace zarr
