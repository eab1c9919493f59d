package io.entroq.perf.jmh;

import io.entroq.perf.cycle.SideBySide;

/**
 * Measures the state machine over a backlog of a million tasks, and dependent reads of random
 * addresses in as much memory: how many such reads a cycle of insert, claim and delete costs.
 *
 * <p>Arguments: rounds (15), cycles per slice (300,000).
 */
public final class BacklogShare {
  private static final int PENDING = 1_000_000;
  private static final int MEMORY_BYTES = 256 << 20;
  private static final int READS_PER_CYCLE = 3;

  private BacklogShare() {}

  public static void main(String[] args) {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 15;
    int cycles = args.length > 1 ? Integer.parseInt(args[1]) : 300_000;
    StateMachineBenchmark machine = new StateMachineBenchmark();
    machine.pending = PENDING;
    machine.fill();
    MemoryBenchmark memory = new MemoryBenchmark();
    memory.bytes = MEMORY_BYTES;
    memory.fill();
    new SideBySide(rounds)
        .measure(
            new SideBySide.Side("cycles", cycles, machine::cycle),
            new SideBySide.Side("random reads", cycles * READS_PER_CYCLE, memory::dependentRead));
  }
}
