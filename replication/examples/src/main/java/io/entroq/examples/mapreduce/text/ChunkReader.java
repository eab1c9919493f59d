package io.entroq.examples.mapreduce.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the words of a chunk so that the chunks of a file together count every word once, wherever
 * they are cut, even within a letter.
 *
 * <p>A chunk is taken to begin and to end at the first byte at or behind its border that does not
 * continue a letter, so the borders that two neighbours work out are the same and each letter
 * belongs to one of them. A word belongs to the chunk that it begins in: a chunk looks at the
 * letter before it to tell whether its first run is only the end of a word, and reads on behind its
 * end to finish its last one, which takes no more than {@link WordRule#CODE_POINTS_MAX} letters.
 */
public final class ChunkReader {
  private static final int LETTER_BYTES_MAX = 4;

  /** The rest of a letter at the end, a word behind it, and the beginning of one more letter. */
  private static final int READ_ON_BYTES = LETTER_BYTES_MAX * (WordRule.CODE_POINTS_MAX + 3);

  private ChunkReader() {}

  /**
   * Counts the words of a chunk.
   *
   * @throws IOException if the file cannot be read or is shorter than it was
   */
  public static WordCounts count(Path root, Chunk chunk) throws IOException {
    long first = Math.max(0, chunk.from() - LETTER_BYTES_MAX);
    long last = Math.min(chunk.file().size(), chunk.to() + READ_ON_BYTES);
    byte[] bytes = read(chunk.file().in(root), first, Math.toIntExact(last - first));
    return count(bytes, (int) (chunk.from() - first), (int) (chunk.to() - first));
  }

  /**
   * Counts the words of a chunk.
   *
   * @param bytes the chunk with what is around it: the 4 bytes before, if the file has them, and
   *     enough behind
   */
  static WordCounts count(byte[] bytes, int from, int to) {
    int begin = border(bytes, from);
    int end = border(bytes, to);
    int known = bytes.length;
    String inside = text(bytes, begin, end);
    String behind = text(bytes, end, known);
    WordSplitter splitter = new WordSplitter(endsInWord(bytes, begin));
    splitter.take(inside);
    splitter.finishWith(behind);
    return splitter.counts();
  }

  /** The first byte from here on that begins a letter, or stands for none. */
  private static int border(byte[] bytes, int from) {
    int border = from;
    while (border > 0 && border < bytes.length && continuesLetter(bytes[border])) {
      border++;
    }
    return border;
  }

  /** Whether the letter before a border belongs to a word. */
  private static boolean endsInWord(byte[] bytes, int border) {
    int begin = border - 1;
    while (begin > Math.max(0, border - LETTER_BYTES_MAX) && continuesLetter(bytes[begin])) {
      begin--;
    }
    if (begin < 0) {
      return false;
    }
    String letter = text(bytes, begin, border);
    return WordRule.isPart(letter.codePointBefore(letter.length()));
  }

  private static boolean continuesLetter(byte b) {
    return (b & 0xC0) == 0x80;
  }

  /** What is not UTF-8 becomes a character that parts words. */
  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] read(Path file, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, from + bytes.position()) < 0) {
          throw new IOException(
              "%s ends at byte %,d, was to be read up to %,d"
                  .formatted(file, from + bytes.position(), from + length));
        }
      }
    }
    return bytes.array();
  }
}
