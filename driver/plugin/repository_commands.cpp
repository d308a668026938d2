// SPDX-License-Identifier: MIT
#include "driver/plugin/repository_commands.h"

#ifdef ZARR_HAS_DRIVER_COMMANDS

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>

#include "driver/gdal/gdal_error.h"
#include "driver/plugin/repository_lists.h"

namespace gdal_zarr {
namespace {

struct CommandInfo {
  const char* name;
  const char* description;
  std::string (*list)(const std::string& repository, const SnapshotRange& range);
  bool takes_range;
};

constexpr CommandInfo kCommands[] = {
    {kRepositoryCommands[0], "List branches of an Icechunk repository",
     [](const std::string& repository, const SnapshotRange&) { return ListBranchesAsJson(repository); }, false},
    {kRepositoryCommands[1], "List tags of an Icechunk repository",
     [](const std::string& repository, const SnapshotRange&) { return ListTagsAsJson(repository); }, false},
    {kRepositoryCommands[2], "List snapshots of an Icechunk repository, the last one first", &ListSnapshotsAsJson,
     true},
};

/// A command with a repository as input, and JSON as output, which the program `gdal` prints.
class RepositoryCommand final : public GDALAlgorithm {
 public:
  explicit RepositoryCommand(const CommandInfo& info)
      : GDALAlgorithm(info.name, info.description, "/drivers/raster/zarr.html"), list_(info.list) {
    // GDAL need not open the dataset: a repository whose last snapshot is damaged, or has no array, is listed too.
    AddInputDatasetArg(&repository_, GDAL_OF_MULTIDIM_RASTER).SetAutoOpenDataset(false);
    AddOutputStringArg(&output_);
    if (!info.takes_range) return;
    AddArg("branch", 0, "Branch to begin with", &branch_).SetMutualExclusionGroup("begin");
    AddArg("tag", 0, "Tag to begin with", &tag_).SetMutualExclusionGroup("begin");
    AddArg("limit", 0, "Number of snapshots to list at most", &limit_).SetMinValueIncluded(1);
  }

 private:
  bool RunImpl(GDALProgressFunc, void*) override {
    return Guard(false, [&] {
      const GDALDataset* const dataset = repository_.GetDatasetRef();
      const std::size_t most = limit_ > 0 ? static_cast<std::size_t>(limit_) : SIZE_MAX;
      output_ = list_(dataset ? dataset->GetDescription() : repository_.GetName(), {branch_, tag_, most});
      return true;
    });
  }

  std::string (*const list_)(const std::string&, const SnapshotRange&);
  GDALArgDatasetValue repository_;
  std::string branch_;
  std::string tag_;
  int limit_ = 0;
  std::string output_;
};

}  // namespace

GDALAlgorithm* MakeRepositoryCommand(const std::string& name) {
  const auto* const found = std::ranges::find(kCommands, name, &CommandInfo::name);
  return found == std::end(kCommands) ? nullptr : std::make_unique<RepositoryCommand>(*found).release();
}

}  // namespace gdal_zarr

#endif
