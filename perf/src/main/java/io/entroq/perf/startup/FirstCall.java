package io.entroq.perf.startup;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;

/** A program that connects to a server and inserts a task; as {@link FirstTask} for the rest. */
final class FirstCall {
  private FirstCall() {}

  /**
   * Prints the milliseconds that {@code main} took once the task is inserted.
   *
   * @param args the address of the server
   */
  public static void main(String[] args) throws InterruptedException {
    long startNs = System.nanoTime();
    try (EntroQ queue = EntroQ.connect(args[0])) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      System.out.println(StartUp.DONE + (System.nanoTime() - startNs) / 1e6);
    }
  }
}
