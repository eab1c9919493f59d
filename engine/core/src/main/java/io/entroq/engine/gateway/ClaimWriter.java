package io.entroq.engine.gateway;

import org.agrona.MutableDirectBuffer;

/** Writes a Claim, or a Modify that claims. */
@FunctionalInterface
public interface ClaimWriter {
  /**
   * Writes it to the start of a buffer. Called on the thread that submits, before that returns; and
   * in rare cases once more, with another identity, on the thread that tells of answers.
   *
   * @param buffer grows as needed; not to be kept
   * @param identity what the command has to carry
   * @return how many bytes it has
   */
  int write(MutableDirectBuffer buffer, Identity identity);
}
