package io.entroq.perf.jmh.record;

import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Appends records of one length to segments. For one thread. */
public interface RecordTarget extends AutoCloseable {
  /** Length of a record, including its header in the engine's log. */
  int RECORD_BYTES = 200;

  /** The default of the engine. */
  int SEGMENT_BYTES = 64 << 20;

  void append() throws IOException;

  /** Forces the current segment to the disk. */
  void force() throws IOException;

  @Override
  void close() throws IOException;

  /** Removes all segments below a directory except the newest. */
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
