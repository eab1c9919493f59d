package io.entroq.engine.log;

import io.entroq.codec.command.CutEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A record as tests write it down and compare it. */
public record LogRecord(int type, long sequence, long logTimeMs, String payload) {
  /** A record of a log of nothing special: the first one is its genesis. */
  public static LogRecord of(long sequence, String payload) {
    int type = sequence == 1 ? RecordType.GENESIS : RecordType.MODIFY;
    return new LogRecord(type, sequence, 1_000 + sequence, payload);
  }

  /** The cut that stands at this sequence. */
  public static LogRecord cut(long sequence) {
    UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    int length = new CutEncoder().wrap(payload, 0).afterSequence(sequence - 1).length();
    String text = new String(payload.byteArray(), 0, length, StandardCharsets.ISO_8859_1);
    return new LogRecord(RecordType.CUT, sequence, 1_000 + sequence, text);
  }

  /** A record with a payload of this many bytes, which differ by sequence and place. */
  public static LogRecord ofBytes(long sequence, int bytes) {
    StringBuilder text = new StringBuilder(bytes);
    for (int i = 0; i < bytes; i++) {
      text.append((char) ('!' + (sequence * 31 + i * 7L + i / 90) % 90));
    }
    return of(sequence, text.toString());
  }

  public void appendTo(CommandLog log) {
    byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    int crc = new Crc32c().of(buffer, 0, bytes.length);
    log.append(type, sequence, logTimeMs, crc, buffer, 0, bytes.length);
  }

  /** Collects what a log gives back, and checks the checksum that comes with it. */
  public static class Collector implements RecordHandler {
    public final List<LogRecord> records = new ArrayList<>();
    private final Crc32c crc = new Crc32c();

    @Override
    public void onRecord(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      if (crc.of(payload, offset, length) != payloadCrc) {
        throw new AssertionError("checksum of record " + sequence);
      }
      byte[] bytes = new byte[length];
      payload.getBytes(offset, bytes);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      records.add(new LogRecord(type, sequence, logTimeMs, text));
    }
  }
}
