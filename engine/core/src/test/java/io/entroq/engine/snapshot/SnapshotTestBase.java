package io.entroq.engine.snapshot;

import io.entroq.engine.log.Forcer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A data directory and what is done to it again and again. */
abstract class SnapshotTestBase {
  @TempDir Path data;

  SnapshotDirectory directory() {
    return new SnapshotDirectory(data, Forcer.DISK);
  }

  static Manifest write(SnapshotDirectory directory, ToySource source) {
    return new SnapshotWriter(directory, 0).write(source, n -> {}, () -> false, n -> {});
  }

  static List<Long> sequences(SnapshotDirectory directory) {
    return directory.newestFirst().stream().map(Snapshot::sequence).toList();
  }

  static List<ToySource.Chunk> chunks(SnapshotDirectory directory, Snapshot snapshot) {
    ToySource.Collector collector = new ToySource.Collector();
    directory.reader(snapshot).read(collector);
    return collector.chunks();
  }

  Path unfinished(long sequence) {
    return data.resolve("snapshots/snapshot-%020d.tmp".formatted(sequence));
  }
}
