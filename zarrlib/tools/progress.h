// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <mutex>
#include <string>

namespace zarr::tools {

/// A bar in the last line of a terminal, which tells how much of some work is done, and how long the rest may take.
/// Thread-safe, except for the constructor and the destructor, which removes the bar.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// `width` is the number of columns of the terminal that `stream` leads to; with 0 nothing is ever drawn.
  Progress(std::ostream& stream, std::size_t width) : stream_(stream), width_(width) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether anything is drawn. If not, nobody needs to find out how much work there is.
  bool visible() const { return width_ > 0; }
  /// Begins to show work, of which there is as much as `total` says, in any unit.
  void Begin(std::string name, double total);
  /// Tells that more of the work is done.
  void Advance(double amount = 1);
  /// Tells how much of the work is done.
  void MoveTo(double done);
  /// Removes the bar, so that a line can be printed. It comes again with more work.
  void Clear();

  /// The line of a bar.
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
  Clock::time_point last_;  // when the bar was drawn
};

}  // namespace zarr::tools
