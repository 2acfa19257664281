// The browser client as the server hands it out: a table that is fixed at the start, so that no
// path leads anywhere else. The files come with the program, or from a folder that a host names.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace triquetra {

/// A file as the build embeds it: its path below the root, and its bytes.
struct EmbeddedFile {
  std::string_view path;
  std::string_view bytes;
};
/// All of them; empty in a build without the browser client. Written by the build.
std::vector<EmbeddedFile> embedded_web_files();

/// What one request gets: a status, headers and a body that lives as long as the WebFiles.
struct WebAnswer {
  int status{};
  std::vector<std::pair<std::string_view, std::string_view>> headers;
  std::string_view body;
  std::string location{};  // where to look instead, relative to the path; empty: here
};

/// The page of a server that has none to play on: what this is and how one plays, in the first
/// language of an Accept-Language header that it knows.
std::string_view notice_page(std::string_view accept_language);

/// Headers that belong on every page and file: what it may load, and from where.
std::vector<std::pair<std::string_view, std::string_view>> security_headers();

class WebFiles {
 public:
  /// The embedded files, or those below the folder `root` if it is not empty. Throws
  /// std::runtime_error if it holds no index.html, or more than limits::kWebBytes.
  explicit WebFiles(const std::string& root);

  /// The file at an absolute path such as "/" or "/assets/a.js"; a link to a room, "/r/CODE", gets
  /// the page, with status 404 if no code is like that: the page says so in its visitor's language.
  /// A link that ends with slashes is led to the one without. `if_none_match`, `accept_encoding`
  /// and `accept_language` are the request's headers, empty if absent. None if there is no such
  /// file.
  std::optional<WebAnswer> answer(std::string_view path, std::string_view if_none_match,
                                  std::string_view accept_encoding,
                                  std::string_view accept_language = {}) const;
  /// Changes whenever a file of the client does; empty without one.
  const std::string& build() const { return build_; }

 private:
  struct File {
    std::string_view type;
    std::string etag;
    std::string_view plain;
    std::string_view gzip;  // empty if it is not worth it
  };
  void add(const std::string& path, std::string_view bytes);
  void read_folder(const std::string& root);

  std::map<std::string, File, std::less<>> files_;
  std::deque<std::string> read_;  // what is not embedded
  std::string build_;
};

}  // namespace triquetra
