// Lines from a person: with history and completion at a terminal (libedit), as they come from a
// pipe. Text that arrives meanwhile is written above the line being typed.
#pragma once

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace triquetra::cli {

class LineEditor {
 public:
  struct Handlers {
    std::function<void(std::string)> line;
    std::function<void()> end;  // no more lines
  };

  LineEditor(boost::asio::io_context& io, Handlers handlers);
  ~LineEditor();  // leaves the terminal as it was
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Whether the lines come from a keyboard, wherever the output goes: else they are a script.
  bool is_typed() const;
  void print(const std::string& text);
  /// In a pipe a prompt is a line of its own, written once.
  void set_prompt(const std::string& prompt);
  /// Puts a line that was not taken back where it was typed, unless another has been begun; the
  /// history has it in any case. Nothing in a pipe.
  void offer_again(const std::string& line);
  void set_completions(std::vector<std::string> lines);

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace triquetra::cli
