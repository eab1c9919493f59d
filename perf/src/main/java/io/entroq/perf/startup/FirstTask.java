package io.entroq.perf.startup;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A program that opens an embedded queue and commits a task. It uses nothing but the API of every
 * build, as its class is started on the class path of older ones.
 */
final class FirstTask {
  private FirstTask() {}

  /**
   * Prints the milliseconds that {@code main} took once the task is committed.
   *
   * @param args the directory of the queue
   */
  public static void main(String[] args) throws InterruptedException {
    long startNs = System.nanoTime();
    try (EntroQ queue = EmbeddedEntroQ.open(Path.of(args[0]))) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      Task task = queue.claim(Claim.from("inbox").withLease(Duration.ofSeconds(30)));
      queue.modify(Modification.delete(task)).orThrow();
      System.out.println(StartUp.DONE + (System.nanoTime() - startNs) / 1e6);
    }
  }
}
