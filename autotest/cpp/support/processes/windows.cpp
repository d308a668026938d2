// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "autotest/cpp/support/processes/child_process.h"
#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr::test {
namespace {

/// What a killed process ends with.
constexpr UINT kKilled = 0x6b696c6c;

std::wstring GetOwnProgram() {
  std::wstring name(32768, L'\0');
  name.resize(::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

/// Writes an argument in the way in which the C library reads it: quotes, and the backslashes before them, get a
/// backslash.
std::wstring Quote(const std::wstring& argument) {
  std::wstring quoted = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t character : argument) {
    if (character == L'"') quoted.append(backslashes + 1, L'\\');
    backslashes = character == L'\\' ? backslashes + 1 : 0;
    quoted += character;
  }
  return quoted.append(backslashes, L'\\') + L'"';
}

struct Pipe {
  File to_read;
  File to_write;
};

/// The child inherits its end; the other one stays here.
Pipe MakePipe(bool child_reads) {
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  HANDLE to_read = nullptr, to_write = nullptr;
  if (!::CreatePipe(&to_read, &to_write, &inherited, 0)) throw std::runtime_error("no pipe could be made");
  ::SetHandleInformation(child_reads ? to_write : to_read, HANDLE_FLAG_INHERIT, 0);
  return {File(to_read), File(to_write)};
}

}  // namespace

struct ChildProcess::System {
  File process;
  File input;   // where the child reads from
  File output;  // what the child writes
};

ChildProcess::ChildProcess(const ChildTask& task, const ChildTask::Arguments& arguments)
    : system_(std::make_unique<System>()) {
  const std::wstring program = GetOwnProgram();
  std::wstring line = Quote(program);
  for (const char* const word : {ChildTask::kOption, task.name()}) line += L' ' + Quote(windows::ToWide(word));
  for (const std::string& argument : arguments) line += L' ' + Quote(windows::ToWide(argument));

  Pipe input = MakePipe(true);
  Pipe output = MakePipe(false);
  STARTUPINFOW startup{};
  startup.cb = sizeof(startup);
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = input.to_read.get();
  startup.hStdOutput = output.to_write.get();
  startup.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION process{};
  if (!::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup,
                        &process)) {
    throw std::runtime_error("no process could be started: error " + std::to_string(::GetLastError()));
  }
  ::CloseHandle(process.hThread);
  system_->process = File(process.hProcess);
  system_->input = std::move(input.to_write);
  system_->output = std::move(output.to_read);
}

ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess::~ChildProcess() {
  if (system_ && !HasEnded()) Kill();
}

bool ChildProcess::AwaitReady() {
  char byte = 0;
  DWORD count = 0;
  return ::ReadFile(system_->output.get(), &byte, 1, &count, nullptr) && count == 1;
}

void ChildProcess::Start() {
  system_->input = File();
}

bool ChildProcess::HasEnded() {
  return ::WaitForSingleObject(system_->process.get(), 0) == WAIT_OBJECT_0;
}

bool ChildProcess::Kill() {
  ::TerminateProcess(system_->process.get(), kKilled);
  ::WaitForSingleObject(system_->process.get(), INFINITE);
  DWORD code = 0;
  return ::GetExitCodeProcess(system_->process.get(), &code) && code == kKilled;
}

bool ChildProcess::Succeeds() {
  Start();
  ::WaitForSingleObject(system_->process.get(), INFINITE);
  DWORD code = 1;
  return ::GetExitCodeProcess(system_->process.get(), &code) && code == 0;
}

}  // namespace zarr::test
