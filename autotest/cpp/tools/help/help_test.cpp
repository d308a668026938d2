// SPDX-License-Identifier: MIT
#include "zarrlib/tools/help/help.h"

#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/tools/help/help_texts.h"

namespace zarr::tools {
namespace {

using test::Result;
using test::Zarrkit;

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Help, OfAllCommands) {
  const Result whole = Zarrkit({"--help"});
  EXPECT_EQ(whole.code, kSuccess);
  for (const auto& arguments : {std::vector<std::string>{"help"}, {"-h"}, {"help", "--help"}, {"--quiet", "--help"}}) {
    EXPECT_EQ(Zarrkit(arguments).out, whole.out) << arguments[0];
  }
  for (const CommandHelp& help : kCommandHelps) EXPECT_TRUE(Contains(whole.out, help.usage)) << help.name;
}

TEST(Help, OfOneCommand) {
  for (const CommandHelp& help : kCommandHelps) {
    SCOPED_TRACE(help.name);
    const std::string name(help.name);
    const Result one = Zarrkit({"help", name});
    EXPECT_EQ(one.code, kSuccess) << one.err;
    EXPECT_TRUE(one.out.starts_with("zarrkit " + name + ": ")) << one.out;
    EXPECT_TRUE(Contains(one.out, "\n  zarrkit " + name + " "));
    EXPECT_TRUE(Contains(one.out, "      Example: zarrkit " + name + " "));
    EXPECT_TRUE(help.usage.ends_with("\n"));
    for (const CommandHelp& other : kCommandHelps) EXPECT_EQ(Contains(one.out, other.usage), &other == &help);
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {name, "--help"}, {name, "-h"}, {name, "store.zarr", "--help"}, {"--help", name}}) {
      EXPECT_EQ(Zarrkit(arguments).out, one.out);
    }
  }
  EXPECT_EQ(Zarrkit({"help", "infos"}).code, kUsage);
  EXPECT_EQ(Zarrkit({"help", "info", "check"}).code, kUsage);
}

TEST(Help, ListsCommandsIfNoneIsGiven) {
  const Result result = Zarrkit({});
  EXPECT_EQ(result.code, kUsage);
  for (const std::string& name : ListCommands()) EXPECT_TRUE(Contains(result.err, "\n  " + name + " ")) << result.err;
}

TEST(Help, NamesOfTheVersion) {
  const Result result = Zarrkit({"--version"});
  EXPECT_TRUE(result.out.starts_with("zarrkit "));
  for (const char* name : {"version", "-v", "-V"}) EXPECT_EQ(Zarrkit({name}).out, result.out);
}

TEST(Help, SuggestsWhatMayHaveBeenMeant) {
  const auto said = [](const std::vector<std::string>& arguments) {
    const Result result = Zarrkit(arguments);
    EXPECT_EQ(result.code, kUsage);
    return result.err;
  };
  EXPECT_EQ(said({"infos"}), "zarrkit: unknown command infos; did you mean info?\nTry zarrkit --help.\n");
  EXPECT_TRUE(Contains(said({"chekc"}), "did you mean check?"));
  EXPECT_TRUE(Contains(said({"other"}), "expected one of info check "));
  EXPECT_EQ(said({"info", "a.zarr", "--sise"}),
            "zarrkit: unknown option --sise; did you mean --sizes?\nTry zarrkit info --help.\n");
  EXPECT_TRUE(Contains(said({"copy", "a", "b", "--chunk=5"}), "did you mean --chunks?"));
  EXPECT_TRUE(Contains(said({"info", "a.zarr", "--frobnicate"}), "unknown option --frobnicate\n"));
  EXPECT_TRUE(Contains(said({"info", "a.zarr", "--json=yes"}), "--json takes no value"));
  EXPECT_TRUE(Contains(said({"info", "a.zarr", "--json", "--json"}), "--json is given twice"));
}

class HelpOfOptions : public test::FolderTest {};

TEST_F(HelpOfOptions, QuietMayComeFirst) {
  Set(".zgroup", R"({"zarr_format": 2})");
  EXPECT_EQ(Zarrkit({"--quiet", "check", folder_}).code, kSuccess);
  EXPECT_EQ(Zarrkit({"check", folder_, "--quiet"}).code, kSuccess);
}

TEST_F(HelpOfOptions, TwoDashesEndOptions) {
  Set("--json/.zgroup", R"({"zarr_format": 2})");
  std::filesystem::current_path(folder_);
  const Result result = Zarrkit({"info", "--attributes", "--", "--json"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "--json: Zarr v2\n/\n");
  EXPECT_EQ(Zarrkit({"info", "--", "--help"}).code, kFailure);  // there is no such store
  std::filesystem::current_path("/");
}

}  // namespace
}  // namespace zarr::tools
