// SPDX-License-Identifier: MIT
#include "zarrlib/tools/copy/copy_marker.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/store/files/folder_names.h"
#include "zarrlib/store/files/lock_file.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/temporary_names.h"

namespace zarr::tools {
namespace {

constexpr std::string_view kState = ".zarr-tmp-copy/copy.json";
constexpr std::string_view kLock = ".zarr-tmp-copy/lock";

}  // namespace

std::string DescribePlace(const Store& store) {
  const std::string name = store.name();
  std::error_code error;
  const auto path = std::filesystem::canonical(ToPath(name), error);
  if (!error) return ToText(path);
  const std::size_t query = name.find('?');
  std::string place = name.substr(0, query);
  // GDAL's name for a URL with options: /vsicurl?option=value&url=https://host/path?query
  if (const std::size_t url = name.find("url=", query); query != std::string::npos && url != std::string::npos) {
    const std::size_t end = std::min(name.find_first_of("?&", url), name.find("%3F", url));
    place += name.substr(url - 1, end - url + 1);
  }
  return place;
}

CopyMarker::CopyMarker(std::shared_ptr<Store> target, const std::string& source, const std::string& job)
    : store_(std::move(target)), source_(source), job_(job) {
  if (!Exists(*store_)) CheckFree();
  lock_ = HoldLockFile(store_->name() + "/" + std::string(kLock));
  if (!lock_) throw Error(ErrorKind::kIo, store_->name(), "", "", "another zarrkit copy is at work on this store");
  if (const auto text = store_->GetText(kState)) {
    Load(*text);
  } else {
    CheckFree();  // again, now that no other process can begin a copy
    Save();
  }
}

bool CopyMarker::Exists(const Store& store) {
  return store.Exists(kState);
}

void CopyMarker::CheckFree() {
  for (const auto& [name, kind] : ListEntries(*store_, "").value_or(std::vector<StoreEntry>())) {
    if (name == kCopyFolder || IsOwnTemporaryName(name)) continue;
    throw Error(ErrorKind::kInvalidArgument, store_->name(), "", "",
                FormatExpectedGot("an empty folder, or an unfinished copy", name + " in it"));
  }
}

void CopyMarker::Load(const std::string& text) {
  const JsonNode state = JsonNode::Parse(text, store_->name(), kState);
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), "", "",
                "here is an unfinished copy " + what + ": complete it, or remove it");
  };
  if (state.At("source").AsString() != source_) fail("of " + state.At("source").AsString());
  if (state.At("job").AsString() != job_) fail("with other options, or of another state of the source");
  for (const JsonNode& array : state.At("complete").GetItems()) complete_.insert(array.AsString());
  array_ = state.At("array").AsString();
  pieces_ = state.At("pieces").AsUint64();
  resumed_ = true;
}

void CopyMarker::Save() {
  std::vector<JsonNode> complete;
  for (const std::string& array : complete_) complete.push_back(JsonNode::MakeString(array));
  const JsonNode state = JsonNode::MakeObject({{"zarrkit", JsonNode::MakeString("copy")},
                                               {"source", JsonNode::MakeString(source_)},
                                               {"job", JsonNode::MakeString(job_)},
                                               {"complete", JsonNode::MakeArray(complete)},
                                               {"array", JsonNode::MakeString(array_)},
                                               {"pieces", JsonNode::MakeUnsigned(pieces_)}});
  const std::string text = state.Dump(JsonNode::Style::kV3);
  store_->Set(kState, AsBytes(text));
}

void CopyMarker::SetPieces(const std::string& array, std::uint64_t pieces) {
  array_ = array;
  pieces_ = pieces;
  Save();
}

void CopyMarker::SetComplete(const std::string& array) {
  complete_.insert(array);
  Save();
}

void CopyMarker::Remove() {
  namespace fs = std::filesystem;
  store_->Erase(kLock);
  store_->Erase(kState);
  lock_.reset();  // some systems keep the name of a removed file while the file is open
  const std::string path = store_->name() + "/" + std::string(kCopyFolder);
  std::error_code error;
  for (const std::string& name : ListNames(path, &error)) {
    if (IsOwnTemporaryName(name)) RemoveFile(path + "/" + name);
  }
  RemoveFolder(path);
}

}  // namespace zarr::tools
