// SPDX-License-Identifier: MIT
#include "driver/stores/http/object_url.h"

#include "driver/gdal/gdal_compat.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cctype>

namespace gdal_zarr {
namespace {

constexpr std::string_view kCurl = "/vsicurl/";
constexpr std::string_view kS3 = "/vsis3/";
constexpr std::string_view kGoogle = "/vsigs/";
constexpr std::string_view kAzure = "/vsiaz/";

/// Options of signed URLs. Their lifetime must cover all retries. A longer lifetime would make GDAL replace temporary
/// credentials that end earlier.
constexpr const char* kSignOptions[] = {"EXPIRATION_DELAY=600", "VERB=GET", nullptr};

/// Returns true if a text begins with a percent-encoded byte.
bool BeginsWithCode(std::string_view text) {
  const auto is_digit = [](char character) { return std::isxdigit(static_cast<unsigned char>(character)) != 0; };
  return text.size() > 2 && text[0] == '%' && is_digit(text[1]) && is_digit(text[2]);
}

bool IsPlain(char character) {
  constexpr std::string_view kMarks = "-._~/!$&'()*,;=:@";
  const bool ascii = static_cast<unsigned char>(character) < 0x80;
  return ascii && (std::isalnum(static_cast<unsigned char>(character)) != 0 || kMarks.find(character) != kMarks.npos);
}

const char* GetOption(const std::string& path, const char* name) {
  return VSIGetPathSpecificOption(path.c_str(), name, nullptr);
}

bool IsOn(const std::string& path, const char* name) {
  const char* value = GetOption(path, name);
  return value && CPLTestBool(value);
}

std::optional<std::string> Sign(const std::string& path) {
  char* const url = VSIGetSignedURL(path.c_str(), kSignOptions);
  if (!url) return std::nullopt;
  const std::string result = url;
  CPLFree(url);
  return result.starts_with("http") ? std::optional(result) : std::nullopt;
}

std::optional<std::string> MakeS3Url(const std::string& path) {
  if (GetOption(path, "AWS_REQUEST_PAYER")) return std::nullopt;
  auto url = Sign(path);
  if (url && IsOn(path, "AWS_NO_SIGN_REQUEST")) url->resize(std::min(url->find('?'), url->size()));
  return url;
}

std::optional<std::string> MakeGoogleUrl(const std::string& path) {
  if (GetOption(path, "GS_USER_PROJECT")) return std::nullopt;
  if (!IsOn(path, "GS_NO_SIGN_REQUEST")) return Sign(path);
  const char* endpoint = GetOption(path, "CPL_GS_ENDPOINT");
  std::string url = endpoint ? endpoint : "https://storage.googleapis.com/";
  if (!url.ends_with('/')) url += '/';
  return url + EscapeKey(std::string_view(path).substr(kGoogle.size()));
}

std::string EscapeSpaces(std::string_view url) {
  std::string result;
  for (const char character : url) {
    if (character == ' ') {
      result += "%20";
    } else {
      result += character;
    }
  }
  return result;
}

}  // namespace

bool IsWebPath(std::string_view path) {
  if (path.starts_with(kCurl)) {
    path.remove_prefix(kCurl.size());
    return path.starts_with("http://") || path.starts_with("https://");
  }
  return path.starts_with(kS3) || path.starts_with(kGoogle) || path.starts_with(kAzure);
}

std::optional<std::string> MakeValueUrl(const std::string& folder, std::string_view key, const std::string& query,
                                        KeyForm form) {
  const std::string path = MakeValuePath(folder, key, form);
  if (folder.starts_with(kCurl)) return EscapeSpaces(std::string_view(path).substr(kCurl.size())) + query;
  if (folder.starts_with(kS3)) return MakeS3Url(path);
  if (folder.starts_with(kGoogle)) return MakeGoogleUrl(path);
  return Sign(path);
}

std::string MakeValuePath(const std::string& folder, std::string_view key, KeyForm form) {
  const std::string path = folder.ends_with('/') ? folder : folder + "/";
  if (folder.starts_with(kCurl) || folder.starts_with("/vsicurl_streaming/")) return path + EscapeKey(key, form);
  if (!folder.starts_with("/vsicurl?") || form == KeyForm::kOfUrl) return path + std::string(key);
  // The URL is an option, which GDAL decodes before it uses it.
  std::string option;
  for (const char character : EscapeKey(key)) {
    option += character == '%' ? "%25" : character == '&' ? "%26" : std::string(1, character);
  }
  return path + option;
}

std::string EscapeKey(std::string_view key, KeyForm form) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool is_code = form == KeyForm::kOfUrl && BeginsWithCode(key.substr(i));
    if (is_code || IsPlain(key[i])) {
      result += key[i];
      continue;
    }
    const auto byte = static_cast<unsigned char>(key[i]);
    result += '%';
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result;
}

std::string DecodeUrl(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code = BeginsWithCode(text.substr(i));
    result += is_code ? static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)) : text[i];
    if (is_code) i += 2;
  }
  return result;
}

bool HasSuffixRanges(std::string_view path) {
  return !path.starts_with(kAzure);
}

bool MayBeElsewhere(std::string_view path, int status, const std::string& body) {
  if (!path.starts_with(kS3)) return false;
  return status == 301 || (status == 400 && body.find("<Code>Authorization") != body.npos) ||
         (status == 403 && body.find("<Code>SignatureDoesNotMatch") != body.npos);
}

std::string HidePrivateParts(std::string_view url) {
  std::string text(url.substr(0, url.find('?')));
  const std::size_t begin = text.find("://");
  if (begin == text.npos) return text;
  const std::size_t end = text.find('/', begin + 3);
  const std::size_t at = text.rfind('@', end);
  if (at != text.npos && at > begin) text.erase(begin + 3, at - begin - 2);
  return text;
}

}  // namespace gdal_zarr
