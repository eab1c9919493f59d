package io.entroq.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.image.CountingListener;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.image.ImageTaker;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A state with its mirror, driven as by a member's applying thread. */
final class Mirrored implements AutoCloseable {
  private final Path directory;
  private final DirectoryLock lock;
  private final Mirror mirror;
  private final StateMachine machine;
  private final CommandLog log;

  Mirrored(Path directory) throws IOException {
    this(directory, MirrorConfig.DEFAULT, ChronicleLog.RUNS, newMachine());
  }

  /**
   * @param machine the state that the cluster's log begins with; closed with the rest
   */
  Mirrored(Path directory, MirrorConfig config, RunFactory runs, StateMachine machine)
      throws IOException {
    this.directory = directory;
    this.machine = machine;
    lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid());
    mirror =
        MirrorOpener.open(directory, lock, ImageStore.read(directory, Forcer.DISK), config, runs);
    log = mirror.begin(machine);
  }

  static StateMachine newMachine() {
    return new StateMachine(StateMachineConfig.DEFAULT);
  }

  /** Applies the records after the state, up to a given one. */
  Mirrored apply(MirrorRecords records, long last) {
    for (MirrorRecords.Entry entry : records.between(machine.sequence(), last)) {
      entry.giveTo(
          (type, sequence, timeMs, crc, payload, offset, length) -> {
            log.append(type, sequence, timeMs, crc, payload, offset, length);
            machine.apply(
                type, payload, offset, length, crc, timeMs, sequence, ResultSink.DISCARDING);
          });
      mirror.doWork();
    }
    return this;
  }

  Mirrored apply(MirrorRecords records) {
    return apply(records, records.count());
  }

  Mirror mirror() {
    return mirror;
  }

  long sequence() {
    return machine.sequence();
  }

  MirrorStats stats() {
    return mirror.stats();
  }

  /** Reports a cluster snapshot to the mirror. */
  void snapshot() {
    mirror.yieldState();
    mirror.onSnapshot(null);
  }

  /** Has an image written as a cluster snapshot does, and waits until the mirror shares it. */
  void share(ImageStore images) {
    offer(images);
    untilSnapshot();
  }

  /** Has an image written as a cluster snapshot does. */
  void offer(ImageStore images) {
    mirror.yieldState();
    ImageTaker taker = new ImageTaker(images, new CountingListener());
    mirror.onSnapshot(taker.begin(machine, machine.sequence()));
    taker.end(true, ImageTaker.END_TIMEOUT);
  }

  /** Does pending work until a condition holds. */
  void until(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as(what).isNegative();
      mirror.doWork();
      Thread.onSpinWait();
    }
  }

  void untilWritten() {
    until("all is written", () -> stats().writtenSequence() == machine.sequence());
  }

  /** Waits until the newest snapshot is that of the state, and no work is pending. */
  void untilSnapshot() {
    until(
        "there is a snapshot",
        () -> !snapshots().isEmpty() && snapshots().get(0).sequence() == machine.sequence());
    until("those before the last are gone", () -> snapshots().size() <= 2);
    mirror.yieldState();
  }

  List<Snapshot> snapshots() {
    return new SnapshotDirectory(directory, Forcer.DISK).newestFirst();
  }

  /** Ends the mirror, and checks that an engine opened there has the same state. */
  void closeAndCompare() {
    String digest = digest(machine);
    close();
    assertThat(digestOf(directory)).isEqualTo(digest);
  }

  private static String digest(StateMachine machine) {
    return "%d %016x %016x"
        .formatted(machine.sequence(), machine.historyDigest(), machine.contentDigest());
  }

  /**
   * Checks the state an engine would recover; the log must be complete from its first record on.
   */
  static String digestOf(Path directory) {
    new LogScanner(LogDirectory.read(directory), HolePolicy.REFUSE)
        .scan((type, sequence, timeMs, crc, payload, offset, length) -> {})
        .requireUndamaged();
    try (StateMachine machine = recover(directory)) {
      return digest(machine);
    }
  }

  /** Recovers as an engine would. */
  static StateMachine recover(Path directory) {
    return new StateRecovery(
            LogDirectory.read(directory),
            new SnapshotDirectory(directory, Forcer.DISK),
            HolePolicy.REFUSE,
            Forcer.DISK,
            StateMachineConfig.DEFAULT,
            warning -> {
              throw warning;
            })
        .recover(ResultSink.DISCARDING)
        .machine();
  }

  @Override
  public void close() {
    mirror.end(true);
    mirror.close();
    machine.close();
    lock.close();
  }
}
