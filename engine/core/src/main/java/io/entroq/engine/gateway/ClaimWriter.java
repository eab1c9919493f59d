package io.entroq.engine.gateway;

import org.agrona.MutableDirectBuffer;

/** Writes a Claim, or a Modify that claims. */
@FunctionalInterface
public interface ClaimWriter {
  /**
   * Writes it to the start of a buffer. Called on the submitting thread, before submission returns;
   * in rare cases once more, with another identity, on a thread that completes requests.
   *
   * @param buffer grows as needed; must not be kept
   * @param identity for the command
   * @return its length in bytes
   */
  int write(MutableDirectBuffer buffer, Identity identity);
}
