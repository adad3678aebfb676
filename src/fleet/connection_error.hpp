#pragma once
// Why a connection was not made, as what it is and with what to do. Pure: libpq tells the reason as text
// only.

#include <string>

#include "base/result.hpp"

namespace plankeep::fleet {

struct FailedConnection {
  std::string said;   // libpq's message, in several lines, with SQLSTATE where a server answered; no password
  std::string where;  // the address as people see it, without a password
  std::string login;
  std::string database;
  bool no_password = false;  // the server asked for one, and none was found
};

/// busy: not reached, or the server cannot answer now: trying again may help. io: the server refuses this
/// login or database. invalid_input: the address.
base::Error connection_error(const FailedConnection& failed);

}  // namespace plankeep::fleet
