package io.entroq.engine.log.scan;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The result of a scan.
 *
 * @param records number of delivered records
 * @param firstSequence the first of them; 0 if there is none
 * @param lastSequence the last record of the log, delivered or not; 0 if the log is empty
 * @param lastLogTimeMs its log time; 0 if there is none
 * @param forcedSequence the highest record that is on the disk according to the records themselves
 * @param logTag the tag of the log; 0 if it is empty
 * @param segments number of segment files read
 * @param endFile the segment in which the log ends; null if there is none
 * @param endOffset the offset of the end in it
 * @param strayBytes nonzero bytes between good records, where nothing should be
 * @param unforced segments with records above {@code forcedSequence}
 * @param loose segments that end cleanly before the end of the file, with the offset of their next
 *     record
 * @param warnings defects with which nothing is lost, because a snapshot includes the records
 * @param tornTail the torn tail; null if the log ends cleanly
 * @param damage why the log must not be opened; null if it may be
 */
public record ScanReport(
    long records,
    long firstSequence,
    long lastSequence,
    long lastLogTimeMs,
    long forcedSequence,
    int logTag,
    int segments,
    Path endFile,
    long endOffset,
    long strayBytes,
    List<Path> unforced,
    Map<Path, Long> loose,
    List<LogWarning> warnings,
    TornTail tornTail,
    Damage damage) {
  public ScanReport {
    unforced = List.copyOf(unforced);
    loose = Map.copyOf(loose);
    warnings = List.copyOf(warnings);
  }

  public boolean isDamaged() {
    return damage != null;
  }

  public ScanReport withDamage(Damage other) {
    return new ScanReport(
        records,
        firstSequence,
        lastSequence,
        lastLogTimeMs,
        forcedSequence,
        logTag,
        segments,
        endFile,
        endOffset,
        strayBytes,
        unforced,
        loose,
        warnings,
        tornTail,
        other);
  }

  public boolean isTorn() {
    return tornTail != null;
  }

  /**
   * Returns this if the log may be opened.
   *
   * @throws io.entroq.engine.log.LogDamagedException if it is damaged
   */
  public ScanReport requireUndamaged() {
    if (isDamaged()) {
      throw damage.toException();
    }
    return this;
  }
}
