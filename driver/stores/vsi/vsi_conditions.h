// SPDX-License-Identifier: MIT
#pragma once

#include <cpl_conv.h>

#include <cstddef>
#include <string>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Returns true if a path's server can compare and replace a value in one step: S3, Azure, and Google Cloud Storage.
bool TakesConditions(const std::string& path);

/// Returns what a path's server can compare with the present state of a value: an entity tag, or a generation. Returns
/// "" if the stamp has none.
std::string GetComparedPart(const std::string& path, const zarr::VersionStamp& stamp);

/// Makes the header for a request on the condition that a value has a stamp, or, if that is null, that there is none.
std::string MakeCondition(const std::string& path, const zarr::VersionStamp* known);

/// Returns the most bytes that GDAL can be made to send in one request. Larger values are sent in several requests, the
/// first of which replaces what is there on Azure.
std::size_t GetMostInOneRequest(const std::string& path);

/// Makes GDAL send the changes of this thread, during the lifetime of the object, as one conditional request each,
/// without repeating it: it might have been carried out. Throws Error(unsupported) if the user's options for the path
/// prevent that.
class ConditionalRequest {
 public:
  /// `condition` is the header from MakeCondition; `size` is that of the value.
  ConditionalRequest(const std::string& path, const std::string& condition, std::size_t size);

 private:
  CPLConfigOptionSetter header_;
  CPLConfigOptionSetter retries_;
  CPLConfigOptionSetter size_;
};

/// Makes the header of a request on a condition that does not hold for a value that does not exist.
std::string MakeFalseCondition(const std::string& path);

/// Returns the HTTP status in the text of an error about a change (AnswerWatch), or 0 if there was no answer.
int FindStatus(const std::string& text);

/// Returns true if a status means that the condition does not hold: also of a value that does not exist any more, or
/// that others are changing.
bool MeansOtherState(int status);

/// Asks the server for the entity tag or the generation of a value, and makes GDAL forget what it knows of the value.
/// Returns "" if there is none, or if the request fails.
std::string ReadComparedPart(const std::string& path);

}  // namespace gdal_zarr
