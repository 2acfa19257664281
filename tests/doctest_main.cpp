// The main function of every doctest program here, and what says with each failure which chance has
// led to it.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "tests/seed.hpp"

namespace triquetra::tests {
namespace {

class TellsTheSeed final : public doctest::IReporter {
 public:
  explicit TellsTheSeed(const doctest::ContextOptions& options) : out_(*options.cout) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    forget_seed();
    name_ = test.m_name;
    // A comma would end the name in a list of them, and a quote the word of the shell.
    const auto is_special = [](char c) {
      return std::string("\",$`\\").find(c) != std::string::npos;
    };
    std::replace_if(name_.begin(), name_.end(), is_special, '?');
  }
  void log_assert(const doctest::AssertData& made) override {
    if (made.m_failed) tell();
  }
  void log_message(const doctest::MessageData& message) override {
    if ((message.m_severity & doctest::assertType::is_warn) == 0) tell();
  }
  void test_case_exception(const doctest::TestCaseException&) override { tell(); }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  void tell() {
    const std::string taken = seed_taken("--no-skip --test-case=\"" + name_ + "\"");
    if (!taken.empty()) out_ << taken << std::endl;
  }

  std::ostream& out_;
  std::string name_;
};

REGISTER_LISTENER("seed", 1, TellsTheSeed);

}  // namespace
}  // namespace triquetra::tests
