// SPDX-License-Identifier: MIT
#include "zarrlib/tools/output_file.h"

#ifdef __linux__
#include <sys/stat.h>
#include <sys/sysmacros.h>
#endif

#include <fstream>
#include <future>
#include <iterator>
#include <sstream>
#include <streambuf>

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/tools/arguments.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

class OutputFile : public test::FolderTest {
 protected:
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string ReadFile(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string Write(const std::string& path, const std::string& text) const {
    std::ostringstream out;
    WriteOutput(path, text, out);
    return out.str();
  }
};

TEST_F(OutputFile, ReplacesAFile) {
  EXPECT_EQ(Write(Path("a.svg"), "one"), "");
  Write(Path("a.svg"), "two");
  EXPECT_EQ(ReadFile(Path("a.svg")), "two");
}

TEST_F(OutputFile, FollowsALink) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  Write(Path("a.svg"), "one");
  fs::create_symlink("a.svg", Path("link.svg"));
  fs::create_symlink("b.svg", Path("new.svg"));
  Write(Path("link.svg"), "two");
  Write(Path("new.svg"), "three");
  EXPECT_TRUE(fs::is_symlink(Path("link.svg")));
  EXPECT_TRUE(fs::is_symlink(Path("new.svg")));
  EXPECT_EQ(ReadFile(Path("a.svg")), "two");
  EXPECT_EQ(ReadFile(Path("b.svg")), "three");
}

#ifdef __linux__

TEST_F(OutputFile, WritesIntoAPipe) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  auto reader = std::async(std::launch::async, [&] { return ReadFile(Path("pipe")); });
  CheckOutput(Path("pipe"), ".svg");
  Write(Path("pipe"), "text");
  EXPECT_EQ(reader.get(), "text");
  EXPECT_TRUE(fs::is_fifo(Path("pipe")));
}

TEST_F(OutputFile, WritesToADevice) {
  // A node with the numbers of /dev/full, which says that it has no room.
  if (::mknod(Path("full").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) GTEST_SKIP() << "this needs rights";
  if (!std::ofstream(Path("full"))) GTEST_SKIP() << "no devices here";
  const std::string message = test::ErrorOf([&] { Write(Path("full"), "text"); }).what();
  EXPECT_NE(message.find("full: cannot be written: "), std::string::npos) << message;
  EXPECT_TRUE(fs::is_character_file(Path("full")));
}

#else

TEST_F(OutputFile, WritesIntoAPipe) {
  GTEST_SKIP() << "Windows has no named pipes in folders";
}

TEST_F(OutputFile, WritesToADevice) {
  GTEST_SKIP() << "this system has no device that is always full";
}

#endif

TEST_F(OutputFile, StandardOutputIsThatOfTheCommand) {
  EXPECT_EQ(Write("-", "text"), "text");
  EXPECT_EQ(Write("/dev/stdout", "text"), "text");
  EXPECT_FALSE(IsStandardOutput(Path("a.svg")));
}

TEST_F(OutputFile, IsCheckedBeforeItIsMade) {
  CheckOutput("-", ".svg");
  CheckOutput(Path("A.SVG"), ".svg");
  EXPECT_THROW(CheckOutput(Path("a.png"), ".svg"), UsageError);
  EXPECT_THROW(CheckOutput(Path("a"), ".svg"), UsageError);
  EXPECT_THROW(CheckOutput(folder_, ".svg"), Error);
  EXPECT_THROW(CheckOutput(folder_ + "/", ".svg"), Error);
  EXPECT_THROW(CheckOutput(Path("none/a.svg"), ".svg"), Error);
}

TEST_F(OutputFile, AMapGoesWhereItsNameLeads) {
  MakeArray("a", {4, 6}, {2, 3});
  const test::Result piped = test::Zarrkit({"map", folder_, "--array", "a", "-"});
  EXPECT_EQ(piped.code, kSuccess) << piped.err;
  EXPECT_TRUE(piped.out.starts_with("<svg ")) << piped.out;
  EXPECT_TRUE(piped.out.ends_with("</svg>\n")) << piped.out;
  const test::Result wrong = test::Zarrkit({"map", folder_, "--array", "a", Path("a.png")});
  EXPECT_EQ(wrong.code, kUsage);
  EXPECT_NE(wrong.err.find(".svg"), std::string::npos) << wrong.err;
  EXPECT_FALSE(Has("a.png"));
}

// --- output that does not arrive ---------------------------------------------------------------------------------

/// Takes nothing, as a full disk.
class Full : public std::streambuf {};

TEST_F(OutputFile, ACommandWhoseOutputIsLostFails) {
  MakeArray("a", {4, 6}, {2, 3});
  Set(".zgroup", R"({"zarr_format": 2})");
  const std::vector<std::vector<std::string>> commands = {{"info", folder_},
                                                          {"info", folder_, "--json"},
                                                          {"check", folder_},
                                                          {"check", folder_, "--json"},
                                                          {"check", "--rules"},
                                                          {"explain", folder_, "--array", "a"},
                                                          {"stat", folder_, "--array", "a", "--chunk", "0,0"},
                                                          {"cat", folder_, "--array", "a", "--chunk", "0,0"},
                                                          {"plan", folder_, "--array", "a"},
                                                          {"finish", folder_, "--no-consolidate"},
                                                          {"map", folder_, "--array", "a", "-"},
                                                          {"migrate", folder_, "--to", "v3", "--dry-run"},
                                                          {"--version"},
                                                          {"--help"}};
  for (const auto& arguments : commands) {
    SCOPED_TRACE(arguments[0]);
    Full full;
    std::ostream out(&full);
    std::ostringstream err;
    EXPECT_EQ(RunZarrkit(arguments, out, err), kFailure);
    EXPECT_EQ(err.str(), "zarrkit: the output cannot be written\n");
  }
}

}  // namespace
}  // namespace zarr::tools
