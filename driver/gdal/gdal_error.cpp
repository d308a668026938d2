// SPDX-License-Identifier: MIT
#include "driver/gdal/gdal_error.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi_error.h>

#include <exception>
#include <new>
#include <string_view>

namespace gdal_zarr {
namespace {

CPLErrorNum GetErrorNumber(zarr::ErrorKind kind, Activity activity) {
  switch (kind) {
    case zarr::ErrorKind::kNotFound:
      return CPLE_OpenFailed;
    case zarr::ErrorKind::kCorrupt:
      return activity == Activity::kOpening ? CPLE_OpenFailed : CPLE_AppDefined;
    case zarr::ErrorKind::kUnsupported:
      return CPLE_NotSupported;
    case zarr::ErrorKind::kInvalidArgument:
      return CPLE_IllegalArg;
    case zarr::ErrorKind::kIo:
      return activity == Activity::kOpening ? CPLE_OpenFailed : CPLE_FileIO;
    case zarr::ErrorKind::kReadOnly:
      return CPLE_NoWriteAccess;
    case zarr::ErrorKind::kLimitExceeded:
      return CPLE_AppDefined;
  }
  return CPLE_AppDefined;
}

/// Makes text valid UTF-8. Messages quote arbitrary bytes from stores, and Python drops messages that are not UTF-8.
std::string MakePrintable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return result;
}

thread_local ExceptionCarrier* current_carrier = nullptr;

}  // namespace

ExceptionCarrier::ExceptionCarrier() : outer_(current_carrier) {
  current_carrier = this;
}

ExceptionCarrier::~ExceptionCarrier() {
  current_carrier = outer_;
}

std::shared_ptr<GDALAttribute> FindAttribute(const GDALMDArray& array, const char* name) {
  return CallThrough([&] { return array.GetAttribute(name); });
}

void ReportError(const zarr::Error& error, Activity activity) {
  const CPLErrorNum number = GetErrorNumber(error.kind(), activity);
  // Does not allocate, unless the text must be changed.
  if (CPLIsUTF8(error.what(), -1)) return CPLError(CE_Failure, number, "%s", error.what());
  CPLError(CE_Failure, number, "%s", MakePrintable(error.what()).c_str());
}

void ReportCurrentException(Activity activity) noexcept {
  if (current_carrier) {
    if (!current_carrier->exception_) current_carrier->exception_ = std::current_exception();
    return;
  }
  try {
    try {
      throw;
    } catch (const zarr::Error& error) {
      ReportError(error, activity);
    }
  } catch (const std::bad_alloc&) {  // also while the error is being reported
    CPLError(CE_Failure, CPLE_OutOfMemory, "Zarr: out of memory");
  } catch (const std::exception& error) {
    CPLError(CE_Failure, CPLE_AppDefined, "Zarr: %s", error.what());
  } catch (...) {
    CPLError(CE_Failure, CPLE_AppDefined, "Zarr: unknown exception");
  }
}

FailureWatch::FailureWatch() {
  CPLPushErrorHandlerEx(&FailureWatch::PassOn, this);
}

FailureWatch::~FailureWatch() {
  CPLPopErrorHandler();
}

void CPL_STDCALL FailureWatch::PassOn(CPLErr level, CPLErrorNum number, const char* message) {
  auto* self = static_cast<FailureWatch*>(CPLGetErrorHandlerUserData());
  if (level >= CE_Failure && !self->failed_) {
    self->failed_ = true;
    try {
      self->message_ = message;
    } catch (const std::bad_alloc&) {
      // Exceptions must not pass through GDAL; the failure itself is already recorded.
    }
  }
  CallPreviousHandler(level, number, message, &FailureWatch::PassOn, self);
}

ErrorCollector::ErrorCollector() : last_type_(CPLGetLastErrorType()), last_number_(CPLGetLastErrorNo()) {
  try {
    last_message_.emplace(CPLGetLastErrorMsg());
  } catch (const std::bad_alloc&) {
    // Destructors also collect errors.
  }
  VSIErrorReset();
  CPLPushErrorHandlerEx(&ErrorCollector::Collect, this);
  CPLSetCurrentErrorHandlerCatchDebug(FALSE);
}

ErrorCollector::~ErrorCollector() {
  CPLPopErrorHandler();
  CPLErrorSetState(last_type_, last_number_, last_message_ ? last_message_->c_str() : "out of memory");
  VSIErrorReset();
}

void CPL_STDCALL ErrorCollector::Collect(CPLErr level, CPLErrorNum, const char* message) {
  auto* self = static_cast<ErrorCollector*>(CPLGetErrorHandlerUserData());
  self->failed_ = self->failed_ || level >= CE_Failure;
  if (self->text_.size() + std::string_view(message).size() > 2000)
    return;  // a thousand failed requests have the same reason
  try {
    if (!self->text_.empty()) self->text_ += "; ";
    self->text_ += message;
  } catch (const std::bad_alloc&) {
    // Exceptions must not pass through GDAL; the failure itself is already recorded.
  }
}

std::string ErrorCollector::GetText() const {
  std::string text = text_;
  const std::string_view vsi = VSIGetLastErrorNo() == VSIE_None ? "" : VSIGetLastErrorMsg();
  if (text.find(vsi) == std::string::npos) {
    if (!text.empty()) text += "; ";
    text += vsi;
  }
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace gdal_zarr
