package io.entroq.perf.peers;

/** Ctrl-C, or a request of the system to end: ends whatever has been started, then the process. */
final class Ending implements AutoCloseable {
  private final Thread hook;
  private volatile boolean isRequested;

  /** Begins to listen for it. */
  Ending(Runnable end) {
    hook =
        new Thread(
            () -> {
              isRequested = true;
              end.run();
            },
            "ending");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  boolean isRequested() {
    return isRequested;
  }

  @Override
  public void close() {
    if (!isRequested) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
