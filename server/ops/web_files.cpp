#include "server/ops/web_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "protocol/fairness.hpp"
#include "server/base/limits.hpp"

namespace triquetra {

namespace {

constexpr std::string_view kPage = "index.html";
/// The same page for an address one level deeper; the build makes it.
constexpr std::string_view kRoomPage = "room.html";
constexpr std::string_view kGzip = ".gz";

/// What a visitor reads on a server that has no page to play on.
struct Notice {
  std::string_view language;
  std::string_view what;
  std::string_view how;
  std::string_view host;
};
/// The first is for everybody whose language is not there.
constexpr std::array<Notice, 3> kNotices = {{
    {"en",
     "People play Triqueta, Triangle Mayhem and 21/15/9-Card Triangles here, with each other and "
     "against bots.",
     "This server has no page to play on in a browser. Take the program <code>triquetra</code> for "
     "the terminal, the code of your room (the last word of a link that somebody has sent you), "
     "and "
     "the address of this page:",
     "For whoever runs this server: build it with <code>-DTRIQUETRA_WEB=on</code>, or name a built "
     "page by <code>--web-root</code>, and people play right here."},
    {"de",
     "Hier spielt man Triqueta, Dreieckschaos und 21/15/9-Karten-Dreiecke, miteinander und gegen "
     "Bots.",
     "Dieser Server hat keine Seite, um im Browser zu spielen. Nimm das Programm "
     "<code>triquetra</code> für das Terminal, den Code deines Tisches (das letzte Wort eines "
     "Links, den dir jemand geschickt hat) und die Adresse dieser Seite:",
     "Für alle, die diesen Server betreiben: Mit <code>-DTRIQUETRA_WEB=on</code> gebaut oder mit "
     "einer fertigen Seite in <code>--web-root</code> spielt man gleich hier."},
    {"fr",
     "Ici, on joue à Triqueta, à Triangles en folie et à Triangles à 21/15/9 cartes, entre amis et "
     "contre des bots.",
     "Ce serveur n’a pas de page pour jouer dans un navigateur. Prenez le programme "
     "<code>triquetra</code> pour le terminal, le code de votre table (le dernier mot d’un lien "
     "que "
     "l’on vous a envoyé) et l’adresse de cette page&#8239;:",
     "Pour qui tient ce serveur&#8239;: compilez-le avec <code>-DTRIQUETRA_WEB=on</code>, ou "
     "donnez une page construite par <code>--web-root</code>, et l’on jouera ici même."},
}};

/// In the browser's own look, light or dark as the visitor has it: the policy allows no style in
/// it.
std::string written(const Notice& notice) {
  std::string page = "<!doctype html><html lang=\"";
  page.append(notice.language);
  page.append(
      "\"><meta charset=\"utf-8\"><title>Triquetra</title>"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><main><h1>Triquetra</h1><p>");
  page.append(notice.what).append("</p><p>").append(notice.how);
  page.append("</p><pre>triquetra play CODE --server ws://...</pre><p><small>");
  page.append(notice.host).append("</small></p></main></html>\n");
  return page;
}

std::string_view type_of(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".webmanifest", "application/manifest+json"},
      {".txt", "text/plain; charset=utf-8"},
  }};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

/// Names below assets/ hold a hash of what is in them.
bool is_hashed(std::string_view path) { return path.starts_with("assets/"); }

/// Whether a list such as "br, gzip;q=0.5" has gzip, and not with q=0.
bool takes_gzip(std::string_view accepted) {
  const auto at = accepted.find("gzip");
  if (at == std::string_view::npos) return false;
  const std::string_view rest = accepted.substr(at, accepted.find(',', at) - at);
  return rest.find("q=0") == std::string_view::npos || rest.find("q=0.") != std::string_view::npos;
}

constexpr std::string_view kRoomLink = "/r/";

/// What a link to a room has behind "/r/", whatever it is; none if this is no such link.
std::optional<std::string_view> code_in(std::string_view path) {
  if (!path.starts_with(kRoomLink)) return std::nullopt;
  const std::string_view code = path.substr(kRoomLink.size());
  const bool is_one_word = !code.empty() && code.find('/') == std::string_view::npos;
  return is_one_word ? std::optional(code) : std::nullopt;
}

bool may_be_code(std::string_view word) {
  constexpr std::size_t kLongestCode = 12;
  return word.size() <= kLongestCode && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
         });
}

/// Where a link to a room leads that has slashes behind its code, or no code: empty if it is none.
std::string led_to(std::string_view path) {
  if (path == "/r" || path == kRoomLink) return path.ends_with('/') ? "../#join" : "./#join";
  const std::size_t last = path.find_last_not_of('/');
  if (last == std::string_view::npos || last + 1 == path.size()) return "";
  const auto code = code_in(path.substr(0, last + 1));
  // Nothing but a code goes into a header.
  if (!code || !may_be_code(*code)) return "";
  std::string up;
  for (std::size_t slashes = path.size() - last - 1; slashes > 0; --slashes) up += "../";
  return up + std::string(*code);
}

}  // namespace

