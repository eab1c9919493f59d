package io.entroq.perf.replicated;

import io.entroq.engine.ThroughInterrupts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;

/** Runs a shell command again and again until it is closed. */
final class RepeatedCommand implements AutoCloseable {
  private final String command;
  private final Thread thread = new Thread(this::run, "repeated-command");

  /** Of the thread. */
  private Process process;

  RepeatedCommand(String command) {
    this.command = command;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        process =
            new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
        process.waitFor();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    ThroughInterrupts.await(thread::join);
  }
}
