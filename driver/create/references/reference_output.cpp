// SPDX-License-Identifier: MIT
#include "driver/create/references/reference_output.h"

#include <cpl_vsi.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "driver/create/let_go.h"
#include "driver/create/removal.h"
#include "driver/create/whole_store.h"
#include "driver/stores/kerchunk/reference_target.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {
namespace {

std::string MakeTemporaryPath(const std::string& path) {
  if (LeadsToNetwork(path)) return path;
  return path.substr(0, path.rfind('/') + 1) + zarr::MakeTemporaryName();  // npos + 1 is 0
}

}  // namespace

ReferenceOutput::ReferenceOutput(std::string path) : final_(std::move(path)), written_(MakeTemporaryPath(final_)) {}

ReferenceOutput::~ReferenceOutput() {
  if (is_done_ || written_ == final_) return;
  VSIStatBufL status;
  if (VSIStatL(written_.c_str(), &status) != 0) return;
  VSI_ISDIR(status.st_mode) ? VSIRmdirRecursive(written_.c_str()) : VSIUnlink(written_.c_str());
}

void ReferenceOutput::PutInPlace() {
  MakeRoom(final_);
  if (written_ != final_) {
    const WholeStore old = FindWholeStore(final_, WholeStoreUse::kReplace);
    // Renaming replaces a file in one step.
    if (old.kind != WholeStore::Kind::kReferences) RemoveWholeStore(old);
    VSIStatBufL status;
    if (old.kind == WholeStore::Kind::kAbsent && VSIStatL(final_.c_str(), &status) == 0) VSIRmdir(final_.c_str());
    errno = 0;
    if (VSIRename(written_.c_str(), final_.c_str()) != 0) {
      throw zarr::Error(
          zarr::ErrorKind::kIo, final_, "", "",
          "the references cannot get this name" + (errno == 0 ? "" : ": " + std::generic_category().message(errno)));
    }
  }
  is_done_ = true;
}

ReferenceUrls::ReferenceUrls(const std::string& references) {
  if (references.empty()) return;
  folder_ = MakeReferenceUrl(references);
  folder_.resize(folder_.rfind('/') + 1);  // npos + 1 is 0
}

const std::string& ReferenceUrls::Get(const std::string& path) {
  if (path == path_ && !url_.empty()) return url_;
  path_ = path;
  url_ = MakeReferenceUrl(path);
  if (!url_.starts_with(folder_)) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("a source in the folder " + folder_ + ", with RELATIVE=YES", url_));
  }
  url_.erase(0, folder_.size());
  return url_;
}

}  // namespace gdal_zarr
