package io.entroq.examples.mapreduce;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import io.entroq.examples.mapreduce.text.ChunkReader;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.io.IOException;
import java.nio.file.Path;

/** Counts the words of a chunk and inserts the counts as one shuffle task. Thread-safe. */
final class MapHandler implements Handler<Value> {
  private final Path root;

  MapHandler(Path root) {
    this.root = root;
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws IOException {
    String value = work.value().asText();
    if (MapTask.isPoison(value)) {
      throw new IllegalStateException("this task is poisoned");
    }
    MapTask task = MapTask.parse(value);
    requireUnchanged(task);
    WordCounts counts = ChunkReader.count(root, task.chunk());
    requireUnchanged(task);
    return Outcome.done(
        Modification.insert(
            Insert.into(Stage.SHUFFLE.queue())
                .withValue(CountsCodec.encode(task.ordinal(), counts)),
            Marker.of(work.task(), task.ordinal())));
  }

  /** Chunks of different versions of a file do not add up, and a retry cannot help. */
  private void requireUnchanged(MapTask task) {
    task.chunk()
        .file()
        .difference(root)
        .ifPresent(
            difference -> {
              throw new OutcomeException(Outcome.quarantine(difference));
            });
  }
}
