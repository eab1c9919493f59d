package io.entroq.engine.log.scan;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a scan has found.
 *
 * @param records how many valid records were given out
 * @param firstSequence the first of them, 0 if none
 * @param lastSequence the last record of the log, given out or not; 0 if it is empty
 * @param lastLogTimeMs its log time, 0 if none
 * @param forcedSequence up to here the records themselves say that they are on the disk
 * @param logTag the tag of the log, 0 if there is no record
 * @param segments how many segment files were read
 * @param endFile the segment in which the log ends, null if there is none
 * @param endOffset byte offset there of the end
 * @param strayBytes bytes that are not zero where nothing should be, between good records
 * @param unforced the segments that hold records above {@code forcedSequence}
 * @param loose the segments that end cleanly and are longer than what stands in them, each with the
 *     offset at which its next record would begin
 * @param warnings what is wrong with the log and takes nothing away, as a snapshot holds it
 * @param tornTail the torn end, null if the log ends cleanly
 * @param damage what forbids going on from here, null if nothing does
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

  /** The same, with something else to say of the damage. */
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
   * Returns this if the log may be gone on from.
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
