package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Builds a history operation by operation. Each takes a millisecond. */
final class HistoryBuilder {
  static final long LEASE_MS = 1_000;
  private static final String QUEUE = "red";
  private static final long LIMIT_MS = 10_000;

  private final List<Invocation> invocation = new ArrayList<>();
  private final List<Response> response = new ArrayList<>();
  private long nowNs;
  private String caller = "ann";

  /** Sets the caller of the next operations. */
  HistoryBuilder by(String name) {
    caller = name;
    return this;
  }

  HistoryBuilder after(long ms) {
    nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    return this;
  }

  HistoryBuilder insert(String id, Outcome outcome) {
    TaskWrite write = new TaskWrite(id, 0, QUEUE);
    String op = ask(OperationKind.MODIFY, List.of(write), List.of(), List.of());
    return tell(
        op,
        outcome,
        outcome == Outcome.DONE ? List.of(observed(id, 0, op, 0)) : List.of(),
        List.of());
  }

  /** Changes the version before. */
  HistoryBuilder change(String id, int version, int claims, Outcome outcome) {
    TaskWrite write = new TaskWrite(id, version, QUEUE);
    String op = ask(OperationKind.MODIFY, List.of(write), List.of(), List.of());
    boolean isDone = outcome == Outcome.DONE;
    return tell(
        op, outcome, isDone ? List.of(observed(id, version, op, claims)) : List.of(), List.of());
  }

  HistoryBuilder delete(String id, int version, Outcome outcome) {
    List<TaskVersion> at = List.of(new TaskVersion(id, version));
    String op = ask(OperationKind.MODIFY, List.of(), at, List.of());
    response.add(
        new Response(
            op,
            tick(),
            outcome,
            List.of(),
            List.of(),
            outcome == Outcome.REFUSED ? at : List.of()));
    return this;
  }

  /** A Modify with an unknown outcome. */
  HistoryBuilder modifyWithUnknownOutcome(List<TaskWrite> writes, TaskVersion... deletes) {
    String op = ask(OperationKind.MODIFY, writes, Arrays.asList(deletes), List.of());
    return tell(op, Outcome.UNKNOWN, List.of(), List.of());
  }

  static TaskWrite write(String id, int version) {
    return new TaskWrite(id, version, QUEUE);
  }

  HistoryBuilder claim(ObservedTask... found) {
    return tell(
        ask(OperationKind.CLAIM, List.of(), List.of(), List.of()),
        Outcome.DONE,
        List.of(),
        Arrays.asList(found));
  }

  HistoryBuilder read(String id, ObservedTask... found) {
    return tell(
        ask(OperationKind.READ, List.of(), List.of(), List.of(id)),
        Outcome.DONE,
        List.of(),
        Arrays.asList(found));
  }

  HistoryBuilder audit(ObservedTask... found) {
    return tell(
        ask(OperationKind.AUDIT, List.of(), List.of(), List.of()),
        Outcome.DONE,
        List.of(),
        Arrays.asList(found));
  }

  /** A claim without a response. */
  HistoryBuilder invokeWithoutResponse() {
    ask(OperationKind.CLAIM, List.of(), List.of(), List.of());
    return this;
  }

  static String op(int number) {
    return "op" + number;
  }

  static ObservedTask observed(String id, int version, String writer, int claims) {
    return new ObservedTask(id, version, QUEUE, writer, claims);
  }

  private String ask(
      OperationKind kind, List<TaskWrite> writes, List<TaskVersion> deletes, List<String> ids) {
    String op = op(invocation.size() + 1);
    invocation.add(
        new Invocation(
            op, caller, kind, tick(), writes, deletes, List.of(QUEUE), LEASE_MS, LIMIT_MS, ids));
    return op;
  }

  private HistoryBuilder tell(
      String op, Outcome outcome, List<ObservedTask> written, List<ObservedTask> tasks) {
    response.add(new Response(op, tick(), outcome, written, tasks, List.of()));
    return this;
  }

  private long tick() {
    nowNs += TimeUnit.MICROSECONDS.toNanos(500);
    return nowNs;
  }

  History history() {
    return History.of(invocation, response);
  }
}
