package io.entroq.engine.state;

/** The log or snapshot has a behavior level that this build does not support. */
public final class UnsupportedLevelException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  UnsupportedLevelException(int level) {
    super(
        "the log asks for behavior level %d, and this build supports %s; %s"
            .formatted(level, Levels.range(), remedy(level)));
  }

  private static String remedy(int level) {
    return level < Levels.MIN
        ? "it was written by a build before the first release: to keep its tasks, serve it with that"
            + " build, and import them from there into a new directory"
        : "open it with a build that supports level %d".formatted(level);
  }
}
