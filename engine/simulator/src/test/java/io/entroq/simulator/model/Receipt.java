package io.entroq.simulator.model;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.log.Result;
import java.util.List;

/**
 * What became of a request (core 4.1).
 *
 * @param kind the type of the command
 * @param body the command without its identity: a retry has the same
 * @param parkedAt the sequence of the claim that still waits, else 0
 * @param result the answer, null while parked
 * @param written the inserted tasks, then the changed ones
 * @param grants the tasks that the answer gave away
 * @param docs those that the answer names
 * @param isWhole whether everything is known of what was written; else ids and versions
 * @param isDelivered whether the answer, which gave tasks away, is known to have left
 */
record Receipt(
    Class<?> kind,
    ByteString body,
    long parkedAt,
    Result result,
    List<ModelTask> written,
    List<Grant> grants,
    List<ModelDoc> docs,
    boolean isWhole,
    boolean isDelivered) {
  /** Of a request that was answered just now. */
  static Receipt of(
      Class<?> kind,
      ByteString body,
      Result result,
      List<ModelTask> written,
      List<Grant> grants,
      List<ModelDoc> docs) {
    return new Receipt(kind, body, 0, result, written, grants, docs, false, false);
  }

  static Receipt parked(Class<?> kind, ByteString body, long sequence) {
    return new Receipt(kind, body, sequence, null, List.of(), List.of(), List.of(), false, false);
  }

  /** Of a request that wrote and was given nothing. */
  static Receipt refused(Class<?> kind, ByteString body, Result result) {
    return of(kind, body, result, List.of(), List.of(), List.of());
  }

  Receipt answered(Result answer, List<Grant> given) {
    return new Receipt(kind, body, 0, answer, written, List.copyOf(given), docs, isWhole, false);
  }

  Receipt delivered() {
    return new Receipt(kind, body, parkedAt, result, written, grants, docs, isWhole, true);
  }

  /** With everything that is known of what was written, from some level on. */
  Receipt whole(boolean isKept) {
    return new Receipt(kind, body, parkedAt, result, written, grants, docs, isKept, isDelivered);
  }

  boolean isParked() {
    return parkedAt != 0;
  }

  boolean isFor(Class<?> otherKind, ByteString otherBody) {
    return kind == otherKind && body.equals(otherBody);
  }
}
