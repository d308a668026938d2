// SPDX-License-Identifier: MIT
#include <cpl_vsi.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "driver/stores/answer_watch.h"
#include "driver/stores/http/http_settings.h"
#include "driver/stores/network_settings.h"
#include "driver/stores/vsi/vsi_conditions.h"
#include "driver/stores/vsi/vsi_store_call.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/store/repeated_change.h"

namespace gdal_zarr {
namespace {

constexpr int kMostTries = 10;
constexpr int kNotImplemented = 501;

/// What is known of the buckets of this process: whether their servers honour conditions.
class KnownBuckets {
 public:
  static KnownBuckets& Get() {
    static auto* const buckets = new KnownBuckets;
    return *buckets;
  }

  std::optional<bool> Find(const std::string& bucket) {
    const std::lock_guard lock(mutex_);
    const auto found = honours_.find(bucket);
    return found == honours_.end() ? std::nullopt : std::optional(found->second);
  }

  void Note(const std::string& bucket, bool honours) {
    const std::lock_guard lock(mutex_);
    honours_[bucket] = honours;
  }

 private:
  zarr::ForkSafeMutex mutex_;
  std::map<std::string, bool> honours_;
};

/// Returns the path of the bucket, or of Azure's container: "/vsis3/bucket" for "/vsis3/bucket/a.zarr".
std::string GetBucket(const std::string& root) {
  const std::size_t name = root.find('/', 1) + 1;
  return root.substr(0, root.find('/', name));
}

bool IsServersFault(int status) {
  return status == 429 || status >= 500;
}

}  // namespace

std::optional<zarr::Error> VsiStore::PutOnCondition(std::string_view key, zarr::ByteSpan value,
                                                    const std::string& condition) {
  const ConditionalRequest request(MakePath(key), condition, value.size());
  try {
    Put(key, value);
    return std::nullopt;
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kIo) throw;
    ++GetVersion(MakePath(key));  // the request may have been carried out
    return error;
  }
}

bool VsiStore::HonoursConditions() {
  const std::string bucket = GetBucket(root_);
  const std::string name = MakeDigestOfSettings(bucket) + bucket;
  if (const auto known = KnownBuckets::Get().Find(name)) return *known;
  const bool honours = ProbeConditions();
  KnownBuckets::Get().Note(name, honours);
  return honours;
}

void VsiStore::EraseIfPossible(const std::string& key) {
  try {
    EraseObjects({&key, 1});
  } catch (const zarr::Error&) {
    // The user may not have the right to remove values. An empty temporary one does no harm.
  }
}

/// Puts a temporary value on a condition that does not hold. Without an answer, asks again.
bool VsiStore::ProbeConditions() {
  const std::string key = zarr::MakeTemporaryName();
  const RetryRule rule = ReadHttpSettings(MakePath(key)).retry;
  for (int tries = 1;; ++tries) {
    const auto failure = PutOnCondition(key, {}, MakeFalseCondition(root_));
    const int status = failure ? FindStatus(failure->message()) : 0;
    if (failure && MeansOtherState(status)) return true;
    if (!failure || Exists(key, zarr::Freshness::kNow)) {
      EraseIfPossible(key);
      return false;
    }
    if (status == 0 && !AnswerWatch::Works()) return true;
    if (status == kNotImplemented) return false;
    // Another refusal, such as that of a token or of a user's rights, shows nothing about conditions.
    const bool may_pass = status == 0 || IsServersFault(status) || IsRetried(rule, status, failure->message());
    if (!may_pass || !WaitForRetry(rule, tries)) throw zarr::Error(*failure);
  }
}

void VsiStore::CheckTakesCondition(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) {
  const bool is_known = !known || !GetComparedPart(root_, *known).empty();
  if (!TakesConditions(root_) || !is_known || value.size() > GetMostInOneRequest(root_)) {
    throw zarr::Error(
        zarr::ErrorKind::kUnsupported, root_, std::string(key), "",
        "the value there cannot be replaced on a condition (that takes S3, Azure or Google Cloud Storage, "
        "an entity tag or a generation, and less than " +
            std::to_string(GetMostInOneRequest(root_)) + " bytes)");
  }
  if (!known || HonoursConditions()) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported, root_, "", "",
                    "the server ignores conditions (If-Match), so that a value cannot be replaced on a condition");
}

bool VsiStore::WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) {
  if (kind_ != Kind::kNetwork) return Store::WriteIfSame(key, value, known);
  CheckWritable(key);
  CheckTakesCondition(key, value, known);
  try {
    const RetryRule rule = ReadHttpSettings(MakePath(key)).retry;
    bool is_doubtful = false;  // an earlier request may have been carried out
    zarr::Repetition refused;
    for (int tries = 0;; log_->CountRetries(1)) {
      const auto failure = PutOnCondition(key, value, MakeCondition(root_, known));
      if (!failure) return true;
      const int status = FindStatus(failure->message());
      const bool is_refused = MeansOtherState(status);
      if (is_refused && !is_doubtful && (known || Exists(key, zarr::Freshness::kNow))) return false;
      const std::optional<bool> is_written = FindOutcome(key, value, known);
      if (is_written) return *is_written;
      is_doubtful = is_doubtful || !is_refused;
      if (is_refused) {
        refused.Wait(zarr::ChangedMeanwhile(root_, std::string(key)));
      } else if (!IsRetried(rule, status, failure->message()) || !WaitForRetry(rule, ++tries)) {
        throw zarr::Error(*failure);
      }
    }
  } catch (const zarr::Error& error) {
    throw error.At(root_, key);
  }
}

/// Looks at a value after a request without an answer. Returns nullopt if it is as before.
std::optional<bool> VsiStore::FindOutcome(std::string_view key, zarr::ByteSpan value,
                                          const zarr::VersionStamp* known) const {
  zarr::Bytes present;
  zarr::VersionStamp stamp;
  const bool is_there = Get(key, &present, &stamp, UINT64_MAX, zarr::Freshness::kNow);
  if (is_there && std::ranges::equal(present, value)) return true;
  const bool is_same = known ? is_there && GetComparedPart(root_, stamp) == GetComparedPart(root_, *known) : !is_there;
  return is_same ? std::nullopt : std::optional(false);
}

bool VsiStore::ReadForCondition(const Call& call, const zarr::ReadRequest& request) const {
  for (int i = 0; i < kMostTries; ++i) {
    const std::string before = ReadComparedPart(call.path());
    std::optional<zarr::Error> failure;
    bool found = false;
    try {
      found = ReadByGdal(call, request);
    } catch (const zarr::Error& error) {
      failure = error;  // for instance, the size that GDAL has asked for is that of another state
    }
    if (ReadComparedPart(call.path()) != before) continue;
    if (failure) throw zarr::Error(*failure);
    request.stamp->condition = before;
    return found;
  }
  call.Fail(zarr::ErrorKind::kIo, "the value changes all the time while it is read");
}

}  // namespace gdal_zarr