std::string_view notice_page(std::string_view accept_language) {
  static const std::array<std::string, kNotices.size()> kPages = {
      written(kNotices[0]), written(kNotices[1]), written(kNotices[2])};
  // Browsers name what their people like best first.
  while (!accept_language.empty()) {
    const std::size_t start = accept_language.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    accept_language.remove_prefix(start);
    const std::string_view word = accept_language.substr(0, accept_language.find_first_of("-,; "));
    for (std::size_t i = 0; i < kPages.size(); ++i) {
      if (word == kNotices[i].language) return kPages[i];
    }
    const std::size_t comma = accept_language.find(',');
    if (comma == std::string_view::npos) break;
    accept_language.remove_prefix(comma + 1);
  }
  return kPages.front();
}

std::vector<std::pair<std::string_view, std::string_view>> security_headers() {
  return {
      {"Content-Security-Policy",
       "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; "
       "form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      // The address of a room is a key to it.
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
  };
}

WebFiles::WebFiles(const std::string& root) {
  if (!root.empty()) read_folder(root);
  if (root.empty()) {
    for (const EmbeddedFile& file : embedded_web_files()) add(std::string(file.path), file.bytes);
  }
  std::string all;
  for (const auto& [path, file] : files_) all += path + file.etag;
  if (files_.empty()) {
    add(std::string(kPage), notice_page(""));
  } else {
    constexpr std::size_t kBuildLetters = 16;
    build_ = sha256_hex(all).substr(0, kBuildLetters);
  }
}

void WebFiles::add(const std::string& path, std::string_view bytes) {
  if (path.ends_with(kGzip)) {
    files_[path.substr(0, path.size() - kGzip.size())].gzip = bytes;
    return;
  }
  File& file = files_[path];
  file.type = type_of(path);
  file.plain = bytes;
  constexpr std::size_t kEtagLetters = 32;
  file.etag = "W/\"" + sha256_hex(std::string(bytes)).substr(0, kEtagLetters) + "\"";
}

void WebFiles::read_folder(const std::string& root) {
  namespace fs = std::filesystem;
  if (!fs::is_regular_file(fs::path(root) / kPage)) {
    throw std::runtime_error("--web-root " + root + " holds no " + std::string(kPage));
  }
  std::size_t total = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    read_.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    total += read_.back().size();
    if (total > limits::kWebBytes) throw std::runtime_error("--web-root " + root + " is too large");
    add(fs::relative(entry.path(), root).generic_string(), read_.back());
  }
}

std::optional<WebAnswer> WebFiles::answer(std::string_view path, std::string_view if_none_match,
                                          std::string_view accept_encoding,
                                          std::string_view accept_language) const {
  std::string_view name = path.substr(path.starts_with('/') ? 1 : 0);
  if (name.empty()) name = kPage;
  WebAnswer answer;
  answer.headers = security_headers();
  answer.location = led_to(path);
  if (!answer.location.empty()) {
    answer.status = 308;
    return answer;
  }
  const auto code = code_in(path);
  if (code) name = kRoomPage;
  auto found = files_.find(name);
  if (found == files_.end() && name == kRoomPage) found = files_.find(kPage);
  if (found == files_.end()) return std::nullopt;
  const File& file = found->second;
  const bool is_wrong = code && !may_be_code(*code);
  if (build_.empty()) {
    answer.status = is_wrong ? 404 : 200;
    answer.headers.emplace_back("Cache-Control", "no-cache");
    answer.headers.emplace_back("Vary", "Accept-Language");
    answer.headers.emplace_back("Content-Type", file.type);
    answer.body = notice_page(accept_language);
    return answer;
  }
  answer.headers.emplace_back("Cache-Control",
                              is_hashed(name) ? "public, max-age=31536000, immutable" : "no-cache");
  answer.headers.emplace_back("ETag", file.etag);
  answer.headers.emplace_back("Vary", "Accept-Encoding");
  if (!is_wrong && if_none_match.find(file.etag) != std::string_view::npos) {
    answer.status = 304;
    return answer;
  }
  answer.status = is_wrong ? 404 : 200;
  answer.headers.emplace_back("Content-Type", file.type);
  const bool zipped = !file.gzip.empty() && takes_gzip(accept_encoding);
  if (zipped) answer.headers.emplace_back("Content-Encoding", "gzip");
  answer.body = zipped ? file.gzip : file.plain;
  return answer;
}

}  // namespace triquetra
