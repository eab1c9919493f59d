package io.entroq.engine.request;

import io.entroq.engine.log.ForceStats;

/**
 * Where replies wait until what they saw is as durable as the level asks. The engine's thread
 * passes them in the order of the sequences that they saw.
 */
public interface ReplyGate {
  /** Lets the reply go when {@link RequestSlot#sequenceSeen} is durable enough. */
  void pass(RequestSlot slot);

  /** Records may have been appended; called after each batch. */
  void onBatch();

  /** Whether so much is not yet durable that the engine should wait before it goes on. */
  boolean isFull();

  /** For how long about it holds a reply back, nanoseconds; any thread. */
  long delayNs();

  /** The forces that it has waited for; any thread. */
  default ForceStats forces() {
    return ForceStats.NONE;
  }

  /** Lets everything go that waits, and ends; blocks until then. */
  void stop();
}
