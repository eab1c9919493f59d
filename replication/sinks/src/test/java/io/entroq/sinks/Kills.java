package io.entroq.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Kills processes that copy a feed, while work goes on. */
final class Kills {
  private static final int OPERATIONS = 10;

  private static final int WORK_MICROS = 20_000;

  /** Most time between the first batch of a process and its end. */
  private static final int MOST_MICROS = 50_000;

  private final Work work;
  private final Path log;
  private final Random random = new Random(26);

  Kills(ServedEngine served, Path log) {
    work = new Work(served.queue());
    this.log = log;
  }

  /** Starts a process and kills it after its first batch, time after time. */
  void repeat(int times, String... args) throws Exception {
    for (int i = 0; i < times; i++) {
      Process process = SinkProcess.start(log, args);
      try {
        // Work goes on until the kill, so it comes between, before or within transactions.
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> workUntil(process));
        assertThat(process.inputReader().readLine()).as("see %s", log).isNotNull();
        pause(random.nextInt(MOST_MICROS));
        process.destroyForcibly();
        work.join();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private void workUntil(Process process) {
    do {
      work.some(OPERATIONS);
      pause(WORK_MICROS);
    } while (process.isAlive());
  }

  private static void pause(int micros) {
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
  }
}
