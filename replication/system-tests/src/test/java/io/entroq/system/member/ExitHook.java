package io.entroq.system.member;

/** Cleans up when it is closed, or when the process exits before that. */
public final class ExitHook implements AutoCloseable {
  private final Runnable undo;
  private final Thread hook;

  private ExitHook(Runnable undo) {
    this.undo = undo;
    hook = new Thread(undo, "at exit");
  }

  public static ExitHook run(Runnable undo) {
    ExitHook atExit = new ExitHook(undo);
    Runtime.getRuntime().addShutdownHook(atExit.hook);
    return atExit;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process exits, and runs the hook.
      return;
    }
    undo.run();
  }
}
