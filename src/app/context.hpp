#pragma once
// The world as use cases see it: files, time, environment. Made once by cli/main, or by a test over a model
// of a disk.
//
// Held by reference: the ports outlive every use case. A use case reads the clock once and uses that one
// moment for everything it records.

#include "system/clock.hpp"
#include "system/environment.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

struct Context {
  system::FileSystem& files;
  system::Clock& clock;
  const system::Environment& environment;
};

}  // namespace plankeep::app
