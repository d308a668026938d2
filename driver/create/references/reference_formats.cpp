// SPDX-License-Identifier: MIT
#include "driver/create/references/reference_formats.h"

#include "driver/create/references/json_references.h"
#include "driver/create/references/parquet_references_writer.h"
#include "driver/create/references/virtual_repository.h"
#include "driver/gdal/text.h"
#include "driver/new_array/creation_options.h"

namespace gdal_zarr {

std::unique_ptr<ReferenceSink> MakeReferenceSink(const ReferencePlace& place) {
  const std::string& path = place.path;
  const bool is_parquet = EndsWithIgnoringCase(path, ".parq") || EndsWithIgnoringCase(path, ".parquet");
  if (!place.commit && !is_parquet) return std::make_unique<JsonReferences>(path, place.is_relative);
  if (place.is_relative) FailOption("RELATIVE", "NO for references that are not in JSON", "YES");
  if (place.commit) return std::make_unique<VirtualRepository>(path, *place.commit);
  return std::make_unique<ParquetReferencesWriter>(path);
}

}  // namespace gdal_zarr
