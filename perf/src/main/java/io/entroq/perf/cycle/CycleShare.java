package io.entroq.perf.cycle;

import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.perf.fixture.ScratchDirectory;
import java.io.IOException;
import java.util.Arrays;

/**
 * Measures the cycle at level {@code os} of a caller that drives the engine, and bare Chronicle
 * appends of records of the same sizes, in turns. Prints each round, and last the medians.
 *
 * <p>Arguments: rounds (15), cycles per slice (200,000), tasks pending in the queue (0).
 */
public final class CycleShare {
  private static final int VALUE_BYTES = 128;
  private static final int FRAME_BYTES = 48;

  /** Payload bytes of the insert, claim and delete of {@link DrivenCycle}. */
  private static final int[] PAYLOAD_BYTES = {168, 22, 26};

  private CycleShare() {}

  public static void main(String[] args) throws IOException {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 15;
    int cycles = args.length > 1 ? Integer.parseInt(args[1]) : 200_000;
    int backlog = args.length > 2 ? Integer.parseInt(args[2]) : 0;
    try (ScratchDirectory scratch = new ScratchDirectory();
        DrivenEngine engine = DrivenEngine.open(scratch.resolve("engine"));
        BareAppends bare = new BareAppends(scratch.resolve("bare"), recordBytes())) {
      DrivenCycle driven = new DrivenCycle(engine, VALUE_BYTES);
      for (int i = 0; i < backlog; i++) {
        driven.insert();
      }
      new SideBySide(rounds)
          .measure(
              new SideBySide.Side("engine cycles", cycles, driven::cycle),
              new SideBySide.Side("bare appends of a cycle", cycles, bare::cycle));
    }
  }

  private static int[] recordBytes() {
    return Arrays.stream(PAYLOAD_BYTES).map(bytes -> bytes + FRAME_BYTES).toArray();
  }
}
