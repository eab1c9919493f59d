package io.entroq.server.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.ScanReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Reads all of a log, checks it, and prints what came of it: a line per segment and a summary. */
public final class LogVerify {
  private final LogReading reading;
  private final JsonLines lines;
  private final Findings findings;
  private final Replay replay;
  private final List<Segment> segments = new ArrayList<>();

  /**
   * @param isReplayed whether the records are folded into a state too
   */
  public LogVerify(LogReading reading, JsonLines lines, boolean isReplayed) {
    this.reading = reading;
    this.lines = lines;
    this.findings = new Findings(reading.directory());
    this.replay = isReplayed ? new Replay() : null;
  }

  /**
   * Reads the log and prints.
   *
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged, when that is printed
   * @throws LogException if it cannot be read or replayed
   */
  public void run() {
    ScanReport report = reading.read(new Checker());
    segments.forEach(segment -> lines.line(json -> segment(json, segment)));
    String problem = replay == null ? null : replay.problem();
    lines.line(
        json -> {
          json.writeBooleanField("ok", !report.isDamaged() && problem == null);
          json.writeStringField("directory", reading.directory().toAbsolutePath().toString());
          summary(json, report);
          if (problem != null) {
            json.writeStringField("problem", problem);
          }
          findings.write(json, report);
        });
    lines.close();
    report.requireUndamaged();
    if (problem != null) {
      throw LogException.error(problem);
    }
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
      json.writeNumberField("firstSequence", segments.get(0).firstSequence);
      json.writeNumberField("lastSequence", report.lastSequence());
      Findings.time(json, "last", report.lastLogTimeMs());
      json.writeNumberField("forcedSequence", report.forcedSequence());
    }
    json.writeNumberField("strayBytes", report.strayBytes());
    if (replay != null && replay.isUsable()) {
      state(json);
    }
  }

  private void state(JsonGenerator json) throws IOException {
    json.writeStringField(
        "logId", Ids.v0Text(replay.machine().logIdHigh(), replay.machine().logIdLow()));
    json.writeNumberField("level", replay.machine().level());
    json.writeNumberField("tasks", replay.machine().taskCount());
    Findings.digest(json, "history", replay.machine().historyDigest());
    Findings.digest(json, "content", replay.machine().contentDigest());
  }

  private final class Checker implements RecordHandler {
    private Segment segment;

    @Override
    public void onSegment(Path file) {
      segment = new Segment(file);
      segments.add(segment);
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
      if (replay != null) {
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
