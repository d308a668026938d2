// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/new_repository.h"

#include <utility>

#include "zarrlib/store/icechunk/commit/container_config.h"
#include "zarrlib/store/icechunk/commit/node_document.h"
#include "zarrlib/store/icechunk/snapshot_chunks.h"

namespace zarr {

NewRepository::NewRepository(std::shared_ptr<Store> folder, CommitOptions commit)
    : folder_(std::move(folder)), commit_(std::move(commit)) {}

void NewRepository::AddNode(const std::string& path, std::string_view document) {
  const NodeDocument parsed = ParseNodeDocument(AsBytes(document));
  const std::size_t slash = path.rfind('/');
  const std::string group = path.substr(0, slash == path.npos ? 0 : slash);
  const bool in_group = !path.empty() && changes_.nodes.contains(group);
  NodeChange& node = AddNewNode(path, {MakeNodeId(), parsed.is_array, parsed.dimensions.size()}, true, &changes_);
  node.in_group = in_group;
  node.document = document;
}

void NewRepository::BeginArray(const std::string& path) {
  NodeChange& node = changes_.nodes.at(path);
  if (chunks_) chunks_->Finish();
  chunks_ = std::make_shared<ChunkTable>(node.rank);
  node.more_chunks = chunks_;
}

void NewRepository::AddChunk(ChunkCoordinates coordinates, const ChunkRef& ref) {
  chunks_->Add(coordinates, ref, UINT64_MAX);
}

void NewRepository::AddChunk(ChunkCoordinates coordinates, ByteSpan bytes) {
  ChunkRef ref;
  if (bytes.size() <= kMostInline) {
    ref.bytes = bytes;
  } else {
    ref.kind = ChunkRef::Kind::kNative;
    ref.file = MakeObjectId();
    ref.length = bytes.size();
    folder_->Set(MakeChunkFileKey(ref.file), bytes);
  }
  AddChunk(coordinates, ref);
}

void NewRepository::Commit(std::span<const Container> containers) {
  if (chunks_) chunks_->Finish();
  if (!containers.empty()) commit_.config = EncodeContainers(containers);
  Committer(folder_, commit_).Commit(changes_);
}

}  // namespace zarr
