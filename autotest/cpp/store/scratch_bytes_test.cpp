// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/scratch_bytes.h"

#include <gtest/gtest.h>

#ifndef _WIN32
#include "autotest/cpp/support/file_size_limit.h"
#endif

namespace zarr {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

Bytes MakePiece(std::size_t number) {
  Bytes piece(kPiece);
  for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = static_cast<std::byte>(i * 7 + number);
  return piece;
}

void Append(std::size_t from, std::size_t to, ScratchBytes* bytes) {
  for (std::size_t i = from; i < to; ++i) bytes->Append(MakePiece(i));
}

void ExpectPieces(std::size_t count, ScratchBytes* bytes) {
  const ByteSpan all = bytes->Map();
  ASSERT_EQ(all.size(), count * kPiece);
  for (std::size_t i = count; i-- > 0;) {
    EXPECT_TRUE(std::ranges::equal(all.subspan(i * kPiece, kPiece), MakePiece(i))) << i;
    bytes->DropPages();
  }
}

TEST(ScratchBytes, AreInMemoryWhileTheyAreFew) {
  ScratchBytes bytes;
  EXPECT_TRUE(bytes.Map().empty());
  Append(0, 32, &bytes);
  EXPECT_FALSE(bytes.is_in_file());
  ExpectPieces(32, &bytes);
}

TEST(ScratchBytes, AreInAFileIfTheyAreMany) {
  ScratchBytes bytes;
  Append(0, 50, &bytes);
  EXPECT_TRUE(bytes.is_in_file());
  ExpectPieces(50, &bytes);
}

#ifdef _WIN32

TEST(ScratchBytes, StayInMemoryIfNoFileCanBeWritten) {
  GTEST_SKIP() << "Windows has no limit of the size of a process's files";
}

TEST(ScratchBytes, ReturnToMemoryIfTheDiskBecomesFull) {
  GTEST_SKIP() << "Windows has no limit of the size of a process's files";
}

#else

TEST(ScratchBytes, StayInMemoryIfNoFileCanBeWritten) {
  const FileSizeLimit limit(kPiece);
  ScratchBytes bytes;
  Append(0, 50, &bytes);
  EXPECT_FALSE(bytes.is_in_file());
  ExpectPieces(50, &bytes);
}

TEST(ScratchBytes, ReturnToMemoryIfTheDiskBecomesFull) {
  const FileSizeLimit limit(40 * kPiece);
  ScratchBytes bytes;
  Append(0, 40, &bytes);
  EXPECT_TRUE(bytes.is_in_file());
  Append(40, 50, &bytes);
  EXPECT_FALSE(bytes.is_in_file());
  ExpectPieces(50, &bytes);
}

#endif

}  // namespace
}  // namespace zarr
