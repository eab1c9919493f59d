package io.entroq.simulator.golden;

import io.entroq.codec.record.RecordFrame;
import io.entroq.simulator.check.LoggedRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The golden log of a behavior level.
 *
 * @param records all of them, from Genesis on
 * @param digests at every {@link #DIGEST_INTERVAL}th record and at the last one
 * @param effects the digest of the effects of each record alone; 0 if it has none
 */
record GoldenLog(List<LoggedRecord> records, List<Digests> digests, List<Long> effects) {
  static final int DIGEST_INTERVAL = 25;

  private static final String LOG = "log.bin";
  private static final String DIGESTS = "digests.txt";
  private static final String EFFECTS = "effects.txt";
  private static final int RADIX = 16;
  private static final int LOG_TAG = 0x601D;

  /** A log with the digests of this build. */
  static GoldenLog replayed(List<LoggedRecord> records) {
    List<Digests> digests = new ArrayList<>();
    List<Long> effects = new ArrayList<>();
    GoldenReplay replay = new GoldenReplay();
    for (LoggedRecord record : records) {
      Digests found = replay.apply(record);
      effects.add(replay.effects());
      if (record.sequence() % DIGEST_INTERVAL == 0 || record.sequence() == records.size()) {
        digests.add(found);
      }
    }
    return new GoldenLog(records, digests, effects);
  }

  /** Folder of a level, below the test resources. */
  static String folder(int level) {
    return "golden/level-" + level;
  }

  /** Reads the checked-in log of a level; every frame is verified. */
  static GoldenLog read(int level) throws IOException {
    List<Digests> digests = lines(level, DIGESTS).map(Digests::parse).toList();
    List<Long> effects =
        lines(level, EFFECTS).map(line -> Long.parseUnsignedLong(line, RADIX)).toList();
    return new GoldenLog(decoded(resource(level, LOG)), digests, effects);
  }

  private static Stream<String> lines(int level, String name) throws IOException {
    return new String(resource(level, name), StandardCharsets.UTF_8).lines();
  }

  private static byte[] resource(int level, String name) throws IOException {
    String path = "/" + folder(level) + "/" + name;
    try (InputStream in = GoldenLog.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IOException("no resource " + path);
      }
      return in.readAllBytes();
    }
  }

  /** Writes the files into a folder that has no log yet. */
  void write(Path folder) throws IOException {
    if (Files.exists(folder.resolve(LOG)) || Files.exists(folder.resolve(DIGESTS))) {
      throw new IOException("there is a golden log in " + folder + "; it stays as it is, for ever");
    }
    Files.createDirectories(folder);
    Files.write(folder.resolve(LOG), encoded(records));
    String lines = digests.stream().map(line -> line + "\n").collect(Collectors.joining());
    Files.writeString(folder.resolve(DIGESTS), lines);
    String hex =
        effects.stream()
            .map(digest -> HexFormat.of().toHexDigits(digest) + "\n")
            .collect(Collectors.joining());
    Files.writeString(folder.resolve(EFFECTS), hex);
  }

  /** The frames of records, one after the other. */
  static byte[] encoded(List<LoggedRecord> records) {
    RecordFrame frame = new RecordFrame();
    ExpandableArrayBuffer target = new ExpandableArrayBuffer();
    int length = 0;
    for (LoggedRecord record : records) {
      DirectBuffer payload = record.payload();
      length +=
          frame.write(
              target,
              length,
              record.type(),
              record.sequence(),
              record.sequence() - 1,
              record.logTimeMs(),
              LOG_TAG,
              record.crc(),
              payload,
              0,
              payload.capacity());
    }
    byte[] bytes = new byte[length];
    target.getBytes(0, bytes);
    return bytes;
  }

  /** The records in the frames; throws at the first that does not check. */
  static List<LoggedRecord> decoded(byte[] bytes) {
    RecordFrame frame = new RecordFrame();
    UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.wrap(bytes));
    List<LoggedRecord> records = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += frame.length()) {
      frame.verify(buffer, at, bytes.length - at);
      records.add(
          new LoggedRecord(
              frame.type(),
              new UnsafeBuffer(buffer, at + RecordFrame.HEADER_BYTES, frame.payloadLength()),
              frame.payloadCrc(),
              frame.logTimeMs(),
              frame.sequence()));
    }
    return records;
  }
}
