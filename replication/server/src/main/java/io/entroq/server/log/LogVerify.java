package io.entroq.server.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.state.StateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Reads all snapshots and all of a log, checks them, and prints what came of it: a line for each
 * snapshot, one for each segment, and a summary.
 */
public final class LogVerify {
  private final LogReading reading;
  private final JsonLines lines;
  private final boolean isReplayed;
  private final Findings findings;
  private final List<Segment> segments = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param isReplayed whether snapshots are loaded and records folded into a state too
   */
  public LogVerify(LogReading reading, JsonLines lines, boolean isReplayed) {
    this.reading = reading;
    this.lines = lines;
    this.isReplayed = isReplayed;
    this.findings = new Findings(reading.directory());
  }

  /**
   * Reads and prints.
   *
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged, when that is printed
   * @throws LogException if it cannot be read or replayed, or a snapshot is damaged
   */
  public void run() {
    SnapshotChecks checks = new SnapshotChecks(reading.directory());
    List<CheckedSnapshot> snapshots = isReplayed ? checks.states() : checks.bytes();
    List<CheckedSnapshot> good = snapshots.stream().filter(CheckedSnapshot::isGood).toList();
    snapshots.stream().filter(each -> !each.isGood()).forEach(each -> problems.add(each.problem()));
    try (Replay replay = new Replay(checks, good)) {
      ScanReport report = reading.read(new Checker(replay), isReplayed);
      checkReach(report, good);
      if (!isReplayed) {
        checkBeginning(report, good);
      }
      if (isReplayed && replay.problem() != null) {
        problems.add(replay.problem());
      }
      print(snapshots, report, replay);
      report.requireUndamaged();
    }
    if (!problems.isEmpty()) {
      throw LogException.error(String.join(" ", problems));
    }
  }

  /** What a replay finds out by itself: whether there is something to begin with. */
  private void checkBeginning(ScanReport report, List<CheckedSnapshot> snapshots) {
    long first = report.firstSequence();
    if (first > 1
        && snapshots.stream().noneMatch(each -> each.snapshot().sequence() >= first - 1)) {
      problems.add(Replay.missingBeginning(first));
    }
  }

  /** Whether the log holds the record of each snapshot, from which an engine goes on. */
  private void checkReach(ScanReport report, List<CheckedSnapshot> snapshots) {
    for (CheckedSnapshot each : snapshots) {
      long sequence = each.snapshot().sequence();
      boolean isInLog =
          report.records() > 0
              && sequence >= report.firstSequence()
              && sequence <= report.lastSequence();
      // Of one that a running engine has removed meanwhile, so may the log be.
      boolean isThere = Files.exists(each.snapshot().directory());
      if (!isInLog && isThere && !report.isDamaged()) {
        problems.add(
            "The log, which ends with record %,d, does not hold record %,d, which %s goes on from."
                .formatted(report.lastSequence(), sequence, each.snapshot().directory()));
      }
    }
  }

  private void print(List<CheckedSnapshot> snapshots, ScanReport report, Replay replay) {
    snapshots.forEach(snapshot -> lines.line(json -> snapshot.write(json, findings)));
    segments.forEach(segment -> lines.line(json -> segment(json, segment)));
    lines.line(
        json -> {
          json.writeBooleanField("ok", !report.isDamaged() && problems.isEmpty());
          json.writeStringField("directory", reading.directory().toAbsolutePath().toString());
          summary(json, report);
          if (isReplayed && replay.isUsable()) {
            state(json, replay.machine());
          }
          problems(json);
          findings.write(json, report);
        });
    lines.close();
  }

  private void segment(JsonGenerator json, Segment segment) throws IOException {
    json.writeStringField("segment", findings.name(segment.file));
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
      json.writeNumberField("lastSequence", report.lastSequence());
      Findings.time(json, "last", report.lastLogTimeMs());
      json.writeNumberField("forcedSequence", report.forcedSequence());
    }
    json.writeNumberField("strayBytes", report.strayBytes());
  }

  private static void state(JsonGenerator json, StateMachine machine) throws IOException {
    json.writeStringField("logId", Ids.v0Text(machine.logIdHigh(), machine.logIdLow()));
    json.writeNumberField("level", machine.level());
    json.writeNumberField("tasks", machine.taskCount());
    Findings.digest(json, "history", machine.historyDigest());
    Findings.digest(json, "content", machine.contentDigest());
  }

  private void problems(JsonGenerator json) throws IOException {
    if (!problems.isEmpty()) {
      json.writeArrayFieldStart("problems");
      for (String problem : problems) {
        json.writeString(problem);
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
      // Beside a running engine one may be begun once more.
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

  /** What was read in a segment file. */
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
