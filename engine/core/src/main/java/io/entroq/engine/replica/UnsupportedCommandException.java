package io.entroq.engine.replica;

/**
 * A newer build proposed a command that this build does not know. Nothing of it has been applied.
 */
public final class UnsupportedCommandException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  UnsupportedCommandException(int type, int version) {
    super(
        ("a command of type %d in a frame of version %d was proposed by a newer build, and this one"
                + " cannot follow: start it again with that build")
            .formatted(type, version));
  }
}
