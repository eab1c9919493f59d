package io.entroq.engine.state;

/**
 * How memory is taken; nothing here influences what a caller sees. Sizes are binary logarithms of
 * the number of records that are taken at a time.
 *
 * @param taskChunkShift tasks, 1 to 20
 * @param queueChunkShift queues, 1 to 20
 * @param waiterChunkShift parked claims and clients, 1 to 20
 */
public record StateMachineConfig(int taskChunkShift, int queueChunkShift, int waiterChunkShift) {

  /** For ordinary use. */
  public static final StateMachineConfig DEFAULT = new StateMachineConfig(12, 8, 6);

  private static final int SHIFT_MAX = 20;

  /** Checks the ranges. */
  public StateMachineConfig {
    requireShift("taskChunkShift", taskChunkShift);
    requireShift("queueChunkShift", queueChunkShift);
    requireShift("waiterChunkShift", waiterChunkShift);
  }

  private static void requireShift(String name, int shift) {
    if (shift < 1 || shift > SHIFT_MAX) {
      throw new IllegalArgumentException(
          name + " must be from 1 to " + SHIFT_MAX + ", but is " + shift);
    }
  }
}
