// SPDX-License-Identifier: MIT
#include "zarrlib/tools/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string_view>
#include <utility>

namespace zarr::tools {
namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kErase = "\r\x1b[K";  // to the start of the line, and erase it

std::string FormatRest(double seconds) {
  constexpr double kLongest = 100 * 3600;
  if (seconds >= kLongest) return "days left";
  const auto whole = std::lround(seconds);
  char text[48];
  if (whole < 60) {
    std::snprintf(text, sizeof(text), "%ld s left", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof(text), "%ld min %02ld s left", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof(text), "%ld h %02ld min left", whole / 3600, whole / 60 % 60);
  }
  return text;
}

}  // namespace

std::string Progress::Format(const std::string& name, double share, std::chrono::duration<double> elapsed,
                             std::size_t width) {
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kLeast = 5;
  share = std::clamp(share, 0.0, 1.0);
  char percent[16];
  std::snprintf(percent, sizeof(percent), "%3d %%", static_cast<int>(100 * share));
  std::string text = std::string(percent);
  if (share > 0) text += "  " + FormatRest(elapsed.count() * (1 - share) / share);
  const std::size_t taken = name.size() + text.size() + 6;  // brackets, spaces, and the last column
  if (width >= taken + kLeast) {
    const std::size_t length = std::min(kLongest, width - taken);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(length));
    text = "[" + std::string(full, '#') + std::string(length - full, '.') + "] " + text;
  }
  text = name + "  " + text;
  return text.substr(0, std::max<std::size_t>(width, 1) - 1);
}

void Progress::Begin(std::string name, double total) {
  if (!visible()) return;
  const std::lock_guard lock(mutex_);
  name_ = std::move(name);
  total_ = total;
  done_ = 0;
  begun_ = Clock::now();
  Draw(true);
}

void Progress::Advance(double amount) {
  if (!visible()) return;
  const std::lock_guard lock(mutex_);
  done_ += amount;
  Draw(false);
}

void Progress::MoveTo(double done) {
  if (!visible()) return;
  const std::lock_guard lock(mutex_);
  done_ = done;
  Draw(false);
}

void Progress::Clear() {
  if (!visible()) return;
  const std::lock_guard lock(mutex_);
  if (!drawn_) return;
  stream_ << kErase << std::flush;
  drawn_ = false;
}

void Progress::Draw(bool at_once) {
  const auto now = Clock::now();
  if (!at_once && now - last_ < kInterval) return;
  last_ = now;
  drawn_ = true;
  const double share = total_ > 0 ? done_ / total_ : 1;
  stream_ << kErase << Format(name_, share, now - begun_, width_) << std::flush;
}

}  // namespace zarr::tools
