package io.entroq.perf.cycle;

import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.perf.fixture.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Measures what it costs a caller that drives the engine to keep history: cycles of an engine that
 * notes which ids each part of its log has effects on, beside cycles of an engine that keeps none.
 *
 * <p>Arguments: rounds (15), cycles per slice (100,000), bytes of history (8 GiB).
 */
public final class HistoryShare {
  private static final int VALUE_BYTES = 128;

  private HistoryShare() {}

  public static void main(String[] args) throws IOException {
    SideBySide sides = new SideBySide(args.length > 0 ? Integer.parseInt(args[0]) : 15);
    int cycles = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    long bytes = args.length > 2 ? Long.parseLong(args[2]) : 8L << 30;
    try (ScratchDirectory scratch = new ScratchDirectory();
        DrivenEngine kept = open(scratch.resolve("kept"), HistoryPolicy.ofBytes(bytes));
        DrivenEngine off = open(scratch.resolve("off"), HistoryPolicy.OFF)) {
      DrivenCycle withHistory = new DrivenCycle(kept, VALUE_BYTES);
      DrivenCycle without = new DrivenCycle(off, VALUE_BYTES);
      sides.measure(
          new SideBySide.Side("history", cycles, withHistory::cycle),
          new SideBySide.Side("off", cycles, without::cycle));
    }
  }

  private static DrivenEngine open(Path directory, HistoryPolicy history) {
    return DrivenEngine.open(
        EmbeddedConfig.in(directory).history(history).build(), (sequence, result) -> {});
  }
}
