// SPDX-License-Identifier: MIT
#include "driver/create/references/reference_formats.h"

#include "driver/create/references/json_references.h"
#include "driver/create/references/parquet_references_writer.h"
#include "driver/gdal/text.h"
#include "driver/new_array/creation_options.h"

namespace gdal_zarr {

std::unique_ptr<ReferenceSink> MakeReferenceSink(const std::string& path, bool relative) {
  const bool is_parquet = EndsWithIgnoringCase(path, ".parq") || EndsWithIgnoringCase(path, ".parquet");
  if (!is_parquet) return std::make_unique<JsonReferences>(path, relative);
  if (relative) FailOption("RELATIVE", "NO for references in Parquet, whose readers differ in that", "YES");
  return std::make_unique<ParquetReferencesWriter>(path);
}

}  // namespace gdal_zarr
