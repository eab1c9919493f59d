package io.entroq.engine.gateway;

import org.agrona.MutableDirectBuffer;

/** Writes a command or a query as the engine reads it. */
@FunctionalInterface
public interface CommandWriter {
  /**
   * Writes it to the start of a buffer. Called on the submitting thread, before submission returns.
   *
   * @param buffer grows as needed; must not be kept
   * @return its length in bytes
   */
  int write(MutableDirectBuffer buffer);
}
