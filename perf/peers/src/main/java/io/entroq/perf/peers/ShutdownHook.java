package io.entroq.perf.peers;

/** Ends what was started when the process is asked to exit, as by Ctrl-C. */
final class ShutdownHook implements AutoCloseable {
  private final Thread hook;
  private volatile boolean isRequested;

  ShutdownHook(Runnable end) {
    hook =
        new Thread(
            () -> {
              isRequested = true;
              end.run();
            },
            "shutdown");
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
