package io.entroq.engine.memory;

/** The state contradicts itself. Fatal: the machine must not be used afterwards. */
public final class InvariantBrokenException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  InvariantBrokenException(String message) {
    super(message);
  }
}
