// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/containers.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flex_buffer.h"

namespace zarr {
namespace {

/// Reads strings, of which many may share their bytes, up to the size of the FlexBuffer.
class TextReader {
 public:
  explicit TextReader(ByteSpan config) : left_(config.size()) {}

  /// Returns the first member with a text, or "".
  std::string Read(const FlexValue& map, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      const auto member = map.FindMember(name);
      if (const auto text = member ? member->FindText() : std::nullopt) return Take(*text);
    }
    return "";
  }
  std::string Take(std::string_view text) {
    if (text.size() > left_) {
      throw Error(ErrorKind::kCorrupt, "the containers of the configuration share their names");
    }
    left_ -= text.size();
    return std::string(text);
  }

 private:
  std::uint64_t left_;
};

/// Options of Google and Azure are strings.
bool IsOn(const FlexValue& map, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto member = map.FindMember(name);
    if (member && (member->IsTrue() || member->FindText() == "true")) return true;
  }
  return false;
}

/// Reads the store of a container: a map with one member, whose name is the kind.
void ReadStore(const FlexValue& store, TextReader* texts, Container* container) {
  if (store.CountMembers() == 0) return;
  container->kind = texts->Take(store.GetKey(0));
  const FlexValue options = store.GetMember(0);
  container->region = texts->Read(options, {"region"});
  container->endpoint = texts->Read(options, {"endpoint_url"});
  container->account = texts->Read(options, {"account", "account_name", "azure_storage_account_name"});
  container->is_anonymous =
      IsOn(options, {"anonymous", "skip_signature", "google_skip_signature", "azure_skip_signature"});
  container->has_path_style = IsOn(options, {"force_path_style"});
  container->requester_pays = IsOn(options, {"requester_pays"});
}

}  // namespace

std::vector<Container> ReadContainers(ByteSpan config) {
  std::vector<Container> result;
  const auto containers = FlexValue::OpenRoot(config).FindMember("virtual_chunk_containers");
  if (!containers) return result;
  TextReader texts(config);
  for (std::size_t i = 0; i < containers->CountMembers(); ++i) {
    const FlexValue member = containers->GetMember(i);
    Container container{texts.Read(member, {"name"}), texts.Read(member, {"url_prefix"})};
    if (container.url.empty()) continue;
    if (const auto store = member.FindMember("store")) ReadStore(*store, &texts, &container);
    result.push_back(std::move(container));
  }
  return result;
}

}  // namespace zarr
