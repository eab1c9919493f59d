package io.entroq.engine.embedded;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException.ResourceExhausted;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process on a disk that is really full: tells what was acknowledged and what was refused, and
 * stays to be killed.
 */
final class LowDiskChild {
  private static final long MIB = 1 << 20;
  private static final int VALUE_BYTES = 300_000;

  private final EmbeddedEntroQ queue;

  private LowDiskChild(EmbeddedEntroQ queue) {
    this.queue = queue;
  }

  static EmbeddedConfig config(Path directory, Durability level, int segmentBytes) {
    return EmbeddedConfig.in(directory)
        .durability(level)
        .segmentBytes(segmentBytes)
        .diskLowBytes(32 * MIB)
        .diskFullBytes(24 * MIB)
        .build();
  }

  /**
   * Fills the disk up, step by step.
   *
   * @param args directory; level; bytes of a segment; a file to be removed to make room; another
   *     that can be made
   */
  public static void main(String[] args) throws Exception {
    Path ballast = Path.of(args[3]);
    Path more = Path.of(args[4]);
    EmbeddedConfig config =
        config(Path.of(args[0]), Durability.valueOf(args[1]), Integer.parseInt(args[2]));
    LowDiskChild child = new LowDiskChild(EmbeddedEntroQ.open(config));
    tell("LOW", child.insertUntilRefused());
    child.deleteSome();
    fill(more, 10 * MIB);
    tell("FULL", child.claimUntilRefused());
    tell("READ", Integer.toString(child.queue.tasks(TaskQuery.in("q")).size()));
    Files.delete(ballast);
    Files.delete(more);
    long freedNs = System.nanoTime();
    Await.until("inserts go on", child::insert);
    tell("HEALED", "after %.1f ms".formatted((System.nanoTime() - freedNs) / 1e6));
    for (int i = 0; i < 20; i++) {
      child.insert();
    }
    tell("END", child.queue.stats().toString());
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Makes a file that takes as much as it says. */
  static void fill(Path file, long bytes) throws IOException {
    byte[] block = new byte[1 << 20];
    try (RandomAccessFile filled = new RandomAccessFile(file.toFile(), "rw")) {
      for (long done = 0; done < bytes; done += block.length) {
        filled.write(block);
      }
    }
  }

  private String insertUntilRefused() {
    while (true) {
      try {
        insertOrThrow();
      } catch (ResourceExhausted e) {
        return e.getMessage();
      }
    }
  }

  private boolean insert() {
    try {
      insertOrThrow();
      return true;
    } catch (ResourceExhausted e) {
      return false;
    }
  }

  private void insertOrThrow() {
    Value value = Value.bytes(new byte[VALUE_BYTES]);
    queue.modify(Modification.insert("q", value)).orThrow().inserted().forEach(t -> tell("I", t));
  }

  private void deleteSome() {
    for (int i = 0; i < 5; i++) {
      Task task = queue.tryClaim(Claim.from("q")).orElseThrow();
      queue.modify(Modification.delete(task)).orThrow();
      tell("D", task);
    }
  }

  private String claimUntilRefused() {
    while (true) {
      try {
        tell("C", queue.tryClaim(Claim.from("q")).orElseThrow());
      } catch (ResourceExhausted e) {
        return e.getMessage();
      }
    }
  }

  private static void tell(String what, Task task) {
    tell(what, task.id().text());
  }

  private static void tell(String what, String text) {
    System.out.print("@" + what + " " + text + "\n");
    System.out.flush();
  }
}
