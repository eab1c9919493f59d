package io.entroq.engine.embedded;

/** Giving up the processor. */
final class Turn {
  private Turn() {}

  /** Lets another thread go on that is ready to, and returns at once if there is none. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  static void pass() {
    Thread.yield();
  }
}
