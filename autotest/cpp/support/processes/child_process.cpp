// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/processes/child_process.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <map>

namespace zarr::test {
namespace {

/// All tasks by their names. Made when the first task is.
std::map<std::string, void (*)(const ChildTask::Arguments&)>& GetTasks() {
  static std::map<std::string, void (*)(const ChildTask::Arguments&)> tasks;
  return tasks;
}

}  // namespace

ChildTask::ChildTask(const char* name, void (*run)(const Arguments& arguments)) : name_(name), run_(run) {
  GetTasks().emplace(name_, run_);
}

int ChildTask::Run(const std::string& name, const Arguments& arguments) {
  try {
    GetTasks().at(name)(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s, in a process of its own: %s\n", name.c_str(), error.what());
    return 1;
  }
}

void ChildProcess::TellReady() {
  std::fputc('.', stdout);
  std::fflush(stdout);
}

void ChildProcess::AwaitStart() {
  while (std::fgetc(stdin) != EOF) {
  }
}

}  // namespace zarr::test

int main(int argc, char** argv) {
  if (argc > 2 && argv[1] == std::string(zarr::test::ChildTask::kOption)) {
    return zarr::test::ChildTask::Run(argv[2], {argv + 3, argv + argc});
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
