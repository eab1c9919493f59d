package io.entroq.engine.request;

import io.entroq.engine.log.ForceStats;

/**
 * Holds replies back until the records they depend on are durable. The engine's thread passes them
 * in the order of their sequences.
 */
public interface ReplyGate {
  /** Releases the reply once {@link RequestSlot#sequenceSeen} is durable. */
  void pass(RequestSlot slot);

  /** Records may have been appended; called after each batch. */
  void onBatch();

  /** Whether the engine should wait because too many bytes are not durable yet. */
  boolean isFull();

  /** Roughly how long it holds a reply back, in nanoseconds; any thread. */
  long delayNs();

  /** Statistics of forces; any thread. */
  default ForceStats forces() {
    return ForceStats.NONE;
  }

  /** Releases everything that waits, and ends; blocks until then. */
  void stop();
}
