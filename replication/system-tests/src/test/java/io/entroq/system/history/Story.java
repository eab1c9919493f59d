package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A history that is told by a test, one operation after the other, each a millisecond long. */
final class Story {
  static final long LEASE_MS = 1_000;
  private static final String QUEUE = "red";
  private static final long PATIENCE_MS = 10_000;

  private final List<Asked> asked = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();
  private long nowNs;
  private String caller = "ann";

  /** Who asks from here on. */
  Story by(String name) {
    caller = name;
    return this;
  }

  Story after(long ms) {
    nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    return this;
  }

  Story insert(String id, Outcome outcome) {
    Written write = new Written(id, 0, QUEUE);
    String op = ask(Kind.MODIFY, List.of(write), List.of(), List.of());
    return tell(
        op, outcome, outcome == Outcome.DONE ? List.of(seen(id, 0, op, 0)) : List.of(), List.of());
  }

  /** A change of the version before. */
  Story change(String id, int version, int claims, Outcome outcome) {
    Written write = new Written(id, version, QUEUE);
    String op = ask(Kind.MODIFY, List.of(write), List.of(), List.of());
    boolean isDone = outcome == Outcome.DONE;
    return tell(
        op, outcome, isDone ? List.of(seen(id, version, op, claims)) : List.of(), List.of());
  }

  Story delete(String id, int version, Outcome outcome) {
    List<TaskVersion> at = List.of(new TaskVersion(id, version));
    String op = ask(Kind.MODIFY, List.of(), at, List.of());
    told.add(
        new Told(
            op,
            tick(),
            outcome,
            List.of(),
            List.of(),
            outcome == Outcome.REFUSED ? at : List.of()));
    return this;
  }

  /** Several steps in one, or none of them, of which nobody is told. */
  Story tryInDoubt(List<Written> writes, TaskVersion... deletes) {
    String op = ask(Kind.MODIFY, writes, Arrays.asList(deletes), List.of());
    return tell(op, Outcome.UNKNOWN, List.of(), List.of());
  }

  static Written write(String id, int version) {
    return new Written(id, version, QUEUE);
  }

  Story claim(Seen... found) {
    return tell(
        ask(Kind.CLAIM, List.of(), List.of(), List.of()),
        Outcome.DONE,
        List.of(),
        Arrays.asList(found));
  }

  Story read(String id, Seen... found) {
    return tell(
        ask(Kind.READ, List.of(), List.of(), List.of(id)),
        Outcome.DONE,
        List.of(),
        Arrays.asList(found));
  }

  Story audit(Seen... found) {
    return tell(
        ask(Kind.AUDIT, List.of(), List.of(), List.of()),
        Outcome.DONE,
        List.of(),
        Arrays.asList(found));
  }

  /** Asks for something and is never told. */
  Story askInVain() {
    ask(Kind.CLAIM, List.of(), List.of(), List.of());
    return this;
  }

  /** The name of an operation, from 1. */
  static String op(int number) {
    return "op" + number;
  }

  static Seen seen(String id, int version, String writer, int claims) {
    return new Seen(id, version, QUEUE, writer, claims);
  }

  private String ask(Kind kind, List<Written> writes, List<TaskVersion> deletes, List<String> ids) {
    String op = op(asked.size() + 1);
    asked.add(
        new Asked(
            op, caller, kind, tick(), writes, deletes, List.of(QUEUE), LEASE_MS, PATIENCE_MS, ids));
    return op;
  }

  private Story tell(String op, Outcome outcome, List<Seen> written, List<Seen> tasks) {
    told.add(new Told(op, tick(), outcome, written, tasks, List.of()));
    return this;
  }

  private long tick() {
    nowNs += TimeUnit.MICROSECONDS.toNanos(500);
    return nowNs;
  }

  History history() {
    return History.of(asked, told);
  }
}
