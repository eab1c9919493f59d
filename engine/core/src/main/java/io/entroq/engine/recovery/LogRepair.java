package io.entroq.engine.recovery;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.log.scan.TornTail;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/**
 * Cuts a damaged log on the operator's request. No record is modified or deleted: a new run states
 * that records after the cut do not count, and snapshots that include discarded records are moved
 * aside.
 */
public final class LogRepair {
  private final LogDirectory directory;
  private final LogConfig config;
  private final SnapshotDirectory snapshots;

  public LogRepair(LogDirectory directory, LogConfig config) {
    this.directory = directory;
    this.config = config;
    this.snapshots = new SnapshotDirectory(directory.directory(), config.forcer());
  }

  /**
   * Determines what a cut would do, without changing anything. The remaining log must start with
   * the genesis record or a good snapshot and be good from there on. A cut is refused if an engine
   * can recover without loss from a later snapshot.
   *
   * @param sequence the first record to discard
   * @throws LogException if the log cannot be cut there; the message says where it can
   */
  public RepairPlan plan(long sequence) {
    List<Snapshot> ahead = new ArrayList<>();
    List<String> allowed = new ArrayList<>();
    for (Snapshot snapshot : snapshots.newestFirst()) {
      if (snapshot.sequence() >= sequence) {
        ahead.add(snapshot);
      }
      Manifest manifest = manifest(snapshot);
      Reach reach = manifest == null ? null : new Reach(manifest, sequence);
      if (reach != null && reach.allows(allowed)) {
        return reach.plan(ahead);
      }
    }
    Reach reach = new Reach(null, sequence);
    if (reach.allows(allowed)) {
      return reach.plan(ahead);
    }
    throw LogException.error(
        "Cannot cut the log in %s at %d: %s"
            .formatted(
                directory.directory(),
                sequence,
                allowed.isEmpty()
                    ? "it has neither its beginning nor a good snapshot"
                    : String.join("; or ", allowed)));
  }

  /** Null if the snapshot is damaged. */
  private Manifest manifest(Snapshot snapshot) {
    try {
      return snapshots.reader(snapshot).verify();
    } catch (SnapshotDamagedException e) {
      return null;
    }
  }

  /**
   * Discards the record with this sequence and all later ones, on the disk when this returns.
   *
   * @param sequence one that {@link #plan} accepts
   * @return the report of the log before the cut
   * @throws LogException if the log cannot be cut there
   */
  public ScanReport cutAt(long sequence) {
    RepairPlan plan = plan(sequence);
    // First, because a snapshot left after the cut would include records that the log replaces.
    for (Snapshot snapshot : plan.ahead()) {
      snapshots.setAside(snapshot);
    }
    append(plan);
    return plan.report();
  }

  private void append(RepairPlan plan) {
    ExpandableArrayBuffer payload = new ExpandableArrayBuffer();
    int length = cut(plan.sequence(), plan.report()).encodeCut(payload, 0);
    int crc = new Crc32c().of(payload, 0, length);
    int tag = plan.report().logTag();
    try (CommandLog log = ChronicleLog.open(directory, config, tag, plan.sequence() - 1, 0)) {
      log.append(RecordType.CUT, plan.sequence(), plan.cutTimeMs(), crc, payload, 0, length);
      log.force();
    }
  }

  private TornTail cut(long sequence, ScanReport report) {
    String why = "cut by the operator";
    boolean isAtTheEnd = sequence == report.lastSequence() + 1;
    Path file = report.endFile();
    // The offset of a good record is unknown; the cut then names the last file.
    return isAtTheEnd
        ? new TornTail(sequence - 1, file, report.endOffset(), 0, why)
        : new TornTail(sequence - 1, lastFile(), 0, 0, why);
  }

  /** The last segment, whose name shows which run the cut follows. */
  private Path lastFile() {
    Path last = null;
    for (LogRun run : directory.runs()) {
      for (LogSegment segment : run.segments()) {
        last = segment.file();
      }
    }
    return last;
  }

  /**
   * Refuses a cut because of damage that an engine never reads. An undamaged log may be cut: the
   * operator wants that.
   */
  private void requireReason(long sequence, ScanReport report) {
    if (!report.isDamaged()) {
      return;
    }
    // The policy that tolerates most: remaining damage is handled by its own record.
    RecoveryPreview start = RecoveryPreview.find(directory, HolePolicy.CUT_UNFORCED, true);
    long damaged = report.damage().sequence();
    if (start.isLosslessWithout(Math.max(sequence, damaged))) {
      throw LogException.error(
          ("The log in %s must not be cut at %d: the engine does not need record %,d, which is"
                  + " damaged. It starts from the snapshot at record %,d and loses nothing; the cut"
                  + " would discard good records up to %,d. Take a backup now; later snapshots"
                  + " remove the damaged segment.")
              .formatted(
                  directory.directory(),
                  sequence,
                  damaged,
                  start.sequence(),
                  start.lastSequence()));
    }
  }

  /** How far the log is good after a snapshot or from its beginning. */
  private final class Reach {
    private final long sequence;
    private final long base;
    private final ScanReport report;
    private long cutTimeMs;

    /**
     * @param snapshot null to read from the beginning
     */
    Reach(Manifest snapshot, long sequence) {
      this.sequence = sequence;
      this.base = snapshot == null ? 0 : snapshot.sequence();
      this.cutTimeMs = snapshot == null ? 0 : snapshot.logTimeMs();
      int tag = snapshot == null ? 0 : snapshot.logTag();
      this.report =
          new LogScanner(directory, HolePolicy.REFUSE)
              .scanAfter(
                  base,
                  tag,
                  cutTimeMs,
                  (type, at, timeMs, payloadCrc, payload, offset, length) -> {
                    if (at < sequence) {
                      cutTimeMs = timeMs;
                    }
                  });
    }

    /** Whether the log can be cut there; if not, adds where it can. */
    boolean allows(List<String> allowed) {
      if (report.isDamaged() && report.damage().isMisplaced()) {
        report.requireUndamaged();
      }
      boolean isBaseLeft = report.isDamaged() && report.damage().isCovered();
      long last = isBaseLeft ? Math.max(base, report.lastSequence()) : report.lastSequence();
      long least = Math.max(2, base + 1);
      if (sequence >= least && sequence <= last + 1) {
        return true;
      }
      if (last >= least - 1) {
        String where = base == 0 ? "" : "after the snapshot at record %d ".formatted(base);
        allowed.add(
            where
                + "its good records are %d to %d; allowed is %d to %d"
                    .formatted(base + 1, last, least, last + 1));
      }
      return false;
    }

    RepairPlan plan(List<Snapshot> ahead) {
      if (!ahead.isEmpty()) {
        requireReason(sequence, report);
      }
      return new RepairPlan(sequence, cutTimeMs, report, ahead);
    }
  }
}
