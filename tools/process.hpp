// Starting somebody else's program.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace triquetra {

/// Starts a command of the shell with further words behind it, without our input, and with what it
/// says on standard output thrown away, for that is ours. 0 if it cannot be started.
pid_t start_process(const std::string& command, const std::vector<std::string>& words);
/// Ends such a process and all that it started.
void end_process(pid_t process);

}  // namespace triquetra
