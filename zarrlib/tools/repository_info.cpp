// SPDX-License-Identifier: MIT
#include "zarrlib/tools/repository_info.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "zarrlib/base/text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/icechunk/repository.h"

namespace zarr::tools {
namespace {

constexpr std::size_t kMostCommits = 5;

/// Formats microseconds since 1970 as in ISO 8601, without the fraction of the second.
std::string FormatTime(std::uint64_t time) {
  namespace chrono = std::chrono;
  const chrono::sys_seconds since{chrono::seconds(static_cast<std::int64_t>(time / 1'000'000))};
  const auto day = chrono::floor<chrono::days>(since);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(since - day);
  const auto two = [](auto value) { return FormatDigits(static_cast<std::int64_t>(value), 2); };
  return FormatYear(int{date.year()}) + "-" + two(unsigned{date.month()}) + "-" + two(unsigned{date.day()}) + "T" +
         two(clock.hours().count()) + ":" + two(clock.minutes().count()) + ":" + two(clock.seconds().count()) + "Z";
}

}  // namespace

void PrintRepository(const std::string& folder, std::ostream& out) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return;
  const auto store = std::make_shared<FilesystemStore>(folder);
  if (!Repository::IsIn(*store)) return;
  const Repository repository(store);
  out << "Icechunk repository of format " << (repository.info() ? 2 : 1) << "\n";
  for (const std::string& branch : repository.ListBranches().value_or(std::vector<std::string>())) {
    out << "  branch " << branch << ": " << FormatObjectId(repository.FindSnapshot({.branch = branch})) << "\n";
  }
  for (const std::string& tag : repository.ListTags().value_or(std::vector<std::string>())) {
    out << "  tag " << tag << ": " << FormatObjectId(repository.FindSnapshot({.tag = tag})) << "\n";
  }
  for (const Commit& commit : repository.ListCommits(repository.FindSnapshot({}), kMostCommits)) {
    out << "  commit " << FormatObjectId(commit.id) << " " << FormatTime(commit.time) << " " << QuoteKey(commit.message)
        << "\n";
  }
}

}  // namespace zarr::tools
