#include "server/store/libpq.hpp"

#include <dlfcn.h>

#include <string>

#include "server/store/event_store.hpp"

namespace triquetra {

namespace {

constexpr const char* kLibrary = "libpq.so.5";

template <class Function>
void get(void* library, const char* name, Function& function) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw StoreProblem(std::string(kLibrary) + " has no " + name);
  function = reinterpret_cast<Function>(found);
}

}  // namespace

Libpq::Libpq() {
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw StoreProblem(std::string("--store needs PostgreSQL's client library: install libpq5 (") +
                       dlerror() + ")");
  }
  get(library, "PQconninfoParse", conninfo_parse);
  get(library, "PQconninfoFree", conninfo_free);
  get(library, "PQfreemem", freemem);
  get(library, "PQconnectStartParams", connect_start_params);
  get(library, "PQconnectPoll", connect_poll);
  get(library, "PQfinish", finish);
  get(library, "PQstatus", status);
  get(library, "PQsocket", socket);
  get(library, "PQhost", host);
  get(library, "PQdb", db);
  get(library, "PQparameterStatus", parameter_status);
  get(library, "PQerrorMessage", error_message);
  get(library, "PQsetnonblocking", setnonblocking);
  get(library, "PQsetNoticeReceiver", set_notice_receiver);
  get(library, "PQsendQuery", send_query);
  get(library, "PQsendPrepare", send_prepare);
  get(library, "PQsendQueryPrepared", send_query_prepared);
  get(library, "PQflush", flush);
  get(library, "PQconsumeInput", consume_input);
  get(library, "PQisBusy", is_busy);
  get(library, "PQgetResult", get_result);
  get(library, "PQresultStatus", result_status);
  get(library, "PQresultErrorField", result_error_field);
  get(library, "PQntuples", ntuples);
  get(library, "PQgetvalue", getvalue);
  get(library, "PQgetlength", getlength);
  get(library, "PQclear", clear);
}

const Libpq& libpq() {
  static const Libpq library;
  return library;
}

}  // namespace triquetra
