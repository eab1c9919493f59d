package io.entroq.engine.maintenance;

import io.entroq.engine.ThroughInterrupts;

/** The thread of a worker. */
final class MaintenanceThread implements Runnable, AutoCloseable {
  private final MaintenanceWorker worker;
  private final Thread thread;

  MaintenanceThread(MaintenanceWorker worker) {
    this.worker = worker;
    this.thread = new Thread(this, "entroq-snapshot");
    thread.setDaemon(true);
  }

  MaintenanceThread start() {
    thread.start();
    return this;
  }

  @Override
  public void run() {
    while (!worker.isEnding()) {
      step();
    }
  }

  /** Must not throw: without this thread there are no snapshots, and the log grows forever. */
  private void step() {
    try {
      worker.step(worker.await());
    } catch (Throwable t) {
      // For example if the application's logging fails.
      report(t);
    }
  }

  private void report(Throwable trouble) {
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, trouble);
    } catch (Throwable t) {
      // Nothing left to report to.
    }
  }

  /** Abandons the current task and waits for the thread's end. */
  @Override
  public void close() {
    worker.end();
    ThroughInterrupts.await(thread::join);
  }
}
