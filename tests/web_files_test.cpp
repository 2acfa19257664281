// The table of the browser client's files: what an address gets, and that no address leads out of
// it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "server/base/limits.hpp"
#include "server/ops/web_files.hpp"

namespace triquetra {
namespace {

namespace fs = std::filesystem;

/// A folder like one that the build of the client writes, gone at the end of the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("triquetra-web-" + std::to_string(next_number()))) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "root" / "assets");
    write("secret.txt", "outside");
    write("root/index.html", "page");
    write("root/index.html.gz", "zipped page");
    write("root/room.html", "page for rooms");
    write("root/assets/app-1234.js", "code");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string root() const { return (path_ / "root").string(); }
  fs::path path() const { return path_; }

 private:
  static int next_number() {
    static int number = 0;
    return ++number;
  }
  fs::path path_;
};

std::string header(const WebAnswer& answer, std::string_view name) {
  for (const auto& [key, value] : answer.headers) {
    if (key == name) return std::string(value);
  }
  return "";
}

TEST_CASE("an address gets its file, its type and how long it may be kept") {
  const Folder folder;
  const WebFiles files(folder.root());
  const auto page = files.answer("/", "", "");
  REQUIRE(page);
  CHECK(page->status == 200);
  CHECK(page->body == "page");
  CHECK(header(*page, "Content-Type") == "text/html; charset=utf-8");
  CHECK(header(*page, "Cache-Control") == "no-cache");
  CHECK(header(*page, "Content-Security-Policy").find("default-src 'self'") == 0);
  const auto code = files.answer("/assets/app-1234.js", "", "");
  REQUIRE(code);
  CHECK(code->body == "code");
  CHECK(header(*code, "Cache-Control").find("immutable") != std::string::npos);
  CHECK(files.build().size() == 16);
}

TEST_CASE("a link to a room gets the page for its depth") {
  const Folder folder;
  const WebFiles files(folder.root());
  for (const std::string path : {"/r/BCDFGH", "/r/bcdfgh"}) {
    REQUIRE(files.answer(path, "", ""));
    CHECK(files.answer(path, "", "")->body == "page for rooms");
  }
  CHECK(!files.answer("/r/BCD/FGH", "", ""));
}

TEST_CASE("a link to a room that was mistyped gets the page too, which says so") {
  const Folder folder;
  const WebFiles files(folder.root());
  const std::string etag = header(*files.answer("/r/BCDFGH", "", ""), "ETag");
  for (const std::string path : {"/r/12345", "/r/BCDFGHBCDFGHB", "/r/BC%2e", "/r/.."}) {
    CAPTURE(path);
    const auto page = files.answer(path, etag, "");
    REQUIRE(page);
    CHECK(page->status == 404);
    CHECK(page->body == "page for rooms");
  }
  for (const auto& [path, led] :
       std::vector<std::pair<std::string, std::string>>{{"/r/BCDFGH/", "../BCDFGH"},
                                                        {"/r/bcdfgh//", "../../bcdfgh"},
                                                        {"/r", "./#join"},
                                                        {"/r/", "../#join"}}) {
    CAPTURE(path);
    const auto answer = files.answer(path, "", "");
    REQUIRE(answer);
    CHECK(answer->status == 308);
    CHECK(answer->location == led);
    CHECK(header(*answer, "X-Content-Type-Options") == "nosniff");
  }
  // Nothing but a code goes into the header.
  for (const std::string path : {"/r/a\r\nb/", "/r/example.org/", "//example.org/", "/r//"}) {
    CAPTURE(path);
    CHECK(!files.answer(path, "", ""));
  }
}

TEST_CASE("no address leads out of the table") {
  const Folder folder;
  fs::create_symlink(folder.path() / "secret.txt", fs::path(folder.root()) / "link.txt");
  const WebFiles files(folder.root());
  for (const std::string path :
       {"/../secret.txt", "/assets/../../secret.txt", "/link.txt", "//index.html", "/assets",
        "/assets/", "/index.html.gz", "/index.html/", "/%2e%2e/secret.txt", "secret.txt"}) {
    CAPTURE(path);
    CHECK(!files.answer(path, "", ""));
  }
}

TEST_CASE("a page that has not changed is not sent again") {
  const Folder folder;
  std::string before;
  {
    const WebFiles files(folder.root());
    const std::string etag = header(*files.answer("/", "", ""), "ETag");
    const auto again = files.answer("/", etag, "");
    REQUIRE(again);
    CHECK(again->status == 304);
    CHECK(again->body.empty());
    CHECK(files.answer("/", "\"other\"", "")->status == 200);
    before = etag + files.build();
  }
  folder.write("root/index.html", "another page");
  const WebFiles files(folder.root());
  CHECK(header(*files.answer("/", "", ""), "ETag") + files.build() != before);
}

TEST_CASE("what was compressed goes to those who take it") {
  const Folder folder;
  const WebFiles files(folder.root());
  for (const std::string accepted : {"gzip", "br, gzip;q=0.5", "deflate,gzip"}) {
    CAPTURE(accepted);
    const auto page = files.answer("/", "", accepted);
    CHECK(page->body == "zipped page");
    CHECK(header(*page, "Content-Encoding") == "gzip");
  }
  for (const std::string accepted : {"", "br", "gzip;q=0", "gzip;q=0, br"}) {
    CAPTURE(accepted);
    CHECK(files.answer("/", "", accepted)->body == "page");
  }
  CHECK(files.answer("/assets/app-1234.js", "", "gzip")->body == "code");
}

TEST_CASE("a folder that is no client stops the start") {
  const Folder folder;
  CHECK_THROWS_AS(WebFiles(folder.path().string()), std::runtime_error);
  folder.write("root/large.bin", std::string(limits::kWebBytes, 'x'));
  CHECK_THROWS_AS(WebFiles(folder.root()), std::runtime_error);
}

TEST_CASE("what is built in answers too") {
  const WebFiles files("");
  REQUIRE(files.answer("/", "", ""));
  CHECK(files.answer("/", "", "")->body.find("Triquetra") != std::string_view::npos);
}

TEST_CASE("a server without the client tells its visitors in their language what this is") {
  const auto is_in = [](std::string_view accepted, const std::string& language) {
    const std::string_view page = notice_page(accepted);
    return page.find("<html lang=\"" + language + "\">") != std::string_view::npos &&
           page.find("triquetra play CODE") != std::string_view::npos &&
           page.find("content=\"light dark\"") != std::string_view::npos;
  };
  for (const auto& [accepted, language] : std::vector<std::pair<std::string, std::string>>{
           {"", "en"},
           {"de", "de"},
           {"de-AT,de;q=0.9,en;q=0.8", "de"},
           {"nl, fr-CH;q=0.9, de;q=0.5", "fr"},
           {"en-GB,de", "en"},
           {"den, it", "en"},
           {" ,,;", "en"},
       }) {
    CAPTURE(accepted);
    CHECK(is_in(accepted, language));
  }
  // No script and no style, which the policy would not let in.
  CHECK(notice_page("").find("<s") == notice_page("").find("<small>"));
  const WebFiles files("");
  if (!files.build().empty()) return;
  for (const std::string path : {"/", "/r/BCDFGH"}) {
    const auto page = files.answer(path, "", "", "fr");
    REQUIRE(page);
    CHECK(page->body == notice_page("fr"));
    CHECK(header(*page, "Vary") == "Accept-Language");
  }
}

}  // namespace
}  // namespace triquetra
