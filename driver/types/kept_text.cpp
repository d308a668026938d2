// SPDX-License-Identifier: MIT
#include "driver/types/kept_text.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kLongest = 1024;
constexpr std::size_t kMost = 4096;

struct KeptTexts {
  zarr::ForkSafeMutex mutex;
  std::map<std::string, const char*> texts;  // each with a pointer to its own characters
  std::set<const char*> pointers;
};

KeptTexts& GetKeptTexts() {
  static auto& kept = *new KeptTexts;  // never freed, so that pointers stay valid
  return kept;
}

}  // namespace

const char* const* KeepText(const char* text) {
  if (std::strlen(text) > kLongest) return nullptr;
  KeptTexts& kept = GetKeptTexts();
  const std::lock_guard lock(kept.mutex);
  const auto known = kept.texts.find(text);
  if (known != kept.texts.end()) return &known->second;
  if (kept.texts.size() == kMost) return nullptr;
  const auto added = kept.texts.emplace(text, nullptr).first;
  added->second = added->first.c_str();
  kept.pointers.insert(added->second);
  return &added->second;
}

bool IsKeptText(const char* pointer) {
  KeptTexts& kept = GetKeptTexts();
  const std::lock_guard lock(kept.mutex);
  return kept.pointers.contains(pointer);
}

}  // namespace gdal_zarr
