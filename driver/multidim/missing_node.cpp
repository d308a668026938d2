// SPDX-License-Identifier: MIT
#include "driver/multidim/missing_node.h"

#include <cpl_error.h>
#include <cpl_string.h>

#include <string_view>
#include <utility>

#include "zarrlib/base/compiler/thread_value.h"
#include "zarrlib/hierarchy/near_names.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

/// The content of a thread's last NoteMissingNode, and the error before it.
struct Note {
  std::string message;
  std::string store;
  std::string path;
  CPLErr type_before = CE_None;
  CPLErrorNum number_before = CPLE_None;
  std::string message_before;
};

Note& GetLastNote() {
  return zarr::ThreadValue<Note>::Get();
}

bool IsNoteLastError() {
  return CPLGetLastErrorType() == CE_Failure && CPLGetLastErrorNo() == CPLE_OpenFailed &&
         !GetLastNote().message.empty() && GetLastNote().message == CPLGetLastErrorMsg();
}

/// Returns true if an error reports that a group below the last note's group lacks a node of the same name. GDAL
/// searches in this order, and the note's message applies to all of these groups.
bool ContinuesSearch(const zarr::Error& error) {
  const std::string_view group = zarr::ParentPath(GetLastNote().path);
  const std::string_view below = zarr::ParentPath(error.key());
  return IsNoteLastError() && error.store() == GetLastNote().store && below.size() > group.size() &&
         below.starts_with(group) && zarr::NodeName(error.key()) == zarr::NodeName(GetLastNote().path);
}

}  // namespace

zarr::Error MakeMissingNodeError(const zarr::Hierarchy& hierarchy, const std::string& path, zarr::NodeKind wanted) {
  const bool is_array = wanted == zarr::NodeKind::kArray;
  const char* expected = is_array ? "an array" : "a group";
  if (!hierarchy.Probe(path)) return zarr::MakeMissingNodeError(hierarchy, path, expected);
  const std::string message = zarr::FormatExpectedGot(expected, is_array ? "a group" : "an array");
  return zarr::Error(zarr::ErrorKind::kNotFound, hierarchy.store()->name(), path, "", message);
}

void NoteMissingNode(const zarr::Error& error) {
  if (ContinuesSearch(error)) return;
  ForgetMissingNode();
  if (CPLGetLastErrorType() == CE_Failure || !CPLIsUTF8(error.what(), -1)) return;
  GetLastNote() = {error.what(),          error.store(),       error.key(),
                   CPLGetLastErrorType(), CPLGetLastErrorNo(), CPLGetLastErrorMsg()};
  CPLErrorSetState(CE_Failure, CPLE_OpenFailed, error.what());
}

void ForgetMissingNode() {
  if (IsNoteLastError()) {
    CPLErrorSetState(GetLastNote().type_before, GetLastNote().number_before, GetLastNote().message_before.c_str());
  }
  GetLastNote() = Note();
}

}  // namespace gdal_zarr
