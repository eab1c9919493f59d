package io.entroq.server.demo;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
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
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Counts words through a queue, and checks the result. For one thread.
 *
 * <p>It may end at any moment, by an interruption, a kill or a crash, and be run again on the same
 * data directory: all it knows is in the queue.
 */
public final class Demo {
  private final DemoConfig config;
  private final PrintWriter out;
  private final PrintWriter err;
  private final BooleanSupplier isInterrupted;

  /** There is something in the data directory to go on with. */
  private boolean isPlanned;

  /**
   * Makes a demo to be run once.
   *
   * @param out where the summary goes; as JSON alone if that is wanted
   * @param err where everything else goes
   * @param isInterrupted whether to stop at the next occasion
   */
  public Demo(DemoConfig config, PrintWriter out, PrintWriter err, BooleanSupplier isInterrupted) {
    this.config = config;
    this.out = out;
    this.err = err;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Runs the demo.
   *
   * @return whether the result is right and nothing was lost or committed twice
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
    try (EntroQ queue = QueueOpener.open(data.path(), config.durability())) {
      Optional<Job> job = new Preparation(config, queue, err, isInterrupted).job(data.realPath());
      return job.isEmpty() ? Optional.empty() : summary(queue, job.get(), data);
    } catch (EntroQException e) {
      throw new DemoException("The queue has failed: " + e.getMessage(), e);
    }
  }

  private Optional<Summary> summary(EntroQ queue, Job job, DataDirectory data) {
    isPlanned = true;
    JobStore store = new JobStore(queue);
    Optional<Finished> finished = store.finished();
    if (finished.isPresent()) {
      note("This count is finished; its result once more.");
      noteIgnored(config.given());
      return Optional.of(Summary.again(job, store.result(), store.audit(job), finished.get()));
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
                committed == 0 ? "Counting the words of" : "Going on to count the words of",
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
      note("Committed already: %s.".formatted(Quantity.of(committed, "task")));
    }
  }

  private void noteIgnored(List<String> options) {
    if (!options.isEmpty()) {
      note("Ignored, as there is nothing left to run: %s.".formatted(String.join(", ", options)));
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
              + " to print it once more.");
    }
  }

  private void end(DataDirectory data, boolean isRight) {
    boolean isOfUse = isPlanned && (!isRight || config.keep());
    if (data.isTemporary() && !isOfUse) {
      data.remove();
    } else if (isInterrupted.getAsBoolean() && !isRight) {
      note("Interrupted. Run again with --data %s to go on.".formatted(data.path()));
    } else if (data.isTemporary()) {
      note("The data directory is kept: " + data.path());
    }
  }

  private void note(String line) {
    err.println(line);
    err.flush();
  }
}
