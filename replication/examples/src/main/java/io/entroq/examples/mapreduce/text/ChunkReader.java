package io.entroq.examples.mapreduce.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the words of a chunk. The chunks of a file together count every word once, wherever the
 * cuts are, even within a code point.
 *
 * <p>A border moves forward to the first byte that does not continue a code point, so neighboring
 * chunks agree on it and each code point belongs to one of them. A word belongs to the chunk that
 * it begins in. A chunk reads the code point before it to detect that its first run is the end of a
 * word, and reads past its end to finish its last word, at most {@link WordRule#CODE_POINTS_MAX}
 * code points.
 */
public final class ChunkReader {
  private static final int CODE_POINT_BYTES_MAX = 4;

  /** The rest of a code point at the end, a word after it, and the start of another code point. */
  private static final int READ_ON_BYTES = CODE_POINT_BYTES_MAX * (WordRule.CODE_POINTS_MAX + 3);

  private ChunkReader() {}

  /**
   * Counts the words of a chunk.
   *
   * @throws IOException if the file cannot be read or is shorter than it was
   */
  public static WordCounts count(Path root, Chunk chunk) throws IOException {
    long first = Math.max(0, chunk.from() - CODE_POINT_BYTES_MAX);
    long last = Math.min(chunk.file().size(), chunk.to() + READ_ON_BYTES);
    byte[] bytes = read(chunk.file().in(root), first, Math.toIntExact(last - first));
    return count(bytes, (int) (chunk.from() - first), (int) (chunk.to() - first));
  }

  /**
   * Counts the words of a chunk.
   *
   * @param bytes the chunk with its surroundings: the 4 bytes before it, if the file has them, and
   *     enough to finish its last word
   */
  static WordCounts count(byte[] bytes, int from, int to) {
    int begin = border(bytes, from);
    int end = border(bytes, to);
    String inside = text(bytes, begin, end);
    String following = text(bytes, end, bytes.length);
    WordSplitter splitter = new WordSplitter(endsInWord(bytes, begin));
    splitter.take(inside);
    splitter.finishWith(following);
    return splitter.counts();
  }

  /** The first offset at or after {@code from} that does not continue a code point. */
  private static int border(byte[] bytes, int from) {
    int border = from;
    while (border > 0 && border < bytes.length && continuesCodePoint(bytes[border])) {
      border++;
    }
    return border;
  }

  /** Whether the code point before a border belongs to a word. */
  private static boolean endsInWord(byte[] bytes, int border) {
    int begin = border - 1;
    while (begin > Math.max(0, border - CODE_POINT_BYTES_MAX) && continuesCodePoint(bytes[begin])) {
      begin--;
    }
    if (begin < 0) {
      return false;
    }
    String letter = text(bytes, begin, border);
    return WordRule.isPart(letter.codePointBefore(letter.length()));
  }

  private static boolean continuesCodePoint(byte b) {
    return (b & 0xC0) == 0x80;
  }

  /** Invalid UTF-8 becomes a character that separates words. */
  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] read(Path file, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, from + bytes.position()) < 0) {
          throw new IOException(
              "%s ends at byte %,d; expected to read up to %,d"
                  .formatted(file, from + bytes.position(), from + length));
        }
      }
    }
    return bytes.array();
  }
}
