#include "server/base/names.hpp"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace triquetra {

namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  // libunistring has bytes of its own kind.
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

/// Calls f(character) for each; false if the text is not UTF-8.
template <class F>
bool each_character(std::string_view text, F f) {
  while (!text.empty()) {
    ucs4_t character = 0;
    const int length = u8_mbtoucr(&character, bytes_of(text), text.size());
    if (length <= 0) return false;
    f(character);
    text.remove_prefix(static_cast<std::size_t>(length));
  }
  return true;
}

void append(std::string& out, ucs4_t character) {
  std::array<std::uint8_t, 6> bytes{};
  const int length = u8_uctomb(bytes.data(), character, static_cast<std::ptrdiff_t>(bytes.size()));
  for (int i = 0; i < length; ++i) {
    out += static_cast<char>(bytes.at(static_cast<std::size_t>(i)));
  }
}

struct Free {
  void operator()(std::uint8_t* bytes) const {
    std::free(bytes);  // NOLINT(cppcoreguidelines-no-malloc): malloc is what libunistring uses
  }
};
std::string taken(std::uint8_t* bytes, std::size_t length) {
  const std::unique_ptr<std::uint8_t, Free> owned(bytes);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes), length};
}

std::string normal_form(std::string_view text, uninorm_t form) {
  std::size_t length = 0;
  std::uint8_t* const bytes = u8_normalize(form, bytes_of(text), text.size(), nullptr, &length);
  return taken(bytes, length);
}

std::string case_folded(std::string_view text) {
  std::size_t length = 0;
  std::uint8_t* const bytes =
      u8_casefold(bytes_of(text), text.size(), nullptr, nullptr, nullptr, &length);
  return taken(bytes, length);
}

bool is_in(ucs4_t character, std::uint32_t categories) {
  return uc_is_general_category_withtable(character, categories);
}

/// Never shown: controls, halves of characters, private ones, breaks of lines.
constexpr std::uint32_t kUnseen = UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cs | UC_CATEGORY_MASK_Co |
                                  UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp;
constexpr std::uint32_t kMarks = UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Mc | UC_CATEGORY_MASK_Me;
constexpr int kMostMarks = 3;

using Characters = std::vector<ucs4_t>;

bool is_between(ucs4_t c, ucs4_t first, ucs4_t last) { return c >= first && c <= last; }

/// Letters, by their category, that are drawn as nothing: fillers of Hangul, blank Braille.
bool is_blank(ucs4_t c) {
  return c == 0x115F || c == 0x1160 || c == 0x2800 || c == 0x3164 || c == 0xFFA0;
}

/// Assigned, or kept free for a pictograph: emoji are newer than any table of them.
bool is_known(ucs4_t c) {
  return !is_in(c, UC_CATEGORY_MASK_Cn) || uc_is_property_extended_pictographic(c);
}

constexpr ucs4_t kNonJoiner = 0x200C;
constexpr ucs4_t kJoiner = 0x200D;
constexpr int kVirama = 9;  // its combining class

/// The nearest character before the end that joins or does not, past what is transparent to it.
bool joins_on(const Characters& before) {
  for (auto c = before.rbegin(); c != before.rend(); ++c) {
    const int type = uc_joining_type(*c);
    if (type != UC_JOINING_TYPE_T) return type == UC_JOINING_TYPE_L || type == UC_JOINING_TYPE_D;
  }
  return false;
}
bool joins_back(const Characters& text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const int type = uc_joining_type(text[at]);
    if (type != UC_JOINING_TYPE_T) return type == UC_JOINING_TYPE_R || type == UC_JOINING_TYPE_D;
  }
  return false;
}

bool is_emoji_style(ucs4_t c) { return c == 0xFE0E || c == 0xFE0F; }

bool ends_in_pictograph(const Characters& text) {
  for (auto c = text.rbegin(); c != text.rend(); ++c) {
    if (is_emoji_style(*c) || uc_is_property_emoji_modifier(*c)) continue;
    return uc_is_property_extended_pictographic(*c);
  }
  return false;
}

/// Whether a joiner or non-joiner does something between these: RFC 5892, appendices A.1 and A.2,
/// emoji that are joined (UTS 51), and letters that are to be shown as joined at an end.
bool joiner_counts(ucs4_t joiner, const Characters& before, const Characters& text,
                   std::size_t next) {
  if (before.empty()) return false;
  if (uc_combining_class(before.back()) == kVirama) return true;
  if (joiner == kNonJoiner) return joins_on(before) && joins_back(text, next);
  if (joins_on(before)) return true;
  return next < text.size() && uc_is_property_extended_pictographic(text[next]) &&
         ends_in_pictograph(before);
}

