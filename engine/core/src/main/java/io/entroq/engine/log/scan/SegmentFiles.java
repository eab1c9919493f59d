package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogSegment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Opens segments to read, and knows whether one of them has become shorter since. */
final class SegmentFiles {
  private final Map<Path, Integer> lengths = new HashMap<>();

  /**
   * @throws SegmentGoneException if the file is not there any more
   */
  SegmentBytes open(LogSegment segment) {
    SegmentBytes bytes = new SegmentBytes(segment);
    lengths.put(segment.file(), bytes.buffer().capacity());
    return bytes;
  }

  void forget() {
    lengths.clear();
  }

  /** Whether a file was removed or cut short after it had been opened. */
  boolean haveShrunk() {
    return lengths.entrySet().stream().anyMatch(each -> size(each.getKey()) < each.getValue());
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
