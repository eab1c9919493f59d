package io.entroq.cluster.image;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The file that lists the complete images: lines of text, the last one a checksum of the others. It
 * is replaced as a whole. An image is listed once its files are on disk, and no longer before they
 * are deleted.
 *
 * @param first log position of the first snapshot that is a reference; {@link #NONE} if there is
 *     none. Snapshots before it hold the state themselves
 * @param sequences by the snapshot's position in the cluster's log: the sequence of the state
 */
record ImageIndex(long first, SortedMap<Long, Long> sequences) {
  static final long NONE = Long.MAX_VALUE;
  static final ImageIndex EMPTY = new ImageIndex(NONE, new TreeMap<>());

  private static final String NAME = "index";
  private static final int BYTES_MAX = 1 << 20;
  private static final Pattern TEXT =
      Pattern.compile(
          "(?<lines>entroq-images 1\nfirst (?<first>\\d{1,19})\n(?<images>(?:image \\d{1,19} \\d{1,19}\n)*))"
              + "crc (?<crc>[0-9a-f]{8})\n");

  ImageIndex {
    sequences = Collections.unmodifiableSortedMap(new TreeMap<>(sequences));
  }

  ImageIndex withFirst(long position) {
    return new ImageIndex(Math.min(first, position), sequences);
  }

  ImageIndex with(long position, long sequence) {
    SortedMap<Long, Long> more = new TreeMap<>(sequences);
    more.put(position, sequence);
    return new ImageIndex(Math.min(first, position), more);
  }

  /** Without the images of snapshots at some positions. */
  ImageIndex without(LongPredicate isDropped) {
    SortedMap<Long, Long> rest = new TreeMap<>(sequences);
    rest.keySet().removeIf(isDropped::test);
    return new ImageIndex(first, rest);
  }

  boolean isComplete(long position) {
    return position < first || sequences.containsKey(position);
  }

  private String text() {
    StringBuilder text = new StringBuilder("entroq-images 1\nfirst %d\n".formatted(first));
    sequences.forEach(
        (position, sequence) -> text.append("image %d %d\n".formatted(position, sequence)));
    return text.toString();
  }

  /** Replaces the file in a directory. */
  void write(Path directory, Forcer forcer) throws IOException {
    String text = text();
    byte[] bytes = (text + String.format(Locale.ROOT, "crc %08x\n", crc(text))).getBytes(US_ASCII);
    SmallFile.replace(directory, NAME, bytes, forcer);
  }

  /**
   * Reads the file in a directory; {@link #EMPTY} if there is none.
   *
   * @throws LogException if it is damaged
   */
  static ImageIndex read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return EMPTY;
    }
    Matcher lines = TEXT.matcher(new String(SmallFile.read(file, BYTES_MAX), US_ASCII));
    if (!lines.matches()
        || crc(lines.group("lines")) != Integer.parseUnsignedInt(lines.group("crc"), 16)) {
      throw LogException.error(
          "%s is damaged: its format or checksum is wrong. Replace the member from a healthy one."
              .formatted(file.toAbsolutePath()));
    }
    SortedMap<Long, Long> sequences = new TreeMap<>();
    lines
        .group("images")
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> sequences.put(Long.valueOf(words[1]), Long.valueOf(words[2])));
    return new ImageIndex(Long.parseLong(lines.group("first")), sequences);
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(NAME));
  }

  private static int crc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(US_ASCII));
    return (int) crc.getValue();
  }
}
