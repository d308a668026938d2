// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

TEST(ScratchBuffer, IsReusedByItsThread) {
  const std::byte* first = nullptr;
  {
    ScratchBuffer buffer(1000);
    first = buffer.span().data();
  }
  ScratchBuffer again(500);
  EXPECT_EQ(again.span().data(), first);
  EXPECT_EQ(again.span().size(), 500u);
}

TEST(ScratchBuffer, IsEmptyWhenItIsLent) {
  { ScratchBuffer buffer(1000); }
  EXPECT_TRUE(ScratchBuffer().bytes().empty());
}

TEST(ScratchBuffer, OfMoreThan32MiBIsNotKept) {
  std::thread([] {
    { ScratchBuffer buffer((std::size_t{32} << 20) + 1); }
    EXPECT_EQ(ScratchBuffer().bytes().capacity(), 0u);
    { ScratchBuffer buffer(std::size_t{32} << 20); }
    EXPECT_EQ(ScratchBuffer().bytes().capacity(), std::size_t{32} << 20);
  }).join();
}

TEST(ScratchBuffer, IsKeptEightTimesAtMost) {
  std::thread([] {
    {
      std::vector<std::unique_ptr<ScratchBuffer>> buffers;
      for (int i = 0; i < 20; ++i) buffers.push_back(std::make_unique<ScratchBuffer>(100));
    }
    std::vector<std::unique_ptr<ScratchBuffer>> buffers;
    int kept = 0;
    for (int i = 0; i < 20; ++i) {
      buffers.push_back(std::make_unique<ScratchBuffer>());
      if (buffers.back()->bytes().capacity() > 0) ++kept;
    }
    EXPECT_EQ(kept, 8);
  }).join();
}

TEST(ScratchBuffer, MayEndOnAnotherThread) {
  auto buffer = std::make_unique<ScratchBuffer>(100);
  std::thread([&] { buffer.reset(); }).join();
  EXPECT_EQ(buffer, nullptr);
}

/// Uses a scratch buffer while the thread's objects are destroyed, after its stock, which is made later, is gone.
struct LateUser {
  bool* done;
  ~LateUser() {
    ScratchBuffer buffer(100);
    std::fill(buffer.bytes().begin(), buffer.bytes().end(), std::byte{1});
    *done = buffer.bytes().size() == 100;
  }
};

TEST(ScratchBuffer, WorksWhileItsThreadEnds) {
#ifdef __MINGW32__
  GTEST_SKIP() << "MinGW frees the memory of a thread's objects before it destroys them";
#endif
  bool done = false;
  std::thread([&] {
    thread_local LateUser user{&done};
    EXPECT_FALSE(*user.done);
    ScratchBuffer buffer(100);
  }).join();
  EXPECT_TRUE(done);
}

/// A codec for elements of fixed size that can only be read whole; the functions that it does not override throw.
class PlainCodec final : public ResolvedArrayToBytes {
 public:
  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  void Decode(ByteSpan, MutableByteSpan) const override {}
  void Encode(ByteSpan, Bytes*) const override {}
};

class NoSource final : public ValueReader {
 public:
  bool Read(std::span<const ByteRange>, std::span<const MutableByteSpan>) const override { return false; }
  std::optional<Suffix> ReadSuffix(std::uint64_t) const override { return std::nullopt; }
  std::optional<Bytes> ReadAll(std::uint64_t) const override { return std::nullopt; }
};

template <typename Action>
ErrorKind KindOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kIo;
}

TEST(ResolvedArrayToBytes, RefusesWhatACodecDoesNotImplement) {
  const PlainCodec codec;
  VariableChunk chunk;
  Bytes encoded;
  EXPECT_EQ(KindOf([&] { codec.DecodeVariable({}, &chunk); }), ErrorKind::kUnsupported);
  EXPECT_EQ(KindOf([&] { codec.EncodeVariable({}, &encoded); }), ErrorKind::kUnsupported);
  EXPECT_EQ(KindOf([&] { codec.Open(NoSource()); }), ErrorKind::kUnsupported);
  EXPECT_EQ(codec.inner_chunk_shape(), nullptr);
}

}  // namespace
}  // namespace zarr
