package io.entroq.engine.memory;

/** The state contradicts itself. Fatal: the machine that threw it must not be used any more. */
public final class InvariantBrokenException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  InvariantBrokenException(String message) {
    super(message);
  }
}
