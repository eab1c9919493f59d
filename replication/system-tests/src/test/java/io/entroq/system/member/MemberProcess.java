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

/** A member in a process of its own. It ends when this process does. Any thread. */
final class MemberProcess implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final int id;
  private final Process process;
  private final Path log;

  /** Where in the log it begins. */
  private final long logStart;

  private final BufferedWriter questions;
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private volatile boolean hasServed;
  private volatile boolean isKilled;

  /** Up to then it may end by itself. */
  private long mayEndUntilNs = System.nanoTime();

  private boolean isTold;

  private MemberProcess(int id, Process process, Path log, long logStart) {
    this.id = id;
    this.process = process;
    this.log = log;
    this.logStart = logStart;
    questions = process.outputWriter(UTF_8);
    Thread listener = new Thread(this::listen, "member " + process.pid());
    listener.setDaemon(true);
    listener.start();
  }

  /**
   * Starts one; it does not serve yet.
   *
   * @param id of the member
   * @param log where it writes what it has to say, behind what is there
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
        hear(line);
      }
    } catch (IOException e) {
      // It has been killed; whoever waits for an answer is told so below.
    }
    told.countDown();
    answers.values().forEach(answer -> answer.completeExceptionally(new IOException("it ended")));
  }

  private void hear(String line) {
    if (line.startsWith(MemberMain.SERVES)) {
      hasServed = true;
      told.countDown();
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

  /** Waits until it serves, or has ended. */
  boolean awaitServing(Duration bound) throws InterruptedException {
    return told.await(bound.toMillis(), TimeUnit.MILLISECONDS) && hasServed && process.isAlive();
  }

  /** Asks, and waits for the answer; empty if there is none in time, or it cannot be done now. */
  Optional<String> ask(String question) throws InterruptedException {
    int number = asked.incrementAndGet();
    CompletableFuture<String> answer = new CompletableFuture<>();
    answers.put(number, answer);
    try {
      synchronized (questions) {
        questions.write(number + " " + question + "\n");
        questions.flush();
      }
      return Optional.of(answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS));
    } catch (IOException | ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it has ended by itself; empty if it has not in time. */
  Optional<Integer> awaitEnd(Duration bound) throws InterruptedException {
    return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)
        ? Optional.of(process.exitValue())
        : Optional.empty();
  }

  /** SIGSTOP until what is returned is closed, or until this process is gone. */
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

  /** If it ends within this time, that is no wonder. */
  void mayEnd(Duration bound) {
    mayEndUntilNs = System.nanoTime() + bound.toNanos();
  }

  /** What nothing explains of how it has ended, or of what it has said; once. */
  Optional<String> unexplained() {
    Ending ending = ending();
    if (isTold) {
      return Optional.empty();
    }
    Optional<String> found = ending.unexplained();
    isTold = found.isPresent() || ending.isOver();
    return found;
  }

  private Ending ending() {
    OptionalInt code =
        process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    boolean mayEnd = System.nanoTime() - mayEndUntilNs < 0;
    return new Ending(id, isKilled, mayEnd, code, said());
  }

  private String said() {
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

  /** SIGKILL, also if it is frozen. */
  void kill() {
    isKilled |= process.isAlive();
    process.destroyForcibly();
    process.onExit().join();
  }
}
