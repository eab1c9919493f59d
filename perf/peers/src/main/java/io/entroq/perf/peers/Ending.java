package io.entroq.perf.peers;

import io.entroq.perf.peers.run.Runner;

/** Ctrl-C, or a request of the system to end: ends whatever has been started, then the process. */
final class Ending implements AutoCloseable {
  private final Thread hook;
  private volatile boolean isRequested;

  /** Begins to listen for it. */
  Ending(Runner runner) {
    hook =
        new Thread(
            () -> {
              isRequested = true;
              runner.end();
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
