package io.entroq.engine.state;

/**
 * How the state machine allocates memory; no effect on results. Each shift is the binary logarithm
 * of the records allocated at a time.
 *
 * @param taskChunkShift tasks and docs, 1 to 20
 * @param queueChunkShift queues, 1 to 20
 * @param waiterChunkShift parked claims and clients, 1 to 20
 * @param keptBytesMax bytes of copies that the engine makes while the state is frozen before it
 *     waits for the thread that writes it; at least 1
 */
public record StateMachineConfig(
    int taskChunkShift, int queueChunkShift, int waiterChunkShift, long keptBytesMax) {

  private static final long KEPT_BYTES_MAX = 256L << 20;

  public static final StateMachineConfig DEFAULT = new StateMachineConfig(10, 8, 6);

  private static final int SHIFT_MAX = 20;

  /** Checks the ranges. */
  public StateMachineConfig {
    if (keptBytesMax < 1) {
      throw new IllegalArgumentException("keptBytesMax must be at least 1, but is " + keptBytesMax);
    }
    requireShift("taskChunkShift", taskChunkShift);
    requireShift("queueChunkShift", queueChunkShift);
    requireShift("waiterChunkShift", waiterChunkShift);
  }

  /** Allows 256 MiB of copies. */
  public StateMachineConfig(int taskChunkShift, int queueChunkShift, int waiterChunkShift) {
    this(taskChunkShift, queueChunkShift, waiterChunkShift, KEPT_BYTES_MAX);
  }

  private static void requireShift(String name, int shift) {
    if (shift < 1 || shift > SHIFT_MAX) {
      throw new IllegalArgumentException(
          name + " must be from 1 to " + SHIFT_MAX + ", but is " + shift);
    }
  }
}
