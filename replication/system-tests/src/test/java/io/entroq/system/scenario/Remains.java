package io.entroq.system.scenario;

import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.RecoveryPoint;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.system.history.Finding;
import io.entroq.system.history.Harm;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.Kept;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogReading;
import io.entroq.tools.log.LogVerify;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What members leave behind when nobody asks anything any more: a mirror each, that leads to the
 * state that all have, and no more log than they have to keep. For one thread.
 */
final class Remains {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** How often a snapshot is asked for, behind which what there is before can go. */
  private static final int LOOKS_BETWEEN_SNAPSHOTS = 20;

  /** Two that are kept, and one that is to go. */
  private static final int SNAPSHOTS_MOST = 3;

  /** Of the cluster's log: what is written between three snapshots, and what begins a file. */
  private static final long LOG_BYTES_MOST = 6 * Cluster.TRIMMED_FILE_BYTES;

  /** Of log, snapshots and mirror together, when nothing is in the queues. */
  private static final long DISK_BYTES_MOST = 12L << 20;

  private final Stage stage;
  private final Cluster cluster;
  private final List<Finding> findings = new ArrayList<>();

  private Remains(Stage stage) {
    this.stage = stage;
    this.cluster = stage.cluster();
  }

  /**
   * Looks at them, and ends all members for that.
   *
   * @return what is wrong with them
   */
  static List<Finding> check(Stage stage) throws Exception {
    Remains remains = new Remains(stage);
    remains.check();
    return remains.findings;
  }

  private void check() throws Exception {
    long beganNs = System.nanoTime();
    StateDigest digest = awaitRest();
    long atRestNs = System.nanoTime();
    cluster.killAll();
    for (int id : cluster.ids()) {
      Path directory = cluster.directory(id);
      problem(directory, digest).ifPresent(this::report);
      if (cluster.isTrimmed() && bytes(directory) > DISK_BYTES_MOST) {
        report("%s has %,d bytes in the end".formatted(directory, bytes(directory)));
      }
    }
    stage.note(
        "members were at rest after %d ms, and were looked at in %d ms"
            .formatted(
                TimeUnit.NANOSECONDS.toMillis(atRestNs - beganNs),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - atRestNs)));
  }

  private void report(String what) {
    findings.add(new Finding(Harm.REMAINS, what));
  }

  /** Waits until members have nothing to do any more; the state that they have then. */
  private StateDigest awaitRest() throws Exception {
    long endNs = System.nanoTime() + BOUND.toNanos();
    int looks = 0;
    while (true) {
      StateDigest digest = cluster.awaitAgreement();
      List<String> restless = new ArrayList<>();
      for (int id : cluster.ids()) {
        Optional<Kept> kept = cluster.kept(id);
        if (kept.filter(each -> isAtRest(each, digest)).isEmpty()) {
          restless.add("member " + id + " keeps " + kept);
        }
      }
      if (restless.isEmpty()) {
        lookForDisagreements();
        return digest;
      }
      if (System.nanoTime() - endNs > 0) {
        report("after %s at %s: %s".formatted(BOUND, digest, restless));
        return digest;
      }
      looks++;
      if (looks % LOOKS_BETWEEN_SNAPSHOTS == 0) {
        cluster.snapshot();
      }
      stage.work(LOOK);
    }
  }

  private void lookForDisagreements() throws InterruptedException {
    for (int id : cluster.ids()) {
      Kept kept = cluster.kept(id).orElseThrow();
      if (kept.disagreements() > 0) {
        findings.add(new Finding(Harm.ENDED, "member " + id + " has found other states: " + kept));
      }
      stage.note("member " + id + " has in the end " + kept);
    }
  }

  private boolean isAtRest(Kept kept, StateDigest digest) {
    boolean isMirrored =
        kept.mirror() == MirrorState.FOLLOWING && kept.mirrorSequence() == digest.sequence();
    boolean isTrim = kept.snapshots() <= SNAPSHOTS_MOST && kept.logBytesHeld() <= LOG_BYTES_MOST;
    return isMirrored && (isTrim || !cluster.isTrimmed());
  }

  /**
   * What is wrong with a mirror.
   *
   * @param directory of a member that has ended
   * @param digest of the state that it is to lead to
   */
  static Optional<String> problem(Path directory, StateDigest digest) {
    StringWriter said = new StringWriter();
    try (LogReading reading = new LogReading(directory, HolePolicy.REFUSE, "trial")) {
      new LogVerify(reading, new JsonLines(new PrintWriter(said)), true).run();
    } catch (LogException e) {
      return Optional.of("the mirror in %s is not sound: %s".formatted(directory, e.getMessage()));
    }
    try (DrivenEngine engine = DrivenEngine.open(directory)) {
      RecoveryPoint found = engine.found();
      StateDigest led =
          new StateDigest(found.sequence(), found.historyDigest(), found.contentDigest());
      return led.equals(digest)
          ? Optional.empty()
          : Optional.of(
              "the mirror in %s leads to %s, and the member had %s"
                  .formatted(directory, led, digest));
    } catch (LogException e) {
      return Optional.of("no engine opens in %s: %s".formatted(directory, e.getMessage()));
    }
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(Remains::fileBytes).sum();
    }
  }

  /** A segment of the mirror that is written to is mostly a hole. */
  private static long fileBytes(Path file) {
    long most = file.toString().endsWith(".cq4") ? 2 * Cluster.TRIMMED_FILE_BYTES : Long.MAX_VALUE;
    return Math.min(file.toFile().length(), most);
  }
}
