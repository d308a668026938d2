// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/container_config.h"

#include <map>
#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/commit/flex_writer.h"
#include "zarrlib/store/store.h"

namespace zarr {
namespace {

using Members = std::map<std::string, FlexWriter::Value>;

class ConfigWriter {
 public:
  Bytes Write(std::span<const Container> containers) {
    Members all;
    for (const Container& container : containers) {
      const FlexWriter::Value options = WriteOptions(container);
      all[container.url] = writer_.WriteMap({{"name", WriteOptional(container.name)},
                                             {"store", writer_.WriteMap({{container.kind, options}})},
                                             {"url_prefix", writer_.WriteText(container.url)}});
    }
    return writer_.Finish(writer_.WriteMap({{"virtual_chunk_containers", writer_.WriteMap(all)}}));
  }

 private:
  FlexWriter::Value WriteOptional(const std::string& text) {
    return text.empty() ? FlexWriter::MakeNull() : writer_.WriteText(text);
  }

  FlexWriter::Value WriteOptions(const Container& container) {
    if (container.kind == "local_file_system") {
      constexpr std::string_view kScheme = "file://";
      return writer_.WriteText(std::string_view(container.url).substr(kScheme.size()));
    }
    if (container.kind == "s3" || container.kind == "s3_compatible") return WriteOptionsOfS3(container);
    if (container.kind == "http") return writer_.WriteMap({});
    if (container.kind == "gcs") return writer_.WriteMap(MakeAnonymous(container, "google_skip_signature"));
    if (container.kind == "azure") {
      Members options = MakeAnonymous(container, "azure_skip_signature");
      if (!container.account.empty()) options["account"] = writer_.WriteText(container.account);
      return writer_.WriteMap(options);
    }
    throw Error(ErrorKind::kUnsupported,
                FormatExpectedGot("a container on S3, Google, Azure, a web server or a disk", QuoteKey(container.url)));
  }

  Members MakeAnonymous(const Container& container, const char* option) {
    if (!container.is_anonymous) return {};
    return {{option, writer_.WriteText("true")}};
  }

  FlexWriter::Value WriteOptionsOfS3(const Container& container) {
    return writer_.WriteMap({
        {"allow_http", FlexWriter::MakeBoolean(container.endpoint.starts_with("http://"))},
        {"anonymous", FlexWriter::MakeBoolean(container.is_anonymous)},
        {"endpoint_url", WriteOptional(container.endpoint)},
        {"force_path_style", FlexWriter::MakeBoolean(container.has_path_style)},
        {"region", WriteOptional(container.region)},
        {"requester_pays", FlexWriter::MakeBoolean(container.requester_pays)},
    });
  }

  FlexWriter writer_;
};

}  // namespace

Bytes EncodeContainers(std::span<const Container> containers) {
  return ConfigWriter().Write(containers);
}

}  // namespace zarr
