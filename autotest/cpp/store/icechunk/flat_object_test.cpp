// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/flat/flat_object.h"

#include <gtest/gtest.h>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"

namespace zarr {
namespace {

/// A repo info file with fields of all kinds.
FlatObject MakeRepo() {
  FlatObject repo(kRepoSchema);
  repo.SetNumber(of_repo::kSpecVersion, 2);
  repo.texts(of_repo::kDeletedTags) = {"old", "", "older"};
  repo.table(of_repo::kStatus).SetNumber(of_status::kSetAt, UINT64_C(1) << 60);
  FlatObject& snapshot = repo.Append(of_repo::kSnapshots);
  snapshot.SetBytes(of_snapshot_info::kId, "twelve bytes");
  snapshot.SetNumber(of_snapshot_info::kParentOffset, UINT64_MAX);
  snapshot.SetBytes(of_snapshot_info::kMessage, "message \xC3\xA4");
  FlatObject& update = repo.Append(of_repo::kLatestUpdates);
  update.MakeUnion(of_update::kUpdate, of_update::kNewCommit).SetBytes(of_update::kCommitBranch, "main");
  update.SetNumber(of_update::kUpdatedAt, 7);
  repo.tables(of_repo::kTags);
  repo.SetBytes(of_repo::kConfig, std::string_view("\0\1\2", 3));
  return repo;
}

TEST(FlatObject, KeepsFieldsOfAllKinds) {
  const Bytes saved = MakeRepo().Save("Ichk");
  EXPECT_EQ(AsText(saved).substr(4, 4), "Ichk");
  FlatObject repo = FlatObject::Load(saved, kRepoSchema);
  EXPECT_EQ(repo.number(of_repo::kSpecVersion), 2u);
  EXPECT_EQ(repo.texts(of_repo::kDeletedTags), (std::vector<std::string>{"old", "", "older"}));
  EXPECT_EQ(repo.table(of_repo::kStatus).number(of_status::kSetAt), UINT64_C(1) << 60);
  EXPECT_FALSE(repo.table(of_repo::kStatus).Has(of_status::kReason));
  ASSERT_EQ(repo.tables(of_repo::kSnapshots).size(), 1u);
  const FlatObject& snapshot = repo.tables(of_repo::kSnapshots).front();
  EXPECT_EQ(snapshot.bytes(of_snapshot_info::kId), "twelve bytes");
  EXPECT_EQ(snapshot.number(of_snapshot_info::kParentOffset), UINT32_MAX);
  EXPECT_EQ(snapshot.bytes(of_snapshot_info::kMessage), "message \xC3\xA4");
  FlatObject& update = repo.tables(of_repo::kLatestUpdates).front();
  EXPECT_EQ(update.number(of_update::kType), of_update::kNewCommit);
  EXPECT_EQ(update.table(of_update::kUpdate).bytes(of_update::kCommitBranch), "main");
  EXPECT_TRUE(repo.Has(of_repo::kTags));
  EXPECT_FALSE(repo.Has(of_repo::kBranches));
  EXPECT_EQ(repo.bytes(of_repo::kConfig), std::string_view("\0\1\2", 3));
  EXPECT_EQ(repo.Save("Ichk"), saved);
}

TEST(FlatObject, AlignsNumbersAndVectors) {
  // Readers in other languages reject buffers whose numbers are not aligned to their size.
  FlatObject repo = MakeRepo();
  repo.SetBytes(of_repo::kRepoBeforeUpdates, "a");
  const Bytes saved = repo.Save("Ichk");
  const FlatTable root = FlatTable::OpenRoot(saved);
  const auto status = root.FindTable(of_repo::kStatus)->FindStruct(of_status::kSetAt, 8);
  EXPECT_EQ((status->data() - saved.data()) % 8, 0);
  for (const unsigned field : {of_repo::kTags, of_repo::kDeletedTags, of_repo::kSnapshots}) {
    EXPECT_EQ(root.FindVector(field, 4)->position % 4, 0u);
  }
}

/// A schema that is that of `name` up to the field `count`.
FlatSchema CutSchema(const FlatSchema& schema, std::size_t count) {
  return {schema.name, schema.fields.first(count)};
}

TEST(FlatObject, RefusesWhatItWouldLose) {
  const Bytes saved = MakeRepo().Save("Ichk");
  const FlatSchema shorter = CutSchema(kRepoSchema, of_repo::kConfig);
  try {
    FlatObject::Load(saved, shorter);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(error.message().find("has a field that this version does not know"), std::string::npos);
  }
  FlatObject repo = MakeRepo();
  repo.tables(of_repo::kLatestUpdates).front().SetNumber(of_update::kType, 17);
  EXPECT_THROW(FlatObject::Load(repo.Save("Ichk"), kRepoSchema), Error);
}

TEST(FlatObject, ReportsDamage) {
  const Bytes saved = MakeRepo().Save("Ichk");
  for (std::size_t i = 0; i < saved.size(); ++i) {
    Bytes damaged = saved;
    damaged[i] ^= std::byte{0xFF};
    try {
      FlatObject::Load(damaged, kRepoSchema).Save("Ichk");
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kUnsupported) << i;
    }
    try {
      FlatObject::Load(ByteSpan(saved).first(i), kRepoSchema);
      FAIL() << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << i;
    }
  }
}

}  // namespace
}  // namespace zarr
