package io.entroq.perf.jmh.record;

import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Takes records of {@link #RECORD_BYTES} into segments of {@link #SEGMENT_BYTES} each. For one
 * thread.
 */
public interface RecordTarget extends AutoCloseable {
  /** Length of a record, that of its header in the engine's log included. */
  int RECORD_BYTES = 200;

  /** As long as the engine's segments by default. */
  int SEGMENT_BYTES = 64 << 20;

  /** Appends one record. */
  void append() throws IOException;

  /** Forces to the disk what was appended to the segment that is written now. */
  void force() throws IOException;

  @Override
  void close() throws IOException;

  /** Removes all segments below a directory but the one with the highest number. */
  static void removeOld(Path directory) throws IOException {
    List<Path> segments;
    try (Stream<Path> all = Files.walk(directory)) {
      segments =
          all.filter(file -> file.toString().endsWith(SegmentLayout.SUFFIX)).sorted().toList();
    }
    for (Path old : segments.subList(0, Math.max(0, segments.size() - 1))) {
      Files.delete(old);
    }
  }
}
