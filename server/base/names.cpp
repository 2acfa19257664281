#include "server/base/names.hpp"

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

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

constexpr std::uint32_t kUnseen = UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cs |
                                  UC_CATEGORY_MASK_Co | UC_CATEGORY_MASK_Cn | UC_CATEGORY_MASK_Zl |
                                  UC_CATEGORY_MASK_Zp;
constexpr std::uint32_t kMarks = UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Mc | UC_CATEGORY_MASK_Me;

/// Letters, by their category, that are drawn as nothing: fillers of Hangul, blank Braille,
/// variation selectors.
bool is_blank(ucs4_t c) {
  return c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 || c == 0x2800 || c == 0x3164 ||
         c == 0xFFA0 || c == 0x034F || (c >= 0x180B && c <= 0x180F) ||
         (c >= 0xFE00 && c <= 0xFE0E) || (c >= 0xE0100 && c <= 0xE01EF);
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
    // Marks, spaces and punctuation do not tell names apart at a glance.
    if (is_in(c, kMarks | UC_CATEGORY_MASK_Z | UC_CATEGORY_MASK_P) && c != '!') return;
    append(out, looks_like(c));
  });
  return out;
}

}  // namespace

bool is_showable(std::string_view text) {
  bool fit = true;
  int marks = 0;
  const bool valid = each_character(text, [&](ucs4_t c) {
    marks = is_in(c, kMarks) ? marks + 1 : 0;
    if (is_in(c, kUnseen) || is_blank(c) || marks > 3) fit = false;
  });
  return valid && fit;
}

std::string normalized_name(std::string_view name) {
  std::string out;
  bool space = false;
  each_character(normal_form(name, UNINORM_NFKC), [&](ucs4_t c) {
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
