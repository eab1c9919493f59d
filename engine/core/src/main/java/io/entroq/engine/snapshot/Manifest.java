package io.entroq.engine.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.log.LogException;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.UnsupportedLevelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Identifies a snapshot and gives its size. Stored as a text file with a checksum.
 *
 * @param sequence sequence of the last record applied to the state
 * @param logTimeMs log time of that record
 * @param level behavior level after it
 * @param logIdHigh upper half of the id of the log
 * @param logIdLow lower half
 * @param historyDigest digest of all events up to there
 * @param contentDigest digest of the content
 * @param tasks number of tasks
 * @param queues number of queues
 * @param stateBytes length of the state file
 * @param chunks number of chunks in it
 * @param stateCrc CRC32C over the headers of all chunks, each without its own checksum
 * @param format that of manifest and chunks; belongs to the level
 */
public record Manifest(
    long sequence,
    long logTimeMs,
    int level,
    long logIdHigh,
    long logIdLow,
    long historyDigest,
    long contentDigest,
    long tasks,
    long queues,
    long stateBytes,
    long chunks,
    int stateCrc,
    int format) {

  static final int BYTES_MAX = 4096;

  private static final int CRC_LINE_BYTES = "crc 01234567\n".length();
  private static final Pattern FORMAT_LINE = Pattern.compile("entroq-snapshot (\\d{1,9})\n(?s:.*)");
  private static final Pattern TEXT =
      Pattern.compile(
          """
          entroq-snapshot (?<format>D)
          sequence (?<sequence>D)
          log-time-ms (?<time>-?D)
          level (?<level>D)
          log-id (?<logHigh>H)(?<logLow>H)
          history-digest (?<history>H)
          content-digest (?<content>H)
          tasks (?<tasks>D)
          queues (?<queues>D)
          state-bytes (?<bytes>D)
          chunks (?<chunks>D)
          state-crc (?<crc>[0-9a-f]{8})
          """
              .replace("D)", "\\d{1,18})")
              .replace("H)", "[0-9a-f]{16})"));

  /** The tag that every record of the log carries. */
  public int logTag() {
    return ChunkFrame.logTag(logIdLow);
  }

  /** The tag that every chunk of this state carries. */
  int stateTag() {
    return ChunkFrame.stateTag(historyDigest, contentDigest);
  }

  /** The whole file. */
  byte[] bytes() {
    String text = text();
    return (text + "crc %08x\n".formatted(crcOf(text.getBytes(US_ASCII)))).getBytes(US_ASCII);
  }

  /** Its first lines: what is known of the state before it is written. */
  public byte[] head() {
    return headText().getBytes(US_ASCII);
  }

  /** The {@link #head} of the manifest that a state will have. */
  public static byte[] headOf(SnapshotSource state) {
    return new Manifest(
            state.sequence(),
            state.logTimeMs(),
            state.level(),
            state.logIdHigh(),
            state.logIdLow(),
            state.historyDigest(),
            state.contentDigest(),
            state.taskCount(),
            state.queueCount(),
            0,
            0,
            0,
            Levels.format(state.level()))
        .head();
  }

  private String headText() {
    return String.format(
        Locale.ROOT,
        """
        entroq-snapshot %d
        sequence %d
        log-time-ms %d
        level %d
        log-id %016x%016x
        history-digest %016x
        content-digest %016x
        tasks %d
        queues %d
        """,
        format,
        sequence,
        logTimeMs,
        level,
        logIdHigh,
        logIdLow,
        historyDigest,
        contentDigest,
        tasks,
        queues);
  }

  private String text() {
    return headText()
        + String.format(
            Locale.ROOT,
            """
            state-bytes %d
            chunks %d
            state-crc %08x
            """,
            stateBytes,
            chunks,
            stateCrc);
  }

  /**
   * Parses a manifest. Only the exact output of {@link #bytes} is accepted.
   *
   * @param file named in error messages
   * @throws SnapshotDamagedException if a byte differs
   */
  static Manifest parse(Path file, byte[] bytes) {
    int textBytes = requireChecked(file, bytes);
    String text = new String(bytes, 0, textBytes, US_ASCII);
    Matcher lines = TEXT.matcher(text);
    Manifest manifest = lines.matches() ? of(lines) : null;
    if (manifest == null || !Arrays.equals(manifest.bytes(), bytes)) {
      requireKnownFormat(file, text);
      throw new SnapshotDamagedException(file, 0, "its lines are not a valid manifest");
    }
    return manifest;
  }

  private static void requireKnownFormat(Path file, String text) {
    Matcher format = FORMAT_LINE.matcher(text);
    if (format.matches() && Integer.parseInt(format.group(1)) > Levels.format(Levels.highest())) {
      throw new SnapshotDamagedException(
          file,
          0,
          "format %s: written by a newer build; this one does not support it"
              .formatted(format.group(1)));
    }
  }

  /**
   * Checks that this build reads the state of this manifest.
   *
   * @param snapshot named in error messages
   * @throws LogException if it does not, caused by an {@link UnsupportedLevelException}
   * @throws SnapshotDamagedException if the format is not that of the level
   */
  void requireReadable(Snapshot snapshot) {
    try {
      Levels.requireReadable(level);
    } catch (UnsupportedLevelException e) {
      throw LogException.error(
          "The snapshot in %s cannot be read by this build: %s"
              .formatted(snapshot.directory(), e.getMessage()),
          e);
    }
    if (format != Levels.format(level)) {
      throw new SnapshotDamagedException(
          snapshot.manifest(), 0, "format %d is not that of level %d".formatted(format, level));
    }
  }

  private static int requireChecked(Path file, byte[] bytes) {
    int textBytes = bytes.length - CRC_LINE_BYTES;
    String last = textBytes < 0 ? "" : new String(bytes, textBytes, CRC_LINE_BYTES, US_ASCII);
    if (bytes.length > BYTES_MAX || !last.matches("crc [0-9a-f]{8}\n")) {
      throw new SnapshotDamagedException(
          file, Math.max(textBytes, 0), "the file does not end with a checksum line");
    }
    int expected = HexFormat.fromHexDigits(last, "crc ".length(), last.length() - 1);
    if (crcOf(Arrays.copyOf(bytes, textBytes)) != expected) {
      throw new SnapshotDamagedException(
          file, textBytes, "the checksum does not match the lines above it");
    }
    return textBytes;
  }

  private static Manifest of(Matcher lines) {
    return new Manifest(
        decimal(lines, "sequence"),
        decimal(lines, "time"),
        (int) decimal(lines, "level"),
        hex(lines, "logHigh"),
        hex(lines, "logLow"),
        hex(lines, "history"),
        hex(lines, "content"),
        decimal(lines, "tasks"),
        decimal(lines, "queues"),
        decimal(lines, "bytes"),
        decimal(lines, "chunks"),
        (int) hex(lines, "crc"),
        (int) decimal(lines, "format"));
  }

  private static long decimal(Matcher lines, String name) {
    return Long.parseLong(lines.group(name));
  }

  private static long hex(Matcher lines, String name) {
    return HexFormat.fromHexDigitsToLong(lines.group(name));
  }

  private static int crcOf(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }
}
