package io.entroq.system.scenario;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.history.Finding;
import io.entroq.system.history.Harm;
import io.entroq.system.history.History;
import io.entroq.system.history.HistoryChecker;
import io.entroq.system.history.Kind;
import io.entroq.system.load.Caller;
import io.entroq.system.load.Drain;
import io.entroq.system.load.Recorder;
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
 * A cluster, callers that work on it, and faults; and in the end the questions: are all members the
 * same, does all that is left come out, can what callers were told be true, has no member ended
 * without a reason, and are their mirrors what they should be. For one thread.
 */
final class Trial implements AutoCloseable {
  private static final Set<Kind> ALL_KINDS = EnumSet.of(Kind.MODIFY, Kind.CLAIM, Kind.READ);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(90);

  private final Cluster cluster;
  private final Recorder recorder;
  private final Crew crew;
  private final Stage stage;
  private final List<Finding> findings = new ArrayList<>();

  private Trial(Cluster cluster, Recorder recorder, Crew crew, Stage stage) {
    this.cluster = cluster;
    this.recorder = recorder;
    this.crew = crew;
    this.stage = stage;
  }

  /** Sets callers to work on a cluster, which is then the trial's. */
  static Trial begin(Cluster cluster, long seed, Consumer<String> notes) throws Exception {
    Path directory = cluster.config().directory();
    Recorder recorder = Recorder.to(directory.resolve("history"));
    Crew crew = Crew.start(cluster.servers(), recorder, seed);
    return new Trial(
        cluster, recorder, crew, new Stage(cluster, new SplittableRandom(seed), notes));
  }

  Stage stage() {
    return stage;
  }

  /** How many answers callers have had. */
  int answers() {
    return recorder.answers();
  }

  /**
   * Lets a fault befall the cluster, and waits until all callers are over it. What goes wrong with
   * the cluster itself is a finding.
   */
  void befall(Fault fault) throws Exception {
    look(fault);
    if (!isBroken()) {
      findings.addAll(crew.awaitProgress(EnumSet.of(Kind.MODIFY), Crew.PATIENCE));
    }
  }

  private void look(Fault fault) throws Exception {
    try {
      fault.befall(stage);
    } catch (IllegalStateException e) {
      findings.add(new Finding(Harm.STUCK, e.getMessage()));
    }
    cluster.unexplained().forEach(what -> findings.add(new Finding(Harm.ENDED, what)));
  }

  boolean isBroken() {
    return !findings.isEmpty();
  }

  /** Ends the work and asks all questions. */
  Report end(CheckConfig config) throws Exception {
    return end(config, new History(List.of()));
  }

  /** The same with what callers in other processes were told. */
  Report end(CheckConfig config, History others) throws Exception {
    look(this::heal);
    if (!isBroken()) {
      findings.addAll(crew.awaitProgress(ALL_KINDS, Crew.PATIENCE));
    }
    findings.addAll(crew.finish());
    look(this::compare);
    History history = recorder.history().and(others);
    findings.addAll(HistoryChecker.check(history, config.withCertainty(Crew.CERTAINTY)));
    return new Report(history, findings);
  }

  private void heal(Stage healed) throws Exception {
    cluster.thaw();
    cluster.heal();
    healed.settle();
  }

  private void compare(Stage healed) throws Exception {
    cluster.awaitAgreement();
    audit();
    drain();
    cluster.awaitAgreement();
    healed.note("all members are the same, and empty");
    findings.addAll(Remains.check(healed));
  }

  /** All members show the same. */
  private void audit() throws InterruptedException {
    Optional<List<Task>> first = Optional.empty();
    for (int id : cluster.ids()) {
      try (EntroQ client = Crew.connect(List.of(cluster.servers().get(id)))) {
        Caller auditor = new Caller("auditor" + id, client, recorder, Crew.PATIENCE);
        Optional<List<Task>> seen = auditor.audit(Drain.QUEUES).map(Trial::inOrder);
        if (seen.isEmpty()) {
          findings.add(new Finding(Harm.STUCK, "member " + id + " does not answer in the end"));
        } else if (first.isPresent() && !first.equals(seen)) {
          findings.add(new Finding(Harm.DOUBLED, "member " + id + " shows other tasks"));
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
    try (EntroQ client = Crew.connect(cluster.servers())) {
      if (!Drain.run(new Caller("drain", client, recorder, Crew.PATIENCE), DRAIN_MAX)) {
        findings.add(new Finding(Harm.STUCK, "not all that is left comes out"));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (recorder;
        cluster) {
      crew.close();
    }
  }
}
