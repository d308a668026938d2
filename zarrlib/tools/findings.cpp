// SPDX-License-Identifier: MIT
#include "zarrlib/tools/findings.h"

#include <ostream>

namespace zarr::tools {

void Findings::AddError(const Error& error) {
  ++errors_;
  err_ << "error: " << error.what() << "\n";
}

void Findings::AddError(std::string_view key, const std::string& message) {
  AddError(Error(ErrorKind::kCorrupt, store_, std::string(key), "", message));
}

void Findings::AddWarning(std::string_view key, const std::string& message) {
  ++warnings_;
  err_ << "warning: " << Error(ErrorKind::kCorrupt, store_, std::string(key), "", message).what() << "\n";
}

}  // namespace zarr::tools
