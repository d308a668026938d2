#pragma once

#include <string>

namespace gdal_zarr {

/// Whether GDAL knows all that is in an archive, as far as can be told: what it does not name is then absent. `prefix`
/// is "/vsitar/", say, and `root` what GDAL calls the archive's own folder. GDAL gives the same empty answer for an
/// archive that cannot be read and for a file that is not in it, and goes by a part of a tar file's headers if the next
/// one could not be read. Asks once for each state of an archive. Thread-safe.
bool KnowsContent(const std::string& prefix, const std::string& archive, const std::string& root);

}  // namespace gdal_zarr
