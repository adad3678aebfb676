#pragma once
// The files of one session checkpoint out of the files of two versions of it (spec 22.2). Pure.
//
//   BlobTexts texts = read(blobs_to_merge(remote, local));             // the metadata files
//   texts.merge(read(transcripts_to_merge(remote, local, texts)));     // what differs of the rest
//   const CheckpointMerge merged = merge_checkpoint({SessionLayout::refs, id, format}, remote, local, texts);
//   ... merged.files, whose new blobs are in merged.texts ...
//
// merge_slots decides about sessions and transcripts. The rest:
// - A slot whose metadata cannot be read, or that repeats a session, is kept as it is.
// - Files that belong to a transcript (its parts, hash, compact form, pictures) come from the side whose
//   transcript stays. If both have the same transcript, and for every other file, a file beats none, and the
//   newer side beats the older one. Newer means the later created_at, then the greater blob id.
// - In metadata files the same holds for each key. The root's sums are counted anew.
//
// The content is the same whichever side is the remote; only the numbers of slots differ. Merging the result
// with either side again changes nothing. Unknown keys, files and folders are kept. A path that is a file on
// one side and a folder on the other is in `files` as both: the caller decides.

#include <map>
#include <string>
#include <vector>

#include "git_objects/object.hpp"
#include "model/session.hpp"
#include "model/session_row.hpp"

namespace plankeep::core {

/// A file as git has it.
struct CheckpointBlob {
  std::string mode;  // "100644"
  std::string id;
  bool operator==(const CheckpointBlob&) const = default;
};
/// By path, relative to the checkpoint's folder; no folders.
using CheckpointTree = std::map<std::string, CheckpointBlob>;
/// By blob id. One that is missing could not be read.
using BlobTexts = std::map<std::string, std::string>;

/// Ids of the metadata files of both sides, each once.
std::vector<std::string> blobs_to_merge(const CheckpointTree& remote, const CheckpointTree& local);

/// Ids of what is compared line by line: transcripts that differ, and conflicts of earlier merges. All of
/// them have to be in `texts` when merge_checkpoint is called, or lines are lost.
std::vector<std::string> transcripts_to_merge(const CheckpointTree& remote, const CheckpointTree& local,
                                              const BlobTexts& texts);

struct MergeTarget {
  SessionLayout layout = SessionLayout::refs;
  std::string id;
  git::ObjectFormat format = git::ObjectFormat::sha1;
};

struct CheckpointMerge {
  CheckpointTree files;
  BlobTexts texts;            // of the blobs in `files` that neither side has
  std::size_t conflicts = 0;  // transcripts that are kept beside another one, and were on neither side
};

CheckpointMerge merge_checkpoint(const MergeTarget& target, const CheckpointTree& remote,
                                 const CheckpointTree& local, const BlobTexts& texts);

}  // namespace plankeep::core
