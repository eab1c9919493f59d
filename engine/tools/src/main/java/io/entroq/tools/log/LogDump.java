package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.ScanReport;
import java.io.IOException;
import java.nio.file.Path;
import org.agrona.DirectBuffer;

/** Prints the records of a log as JSON objects. */
public final class LogDump {
  private final LogReading reading;
  private final Selection selection;
  private final JsonLines lines;
  private final CommandJson commands;
  private final ScanJson scanJson;
  private long printed;
  private long unreadable;
  private long firstUnreadable;

  /**
   * Which records to print.
   *
   * @param from the first sequence
   * @param to the last sequence
   * @param limit how many at most, above 0
   * @param types bit n is set to print records of type n
   * @param withValues whether to print values, not only their kind and size
   */
  public record Selection(long from, long to, long limit, int types, boolean withValues) {
    private boolean has(int type, long sequence) {
      return sequence >= from && sequence <= to && (types >> type & 1) != 0;
    }
  }

  public LogDump(LogReading reading, Selection selection, JsonLines lines) {
    this.reading = reading;
    this.selection = selection;
    this.lines = lines;
    this.commands = new CommandJson(selection.withValues());
    this.scanJson = new ScanJson(reading.directory());
  }

  /**
   * Prints the records, and then damage or a torn tail if the log was read to its end.
   *
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged, after printing that
   * @throws LogException if it cannot be read, or a record cannot be decoded
   */
  public void run() {
    ScanReport report = reading.readPrinting(new Printer());
    if (report != null && (report.isTorn() || report.isDamaged())) {
      lines.line(json -> scanJson.write(json, report));
    }
    // Flush before any exception, so that the good records come first.
    lines.close();
    if (report != null) {
      report.requireUndamaged();
    }
    if (unreadable > 0) {
      throw LogException.error(
          ("%,d intact records cannot be read by this build; the first is record %,d. Use the build"
                  + " that wrote them, and report this.")
              .formatted(unreadable, firstUnreadable));
    }
  }

  private final class Printer implements RecordHandler {
    private final RecordFrame frame = new RecordFrame();
    private String file = "";

    @Override
    public void onSegment(Path segment) {
      file = scanJson.name(segment);
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
      if (sequence > selection.to()) {
        throw new ScanEndedException();
      }
      if (!selection.has(type, sequence)) {
        return;
      }
      lines.line(
          json -> {
            json.writeNumberField("sequence", sequence);
            ScanJson.time(json, "", logTimeMs);
            json.writeStringField("type", RecordType.name(type));
            int at = offset - RecordFrame.HEADER_BYTES;
            frame.verify(payload, at, RecordFrame.HEADER_BYTES + length);
            json.writeNumberField("forcedSequence", frame.forcedSequence());
            json.writeNumberField("bytes", frame.length());
            json.writeStringField("file", file);
            json.writeNumberField("offset", at);
            command(json, type, sequence, payload, offset, length);
          });
      printed++;
      if (printed >= selection.limit()) {
        throw new ScanEndedException();
      }
    }

    private void command(
        JsonGenerator json, int type, long sequence, DirectBuffer payload, int offset, int length)
        throws IOException {
      JsonLines.Members members;
      try {
        members = commands.read(type, payload, offset, length);
      } catch (MalformedMessageException e) {
        unreadable++;
        firstUnreadable = unreadable == 1 ? sequence : firstUnreadable;
        json.writeStringField("unreadable", e.getMessage());
        return;
      }
      json.writeObjectFieldStart("command");
      members.writeTo(json);
      json.writeEndObject();
    }
  }
}