/// Where the tags end that make a flag of the black one at `at` (UTS 51); `at` if there are none.
/// Elsewhere tags are hidden writing.
std::size_t end_of_flag(const Characters& text, std::size_t at) {
  constexpr std::size_t kMostTags = 6;
  if (text[at] != 0x1F3F4) return at;
  std::size_t end = at + 1;
  while (end < text.size() && end - at <= kMostTags &&
         (is_between(text[end], 0xE0030, 0xE0039) || is_between(text[end], 0xE0061, 0xE007A))) {
    ++end;
  }
  const bool is_flag = end > at + 1 && end < text.size() && text[end] == 0xE007F;
  return is_flag ? end : at;
}

/// Selectors of a variant, each after what has variants of its kind.
bool variant_counts(ucs4_t selector, ucs4_t before) {
  if (is_emoji_style(selector)) return uc_is_property_emoji(before);
  if (is_between(selector, 0xE0100, 0xE01EF)) return uc_is_property_ideographic(before);
  return is_between(selector, 0x180B, 0x180F) && is_between(before, 0x1820, 0x18AA);
}

bool runs_leftwards(ucs4_t c) {
  const int direction = uc_bidi_class(c);
  return !is_in(c, UC_CATEGORY_MASK_C) && (direction == UC_BIDI_R || direction == UC_BIDI_AL);
}

/// What turns the direction of others is paired, and overrides nothing: else it reaches beyond the
/// text, or shows it in an order in which it is not.
class Directions {
 public:
  static bool turns(ucs4_t c) {
    return is_between(c, 0x202A, 0x202E) || is_between(c, 0x2066, 0x2069);
  }

  void take(ucs4_t c) {
    if (c == 0x202A || c == 0x202B) open_.push_back(0x202C);
    if (is_between(c, 0x2066, 0x2068)) open_.push_back(0x2069);
    if (c == 0x202D || c == 0x202E) fit_ = false;
    if (c != 0x202C && c != 0x2069) return;
    if (open_.empty() || open_.back() != c) {
      fit_ = false;
    } else {
      open_.pop_back();
    }
  }
  bool fit() const { return fit_ && open_.empty(); }

 private:
  Characters open_;  // what must close them
  bool fit_ = true;
};

/// A text in the form in which it is shown, and whether it may be.
struct Cleaned {
  std::string text;
  bool fit = true;
};

class Cleaner {
 public:
  explicit Cleaner(Characters text)
      : text_(std::move(text)),
        leftwards_(std::any_of(text_.begin(), text_.end(), runs_leftwards)) {}

  Cleaned clean() {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      take(i);
      for (const std::size_t end = end_of_flag(text_, i); i < end;) kept_.push_back(text_[++i]);
    }
    Cleaned cleaned{{}, fit_ && directions_.fit()};
    for (const ucs4_t c : kept_) append(cleaned.text, c);
    return cleaned;
  }

 private:
  void take(std::size_t at) {
    const ucs4_t c = text_[at];
    if (is_in(c, kUnseen) || is_blank(c) || !is_known(c) || is_between(c, 0xFFF9, 0xFFFB)) {
      fit_ = false;
    }
    if (Directions::turns(c)) directions_.take(c);
    if (uc_is_property_default_ignorable_code_point(c) && !counts(at)) return;
    kept_.push_back(c);
  }

  /// Whether a character that is nothing by itself does something here.
  bool counts(std::size_t at) const {
    const ucs4_t c = text_[at];
    if (Directions::turns(c) || is_blank(c)) return true;
    if (c == kJoiner || c == kNonJoiner) return joiner_counts(c, kept_, text_, at + 1);
    // Marks of direction are as strong as letters, and say nothing among letters of the other kind.
    if (c == 0x200E || c == 0x200F || c == 0x061C) return leftwards_;
    return !kept_.empty() && variant_counts(c, kept_.back());
  }

  Characters text_;
  bool leftwards_;
  Characters kept_;
  Directions directions_;
  bool fit_ = true;
};

/// More marks on one letter than any language puts there; composed or not.
bool has_tower(std::string_view text) {
  int marks = 0;
  int most = 0;
  each_character(normal_form(text, UNINORM_NFD), [&](ucs4_t c) {
    if (uc_is_property_default_ignorable_code_point(c)) return;
    marks = is_in(c, kMarks) ? marks + 1 : 0;
    most = std::max(most, marks);
  });
  return most > kMostMarks;
}

Cleaned cleaned(std::string_view text) {
  Cleaned result{normal_form(text, UNINORM_NFC), true};
  bool is_first = true;
  // What goes may have stood between two that do something together, or let one do nothing: each
  // round takes something away, the last one nothing.
  for (std::string before; is_first || before != result.text; is_first = false) {
    before = result.text;
    Characters characters;
    const bool valid = each_character(before, [&](ucs4_t c) { characters.push_back(c); });
    const Cleaned once = Cleaner(std::move(characters)).clean();
    if (is_first) result.fit = once.fit && valid;
    result.text = normal_form(once.text, UNINORM_NFC);
  }
  result.fit = result.fit && !has_tower(text) && u8_check(bytes_of(text), text.size()) == nullptr;
  return result;
}

