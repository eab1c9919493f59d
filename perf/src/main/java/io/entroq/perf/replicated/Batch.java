package io.entroq.perf.replicated;

/** The shape of the cycle in batches. */
final class Batch {
  static final int TASKS = 100;
  static final int COMMANDS = 3;

  private Batch() {}
}
