package io.entroq.system.scenario;

import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.RecoveryPoint;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.system.history.Violation;
import io.entroq.system.history.ViolationKind;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.RetainedData;
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
 * Checks the data of idle members: a mirror that leads to the common state, and no more log than
 * they must keep. For one thread.
 */
final class FinalStateCheck {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);

  /** Polls between requests for a snapshot, which releases older data. */
  private static final int LOOKS_BETWEEN_SNAPSHOTS = 20;

  /** Two that are kept and one that is about to be removed. */
  private static final int SNAPSHOTS_MOST = 3;

  /** The cluster's log between three snapshots, and the beginning of a file. */
  private static final long LOG_BYTES_MOST = 6 * Cluster.TRIMMED_FILE_BYTES;

  /** Log and mirror of an empty queue, without snapshots: those may be from when it was not. */
  private static final long DISK_BYTES_MOST = 12L << 20;

  /** Two snapshots, and one that replaces the older one, for the member and for its mirror. */
  private static final long STATES_MOST = 6;

  /** The last mirror that was found wrong stays for whoever wants to know why. */
  private static final Path SET_ASIDE = Path.of("mirror-set-aside");

  private final FaultContext context;
  private final Cluster cluster;
  private final List<Violation> violations = new ArrayList<>();

  private FinalStateCheck(FaultContext context) {
    this.context = context;
    this.cluster = context.cluster();
  }

  /** Kills all members and checks their data. */
  static List<Violation> check(FaultContext context) throws Exception {
    FinalStateCheck check = new FinalStateCheck(context);
    check.check();
    return check.violations;
  }

  private void check() throws Exception {
    long startNs = System.nanoTime();
    StateDigest digest = awaitRest();
    long atRestNs = System.nanoTime();
    cluster.killAll();
    for (int id : cluster.ids()) {
      Path directory = cluster.directory(id);
      problem(directory, digest).ifPresent(this::report);
      if (cluster.isTrimmed()) {
        checkSize(directory);
      }
    }
    context.note(
        "members were idle after %d ms, and were checked in %d ms"
            .formatted(
                TimeUnit.NANOSECONDS.toMillis(atRestNs - startNs),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - atRestNs)));
  }

  private void checkSize(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> !directory.relativize(file).startsWith(SET_ASIDE))
              .toList();
    }
    long states = files.stream().filter(FinalStateCheck::isState).count();
    long bytes =
        files.stream().filter(file -> !isState(file)).mapToLong(FinalStateCheck::fileBytes).sum();
    if (bytes > DISK_BYTES_MOST || states > STATES_MOST) {
      report("%s has %,d bytes and %d snapshots in the end".formatted(directory, bytes, states));
    }
  }

  private static boolean isState(Path file) {
    return file.endsWith("state");
  }

  private void report(String what) {
    violations.add(new Violation(ViolationKind.LEFTOVER, what));
  }

  /** Waits until members are idle; returns their state. */
  private StateDigest awaitRest() throws Exception {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    int looks = 0;
    while (true) {
      StateDigest digest = cluster.awaitAgreement();
      List<String> restless = new ArrayList<>();
      for (int id : cluster.ids()) {
        Optional<RetainedData> retained = cluster.retained(id);
        if (retained.filter(each -> isAtRest(each, digest)).isEmpty()) {
          restless.add("member " + id + " keeps " + retained);
        }
      }
      if (restless.isEmpty()) {
        checkDivergences();
        return digest;
      }
      if (System.nanoTime() - endNs > 0) {
        report("after %s at %s: %s".formatted(LIMIT, digest, restless));
        return digest;
      }
      looks++;
      if (looks % LOOKS_BETWEEN_SNAPSHOTS == 0) {
        cluster.snapshot();
      }
      context.work(POLL);
    }
  }

  private void checkDivergences() throws InterruptedException {
    for (int id : cluster.ids()) {
      RetainedData retained = cluster.retained(id).orElseThrow();
      if (retained.disagreements() > 0) {
        violations.add(
            new Violation(
                ViolationKind.ENDED, "member " + id + " has found other states: " + retained));
      }
      context.note("member " + id + " has in the end " + retained);
    }
  }

  private boolean isAtRest(RetainedData retained, StateDigest digest) {
    boolean isMirrored =
        retained.mirror() == MirrorState.FOLLOWING
            && retained.mirrorSequence() == digest.sequence();
    boolean isTrim =
        retained.snapshots() <= SNAPSHOTS_MOST && retained.logBytesHeld() <= LOG_BYTES_MOST;
    return isMirrored && (isTrim || !cluster.isTrimmed());
  }

  /**
   * Returns what is wrong with a mirror.
   *
   * @param directory of a stopped member
   * @param digest of the state that it must lead to
   */
  static Optional<String> problem(Path directory, StateDigest digest) {
    StringWriter output = new StringWriter();
    try (LogReading reading = new LogReading(directory, HolePolicy.REFUSE, "trial")) {
      new LogVerify(reading, new JsonLines(new PrintWriter(output)), true).run();
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

  /** The current segment of the mirror is mostly a hole. */
  private static long fileBytes(Path file) {
    long most = file.toString().endsWith(".cq4") ? 2 * Cluster.TRIMMED_FILE_BYTES : Long.MAX_VALUE;
    return Math.min(file.toFile().length(), most);
  }
}
