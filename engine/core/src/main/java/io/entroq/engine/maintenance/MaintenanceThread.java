package io.entroq.engine.maintenance;

import io.entroq.engine.ThroughInterrupts;

/** The thread at a desk. */
final class MaintenanceThread implements Runnable, AutoCloseable {
  private final MaintenanceWorker desk;
  private final Thread thread;

  MaintenanceThread(MaintenanceWorker desk) {
    this.desk = desk;
    this.thread = new Thread(this, "entroq-snapshot");
    thread.setDaemon(true);
  }

  MaintenanceThread start() {
    thread.start();
    return this;
  }

  @Override
  public void run() {
    while (!desk.isEnding()) {
      turn();
    }
  }

  /** A thread that ends here would be the end of all snapshots, and the log would grow for ever. */
  private void turn() {
    try {
      desk.turn(desk.awaited());
    } catch (Throwable t) {
      // Where even saying what went wrong goes wrong, as in the application's own logging.
      report(t);
    }
  }

  private void report(Throwable trouble) {
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, trouble);
    } catch (Throwable t) {
      // There is nobody left to tell.
    }
  }

  /** Gives up what is being done and waits for the end. */
  @Override
  public void close() {
    desk.end();
    ThroughInterrupts.await(thread::join);
  }
}
