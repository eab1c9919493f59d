package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.ScanReport;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.agrona.DirectBuffer;

/** Prints statistics of a log as one JSON object. */
public final class LogStats {
  private static final int TYPES = 256;

  private final LogReading reading;
  private final JsonLines lines;
  private final ScanJson scanJson;
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raiseLevel = new RaiseLevelDecoder();
  private final long[] records = new long[TYPES];
  private final long[] bytes = new long[TYPES];
  private String logId;
  private int level;
  private long firstTimeMs;

  public LogStats(LogReading reading, JsonLines lines) {
    this.reading = reading;
    this.lines = lines;
    this.scanJson = new ScanJson(reading.directory());
  }

  /**
   * Reads the log and prints.
   *
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged, after printing
   * @throws LogException if it cannot be read, or the manifest of a snapshot is damaged
   */
  public void run() {
    List<CheckedSnapshot> snapshots = new SnapshotChecks(reading.directory()).manifests();
    snapshots.forEach(this::identify);
    ScanReport report = reading.read(new Counter());
    lines.line(
        json -> {
          json.writeStringField("directory", reading.directory().toAbsolutePath().toString());
          log(json, report);
          types(json);
          disk(json);
          snapshots(json, snapshots);
          scanJson.write(json, report);
        });
    lines.close();
    report.requireUndamaged();
    for (CheckedSnapshot each : snapshots) {
      if (!each.isGood()) {
        throw LogException.error(each.problem());
      }
    }
  }

  /** Takes id and level from a snapshot, for a log without its beginning. */
  private void identify(CheckedSnapshot snapshot) {
    if (snapshot.isGood()) {
      logId = Ids.v0Text(snapshot.manifest().logIdHigh(), snapshot.manifest().logIdLow());
      level = Math.max(level, snapshot.manifest().level());
    }
  }

  private void snapshots(JsonGenerator json, List<CheckedSnapshot> snapshots) throws IOException {
    json.writeArrayFieldStart("snapshots");
    for (CheckedSnapshot each : snapshots) {
      json.writeStartObject();
      each.write(json, scanJson);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void log(JsonGenerator json, ScanReport report) throws IOException {
    if (logId != null) {
      json.writeStringField("logId", logId);
    }
    if (level != 0) {
      json.writeNumberField("level", level);
    }
    json.writeNumberField("records", report.records());
    if (report.records() > 0) {
      json.writeNumberField("firstSequence", report.firstSequence());
      ScanJson.time(json, "first", firstTimeMs);
      json.writeNumberField("lastSequence", report.lastSequence());
      ScanJson.time(json, "last", report.lastLogTimeMs());
      json.writeNumberField("forcedSequence", report.forcedSequence());
    }
  }

  private void types(JsonGenerator json) throws IOException {
    long all = 0;
    for (long each : bytes) {
      all += each;
    }
    json.writeNumberField("recordBytes", all);
    json.writeObjectFieldStart("types");
    for (int type = 0; type < TYPES; type++) {
      if (records[type] != 0) {
        json.writeObjectFieldStart(RecordType.name(type));
        json.writeNumberField("records", records[type]);
        json.writeNumberField("bytes", bytes[type]);
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }

  private void disk(JsonGenerator json) throws IOException {
    List<LogRun> runs = reading.log().runs();
    json.writeNumberField("runs", runs.size());
    json.writeNumberField("segments", runs.stream().mapToInt(run -> run.segments().size()).sum());
    json.writeNumberField("segmentBytes", LogReading.segmentBytes(reading.log()));
    OptionalLong allocated = DiskUse.allocatedBytes(reading.directory());
    if (allocated.isPresent()) {
      json.writeNumberField("allocatedBytes", allocated.getAsLong());
    }
  }

  private final class Counter implements RecordHandler {
    @Override
    public void onRecord(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      if (firstTimeMs == 0) {
        firstTimeMs = logTimeMs;
      }
      records[type]++;
      bytes[type] += RecordFrame.HEADER_BYTES + length;
      try {
        identify(type, payload, offset, length);
      } catch (MalformedMessageException e) {
        // Counted anyway; verification reports it.
      }
    }

    private void identify(int type, DirectBuffer payload, int offset, int length) {
      if (type == RecordType.GENESIS) {
        genesis.wrap(payload, offset, length);
        logId = Ids.v0Text(genesis.logIdHigh(), genesis.logIdLow());
        level = Math.max(level, genesis.level());
      } else if (type == RecordType.RAISE_LEVEL) {
        raiseLevel.wrap(payload, offset, length);
        level = Math.max(level, raiseLevel.level());
      }
    }
  }
}