/// What a character may be taken for. Capitals before folding, since H and h differ in more than
/// size. Our own choice of what is in reach of a keyboard: Cyrillic, Greek, and figures.
ucs4_t looks_like(ucs4_t c) {
  static constexpr std::array<std::pair<ucs4_t, char>, 75> kAlike = {{
      {0x0410, 'a'}, {0x0412, 'b'}, {0x0415, 'e'}, {0x041A, 'k'}, {0x041C, 'm'}, {0x041D, 'h'},
      {0x041E, 'o'}, {0x0420, 'p'}, {0x0421, 'c'}, {0x0422, 't'}, {0x0423, 'y'}, {0x0425, 'x'},
      {0x0405, 's'}, {0x0406, 'l'}, {0x0408, 'j'}, {0x0430, 'a'}, {0x0432, 'b'}, {0x0435, 'e'},
      {0x043A, 'k'}, {0x043C, 'm'}, {0x043D, 'h'}, {0x043E, 'o'}, {0x0440, 'p'}, {0x0441, 'c'},
      {0x0442, 't'}, {0x0443, 'y'}, {0x0445, 'x'}, {0x0455, 's'}, {0x0456, 'l'}, {0x0458, 'j'},
      {0x04BB, 'h'}, {0x04C0, 'l'}, {0x04CF, 'l'}, {0x0501, 'd'}, {0x051B, 'q'}, {0x051D, 'w'},
      {0x0391, 'a'}, {0x0392, 'b'}, {0x0395, 'e'}, {0x0396, 'z'}, {0x0397, 'h'}, {0x0399, 'l'},
      {0x039A, 'k'}, {0x039C, 'm'}, {0x039D, 'n'}, {0x039F, 'o'}, {0x03A1, 'p'}, {0x03A4, 't'},
      {0x03A5, 'y'}, {0x03A7, 'x'}, {0x03B1, 'a'}, {0x03B9, 'l'}, {0x03BA, 'k'}, {0x03BD, 'v'},
      {0x03BF, 'o'}, {0x03C1, 'p'}, {0x03C4, 't'}, {0x03C5, 'u'}, {0x03C7, 'x'}, {0x03F2, 'c'},
      {0x0131, 'l'}, {0x0251, 'a'}, {0x0261, 'g'}, {0x026A, 'l'}, {0x0269, 'l'}, {0x01C0, 'l'},
      {0x0585, 'o'}, {0x0578, 'n'}, {'0', 'o'},    {'1', 'l'},    {'|', 'l'},    {'I', 'l'},
      {'!', 'l'},    {'5', 's'},    {'$', 's'},
  }};
  for (const auto& [from, to] : kAlike) {
    if (from == c) return static_cast<ucs4_t>(to);
  }
  return c == 'i' ? ucs4_t{'l'} : c;
}

std::string mapped(std::string_view text) {
  std::string out;
  each_character(text, [&](ucs4_t c) {
    // Marks, spaces, punctuation and what joins or turns do not tell names apart at a glance.
    constexpr std::uint32_t kSlight =
        kMarks | UC_CATEGORY_MASK_Z | UC_CATEGORY_MASK_P | UC_CATEGORY_MASK_Cf;
    if (is_in(c, kSlight) && c != '!') return;
    append(out, looks_like(c));
  });
  return out;
}

}  // namespace

std::optional<std::string> shown_text(std::string_view text) {
  Cleaned clean = cleaned(text);
  if (!clean.fit) return std::nullopt;
  return std::move(clean.text);
}

bool is_showable(std::string_view text) { return cleaned(text).fit; }

std::string normalized_name(std::string_view name) {
  std::string out;
  bool space = false;
  each_character(cleaned(name).text, [&](ucs4_t c) {
    if (is_in(c, UC_CATEGORY_MASK_Zs)) {
      space = true;
      return;
    }
    if (space && !out.empty()) out += ' ';
    space = false;
    append(out, c);
  });
  return out;
}

std::string skeleton_of(std::string_view name) {
  // Twice: what folding makes may be alike again. The dot of i would be a mark of its own.
  std::string text = mapped(case_folded(mapped(normal_form(name, UNINORM_NFKD))));
  for (const auto& [pair, one] : {std::pair<const char*, const char*>{"rn", "m"}, {"vv", "w"}}) {
    for (auto at = text.find(pair); at != std::string::npos; at = text.find(pair)) {
      text.replace(at, 2, one);
    }
  }
  return text;
}

}  // namespace triquetra
