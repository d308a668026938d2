// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "autotest/cpp/support/processes/child_process.h"
#include "zarrlib/base/system/run_instead.h"

extern char** environ;

namespace zarr::test {
namespace {

std::string GetOwnProgram() {
  const std::filesystem::path called(testing::internal::GetArgvs().at(0));
  return (FindProgramFolder() / called.filename()).string();
}

void Close(int* descriptor) {
  if (*descriptor >= 0) ::close(*descriptor);
  *descriptor = -1;
}

/// Both ends are closed in other processes.
std::array<int, 2> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe could be made");
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return ends;
}

}  // namespace

struct ChildProcess::System {
  pid_t id = -1;
  int input = -1;   // where the child reads from
  int output = -1;  // what the child writes
  std::optional<int> status;

  ~System() {
    Close(&input);
    Close(&output);
  }
  void Wait(int options) {
    int ended = 0;
    if (!status && ::waitpid(id, &ended, options) == id) status = ended;
  }
};

ChildProcess::ChildProcess(const ChildTask& task, const ChildTask::Arguments& arguments)
    : system_(std::make_unique<System>()) {
  const std::string program = GetOwnProgram();
  ChildTask::Arguments texts = {program, ChildTask::kOption, task.name()};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);

  std::array<int, 2> input = MakePipe();
  std::array<int, 2> output = MakePipe();
  system_->input = input[1];
  system_->output = output[0];
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  const int error = ::posix_spawn(&system_->id, program.c_str(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  Close(&input[0]);
  Close(&output[1]);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
}

ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess::~ChildProcess() {
  if (system_ && !HasEnded()) Kill();
}

bool ChildProcess::AwaitReady() {
  char byte = 0;
  return ::read(system_->output, &byte, 1) == 1;
}

void ChildProcess::Start() {
  Close(&system_->input);
}

bool ChildProcess::HasEnded() {
  system_->Wait(WNOHANG);
  return system_->status.has_value();
}

bool ChildProcess::Kill() {
  if (HasEnded()) return false;
  ::kill(system_->id, SIGKILL);
  system_->Wait(0);
  return WIFSIGNALED(*system_->status);
}

bool ChildProcess::Succeeds() {
  Start();
  system_->Wait(0);
  return system_->status == 0;
}

}  // namespace zarr::test
