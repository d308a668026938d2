// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/object_file.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/icechunk_writer.h"
#include "autotest/cpp/support/limit_test_util.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/manifest.h"

namespace zarr {
namespace {

using namespace icechunk_test;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kDictionary = "s3://bucket/data/file_00000.nc";
constexpr std::string_view kText = "s3://bucket/data/file_00042.nc";
/// `kText` as a zstd frame, and as one with the dictionary, by the library itself.
constexpr std::string_view kFrame(
    "\x28\xB5\x2F\xFD\x20\x1E\xF1\x00\x00\x73\x33\x3A\x2F\x2F\x62\x75\x63\x6B\x65\x74\x2F\x64\x61\x74\x61\x2F\x66\x69"
    "\x6C\x65\x5F\x30\x30\x30\x34\x32\x2E\x6E\x63",
    39);
constexpr std::string_view kFrameWithDictionary(
    "\x28\xB5\x2F\xFD\x20\x1E\x5D\x00\x00\x28\x34\x32\x2E\x6E\x63\x01\x00\x61\x51\x40", 20);

Bytes MakeCompressed(std::string_view frame) {
  Bytes object = MakeObject(ObjectType::kManifest, AsBytes(frame));
  object[38] = std::byte{1};
  return object;
}

ErrorKind GetKind(const Bytes& object) {
  try {
    DecodeObject(object, ObjectType::kManifest);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kIo;
}

TEST(ObjectFile, IsDecompressed) {
  EXPECT_EQ(AsText(DecodeObject(MakeCompressed(kFrame), ObjectType::kManifest)), kText);
  EXPECT_EQ(AsText(DecodeObject(MakeObject(ObjectType::kManifest, AsBytes("x")), ObjectType::kManifest)), "x");
  EXPECT_EQ(GetKind(MakeCompressed(kFrame.substr(0, 30))), ErrorKind::kCorrupt);
  EXPECT_EQ(GetKind(MakeCompressed(std::string(kFrame) + "x")), ErrorKind::kCorrupt);
  EXPECT_EQ(GetKind(MakeCompressed("")), ErrorKind::kCorrupt);
  EXPECT_EQ(GetKind(ToBytes("ICE")), ErrorKind::kCorrupt);
  EXPECT_EQ(GetKind(MakeObject(ObjectType::kSnapshot, {})), ErrorKind::kCorrupt);
  EXPECT_EQ(GetKind(MakeObject(ObjectType::kManifest, {}, 3)), ErrorKind::kUnsupported);
}

TEST(ObjectFile, IsBoundedInSize) {
  const test::LimitSetting limit(Limit::kReferenceFile, 29);
  EXPECT_EQ(GetKind(MakeCompressed(kFrame)), ErrorKind::kLimitExceeded);
  EXPECT_EQ(GetKind(MakeObject(ObjectType::kManifest, AsBytes(kText))), ErrorKind::kLimitExceeded);
}

TEST(ObjectFile, HasLocationsThatAreCompressed) {
  FlatWriter::Fields ref = {
      {0, MakeNumbers({0})}, {3, MakeNumber(std::uint64_t{4})}, {8, MakeBytes(kFrameWithDictionary)}};
  FlatWriter::Fields manifest = {{0, MakeStruct(MakeId(1))},
                                 {1, MakeTables({{{0, MakeStruct(MakeId<NodeId>(2))}, {1, MakeTables({ref})}}})},
                                 {2, MakeBytes(kDictionary)}};
  const std::vector<std::uint32_t> first = {0};
  const Manifest read(FlatWriter::MakeBuffer(manifest));
  EXPECT_EQ(read.Find(MakeId<NodeId>(2))->Find(first)->location, kText);
  manifest.erase(2);
  EXPECT_THROW(Manifest{FlatWriter::MakeBuffer(manifest)}, Error);
}

}  // namespace
}  // namespace zarr
