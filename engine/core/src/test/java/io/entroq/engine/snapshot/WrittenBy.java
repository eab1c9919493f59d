package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.snapshot.SnapshotSource;
import java.util.function.Consumer;

/** The figures of a toy with chunks made on the way. */
record WrittenBy(ToySource figures, Consumer<ChunkSink> writer) implements SnapshotSource {
  @Override
  public long sequence() {
    return figures.sequence();
  }

  @Override
  public long logTimeMs() {
    return figures.logTimeMs();
  }

  @Override
  public int level() {
    return figures.level();
  }

  @Override
  public long logIdHigh() {
    return figures.logIdHigh();
  }

  @Override
  public long logIdLow() {
    return figures.logIdLow();
  }

  @Override
  public long historyDigest() {
    return figures.historyDigest();
  }

  @Override
  public long contentDigest() {
    return figures.contentDigest();
  }

  @Override
  public long taskCount() {
    return figures.taskCount();
  }

  @Override
  public long queueCount() {
    return figures.queueCount();
  }

  @Override
  public long liveBytes() {
    return figures.liveBytes();
  }

  @Override
  public void writeTo(ChunkSink sink) {
    writer.accept(sink);
  }
}
