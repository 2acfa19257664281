// How a thread shares its core with the others. The system may refuse: then the thread is an equal.
#pragma once

namespace triquetra {

/// The calling thread has what all others leave over.
void take_what_is_left();

/// The calling thread does little at a time and others wait for it: when it wakes it goes in front
/// of those who would take a whole turn. (Linux 6.12 and later; before, it changes nothing.)
void take_short_turns();

}  // namespace triquetra
