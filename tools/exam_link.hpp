// The sittings of an exam in which nothing is played: how a client greets, waits, comes back and
// stays away (docs/CLIENTS.md).
#pragma once

#include <memory>

#include "tools/exam.hpp"

namespace triquetra {

/// Before: `name` is neither game nor host.
std::unique_ptr<Sitting> make_link_sitting(SittingName name, const ExamPlan& plan);

/// The check that such a sitting is about: of the same name. Of link, one of several.
CheckName check_of(SittingName name);

}  // namespace triquetra
