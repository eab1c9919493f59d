package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Method;
import java.util.List;

/**
 * A method with one response, and its REST path (contract 1.2). Connect uses its name.
 *
 * @param verb GET if the method only reads
 */
record RestMethod<Q extends Message, S extends Message>(
    Method<Q, S> method, String verb, String path) {
  static final String GET = "GET";
  static final String POST = "POST";

  /** The path of a method with several responses, which REST cannot serve. */
  static final String STREAM_PATH = "/api/v0/tasks/stream";

  static final List<RestMethod<?, ?>> ALL =
      List.of(
          new RestMethod<>(Method.TRY_CLAIM, POST, "/api/v0/claim"),
          new RestMethod<>(Method.CLAIM, POST, "/api/v0/claim/wait"),
          new RestMethod<>(Method.CANCEL_CLAIM, POST, "/api/v0/claim/cancel"),
          new RestMethod<>(Method.MODIFY, POST, "/api/v0/modify"),
          new RestMethod<>(Method.TASKS, GET, "/api/v0/tasks"),
          new RestMethod<>(Method.QUEUES, GET, "/api/v0/queues"),
          new RestMethod<>(Method.QUEUE_STATS, GET, "/api/v0/queues/stats"),
          new RestMethod<>(Method.TIME, GET, "/api/v0/time"),
          new RestMethod<>(Method.DOCS, GET, "/api/v0/docs"),
          new RestMethod<>(Method.CLAIM_DOCS, POST, "/api/v0/docs/claim"),
          new RestMethod<>(Method.NAMESPACE_STATS, GET, "/api/v0/namespaces/stats"));

  /** Those of the service Queues whose requests are plain; policies have paths of their own. */
  static final List<RestMethod<?, ?>> QUEUES =
      List.of(
          new RestMethod<>(Method.POSITION, GET, "/api/entroq/position"),
          new RestMethod<>(Method.REDRIVE, POST, "/api/entroq/redrive"));

  /** Those of the service Insight. */
  static final List<RestMethod<?, ?>> INSIGHT =
      List.of(
          new RestMethod<>(Method.OVERVIEW, GET, "/api/entroq/insight/overview"),
          new RestMethod<>(Method.SEARCH_QUEUES, GET, "/api/entroq/insight/queues"),
          new RestMethod<>(Method.RATES, GET, "/api/entroq/insight/rates"),
          new RestMethod<>(Method.FAILURES, GET, "/api/entroq/insight/failures"),
          new RestMethod<>(Method.WORKERS, GET, "/api/entroq/insight/workers"),
          new RestMethod<>(Method.DEAD_LETTERS, GET, "/api/entroq/insight/dead"),
          new RestMethod<>(Method.WAITERS, GET, "/api/entroq/insight/waiters"));

  boolean onlyReads() {
    return verb.equals(GET);
  }

  /** Whether the method may wait, and then responds without a result. */
  boolean waits() {
    return method == Method.CLAIM;
  }
}
