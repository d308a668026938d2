// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <mutex>
#include <string>

namespace zarr::tools {

/// A progress bar in the last line of a terminal, with the completed fraction and the estimated remaining time.
/// Thread-safe, except for the constructor and the destructor, which removes the bar.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// `width` is the number of columns of the terminal that `stream` writes to; with 0 the bar is never drawn.
  Progress(std::ostream& stream, std::size_t width) : stream_(stream), width_(width) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Returns true if the bar is drawn. Otherwise the amount of work need not be determined.
  bool visible() const { return width_ > 0; }
  /// Starts showing work. `total` is its amount, in any unit.
  void Begin(std::string name, double total);
  /// Adds to the amount of completed work.
  void Advance(double amount = 1);
  /// Sets the amount of completed work.
  void MoveTo(double done);
  /// Removes the bar, so that a line can be printed. It reappears with more work.
  void Clear();

  /// Formats the line of a bar.
  static std::string Format(const std::string& name, double share, std::chrono::duration<double> elapsed,
                            std::size_t width);

 private:
  void Draw(bool at_once);

  std::ostream& stream_;
  const std::size_t width_;
  std::mutex mutex_;
  std::string name_;
  double total_ = 0;
  double done_ = 0;
  bool drawn_ = false;
  Clock::time_point begun_;
  Clock::time_point last_;  // when the bar was last drawn
};

}  // namespace zarr::tools
