#pragma once
// Names of files in a session checkpoint. Private to this room.

#include <string_view>

namespace plankeep::core {

inline constexpr std::string_view kMetadataFile = "metadata.json";
inline constexpr std::string_view kHashFile = "content_hash.txt";
inline constexpr std::string_view kPromptFile = "prompt.txt";
inline constexpr std::string_view kCompactFile = "transcript.jsonl";
inline constexpr std::string_view kPlanFile = "plankeep/plan.json";

}  // namespace plankeep::core
