package io.entroq.engine.recovery;

import io.entroq.engine.image.ImageException;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.Damage;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotReader;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.state.UnsupportedLevelException;
import java.util.List;

/**
 * The snapshot that an engine would start from, and what it would find behind it. Damage in front
 * of that is none to the engine: whoever gave up the log from there on would lose what is not lost.
 */
public final class EngineStart {
  private final long sequence;
  private final long newest;
  private final ScanReport report;

  private EngineStart(long sequence, long newest, ScanReport report) {
    this.sequence = sequence;
    this.newest = newest;
    this.report = report;
  }

  /**
   * Reads the snapshots and the log behind the newest that is good, and changes nothing.
   *
   * @param isLoaded whether a snapshot counts as good only if it makes a state, which takes as much
   *     memory as an engine; otherwise right bytes are enough
   * @return null if an engine would start from the beginning of the log
   */
  public static EngineStart find(LogDirectory directory, HolePolicy policy, boolean isLoaded) {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory.directory(), Forcer.DISK);
    List<Snapshot> all = snapshots.newestFirst();
    for (Snapshot snapshot : all) {
      Manifest manifest = manifest(snapshots.reader(snapshot), isLoaded);
      if (manifest != null) {
        ScanReport report =
            new LogScanner(directory, policy)
                .scanAfter(
                    manifest.sequence(),
                    manifest.logTag(),
                    manifest.logTimeMs(),
                    (type, at, timeMs, payloadCrc, payload, offset, length) -> {});
        return new EngineStart(manifest.sequence(), all.get(0).sequence(), report);
      }
    }
    return null;
  }

  /** Null if an engine passes the snapshot over. */
  private static Manifest manifest(SnapshotReader reader, boolean isLoaded) {
    try {
      return isLoaded ? load(reader) : reader.verify();
    } catch (SnapshotDamagedException | ImageException e) {
      return null;
    }
  }

  private static Manifest load(SnapshotReader reader) {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    try {
      Manifest manifest = reader.read(loader);
      loader.finish().close();
      return manifest;
    } catch (UnsupportedLevelException | OutOfMemoryError e) {
      loader.close();
      // An engine does not pass it over: it wants another build, or more memory.
      return reader.verify();
    } catch (RuntimeException | Error e) {
      loader.close();
      throw e;
    }
  }

  /** The last record that the snapshot holds. */
  public long sequence() {
    return sequence;
  }

  /** The last record of the log. */
  public long lastSequence() {
    return report.lastSequence();
  }

  /** Whether an engine starts there and has all that ever was, though this record is bad. */
  public boolean isLosslessWithout(long bad) {
    // The newest snapshot, good or not, has its name only when the log is on the disk up to it.
    return bad <= sequence && !report.isDamaged() && report.lastSequence() >= newest;
  }

  /** What a scan of more than an engine reads has found, with what is to be done about it. */
  public Damage advise(Damage found) {
    if (found.sequence() > sequence) {
      return found;
    }
    if (isLosslessWithout(found.sequence())) {
      return found.withAdvice(
          ("The engine does not need this record: it starts from the snapshot at record %,d and"
                  + " loses nothing. Take a backup now; the segment goes with later snapshots. Do"
                  + " NOT cut the log: that would give up good records.")
              .formatted(sequence));
    }
    // Not at this one, when the engine comes as far as another behind the snapshot.
    if (report.isDamaged()) {
      return report.damage().isCuttable() ? found.withAdvice(report.damage().advice()) : found;
    }
    return report.lastSequence() >= sequence
        ? found.withAdvice(found.adviceAt(report.lastSequence() + 1))
        : found;
  }
}
