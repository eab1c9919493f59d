package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.Damage;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.recovery.RecoveryPreview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * Verifies all snapshots and the whole log, and prints a line for each snapshot, one for each
 * segment, and a summary.
 */
public final class LogVerify {
  private final LogReading reading;
  private final JsonLines lines;
  private final boolean isReplayed;
  private final ScanJson scanJson;
  private final List<Segment> segments = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private RecoveryPreview start;

  /**
   * @param isReplayed whether to also load snapshots and replay records
   */
  public LogVerify(LogReading reading, JsonLines lines, boolean isReplayed) {
    this.reading = reading;
    this.lines = lines;
    this.isReplayed = isReplayed;
    this.scanJson = new ScanJson(reading.directory());
  }

  /**
   * Verifies and prints.
   *
   * @return warnings about defects with which an engine still opens the directory
   * @throws LogException after printing: the exception with which an engine refuses the directory;
   *     or if it cannot be read, or its records do not lead to the states in its snapshots
   */
  public List<String> run() {
    start = reading.start(isReplayed);
    SnapshotChecks checks = new SnapshotChecks(reading.directory());
    List<CheckedSnapshot> snapshots = isReplayed ? checks.states() : checks.bytes();
    List<CheckedSnapshot> good = new ArrayList<>();
    for (CheckedSnapshot each : snapshots) {
      if (each.isGood() && isOfOther(each)) {
        warnings.add("%s belongs to another log.".formatted(each.snapshot().directory()));
      } else if (each.isGood()) {
        good.add(each);
      }
    }
    for (CheckedSnapshot each : snapshots) {
      // The engine itself warns of snapshots that it skips.
      if (!each.isGood() && each.snapshot().sequence() <= start.sequence()) {
        warnings.add(each.problem());
      }
    }
    try (Replay replay = new Replay(checks, good)) {
      ScanReport report = reading.read(new Checker(replay), start);
      checkReach(report, good);
      boolean hasBeginning = hasBeginning(report, good);
      if (!hasBeginning) {
        warnings.add(Replay.missingBeginning(report.firstSequence()));
      }
      if (isReplayed && hasBeginning && start.refusal() == null && replay.problem() != null) {
        problems.add(replay.problem());
      }
      warnings.addAll(start.warnings());
      if (report.isDamaged() && start.refusal() == null && !start.warnsOf(report.damage())) {
        warnings.add(text(report.damage()));
      }
      print(snapshots, report);
    }
    if (start.refusal() != null) {
      throw start.refusal();
    }
    if (!problems.isEmpty()) {
      throw LogException.error(String.join(" ", problems));
    }
    return List.copyOf(warnings);
  }

  private boolean isOfOther(CheckedSnapshot snapshot) {
    int tag = start.report() == null ? 0 : start.report().logTag();
    return start.refusal() == null && tag != 0 && snapshot.manifest().logTag() != tag;
  }

  private static String text(Damage damage) {
    return "The log is damaged: %s at offset %d, record %d: %s. %s"
        .formatted(
            damage.file(), damage.offset(), damage.sequence(), damage.what(), damage.advice());
  }

  /** Whether the log has its beginning or a snapshot to replay from. */
  private static boolean hasBeginning(ScanReport report, List<CheckedSnapshot> snapshots) {
    long first = report.firstSequence();
    return first <= 1
        || snapshots.stream().anyMatch(each -> each.snapshot().sequence() >= first - 1);
  }

  /** Warns of snapshots whose record is not in the log, nor right before it. */
  private void checkReach(ScanReport report, List<CheckedSnapshot> snapshots) {
    for (CheckedSnapshot each : snapshots) {
      long sequence = each.snapshot().sequence();
      boolean isInLog =
          report.records() > 0
              && sequence >= report.firstSequence() - 1
              && sequence <= report.lastSequence();
      // A running engine may have removed the snapshot, and the log with it.
      boolean isThere = Files.exists(each.snapshot().directory());
      if (!isInLog && isThere && !report.isDamaged()) {
        warnings.add(
            "The log ends with record %,d and does not contain record %,d, after which %s continues."
                .formatted(report.lastSequence(), sequence, each.snapshot().directory()));
      }
    }
  }

