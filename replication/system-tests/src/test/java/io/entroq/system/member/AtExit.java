package io.entroq.system.member;

/** Has something undone when it is closed, or when this process is told to end before that. */
public final class AtExit implements AutoCloseable {
  private final Runnable undo;
  private final Thread hook;

  private AtExit(Runnable undo) {
    this.undo = undo;
    hook = new Thread(undo, "at exit");
  }

  /** Remembers what to do. */
  public static AtExit run(Runnable undo) {
    AtExit atExit = new AtExit(undo);
    Runtime.getRuntime().addShutdownHook(atExit.hook);
    return atExit;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, and the hook does it.
      return;
    }
    undo.run();
  }
}
