#pragma once
// The world as use cases see it: files, time, environment. Made once by cli/main, or by a test over a model
// of a disk.
//
// Held by reference: the ports outlive every use case. A use case reads the clock once and uses that one
// moment for everything it records.

#include "system/clock.hpp"
#include "system/environment.hpp"
#include "system/file_system.hpp"
#include "system/processes.hpp"
#include "system/progress.hpp"

namespace plankeep::app {

struct Context {
  system::FileSystem& files;
  system::Clock& clock;
  const system::Environment& environment;
  /// Null where nothing is known of other processes and none may be started.
  system::Processes* processes = nullptr;
  /// Null if nobody is shown how far a long step is.
  system::Progress* progress = nullptr;
};

}  // namespace plankeep::app
