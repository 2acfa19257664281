// What people call themselves and each other: which texts may be shown, how a name is brought into
// one form, and which names look alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace triquetra {

/// A text in the form in which it is shown: composed (NFC), without what does nothing where it
/// stands, such as a zero-width space. Joiners, marks of direction, variants and the tags of flags
/// stay where scripts and emoji need them (RFC 5892 appendix A, UTS 39, UTS 51). None if it would
/// deceive or cannot be shown: what is not UTF-8, control characters, overridden and unpaired
/// directions, blanks that look like nothing, private or unassigned characters, more than three
/// marks on one letter.
std::optional<std::string> shown_text(std::string_view text);
/// Whether there is such a form.
bool is_showable(std::string_view text);

/// A showable name in the one form that is kept: as it is shown, spaces of any kind single and only
/// inside.
std::string normalized_name(std::string_view name);

/// What is left of a name at a glance: names of the same skeleton may be taken for each other.
/// Never shown.
std::string skeleton_of(std::string_view name);

}  // namespace triquetra
