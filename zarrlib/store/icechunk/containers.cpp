// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/containers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flex_buffer.h"

namespace zarr {
namespace {

/// Reads strings, of which many may share their bytes, up to the size of the FlexBuffer.
class TextReader {
 public:
  explicit TextReader(ByteSpan config) : left_(config.size()) {}

  /// Returns a member's text, or "".
  std::string Read(const FlexValue& map, std::string_view name) {
    const auto member = map.FindMember(name);
    const auto text = member ? member->FindText() : std::nullopt;
    return text ? Take(*text) : "";
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
bool IsOn(const FlexValue& map, std::string_view name) {
  const auto member = map.FindMember(name);
  return member && (member->IsTrue() || member->FindText() == "true");
}

struct TextOption {
  std::string_view name;
  std::string Container::*field;
};
struct Switch {
  std::string_view name;
  bool Container::*field;
};
// Of options with the same meaning, a container has one.
constexpr std::array<TextOption, 5> kTextOptions = {{{"region", &Container::region},
                                                     {"endpoint_url", &Container::endpoint},
                                                     {"account", &Container::account},
                                                     {"account_name", &Container::account},
                                                     {"azure_storage_account_name", &Container::account}}};
constexpr std::array<Switch, 6> kSwitches = {{{"anonymous", &Container::is_anonymous},
                                              {"skip_signature", &Container::is_anonymous},
                                              {"google_skip_signature", &Container::is_anonymous},
                                              {"azure_skip_signature", &Container::is_anonymous},
                                              {"force_path_style", &Container::has_path_style},
                                              {"requester_pays", &Container::requester_pays}}};

/// Reads the store of a container: a map with one member, whose name is the kind.
void ReadStore(const FlexValue& store, TextReader* texts, Container* container) {
  if (store.CountMembers() == 0) return;
  container->kind = texts->Take(store.GetKey(0));
  const FlexValue options = store.GetMember(0);
  for (const auto& [name, field] : kTextOptions) {
    if ((container->*field).empty()) container->*field = texts->Read(options, name);
  }
  for (const auto& [name, field] : kSwitches) container->*field = container->*field || IsOn(options, name);
}

/// A line "name: !tag text" of a block in YAML.
struct YamlLine {
  std::size_t indent = 0;
  std::string_view name;
  std::string_view tag;
  std::string_view text;
};

std::string_view TrimLeft(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// Removes quotes; what is escaped in them is not read.
std::string_view Unquote(std::string_view text) {
  const bool is_quoted =
      text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

YamlLine ParseYamlLine(std::string_view line) {
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  YamlLine parsed;
  // The value of a name that is too long for its line begins with a colon.
  parsed.indent = std::min(line.find_first_not_of(" :?"), line.size());
  line = line.substr(parsed.indent);
  const std::size_t colon = line.ends_with(':') ? line.size() - 1 : std::min(line.find(": "), line.size());
  parsed.name = Unquote(line.substr(0, colon));
  line = TrimLeft(line.substr(std::min(colon + 1, line.size())));
  if (line.starts_with('!')) {
    const std::size_t end = std::min(line.find(' '), line.size());
    parsed.tag = line.substr(1, end - 1);
    line = TrimLeft(line.substr(end));
  }
  if (line != "null" && line != "~") parsed.text = Unquote(line);
  return parsed;
}

void SetOption(const YamlLine& line, Container* container) {
  for (const auto& [name, field] : kTextOptions) {
    if (line.name == name) container->*field = line.text;
  }
  for (const auto& [name, field] : kSwitches) {
    if (line.name == name) container->*field = line.text == "true";
  }
}

}  // namespace

std::vector<Container> ParseContainers(std::string_view yaml) {
  std::vector<Container> result;
  std::string_view name;
  bool is_inside = false;
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t store = kNone;  // the indent of the store whose options follow
  while (!yaml.empty()) {
    const std::size_t end = std::min(yaml.find('\n'), yaml.size());
    const YamlLine line = ParseYamlLine(yaml.substr(0, end));
    yaml.remove_prefix(std::min(end + 1, yaml.size()));
    if (line.indent == 0) is_inside = line.name == "virtual_chunk_containers";
    if (!is_inside || line.name.empty()) continue;
    if (line.indent <= store) store = kNone;
    if (store != kNone) {
      SetOption(line, &result.back());
    } else if (line.name == "name") {
      name = line.text;
    } else if (line.name == "url_prefix") {
      result.push_back({std::string(std::exchange(name, {})), std::string(line.text)});
    } else if (line.name == "store" && !result.empty()) {
      result.back().kind = line.tag;
      store = line.indent;
    }
  }
  std::erase_if(result, [](const Container& container) { return container.url.empty(); });
  return result;
}

std::vector<Container> ReadContainers(ByteSpan config) {
  std::vector<Container> result;
  const auto containers = FlexValue::OpenRoot(config).FindMember("virtual_chunk_containers");
  if (!containers) return result;
  TextReader texts(config);
  for (std::size_t i = 0; i < containers->CountMembers(); ++i) {
    const FlexValue member = containers->GetMember(i);
    Container container{texts.Read(member, "name"), texts.Read(member, "url_prefix")};
    if (container.url.empty()) continue;
    if (const auto store = member.FindMember("store")) ReadStore(*store, &texts, &container);
    result.push_back(std::move(container));
  }
  return result;
}

}  // namespace zarr
