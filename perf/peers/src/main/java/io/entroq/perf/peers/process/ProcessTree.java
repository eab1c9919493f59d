package io.entroq.perf.peers.process;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process and its descendants. */
public final class ProcessTree {
  private static final int LIMIT_SECONDS = 10;

  private final ProcessHandle root;

  public ProcessTree(ProcessHandle root) {
    this.root = root;
  }

  /** Stops all of them by a signal. */
  public void stop() throws IOException {
    signal("-STOP", all());
  }

  public void resume() throws IOException {
    signal("-CONT", all());
  }

  /** Asks the root to quit with its descendants, and kills them if it does not. */
  public void quit() throws IOException {
    signal("-QUIT", List.of(root));
    if (!hasEnded()) {
      kill();
    }
  }

  /** Kills all of them, even stopped ones, and waits until they are gone. */
  public void kill() throws IOException {
    // Descendants first: without its parent a process cannot be found.
    for (ProcessHandle process : all()) {
      process.destroyForcibly();
    }
    if (!hasEnded()) {
      throw new IOException("process " + root.pid() + " cannot be killed");
    }
  }

  private boolean hasEnded() throws IOException {
    try {
      root.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return !root.isAlive();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private List<ProcessHandle> all() {
    List<ProcessHandle> all = new ArrayList<>(root.descendants().toList());
    all.add(root);
    return all;
  }

  private static void signal(String signal, List<ProcessHandle> processes) throws IOException {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    Process kill = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(String.join(" ", command) + " does not end");
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return (IOException) new InterruptedIOException().initCause(e);
  }
}
