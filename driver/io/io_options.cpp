// SPDX-License-Identifier: MIT
#include "driver/io/io_options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_error.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/base/fork_safety.h"

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

/// Protects reading GDAL's options. GDAL locks a mutex of its own for that, and a fork during it would leave that mutex
/// locked in the child for good.
std::mutex& GetConfigurationMutex() {
  static std::mutex* const shared = [] {
    auto* const mutex = new std::mutex;
    zarr::HoldWhileForking(mutex);
    return mutex;
  }();
  return *shared;
}

std::optional<std::uint64_t> ParseSize(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  int shift = -1;
  if (unit.empty()) shift = 0;
  for (const auto& [name, bits] : {std::pair("KB", 10), std::pair("MB", 20), std::pair("GB", 30)}) {
    if (EQUAL(std::string(unit).c_str(), name)) shift = bits;
  }
  if (shift < 0 || value > (UINT64_MAX >> shift)) return std::nullopt;
  return value << shift;
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
  std::optional<std::string> text;
  {
    const std::lock_guard lock(GetConfigurationMutex());
    if (const char* option = CPLGetConfigOption("ZARR_CACHE_SIZE", nullptr)) text = option;
  }
  if (text) {
    const std::optional<std::uint64_t> size = ParseSize(*text);
    if (!size) {
      throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                        "ZARR_CACHE_SIZE: " + zarr::FormatExpectedGot("a size such as 100000000 or 100MB", *text));
    }
    limit = *size;
  }
  zarr::ChunkCache& cache = zarr::ChunkCache::GetShared();
  if (cache.limit() != limit) cache.SetLimit(static_cast<std::size_t>(limit));
}

}  // namespace gdal_zarr
