package io.entroq.tools.log;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.codec.command.TickEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.backup.EmptyDirectory;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.StateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.agrona.ExpandableArrayBuffer;

/**
 * Makes a data directory whose state is the one of another directory at a point, to try things out
 * on real data. It has a log of its own, with another id: it knows no callers of the other one, so
 * nobody waits in it, and all its policies and limiters are paused. It is built beside its place
 * and moved there when it is complete. Single use.
 */
public final class Branch {
  private static final String UNFINISHED = ".branch.tmp";

  private final Path source;
  private final Path target;
  private final BooleanSupplier isAbandoned;
  private final UUID logId = UUID.randomUUID();

  /**
   * @param source directory of the history
   * @param target the new data directory; must not exist or be empty
   * @param isAbandoned asked now and then: whether to make nothing after all
   */
  public Branch(Path source, Path target, BooleanSupplier isAbandoned) {
    this.source = source;
    this.target = target.toAbsolutePath().normalize();
    this.isAbandoned = isAbandoned;
  }

  /**
   * What was made.
   *
   * @param sequence the record whose state it has
   * @param logId its own
   * @param paused how many policies and limiters were paused
   */
  public record Made(long sequence, UUID logId, int paused) {}

  /**
   * Makes the directory.
   *
   * @param states of the source
   * @throws LogException if the point cannot be read, or the directory not written, or if it was
   *     abandoned meanwhile; then nothing is left of it
   * @throws CancellationException likewise if it was abandoned
   */
  public Made run(StateAt states, HistoryPoint point) {
    EmptyDirectory.require(target, "Cannot make a branch");
    EmptyDirectory.requireApart(source, target);
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    EmptyDirectory.require(unfinished, "Cannot make a branch");
    try {
      long sequence = write(states, point, unfinished);
      int paused = pause(unfinished);
      requireWanted();
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
      LogDirectory.force(target.getParent());
      return new Made(sequence, logId, paused);
    } catch (IOException e) {
      discard(unfinished, e);
      throw LogException.error(
          "Cannot make a branch in %s: %s".formatted(target, FileErrors.describe(e)), e);
    } catch (RuntimeException | Error e) {
      discard(unfinished, e);
      throw e;
    }
  }

  /** Writes the state as a snapshot, and a log that begins right after it. */
  private long write(StateAt states, HistoryPoint point, Path unfinished) {
    try (StateMachine machine = states.open(point)) {
      machine.identify(logId.getMostSignificantBits(), logId.getLeastSignificantBits());
      long sequence = machine.sequence();
      try (LogDirectory directory = LogDirectory.open(unfinished)) {
        new SnapshotWriter(new SnapshotDirectory(unfinished, Forcer.DISK), 0)
            .write(machine.freeze(), at -> {}, isAbandoned, written -> {});
        machine.thaw();
        begin(directory, sequence, machine.logTimeMs());
      }
      return sequence;
    }
  }

  /** A log needs a record after its snapshot: one that only carries the time. */
  private void begin(LogDirectory directory, long sequence, long logTimeMs) {
    int tag = (int) logId.getLeastSignificantBits();
    ExpandableArrayBuffer tick = new ExpandableArrayBuffer();
    int length = new TickEncoder().wrap(tick, 0).length();
    try (CommandLog log =
        ChronicleLog.open(directory, LogConfig.defaults(), tag, sequence, sequence)) {
      int crc = new Crc32c().of(tick, 0, length);
      log.append(RecordType.TICK, sequence + 1, logTimeMs, crc, tick, 0, length);
      log.force();
    }
  }

  /** Opens it once: the engine ends what callers of the other log were doing. */
  private int pause(Path unfinished) {
    EmbeddedConfig config = EmbeddedConfig.in(unfinished).durability(Durability.DISK).build();
    int paused = 0;
    try (EntroQ queue = EmbeddedEntroQ.open(config)) {
      if (queue.hasPolicies()) {
        for (Policies.Entry entry : queue.policies().list(Policies.Query.all())) {
          requireWanted();
          Policies.Entry unused = queue.policies().pause(entry.target());
          paused++;
        }
      }
    }
    return paused;
  }

  private void requireWanted() {
    if (isAbandoned.getAsBoolean()) {
      throw new CancellationException("the branch in %s was abandoned".formatted(target));
    }
  }

  private static void discard(Path unfinished, Throwable cause) {
    try {
      if (Files.exists(unfinished)) {
        EmptyDirectory.clear(unfinished);
        Files.delete(unfinished);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
