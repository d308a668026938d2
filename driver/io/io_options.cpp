// SPDX-License-Identifier: MIT
#include "driver/io/io_options.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_error.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kDefaultCacheLimit = std::uint64_t{512} << 20;

/// Sets the configuration options of its thread, and removes them when it is destroyed.
class WorkerSettings {
 public:
  explicit WorkerSettings(CSLConstList options) : previous_(CPLGetThreadLocalConfigOptions()) {
    CPLSetThreadLocalConfigOptions(options);
    CPLPushErrorHandler(CPLQuietErrorHandler);
  }
  ~WorkerSettings() {
    CPLPopErrorHandler();
    CPLSetThreadLocalConfigOptions(previous_.List());
  }
  WorkerSettings(const WorkerSettings&) = delete;
  WorkerSettings& operator=(const WorkerSettings&) = delete;

 private:
  CPLStringList previous_;
};

/// Protects reads of GDAL's options. GDAL locks its own mutex for them, and a fork during a read would leave that mutex
/// locked forever in the child.
std::mutex& GetConfigurationMutex() {
  static std::mutex* const shared = [] {
    auto* const mutex = new std::mutex;
    zarr::HoldWhileForking(mutex);
    return mutex;
  }();
  return *shared;
}

/// Returns a configuration option, or nullopt if it is not set.
std::optional<std::string> GetOption(std::string_view name) {
  const std::lock_guard lock(GetConfigurationMutex());
  const char* value = CPLGetConfigOption(std::string(name).c_str(), nullptr);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::uint64_t ParseOption(std::string_view name, const std::string& text, bool is_size) {
  const auto value = is_size ? zarr::ParseSize(text) : zarr::ParseNumber<std::uint64_t>(text);
  if (value) return *value;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    std::string(name) + ": " +
                        zarr::FormatExpectedGot(is_size ? "a size such as 100000000 or 100MB" : "a number", text));
}

}  // namespace

ConfigurationHook::ConfigurationHook() : options_(CPLGetThreadLocalConfigOptions()) {}

std::shared_ptr<void> ConfigurationHook::Enter() const {
  return std::make_shared<WorkerSettings>(options_.List());
}

zarr::ReadOptions MakeReadOptions(const ConfigurationHook& hook) {
  zarr::ReadOptions options;
  options.hook = &hook;
  const std::lock_guard lock(GetConfigurationMutex());
  options.threads = ParseThreadCount(CPLGetConfigOption("GDAL_NUM_THREADS", "ALL_CPUS"));
  if (CPLTestBool(CPLGetConfigOption("ZARR_ALLOW_BIG_TILE_SIZE", "NO"))) options.max_chunk_bytes = UINT64_MAX;
  return options;
}

std::size_t ParseThreadCount(const char* text) {
  return EQUAL(text, "ALL_CPUS") ? 0 : static_cast<std::size_t>(std::max(1, std::atoi(text)));
}

void ApplyCacheLimit() {
  std::uint64_t limit =
      std::min(kDefaultCacheLimit, static_cast<std::uint64_t>(std::max(GIntBig{0}, GDALGetCacheMax64())));
  constexpr std::string_view kOption = "ZARR_CACHE_SIZE";
  if (const auto text = GetOption(kOption)) limit = ParseOption(kOption, *text, true);
  zarr::ChunkCache& cache = zarr::ChunkCache::GetShared();
  if (cache.limit() != limit) cache.SetLimit(static_cast<std::size_t>(limit));
}

void ApplyLimits() {
  for (const zarr::LimitInfo& info : zarr::ListLimits()) {
    const auto text = GetOption(info.name);
    zarr::SetLimit(info.limit, text ? ParseOption(info.name, *text, info.is_size) : info.standard);
  }
}

}  // namespace gdal_zarr
