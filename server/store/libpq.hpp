// libpq, PostgreSQL's own client library: opened when a store asks for it, not linked, so that a
// host without PostgreSQL installs and loads nothing of it.
#pragma once

#include <libpq-fe.h>

namespace triquetra {

/// The functions that we call, under libpq's names without their PQ.
struct Libpq {
  /// Throws StoreProblem if the library is not installed.
  Libpq();

  decltype(&PQconninfoParse) conninfo_parse;
  decltype(&PQconninfoFree) conninfo_free;
  decltype(&PQfreemem) freemem;
  decltype(&PQconnectStartParams) connect_start_params;
  decltype(&PQconnectPoll) connect_poll;
  decltype(&PQfinish) finish;
  decltype(&PQstatus) status;
  decltype(&PQsocket) socket;
  decltype(&PQhost) host;
  decltype(&PQdb) db;
  decltype(&PQparameterStatus) parameter_status;
  decltype(&PQerrorMessage) error_message;
  decltype(&PQsetnonblocking) setnonblocking;
  decltype(&PQsetNoticeReceiver) set_notice_receiver;
  decltype(&PQsendQuery) send_query;
  decltype(&PQsendPrepare) send_prepare;
  decltype(&PQsendQueryPrepared) send_query_prepared;
  decltype(&PQflush) flush;
  decltype(&PQconsumeInput) consume_input;
  decltype(&PQisBusy) is_busy;
  decltype(&PQgetResult) get_result;
  decltype(&PQresultStatus) result_status;
  decltype(&PQresultErrorField) result_error_field;
  decltype(&PQntuples) ntuples;
  decltype(&PQgetvalue) getvalue;
  decltype(&PQgetlength) getlength;
  decltype(&PQclear) clear;
};

/// The library, opened by the first call. Throws StoreProblem.
const Libpq& libpq();

}  // namespace triquetra
