package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import java.util.Optional;

/**
 * A method with one answer, as HTTP serves it.
 *
 * @param name in the schema
 * @param verb in REST; GET of what only reads
 * @param path in REST
 * @param request any request
 * @param afterWait what is answered if nothing has come for long; empty: the method does not wait
 * @param handler does what a request asks
 */
record ApiMethod<R extends Message, S extends Message>(
    String name,
    String verb,
    String path,
    R request,
    Optional<S> afterWait,
    Handler<R, S> handler) {
  static final String GET = "GET";
  static final String POST = "POST";

  /** Does what a request asks. */
  @FunctionalInterface
  interface Handler<R, S> {
    Call handle(CallContext context, R request, Reply<S> reply);
  }

  /** One that reads. */
  static <R extends Message, S extends Message> ApiMethod<R, S> get(
      String name, String path, R request, Handler<R, S> handler) {
    return new ApiMethod<>(name, GET, path, request, Optional.empty(), handler);
  }

  /** One that writes. */
  static <R extends Message, S extends Message> ApiMethod<R, S> post(
      String name, String path, R request, Handler<R, S> handler) {
    return new ApiMethod<>(name, POST, path, request, Optional.empty(), handler);
  }

  /** One that writes, and waits for that. */
  static <R extends Message, S extends Message> ApiMethod<R, S> waiting(
      String name, String path, R request, S afterWait, Handler<R, S> handler) {
    return new ApiMethod<>(name, POST, path, request, Optional.of(afterWait), handler);
  }

  boolean onlyReads() {
    return verb.equals(GET);
  }
}
