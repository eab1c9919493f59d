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
 * What an engine does with a directory when it opens it: the snapshot that it starts from, what it
 * finds behind that, what it warns of, or why it refuses. Found out by the same code, and without
 * changing anything.
 */
public final class RecoveryPreview {
  private final List<String> warnings = new ArrayList<>();
  private LogException refusal;
  private Manifest snapshot;
  private ScanReport report;
  private State state;

  private RecoveryPreview() {}

  /**
   * The state that it has then.
   *
   * @param tasks how many
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
   * Reads the snapshots and the log behind the newest that is good, and changes nothing.
   *
   * @param isLoaded whether to make the state, which takes as much memory as an engine; otherwise
   *     right bytes are enough
   */
  public static RecoveryPreview find(LogDirectory directory, HolePolicy policy, boolean isLoaded) {
    RecoveryPreview start = new RecoveryPreview();
    StateRecovery recovery = StateRecovery.looking(directory, policy, isLoaded, start::passedOver);
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

  private void passedOver(SnapshotDamagedException why) {
    warnings.add(SnapshotWarning.text(why));
  }

  /** Why an engine refuses to open the directory; null if it opens it. */
  public LogException refusal() {
    return refusal;
  }

  /** What it warns of. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Whether it warns of this damage. */
  public boolean warnsOf(Damage damage) {
    return report != null
        && report.warnings().stream()
            .anyMatch(
                warning ->
                    warning.file().equals(damage.file())
                        && warning.sequence() == damage.sequence());
  }

  /** What it finds in the log behind the snapshot; null if it does not come to read it. */
  public ScanReport report() {
    return report;
  }

  /** The state that it has then; null if it refuses, or that was not asked for. */
  public State state() {
    return state;
  }

  /** The last record that the snapshot holds from which it starts; 0 if that is none. */
  public long sequence() {
    return snapshot == null ? 0 : snapshot.sequence();
  }

  /** The last record of the log. */
  public long lastSequence() {
    return report == null ? 0 : report.lastSequence();
  }

  /** Whether an engine starts there and has all that ever was, though this record is bad. */
  public boolean isLosslessWithout(long bad) {
    return bad <= sequence() && refusal == null;
  }

  /** What a scan of more than an engine reads has found, with what is to be done about it. */
  public Damage advise(Damage found) {
    if (refusal == null) {
      return found.withAdvice(
          ("The engine does not need this record: it starts from the snapshot at record %,d and"
                  + " loses nothing. Take a backup now; the segment goes with later snapshots. Do"
                  + " NOT cut the log: that would give up good records.")
              .formatted(sequence()));
    }
    if (report == null || found.sequence() > sequence()) {
      return found;
    }
    // Not at this one, when the engine comes as far as another behind the snapshot.
    if (report.isDamaged()) {
      boolean hasAdvice = report.damage().isCuttable() || report.damage().isMisplaced();
      return hasAdvice ? found.withAdvice(report.damage().advice()) : found;
    }
    return report.lastSequence() >= sequence()
        ? found.withAdvice(found.adviceAt(report.lastSequence() + 1))
        : found;
  }
}
