// SPDX-License-Identifier: MIT
#include "driver/dataset/pam_files.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/test_util.h"

namespace gdal_zarr {
namespace {

using namespace std::string_literals;

/// A folder in GDAL's memory.
class PamFilesTest : public testing::Test {
 protected:
  ~PamFilesTest() override { VSIRmdirRecursive("/vsimem/pam_files_test"); }
  static std::string PathOf(const std::string& name) { return "/vsimem/pam_files_test/" + name; }
  static std::string Write(const std::string& name, const std::string& content) {
    std::string path = PathOf(name);
    VSILFILE* const file = VSIFOpenL(path.c_str(), "wb");
    EXPECT_NE(file, nullptr);
    VSIFWriteL(content.data(), 1, content.size(), file);
    VSIFCloseL(file);
    return path;
  }
  static std::string Read(const std::string& path) {
    vsi_l_offset size = 0;
    const GByte* const bytes = VSIGetMemFileBuffer(path.c_str(), &size, FALSE);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)) : "absent";
  }
  static bool Exists(const std::string& path) {
    VSIStatBufL status;
    return VSIStatL(path.c_str(), &status) == 0;
  }
};

TEST_F(PamFilesTest, KnowsFilesOfOthersByTheirBeginning) {
  EXPECT_FALSE(IsForeignSideFile(Write("a.aux.xml", "<PAMDataset/>")));
  EXPECT_FALSE(IsForeignSideFile(Write("b.ovr", "II*\0 and so on"s)));
  EXPECT_FALSE(IsForeignSideFile(Write("c.ovr", "MM\0+"s)));
  EXPECT_TRUE(IsForeignSideFile(Write("d.aux.xml", "<notes/>")));
  EXPECT_TRUE(IsForeignSideFile(Write("e.ovr", "<PAMDataset/>")));
  EXPECT_TRUE(IsForeignSideFile(Write("f.aux.xml", "II*\0"s)));
  EXPECT_TRUE(IsForeignSideFile(Write("g.ovr", "")));
  EXPECT_TRUE(IsForeignSideFile(Write("h.ovr", "II")));
}

TEST_F(PamFilesTest, TakesNothingThatIsAbsentForAFileOfOthers) {
  EXPECT_FALSE(IsForeignSideFile(PathOf("absent.aux.xml")));
  EXPECT_FALSE(IsForeignSideFile("/no/such/folder/a.ovr"));
}

TEST_F(PamFilesTest, TakesWhatCannotBeReadForAFileOfOthers) {
  const std::string folder = PathOf("folder.aux.xml");
  VSIMkdirRecursive(folder.c_str(), 0755);
  EXPECT_TRUE(IsForeignSideFile(folder));
}

TEST_F(PamFilesTest, KnowsWhereSideFilesMayBe) {
  for (const char* file : {"/data/a/zarr.json", "a/zarr.json", "/vsimem/a/zarr.json"}) {
    EXPECT_TRUE(MayHaveSideFiles(file)) << file;
    EXPECT_TRUE(CanSaveSideFiles(file)) << file;
  }
  for (const char* file : {"/vsizip//data/a.zip/zarr.json", "/vsitar//data/a.tar/zarr.json"}) {
    EXPECT_TRUE(MayHaveSideFiles(file)) << file;
    EXPECT_FALSE(CanSaveSideFiles(file)) << file;
  }
  EXPECT_FALSE(MayHaveSideFiles("/vsicurl/http://localhost/a/zarr.json"));
  EXPECT_FALSE(CanSaveSideFiles("/vsicurl/http://localhost/a/zarr.json"));
}

TEST_F(PamFilesTest, NamesOverviewsByTheArray) {
  EXPECT_EQ(MakeOverviewFileStem("/a/zarr.json", "temp_2"), "/a/zarr.json.temp_2");
  EXPECT_EQ(MakeOverviewFileStem("/a/.zarray", "a/b c.d-e"), "/a/.zarray.a_b_c_d_e");
}

TEST_F(PamFilesTest, PutsANewSideFileInTheOldOnesPlace) {
  const std::string target = Write("t.aux.xml", "<PAMDataset>old</PAMDataset>");
  {
    const NewSideFile file(target);
    EXPECT_EQ(file.target(), target);
    EXPECT_NE(file.path(), target);
    EXPECT_EQ(Read(file.path()), "<PAMDataset>old</PAMDataset>") << "it begins as a copy";
    Write(file.path().substr(PathOf("").size()), "<PAMDataset>new</PAMDataset>");
    EXPECT_EQ(Read(target), "<PAMDataset>old</PAMDataset>");
    EXPECT_TRUE(file.PutInPlace());
    EXPECT_EQ(Read(target), "<PAMDataset>new</PAMDataset>");
    EXPECT_FALSE(Exists(file.path()));
  }
  EXPECT_EQ(Read(target), "<PAMDataset>new</PAMDataset>");
}

TEST_F(PamFilesTest, PutsNoIncompleteSideFileInPlace) {
  const std::string target = Write("t.aux.xml", "<PAMDataset>old</PAMDataset>");
  std::string path;
  {
    const NewSideFile file(target);
    path = file.path();
    Write(path.substr(PathOf("").size()), "<PAMDataset>half of");
    EXPECT_FALSE(file.PutInPlace());
  }
  EXPECT_EQ(Read(target), "<PAMDataset>old</PAMDataset>");
  EXPECT_FALSE(Exists(path)) << "nothing is left of it";
}

TEST_F(PamFilesTest, PutsNothingInPlaceOfWhatCouldNotBeCopied) {
  const std::string folder = PathOf("folder.aux.xml");
  VSIMkdirRecursive(folder.c_str(), 0755);
  const NewSideFile file(folder);
  Write(file.path().substr(PathOf("").size()), "<PAMDataset/>");
  EXPECT_FALSE(file.PutInPlace());
  EXPECT_TRUE(Exists(folder));
}

TEST_F(PamFilesTest, RemovesTheSideFileIfTheNewOneWasRemoved) {
  const std::string target = Write("t.aux.xml", "<PAMDataset/>");
  const NewSideFile file(target);
  VSIUnlink(file.path().c_str());
  EXPECT_TRUE(file.PutInPlace());
  EXPECT_FALSE(Exists(target));
  EXPECT_TRUE(file.PutInPlace()) << "neither is there";
}

}  // namespace
}  // namespace gdal_zarr
