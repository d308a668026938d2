#include "driver/georeferencing/conventions_list.h"

#include <string>

namespace gdal_zarr {
namespace {

/// ".../zarr-conventions/<repository>/...", in which the organisation was once called otherwise.
bool IsInRepository(std::string_view url, std::string_view repository) {
  if (repository.empty()) return false;
  for (const char* organisation : {"/zarr-conventions/", "/zarr-experimental/"}) {
    const std::string step = organisation + std::string(repository);
    const std::size_t position = url.find(step);
    if (position == std::string_view::npos) continue;
    const std::size_t end = position + step.size();
    if (end == url.size() || url[end] == '/') return true;
  }
  return false;
}

std::string Text(const zarr::JsonNode& object, std::string_view name) {
  const auto member = object.Find(name);
  return member && member->IsString() ? member->AsString() : "";
}

bool IsThat(const zarr::JsonNode& declared, const ZarrConvention& convention) {
  if (const std::string uuid = Text(declared, "uuid"); !uuid.empty())
    return EQUAL(uuid.c_str(), convention.uuid.data());
  for (const char* member : {"schema_url", "spec_url"}) {
    const std::string url = Text(declared, member);
    if (url.empty()) continue;
    return IsInRepository(url, convention.repository) || IsInRepository(url, convention.former_repository);
  }
  return false;
}

}  // namespace

bool Declares(const zarr::JsonNode& attributes, const ZarrConvention& convention) {
  const auto list = attributes.IsObject() ? attributes.Find("zarr_conventions") : std::nullopt;
  if (!list || !list->IsArray()) return false;
  for (const zarr::JsonNode& declared : list->Items()) {
    if (declared.IsObject() && IsThat(declared, convention)) return true;
  }
  return false;
}

}  // namespace gdal_zarr
