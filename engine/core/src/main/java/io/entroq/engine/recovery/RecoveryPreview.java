package io.entroq.engine.recovery;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.Damage;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogWarning;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * What an engine would do when it opens a directory: the snapshot it starts from, the log after it,
 * its warnings, or why it refuses. Uses the engine's own recovery code, and changes nothing.
 */
public final class RecoveryPreview {
  private final List<String> warnings = new ArrayList<>();
  private LogException refusal;
  private Manifest snapshot;
  private ScanReport report;
  private State state;

  private RecoveryPreview() {}

  /**
   * The recovered state.
   *
   * @param tasks number of tasks
   */
  public record State(
      long logIdHigh,
      long logIdLow,
      int level,
      long tasks,
      long historyDigest,
      long contentDigest) {
    static State of(StateMachine machine) {
      return new State(
          machine.logIdHigh(),
          machine.logIdLow(),
          machine.level(),
          machine.taskCount(),
          machine.historyDigest(),
          machine.contentDigest());
    }
  }

  /**
   * Reads the newest good snapshot and the log after it.
   *
   * @param isLoaded whether to load the state, which takes as much memory as an engine; otherwise
   *     only bytes are verified
   */
  public static RecoveryPreview find(LogDirectory directory, HolePolicy policy, boolean isLoaded) {
    RecoveryPreview start = new RecoveryPreview();
    StateRecovery recovery =
        StateRecovery.readOnly(directory, policy, isLoaded, start::onSkippedSnapshot);
    try {
      LogDirectory.requireFinished(directory.directory());
      RecoveredState recovered = recovery.recover(ResultSink.DISCARDING);
      if (recovered.machine() != null) {
        try (StateMachine machine = recovered.machine()) {
          start.state = State.of(machine);
        }
      }
    } catch (LogException e) {
      start.refusal = e;
    }
    start.snapshot = recovery.base();
    start.report = recovery.found();
    if (start.report != null) {
      start.report.warnings().stream().map(LogWarning::text).forEach(start.warnings::add);
    }
    return start;
  }

  private void onSkippedSnapshot(SnapshotDamagedException why) {
    warnings.add(SnapshotWarning.text(why));
  }

  /** Why an engine would refuse to open the directory; null if it would open it. */
  public LogException refusal() {
    return refusal;
  }

  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  public boolean warnsOf(Damage damage) {
    return report != null
        && report.warnings().stream()
            .anyMatch(
                warning ->
                    warning.file().equals(damage.file())
                        && warning.sequence() == damage.sequence());
  }

  /** The report of the log after the snapshot; null if it would not be read. */
  public ScanReport report() {
    return report;
  }

  /** The state; null if it would refuse or the state was not loaded. */
  public State state() {
    return state;
  }

  /** The last record in the snapshot it would start from; 0 without a snapshot. */
  public long sequence() {
    return snapshot == null ? 0 : snapshot.sequence();
  }

  /** The last record of the log. */
  public long lastSequence() {
    return report == null ? 0 : report.lastSequence();
  }

  /** Whether an engine would start without loss although this record is bad. */
  public boolean isLosslessWithout(long bad) {
    return bad <= sequence() && refusal == null;
  }

  /** Adds advice to damage found by a scan of more than an engine reads. */
  public Damage advise(Damage found) {
    if (refusal == null) {
      return found.withAdvice(
          ("The engine does not need this record: it starts from the snapshot at record %,d and"
                  + " loses nothing. Take a backup now; later snapshots remove the segment. Do NOT"
                  + " cut the log: that would discard good records.")
              .formatted(sequence()));
    }
    if (report == null || found.sequence() > sequence()) {
      return found;
    }
    // Do not advise a cut here if the engine gets further, to a defect after the snapshot.
    if (report.isDamaged()) {
      boolean hasAdvice = report.damage().isCuttable() || report.damage().isMisplaced();
      return hasAdvice ? found.withAdvice(report.damage().advice()) : found;
    }
    return report.lastSequence() >= sequence()
        ? found.withAdvice(found.adviceAt(report.lastSequence() + 1))
        : found;
  }
}
