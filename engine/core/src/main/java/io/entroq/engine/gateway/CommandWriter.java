package io.entroq.engine.gateway;

import org.agrona.MutableDirectBuffer;

/** Writes a command or a question as the engine reads it. */
@FunctionalInterface
public interface CommandWriter {
  /**
   * Writes it to the start of a buffer. Called on the thread that submits, before that returns.
   *
   * @param buffer grows as needed; not to be kept
   * @return how many bytes it has
   */
  int write(MutableDirectBuffer buffer);
}
