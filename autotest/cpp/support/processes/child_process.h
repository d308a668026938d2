// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

/// Parts of tests that run in processes of their own, on systems without forks too: the program of the tests is started
/// again, and calls a function.
namespace zarr::test {

/// A function that such a process can call; an exception of it makes the process fail. Define it as a constant outside
/// of all functions.
class ChildTask {
 public:
  using Arguments = std::vector<std::string>;

  /// No two have the same name.
  ChildTask(const char* name, void (*run)(const Arguments& arguments));
  const char* name() const { return name_; }

  /// The first word of a child's command line; the name of the task and the arguments follow.
  static constexpr const char* kOption = "--child-task";
  /// Calls the task of that name. Returns what the process is to end with: 0 if there was no exception.
  static int Run(const std::string& name, const Arguments& arguments);

 private:
  const char* name_;
  void (*run_)(const Arguments& arguments);
};

/// Throws std::runtime_error if the system cannot start a process.
class ChildProcess {
 public:
  ChildProcess(const ChildTask& task, const ChildTask::Arguments& arguments);
  ChildProcess(ChildProcess&&) noexcept;
  /// Kills it if it still runs.
  ~ChildProcess();

  /// Waits until the child has called TellReady. Returns false if it has ended before.
  bool AwaitReady();
  /// Lets the child go on from AwaitStart.
  void Start();
  bool HasEnded();
  /// Ends the child as a crash does: nothing of it is cleaned up. Returns true if it was running until then.
  bool Kill();
  /// Waits for the end of the child. Returns true if its task has ended without an exception.
  bool Succeeds();

  /// What the child calls.
  static void TellReady();
  static void AwaitStart();

 private:
  struct System;
  std::unique_ptr<System> system_;
};

}  // namespace zarr::test
