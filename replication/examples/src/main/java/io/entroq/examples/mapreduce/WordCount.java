package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.examples.mapreduce.text.FileScanner;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Plans a word count, waits until workers have finished it, and prints the top words. */
public final class WordCount {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int WORDS_SHOWN = 20;

  private WordCount() {}

  /**
   * Runs the example.
   *
   * @param args the address of a server; a directory of text files, or nothing to wait for a count
   *     that is already planned
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (EntroQ queue = EntroQ.connect(args[0])) {
      if (args.length > 1) {
        plan(queue, Path.of(args[1]));
      }
      print(await(queue));
    }
  }

  /**
   * Plans a count of all text files below a directory.
   *
   * @throws IllegalStateException if the queue has a count whose result was not fetched
   */
  static Job plan(EntroQ queue, Path directory) throws IOException {
    Optional<Job> present = new JobStore(queue).job();
    if (present.isPresent()) {
      throw new IllegalStateException("a count of " + present.get().root() + " is under way");
    }
    Path root = directory.toRealPath();
    return Planner.plan(
        queue, FileScanner.scan(root, root.resolve("data"), () -> false), CHUNK_BYTES, 0, 0);
  }

  /** Waits for the result, and removes all tasks of the count. */
  static WordCounts await(EntroQ queue) throws InterruptedException {
    CountWorker.awaitJob(queue);
    queue.waitQueuesEmpty(QueueQuery.named(Stage.COORDINATE.queue()));
    WordCounts counts = new JobStore(queue).result();
    Planner.removeAll(queue);
    return counts;
  }

  private static void print(WordCounts counts) {
    counts.entries().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(WORDS_SHOWN)
        .forEach(entry -> System.out.println(entry.getValue() + " " + entry.getKey()));
  }
}
