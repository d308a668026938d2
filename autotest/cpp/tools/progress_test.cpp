// SPDX-License-Identifier: MIT
#include "zarrlib/tools/progress.h"

#include <gtest/gtest.h>

#include <sstream>

#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

using std::chrono::seconds;

TEST(Progress, FormatsABar) {
  EXPECT_EQ(Progress::Format("check", 0, seconds(0), 80), "check  [........................................]   0 %");
  EXPECT_EQ(Progress::Format("check", 0.5, seconds(7), 80),
            "check  [####################....................]  50 %  7 s left");
  EXPECT_EQ(Progress::Format("copy", 0.25, seconds(61), 40), "copy  [##......]  25 %  3 min 03 s left");
  EXPECT_EQ(Progress::Format("copy", 0.1, seconds(1000), 60),
            "copy  [##..........................]  10 %  2 h 30 min left");
  EXPECT_EQ(Progress::Format("copy", 1e-9, seconds(1000), 30), "copy    0 %  days left");
  EXPECT_EQ(Progress::Format("copy", 7, seconds(1), 30), "copy  [#####] 100 %  0 s left");
}

/// The last column stays free: some terminals go to the next line when it is written.
TEST(Progress, FitsIntoTheLine) {
  for (std::size_t width = 1; width < 100; ++width) {
    for (const double share : {0.0, 0.3, 1.0}) {
      EXPECT_LT(Progress::Format("a command", share, seconds(4000), width).size(), width);
    }
  }
}

TEST(Progress, IsDrawnAndRemoved) {
  std::ostringstream stream;
  {
    Progress progress(stream, 40);
    progress.Begin("map", 4);
    EXPECT_NE(stream.str().find("map  [..........................]   0 %"), std::string::npos) << stream.str();
    for (int i = 0; i < 1000; ++i) progress.Advance(1e-4);
    EXPECT_LT(std::ranges::count(stream.str(), '\r'), 100) << "it is drawn ten times a second, not each time";
    progress.Clear();
    const std::string cleared = stream.str();
    EXPECT_TRUE(cleared.ends_with("\r\x1b[K")) << cleared;
    progress.Clear();
    EXPECT_EQ(stream.str(), cleared);
    progress.Begin("map", 4);
  }
  EXPECT_TRUE(stream.str().ends_with("\r\x1b[K")) << stream.str();
}

TEST(Progress, IsSilentWithoutATerminal) {
  std::ostringstream stream;
  {
    Progress progress(stream, 0);
    EXPECT_FALSE(progress.visible());
    progress.Begin("map", 4);
    progress.Advance();
  }
  EXPECT_EQ(stream.str(), "");
}

class ProgressOfCommands : public test::FolderTest {};

TEST_F(ProgressOfCommands, GoesToStandardErrorUnlessQuiet) {
  Set(".zgroup", R"({"zarr_format": 2})");
  MakeArray("a", {8, 8}, {4, 4});
  const std::vector<std::vector<std::string>> commands = {{"check", folder_},
                                                          {"info", "--sizes", folder_},
                                                          {"map", folder_, "--array", "a", folder_ + "/map.svg"},
                                                          {"copy", folder_, folder_ + "-copy", "--compress", "zstd"},
                                                          {"reshard", folder_, "--array", "a", "--chunks", "4,2"}};
  for (std::vector<std::string> arguments : commands) {
    SCOPED_TRACE(arguments[0]);
    std::ostringstream out, err;
    EXPECT_EQ(RunZarrkit(arguments, out, err, 60), kSuccess);
    EXPECT_NE(err.str().find(arguments[0] + "  ["), std::string::npos) << err.str();
    EXPECT_TRUE(err.str().ends_with("\r\x1b[K")) << err.str();
    EXPECT_EQ(out.str().find('\r'), std::string::npos) << out.str();
    std::ostringstream quiet;
    std::filesystem::remove_all(folder_ + "-copy");
    arguments.emplace_back("--quiet");
    EXPECT_EQ(RunZarrkit(arguments, out, quiet, 60), kSuccess);
    EXPECT_EQ(quiet.str(), "");
  }
  std::filesystem::remove_all(folder_ + "-copy");
}

}  // namespace
}  // namespace zarr::tools
