// SPDX-License-Identifier: MIT
#include "zarrlib/array/other_chunk_keys.h"

#include <algorithm>
#include <cctype>

namespace zarr {
namespace {

/// Finds a key under which `encoding` has a chunk of the array. Follows the first folder whose name may be part of one.
std::optional<std::string> FindKey(const Array& array, const ChunkKeyEncoding& encoding, const std::string& prefix,
                                   std::size_t depth) {
  const auto listing = array.store().List(array.chunk_prefix() + prefix);
  if (!listing) return std::nullopt;
  for (const std::string& name : listing->keys) {
    if (encoding.Parse(prefix + name, array.rank())) return prefix + name;
  }
  if (depth == 0) return std::nullopt;
  const auto may_lead_to_chunks = [&](const std::string& name) {
    const std::string top = prefix.empty() ? encoding.GetTopFolder() : "";
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    return top.empty() ? std::ranges::all_of(name, is_digit) : name == top;
  };
  const auto folder = std::ranges::find_if(listing->prefixes, may_lead_to_chunks);
  if (folder == listing->prefixes.end()) return std::nullopt;
  return FindKey(array, encoding, prefix + *folder + "/", depth - 1);
}

}  // namespace

std::optional<OtherChunkKeys> FindOtherChunkKeys(const Array& array) {
  const ChunkKeyEncoding& declared = array.metadata().chunk_key_encoding;
  const Shape first(array.rank());
  for (const std::string_view form : kChunkKeyForms) {
    const auto encoding = declared.WithForm(form);
    if (!encoding || encoding->Format(first) == declared.Format(first)) continue;
    const std::size_t depth = encoding->separator == '/' ? array.rank() : 0;
    const auto key = FindKey(array, *encoding, "", depth);
    if (!key) continue;
    const std::string wanted = declared.Format(*encoding->Parse(*key, array.rank()));
    return OtherChunkKeys{std::string(declared.FindForm(*encoding)), array.chunk_prefix() + *key,
                          array.chunk_prefix() + wanted};
  }
  return std::nullopt;
}

std::string Describe(const OtherChunkKeys& keys) {
  const bool is_separator = keys.form.size() == 1;
  return "chunks are declared under keys such as " + keys.declared + ", but there are some such as " + keys.example +
         ", which nobody finds: the array looks as if it were written with " +
         (is_separator ? "the dimension separator \"" : "keys such as \"") + keys.form + "\"";
}

void ChunkKeyCheck::NoteRead(const Array& array, bool found_nothing) {
  if (done_.exchange(true) || !found_nothing || array.store().info().is_on_network()) return;
  if (const auto keys = FindOtherChunkKeys(array)) {
    warn_({ArrayWarning::Kind::kOtherChunkKeys,
           Error(ErrorKind::kCorrupt, array.store().name(), array.path(), "", Describe(*keys)).what(), keys->form});
  }
}

}  // namespace zarr