  private void print(List<CheckedSnapshot> snapshots, ScanReport report) {
    snapshots.forEach(snapshot -> lines.line(json -> snapshot.write(json, scanJson)));
    segments.forEach(segment -> lines.line(json -> segment(json, segment)));
    lines.line(
        json -> {
          json.writeBooleanField("ok", start.refusal() == null && problems.isEmpty());
          json.writeStringField("directory", reading.directory().toAbsolutePath().toString());
          summary(json, report);
          if (start.state() != null && problems.isEmpty()) {
            state(json, start.state());
          }
          texts(json, "problems", allProblems());
          texts(json, "warnings", warnings);
          scanJson.write(json, start.report() == null ? report : start.report(), report);
        });
    lines.close();
  }

  private void segment(JsonGenerator json, Segment segment) throws IOException {
    json.writeStringField("segment", scanJson.name(segment.file));
    json.writeNumberField("records", segment.records);
    if (segment.records > 0) {
      json.writeNumberField("firstSequence", segment.firstSequence);
      json.writeNumberField("lastSequence", segment.firstSequence + segment.records - 1);
    }
    json.writeNumberField("recordBytes", segment.bytes);
  }

  private void summary(JsonGenerator json, ScanReport report) throws IOException {
    json.writeNumberField("records", report.records());
    if (report.records() > 0) {
      json.writeNumberField("firstSequence", report.firstSequence());
    }
    // An engine reads further if it does not need the damaged part.
    ScanReport furthest = start.refusal() == null ? start.report() : report;
    if (furthest.lastSequence() > 0) {
      json.writeNumberField("lastSequence", furthest.lastSequence());
      ScanJson.time(json, "last", furthest.lastLogTimeMs());
      json.writeNumberField("forcedSequence", furthest.forcedSequence());
    }
    json.writeNumberField("strayBytes", report.strayBytes());
  }

  private static void state(JsonGenerator json, RecoveryPreview.State state) throws IOException {
    json.writeStringField("logId", Ids.v0Text(state.logIdHigh(), state.logIdLow()));
    json.writeNumberField("level", state.level());
    json.writeNumberField("tasks", state.tasks());
    ScanJson.digest(json, "history", state.historyDigest());
    ScanJson.digest(json, "content", state.contentDigest());
  }

  /** The engine's refusal and all other problems. */
  private List<String> allProblems() {
    List<String> all = new ArrayList<>(problems);
    if (start.refusal() != null) {
      all.add(0, start.refusal().getMessage());
    }
    return all;
  }

  private static void texts(JsonGenerator json, String name, Collection<String> texts)
      throws IOException {
    if (!texts.isEmpty()) {
      json.writeArrayFieldStart(name);
      for (String text : texts) {
        json.writeString(text);
      }
      json.writeEndArray();
    }
  }

  private final class Checker implements RecordHandler {
    private final Replay replay;
    private Segment segment;

    Checker(Replay replay) {
      this.replay = replay;
    }

    @Override
    public void onSegment(Path file) {
      // A scan during a running engine may restart a segment.
      if (segment == null || !segment.file.equals(file)) {
        segment = new Segment(file);
        segments.add(segment);
      }
    }

    @Override
    public void onRecord(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      segment.add(sequence, RecordFrame.HEADER_BYTES + length);
      if (isReplayed) {
        replay.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      }
    }
  }

  /** Counters of a segment file. */
  private static final class Segment {
    private final Path file;
    private long firstSequence;
    private long records;
    private long bytes;

    Segment(Path file) {
      this.file = file;
    }

    void add(long sequence, long recordBytes) {
      firstSequence = records == 0 ? sequence : firstSequence;
      records++;
      bytes += recordBytes;
    }
  }
}
