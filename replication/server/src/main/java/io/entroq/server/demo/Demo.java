package io.entroq.server.demo;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.console.ConsoleServer;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogException;
import io.entroq.examples.mapreduce.Finished;
import io.entroq.examples.mapreduce.Job;
import io.entroq.examples.mapreduce.JobStore;
import io.entroq.examples.mapreduce.text.WordCounts;
import io.entroq.server.demo.report.LogSize;
import io.entroq.server.demo.report.RunFigures;
import io.entroq.server.demo.report.Summary;
import io.entroq.server.demo.report.SummaryJson;
import io.entroq.server.demo.report.SummaryText;
import io.entroq.server.serving.DataDirectory;
import io.entroq.tools.terminal.Quantity;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Counts words with tasks of a queue and checks the result. For one thread.
 *
 * <p>It keeps all its state in the queue. After an interruption, a kill or a crash, a new run on
 * the same data directory continues the count.
 */
public final class Demo {
  private final DemoConfig config;
  private final PrintWriter out;
  private final PrintWriter err;
  private final BooleanSupplier isInterrupted;

  /** The data directory contains a job that a later run can continue. */
  private boolean isPlanned;

  /**
   * Creates a demo for a single run.
   *
   * @param out receives the summary; with {@code config.json()}, only its JSON
   * @param err receives all other output
   * @param isInterrupted polled; once it returns true, the run stops
   */
  public Demo(DemoConfig config, PrintWriter out, PrintWriter err, BooleanSupplier isInterrupted) {
    this.config = config;
    this.out = out;
    this.err = err;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Returns whether the result is right and no task was lost or committed twice; false if
   * interrupted.
   *
   * @throws DemoException if there is no result
   */
  public boolean run() {
    config.root().ifPresent(Preparation::requireDirectory);
    try {
      return run(DataDirectory.choose(config.data(), "demo"));
    } catch (LogException e) {
      throw new DemoException(e.getMessage(), e);
    }
  }

  private boolean run(DataDirectory data) {
    boolean isRight = false;
    try {
      Optional<Summary> summary = summary(data);
      summary.ifPresent(found -> print(found, LogSize.of(data.path())));
      isRight = summary.map(Summary::isRight).orElse(false);
      return isRight;
    } finally {
      end(data, isRight);
    }
  }

  private Optional<Summary> summary(DataDirectory data) {
    try (EmbeddedEntroQ queue = QueueOpener.open(data.path(), config.durability());
        ConsoleServer console = console(queue)) {
      if (console != null) {
        note("Console, until the count has ended: " + console.url());
      }
      Optional<Job> job = new Preparation(config, queue, err, isInterrupted).job(data.realPath());
      return job.isEmpty() ? Optional.empty() : summary(queue, job.get(), data);
    } catch (EntroQException e) {
      throw new DemoException("The queue failed: " + e.getMessage(), e);
    }
  }

  /** Shows the queue meanwhile; null if that is not wanted or not possible. */
  private ConsoleServer console(EmbeddedEntroQ queue) {
    if (!config.console()) {
      return null;
    }
    try {
      return ConsoleServer.start(queue);
    } catch (IOException e) {
      note("No console, since it cannot listen: " + e.getMessage());
      return null;
    }
  }

  private Optional<Summary> summary(EntroQ queue, Job job, DataDirectory data) {
    isPlanned = true;
    JobStore store = new JobStore(queue);
    Optional<Finished> finished = store.finished();
    if (finished.isPresent()) {
      note("This count has already finished; printing its result again.");
      noteIgnored(config.givenOptions());
      return Optional.of(Summary.repeated(job, store.result(), store.audit(job), finished.get()));
    }
    Verification verification = new Verification(job, store, isInterrupted);
    verification.requireSameFiles(store.files());
    announce(job, store, data);
    Optional<RunFigures> run = new JobRun(config, queue, job, err, isInterrupted).run();
    return run.flatMap(figures -> check(verification, store, job, figures));
  }

  private Optional<Summary> check(
      Verification verification, JobStore store, Job job, RunFigures run) {
    note("Counting the files directly to compare ...");
    verification.requireNoFailures();
    return verification
        .directCount()
        .map(
            direct -> {
              WordCounts result = store.result();
              Summary summary =
                  Summary.of(job, result, store.audit(job), run, result.equals(direct));
              if (summary.isRight()) {
                store.finish(run.format());
              }
              return summary;
            });
  }

  private void announce(Job job, JobStore store, DataDirectory data) {
    long committed = store.committed().values().stream().mapToLong(Long::longValue).sum();
    note(
        "%s %s (%s) below %s: %s, %s"
            .formatted(
                committed == 0 ? "Counting the words in" : "Continuing to count the words in",
                Quantity.of(job.files(), "file"),
                Quantity.of(job.bytes(), "byte"),
                job.root(),
                Quantity.of(job.tasks(), "task"),
                Quantity.of(config.workers(), "worker")));
    note(
        "Seed %d, durability %s, data in %s"
            .formatted(
                config.seed().orElse(job.seed()),
                config.durability().name().toLowerCase(Locale.ROOT),
                data.path()));
    if (committed > 0) {
      note("Already committed: %s.".formatted(Quantity.of(committed, "task")));
    }
  }

  private void noteIgnored(List<String> options) {
    if (!options.isEmpty()) {
      note("Ignored because the count has finished: %s.".formatted(String.join(", ", options)));
    }
  }

  private void print(Summary summary, LogSize log) {
    (config.json() ? err : out).print(SummaryText.of(summary, log));
    err.flush();
    if (config.json()) {
      out.println(SummaryJson.of(summary, log));
    }
    if (out.checkError()) {
      throw new DemoException(
          "The summary could not be written to the standard output. Run again with --data"
              + " to print it again.");
    }
  }

  private void end(DataDirectory data, boolean isRight) {
    boolean isReusable = isPlanned && (!isRight || config.keep());
    if (data.isTemporary() && !isReusable) {
      data.remove();
    } else if (isInterrupted.getAsBoolean() && !isRight) {
      note("Interrupted. Run again with --data %s to continue.".formatted(data.path()));
    } else if (data.isTemporary()) {
      note("Data directory kept: " + data.path());
    }
  }

  private void note(String line) {
    err.println(line);
    err.flush();
  }
}
