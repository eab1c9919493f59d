package io.entroq.server.cli;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An engine that writes as fast as it can, in segments that are soon full. */
final class BusyEngine {
  private static final int SEGMENT_BYTES = 1 << 20;

  private BusyEngine() {}

  /** Works in the directory that is named until the process is killed. */
  public static void main(String[] args) {
    try (EntroQ queue = open(Path.of(args[0]))) {
      queue.modify(Modification.insert("first", "x")).orThrow();
      System.out.println("busy");
      work(queue, () -> true);
    }
  }

  static EntroQ open(Path directory) {
    return EmbeddedEntroQ.open(EmbeddedConfig.in(directory).segmentBytes(SEGMENT_BYTES).build());
  }

  static void work(EntroQ queue, BooleanSupplier isWanted) {
    String value = "v".repeat(1_000);
    while (isWanted.getAsBoolean()) {
      queue.modify(Modification.insert("inbox", value)).orThrow();
      List<Task> claimed = queue.tryClaimMany(Claim.from("inbox"));
      queue.modify(Modification.delete(claimed.get(0))).orThrow();
    }
  }
}
