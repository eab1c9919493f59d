package io.entroq.engine.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Records where a log ended when it was closed cleanly. Without it, a log that has lost whole
 * records at its end looks intact. It stays true while it exists, because the records are on the
 * disk before it is written and the log only grows; only a later run that begins with a cut
 * overrides it.
 *
 * @param sequence the last record
 * @param run number of the run that was closed
 * @param logTag tag of the log
 */
public record CleanCloseMarker(long sequence, int run, int logTag) {
  static final String FILE_NAME = "closed";
  static final String UNFINISHED = FILE_NAME + SmallFile.UNFINISHED;

  private static final int BYTES_MAX = 256;
  private static final Pattern TEXT =
      Pattern.compile(
          "(sequence (\\d{1,18})\nrun (\\d{1,9})\nlog ([0-9a-f]{8})\n)crc32c ([0-9a-f]{8})\n");

  /** The marker's file in a data directory. */
  public static Path fileIn(Path directory) {
    return directory.resolve(FILE_NAME);
  }

  /**
   * Reads the marker. Returns null if there is none, or if it is unreadable or corrupt: the log
   * does not need it, and has none after a kill, so a bad marker is no reason to refuse good
   * records.
   *
   * @throws LogException if access is denied
   */
  static CleanCloseMarker read(Path directory) {
    try {
      byte[] bytes = SmallFile.read(fileIn(directory), BYTES_MAX);
      return parse(new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (AccessDeniedException e) {
      // It may be valid.
      throw LogException.error(
          "Cannot read the mark of where the log was closed: " + FileErrors.describe(e), e);
    } catch (IOException e) {
      return null;
    }
  }

  private static CleanCloseMarker parse(String text) {
    Matcher fields = TEXT.matcher(text);
    if (!fields.matches() || !fields.group(5).equals(crc(fields.group(1)))) {
      return null;
    }
    return new CleanCloseMarker(
        Long.parseLong(fields.group(2)),
        Integer.parseInt(fields.group(3)),
        Integer.parseUnsignedInt(fields.group(4), 16));
  }

  private String text() {
    String fields =
        String.format(Locale.ROOT, "sequence %d\nrun %d\nlog %08x\n", sequence, run, logTag);
    return fields + "crc32c " + crc(fields) + "\n";
  }

  private static String crc(String fields) {
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.ISO_8859_1));
    return "%08x".formatted(crc.getValue());
  }

  /**
   * Writes the marker atomically, on the disk when this returns; if it throws, it may exist or not.
   */
  void write(Path directory, Forcer forcer) throws IOException {
    byte[] text = text().getBytes(StandardCharsets.ISO_8859_1);
    SmallFile.replace(directory, FILE_NAME, text, forcer);
  }

  /** Removes the marker, on the disk when this returns. */
  static void remove(Path directory, Forcer forcer) throws IOException {
    Files.deleteIfExists(directory.resolve(UNFINISHED));
    if (Files.deleteIfExists(fileIn(directory))) {
      forcer.force(directory.toString(), () -> LogDirectory.force(directory));
    }
  }
}
