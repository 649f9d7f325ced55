// The main() of every test program: doctest's, but for two cases. A run in which no test case ran is a failure, and one
// whose every case said `skipped: ...` exits 77.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr int kSkipped = 77; // what ctest takes for that

unsigned cases_run = 0, cases_skipped = 0;

/// Counts the cases that passed the filters; doctest itself exits 0 when a misspelt filter matched none.
class CaseCounter : public doctest::IReporter {
public:
    explicit CaseCounter(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats& run) override { cases_run = run.numTestCasesPassingFilters; }
    void test_case_start(const doctest::TestCaseData&) override { skipped_ = false; }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override { cases_skipped += skipped_ ? 1 : 0; }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData& message) override {
        if (std::string_view(message.m_string.c_str()).starts_with("skipped: ")) skipped_ = true;
    }
    void test_case_skipped(const doctest::TestCaseData&) override {}

private:
    bool skipped_ = false;
};

REGISTER_LISTENER("case_counter", 1, CaseCounter);

} // namespace

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int status = context.run();
    if (context.shouldExit()) return status; // a query: --help, --list-test-cases, ...
    if (cases_run == 0) {
        std::fputs("no test ran (the filters match no test case); list them with --list-test-cases\n", stderr);
        return EXIT_FAILURE;
    }
    return status == 0 && cases_skipped == cases_run ? kSkipped : status;
}
