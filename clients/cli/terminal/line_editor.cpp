#include "clients/cli/terminal/line_editor.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>

#include <editline/readline.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <istream>
#include <utility>

namespace triquetra::cli {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::size_t kMaxLine = 64 * 1024;  // far above any frame a server would take

// libedit calls back without an argument of ours, so there is one editor at a time.
LineEditor::Handlers* g_handlers = nullptr;
std::string* g_prompt = nullptr;
bool g_is_in_handler = false;
std::vector<std::string>* g_completions = nullptr;
bool g_is_begun = false;  // something has been typed since the last line
std::string g_offered;    // for the next line, while the last one is still handled

void line_typed(char* line);

// Starts a new line with the prompt.
void install() {
  if (g_prompt == nullptr) return;
  rl_callback_handler_install(g_prompt->empty() ? "> " : g_prompt->c_str(), line_typed);
}

void line_typed(char* line) {
  if (g_handlers == nullptr) return;
  // What is printed until the end of this function stands where the next prompt will.
  g_is_in_handler = true;
  if (line == nullptr) {
    g_handlers->end();
  } else {
    const std::string text = line;
    std::free(line);  // NOLINT(cppcoreguidelines-no-malloc): libedit's
    if (!text.empty()) add_history(text.c_str());
    g_handlers->line(text);
  }
  g_is_in_handler = false;
  g_is_begun = false;
  install();
  if (g_prompt == nullptr || g_offered.empty()) return;
  rl_insert_text(std::exchange(g_offered, {}).c_str());
  rl_forced_update_display();
}

// Offers the words that stand where the typed one does, in lines that begin as the typed line does.
char* next_completion(const char* word, int is_again) {
  static std::size_t at = 0;
  if (is_again == 0) at = 0;
  const std::string before(rl_line_buffer, static_cast<std::size_t>(rl_point) - std::strlen(word));
  while (g_completions != nullptr && at < g_completions->size()) {
    const std::string& line = (*g_completions)[at++];
    if (line.compare(0, before.size(), before) != 0) continue;
    const std::string rest =
        line.substr(before.size(), line.find(' ', before.size()) - before.size());
    if (!rest.empty() && rest.compare(0, std::strlen(word), word) == 0) {
      return ::strdup(rest.c_str());
    }
  }
  return nullptr;
}

char** complete(const char* word, int, int) {
  rl_attempted_completion_over = 1;  // never file names
  return rl_completion_matches(word, next_completion);
}

}  // namespace

class LineEditor::Impl : public std::enable_shared_from_this<LineEditor::Impl> {
 public:
  Impl(asio::io_context& io, Handlers handlers)
      : input_(io),
        handlers_(std::move(handlers)),
        is_typed_(::isatty(0) == 1),
        is_terminal_(is_typed_ && ::isatty(1) == 1) {}

  void start() {
    error_code error;
    static_cast<void>(input_.assign(::dup(0), error));
    if (error)
      return asio::post(input_.get_executor(),
                        [self = shared_from_this()] { self->handlers_.end(); });
    if (!is_terminal_) return read_pipe();
    g_handlers = &handlers_;
    g_completions = &completions_;
    g_prompt = &prompt_;
    rl_readline_name = "triquetra";
    rl_catch_signals = 0;  // they are the program's
    rl_attempted_completion_function = complete;
    install();
    read_terminal();
  }

  void stop() {
    is_stopped_ = true;
    error_code ignored;
    static_cast<void>(input_.close(ignored));
    if (!is_terminal_) return;
    rl_callback_handler_remove();
    g_handlers = nullptr;
    g_completions = nullptr;
    g_prompt = nullptr;
    std::cout << std::endl;
  }

  bool is_typed() const { return is_typed_; }

  void print(const std::string& text) {
    if (!is_terminal_) {
      std::cout << text << std::endl;
      return;
    }
    if (g_is_in_handler) {
      std::cout << text << std::endl;
      return;
    }
    std::cout << "\r\033[K" << text << std::endl;
    rl_forced_update_display();
  }

  void set_prompt(const std::string& prompt) {
    if (prompt == prompt_) return;
    prompt_ = prompt;
    if (!is_terminal_) {
      if (!prompt.empty()) std::cout << prompt << std::endl;
      return;
    }
    if (g_is_in_handler) return;
    rl_set_prompt(prompt_.empty() ? "> " : prompt_.c_str());
    std::cout << "\r\033[K" << std::flush;
    rl_forced_update_display();
  }

  void offer_again(const std::string& line) const {
    if (!is_terminal_) return;
    if (g_is_in_handler) {
      g_offered = line;
    } else if (!g_is_begun) {
      rl_insert_text(line.c_str());
      rl_forced_update_display();
    }
  }

  void set_completions(std::vector<std::string> lines) { completions_ = std::move(lines); }

 private:
  void read_terminal() {
    input_.async_wait(asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](error_code error) {
                        if (error || self->is_stopped_) return;
                        g_is_begun = true;
                        rl_callback_read_char();
                        if (!self->is_stopped_) self->read_terminal();
                      });
  }

  void read_pipe() {
    asio::async_read_until(input_, buffer_, '\n',
                           [self = shared_from_this()](error_code error, std::size_t) {
                             if (self->is_stopped_) return;
                             std::istream lines(&self->buffer_);
                             std::string line;
                             if (std::getline(lines, line)) {
                               self->handlers_.line(self->put_straight(std::move(line)));
                               if (!self->is_stopped_) self->read_pipe();
                             } else if (error) {
                               self->handlers_.end();
                             }
                           });
  }

  /// Without what some editors write and nobody sees: a mark before the first line, and a
  /// carriage return behind each.
  std::string put_straight(std::string line) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const bool is_first = std::exchange(is_first_, false);
    if (is_first && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }

  asio::posix::stream_descriptor input_;
  Handlers handlers_;
  bool is_typed_;
  bool is_terminal_;  // libedit needs both ends
  bool is_stopped_ = false;
  bool is_first_ = true;
  asio::streambuf buffer_{kMaxLine};
  std::string prompt_;
  std::vector<std::string> completions_;
};

LineEditor::LineEditor(asio::io_context& io, Handlers handlers)
    : impl_(std::make_shared<Impl>(io, std::move(handlers))) {
  impl_->start();
}
LineEditor::~LineEditor() { impl_->stop(); }
bool LineEditor::is_typed() const { return impl_->is_typed(); }
void LineEditor::print(const std::string& text) { impl_->print(text); }
void LineEditor::set_prompt(const std::string& prompt) { impl_->set_prompt(prompt); }
void LineEditor::offer_again(const std::string& line) { impl_->offer_again(line); }
void LineEditor::set_completions(std::vector<std::string> lines) {
  impl_->set_completions(std::move(lines));
}

}  // namespace triquetra::cli
