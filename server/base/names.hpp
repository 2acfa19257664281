// What people call themselves and each other: which texts may be shown, how a name is brought into
// one form, and which names look alike.
#pragma once

#include <string>
#include <string_view>

namespace triquetra {

/// Whether a text is fit to be shown: valid UTF-8 without control characters, what reorders or
/// hides its neighbours, blanks that look like nothing, private or unassigned characters, and at
/// most three marks on one letter.
bool is_showable(std::string_view text);

/// A showable name in the one form that is kept: compatibility forms composed (NFKC), spaces of any
/// kind single and only inside.
std::string normalized_name(std::string_view name);

/// What is left of a name at a glance: names of the same skeleton may be taken for each other.
/// Never shown.
std::string skeleton_of(std::string_view name);

}  // namespace triquetra
