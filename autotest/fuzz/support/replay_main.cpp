// SPDX-License-Identifier: MIT
// Runs a target on files, and on all files in folders: what libFuzzer does with inputs that are given, for builds
// without it. Ends with 1 if there is none.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> FindFiles(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool Run(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "%s cannot be read\n", file.string().c_str());
    return false;
  }
  const std::vector<char> input((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  std::printf("%s\n", file.string().c_str());  // so that the last line names the input that ended the process
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  for (const char* argument : std::vector<const char*>(argv + 1, argv + argc)) {
    for (const auto& file : FindFiles(argument)) {
      if (!Run(file)) return 1;
      ++count;
    }
  }
  std::printf("%d inputs\n", count);
  return count > 0 ? 0 : 1;
}
