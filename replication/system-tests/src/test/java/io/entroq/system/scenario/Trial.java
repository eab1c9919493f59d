package io.entroq.system.scenario;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.history.History;
import io.entroq.system.history.HistoryChecker;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Violation;
import io.entroq.system.history.ViolationKind;
import io.entroq.system.load.Caller;
import io.entroq.system.load.Drain;
import io.entroq.system.load.HistoryRecorder;
import io.entroq.system.member.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A cluster, callers that work on it, and faults. At the end it checks that all members agree, the
 * queues can be emptied, the history is valid, no member ended without a cause, and mirrors are
 * intact. For one thread.
 */
final class Trial implements AutoCloseable {
  private static final Set<OperationKind> ALL_KINDS =
      EnumSet.of(OperationKind.MODIFY, OperationKind.CLAIM, OperationKind.READ);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(90);

  private final Cluster cluster;
  private final HistoryRecorder recorder;
  private final WorkerPool workers;
  private final FaultContext context;
  private final StallDetector stalls = new StallDetector();
  private final List<Violation> violations = new ArrayList<>();

  private Trial(
      Cluster cluster, HistoryRecorder recorder, WorkerPool workers, FaultContext context) {
    this.cluster = cluster;
    this.recorder = recorder;
    this.workers = workers;
    this.context = context;
  }

  /** Starts callers on a cluster, which it owns. */
  static Trial begin(Cluster cluster, long seed, Consumer<String> notes) throws Exception {
    return begin(cluster, Load.USUAL, seed, notes);
  }

  /** Starts callers on a cluster, which it owns. */
  static Trial begin(Cluster cluster, Load load, long seed, Consumer<String> notes)
      throws Exception {
    Path directory = cluster.config().directory();
    HistoryRecorder recorder = HistoryRecorder.to(directory.resolve("history"));
    WorkerPool workers = WorkerPool.start(cluster.servers(), load, recorder, seed);
    return new Trial(
        cluster, recorder, workers, new FaultContext(cluster, new SplittableRandom(seed), notes));
  }

  FaultContext context() {
    return context;
  }

  int answers() {
    return recorder.answers();
  }

  /** The operations that began since a {@link System#nanoTime}. */
  History since(long ns) {
    return recorder.since(ns);
  }

  /** Injects a fault, and waits until all callers make progress again. Records violations. */
  void inject(Fault fault) throws Exception {
    run(fault);
    if (!hasViolations()) {
      violations.addAll(
          workers.awaitProgress(
              EnumSet.of(OperationKind.MODIFY), WorkerPool.LIMIT, cluster::restartEnded));
    }
  }

  private void run(Fault fault) throws Exception {
    try {
      fault.inject(context);
    } catch (IllegalStateException e) {
      violations.add(new Violation(ViolationKind.STUCK, e.getMessage()));
    }
    for (String what : cluster.unexplained()) {
      if (what.contains(Cluster.AFTER_STALL) && stalls.lately()) {
        // The whole machine did.
        context.note(what);
      } else {
        violations.add(new Violation(ViolationKind.ENDED, what));
      }
    }
  }

  boolean hasViolations() {
    return !violations.isEmpty();
  }

  /** Stops the callers and checks everything. */
  TrialReport end(CheckConfig config) throws Exception {
    return end(config, new History(List.of()));
  }

  /** Includes the history of callers in other processes. */
  TrialReport end(CheckConfig config, History others) throws Exception {
    run(this::heal);
    if (!hasViolations()) {
      violations.addAll(workers.awaitProgress(ALL_KINDS, WorkerPool.LIMIT, cluster::restartEnded));
    }
    violations.addAll(workers.finish());
    run(this::compare);
    History history = recorder.history().and(others);
    violations.addAll(
        HistoryChecker.check(
            history, config.withCertainty(WorkerPool.CERTAINTY).withPlain(workers.plain())));
    return new TrialReport(history, violations);
  }

  private void heal(FaultContext healed) throws Exception {
    cluster.thaw();
    cluster.heal();
    healed.settle();
  }

  private void compare(FaultContext healed) throws Exception {
    cluster.awaitAgreement();
    audit();
    drain();
    cluster.awaitAgreement();
    healed.note("all members are the same, and empty");
    violations.addAll(FinalStateCheck.check(healed));
  }

  /** All members list the same tasks. */
  private void audit() throws InterruptedException {
    Optional<List<Task>> first = Optional.empty();
    for (int id : cluster.ids()) {
      try (EntroQ client = WorkerPool.connect(List.of(cluster.servers().get(id)))) {
        Caller auditor = new Caller("auditor" + id, client, recorder, WorkerPool.LIMIT);
        Optional<List<Task>> seen = auditor.audit(Drain.QUEUES).map(Trial::inOrder);
        if (seen.isEmpty()) {
          violations.add(
              new Violation(ViolationKind.STUCK, "member " + id + " does not answer in the end"));
        } else if (first.isPresent() && !first.equals(seen)) {
          violations.add(
              new Violation(ViolationKind.DOUBLED, "member " + id + " shows other tasks"));
        } else {
          first = seen;
        }
      }
    }
  }

  private static List<Task> inOrder(List<Task> tasks) {
    return tasks.stream().sorted(Comparator.comparing(Task::id)).toList();
  }

  private void drain() throws InterruptedException {
    try (EntroQ client = WorkerPool.connect(cluster.servers())) {
      if (!Drain.run(new Caller("drain", client, recorder, WorkerPool.LIMIT), DRAIN_MAX)) {
        violations.add(new Violation(ViolationKind.STUCK, "not all that is left comes out"));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (recorder;
        cluster;
        stalls) {
      workers.close();
    }
  }
}
