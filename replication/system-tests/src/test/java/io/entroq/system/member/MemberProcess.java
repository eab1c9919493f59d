package io.entroq.system.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A member in a process of its own, which ends with this process. Any thread. */
final class MemberProcess implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final int id;
  private final Process process;
  private final Path log;

  /** The start of this process in the log. */
  private final long logStart;

  private final BufferedWriter commands;
  private final AtomicInteger sent = new AtomicInteger();
  private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
  private final CountDownLatch served = new CountDownLatch(1);
  private volatile boolean hasServed;
  private volatile boolean isKilled;

  /** Until then it may end by itself. */
  private long mayEndUntilNs = System.nanoTime();

  private boolean isReported;

  private MemberProcess(int id, Process process, Path log, long logStart) {
    this.id = id;
    this.process = process;
    this.log = log;
    this.logStart = logStart;
    commands = process.outputWriter(UTF_8);
    Thread listener = new Thread(this::listen, "member " + process.pid());
    listener.setDaemon(true);
    listener.start();
  }

  /**
   * Starts a member; does not wait until it serves.
   *
   * @param id of the member
   * @param log to which it appends its output
   */
  static MemberProcess start(int id, List<String> command, Path log) throws IOException {
    long logStart = Files.exists(log) ? Files.size(log) : 0;
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new MemberProcess(id, process, log, logStart);
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        read(line);
      }
    } catch (IOException e) {
      // It was killed; pending commands fail below.
    }
    served.countDown();
    answers.values().forEach(answer -> answer.completeExceptionally(new IOException("it ended")));
  }

  private void read(String line) {
    if (line.startsWith(MemberMain.SERVING)) {
      hasServed = true;
      served.countDown();
      return;
    }
    String[] parts = line.split(" ", 3);
    CompletableFuture<String> answer = answers.remove(Integer.parseInt(parts[0]));
    if (parts[1].equals(MemberMain.DONE)) {
      answer.complete(parts[2]);
    } else {
      answer.completeExceptionally(new IOException(parts[2]));
    }
  }

  /** Waits until it serves or has ended; returns whether it serves. */
  boolean awaitServing(Duration bound) throws InterruptedException {
    return served.await(bound.toMillis(), TimeUnit.MILLISECONDS) && hasServed && process.isAlive();
  }

  /** Sends a command; empty if it fails, or is not answered in time. */
  Optional<String> ask(String command) throws InterruptedException {
    int number = sent.incrementAndGet();
    CompletableFuture<String> answer = new CompletableFuture<>();
    answers.put(number, answer);
    try {
      synchronized (commands) {
        commands.write(number + " " + command + "\n");
        commands.flush();
      }
      return Optional.of(answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS));
    } catch (IOException | ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it ends; empty after the limit. */
  Optional<Integer> awaitEnd(Duration bound) throws InterruptedException {
    return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)
        ? Optional.of(process.exitValue())
        : Optional.empty();
  }

  /** Sends SIGSTOP. Closing the result, or the end of this process, sends SIGCONT. */
  AutoCloseable freeze() {
    try {
      Process guard =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "kill -STOP $1; echo; read unused; kill -CONT $1",
                  "sh",
                  Long.toString(process.pid()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      guard.getInputStream().read();
      return () -> {
        guard.getOutputStream().close();
        guard.waitFor();
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Allows the process to end by itself for a while. */
  void mayEnd(Duration bound) {
    mayEndUntilNs = System.nanoTime() + bound.toNanos();
  }

  /** An end or a divergence that no fault explains; reported once. */
  Optional<String> unexplained() {
    ProcessExit exit = exit();
    if (isReported) {
      return Optional.empty();
    }
    Optional<String> found = exit.unexplained();
    isReported = found.isPresent() || exit.isOver();
    return found;
  }

  private ProcessExit exit() {
    OptionalInt code =
        process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    boolean mayEnd = System.nanoTime() - mayEndUntilNs < 0;
    return new ProcessExit(id, isKilled, mayEnd, code, output());
  }

  private String output() {
    try (FileChannel file = FileChannel.open(log)) {
      file.position(logStart);
      return new String(Channels.newInputStream(file).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }

  /** Sends SIGKILL, even if it is stopped. */
  void kill() {
    isKilled |= process.isAlive();
    process.destroyForcibly();
    process.onExit().join();
  }
}
