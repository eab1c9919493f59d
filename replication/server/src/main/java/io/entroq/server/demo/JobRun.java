package io.entroq.server.demo;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerListener;
import io.entroq.examples.mapreduce.Coordination;
import io.entroq.examples.mapreduce.Job;
import io.entroq.examples.mapreduce.JobStore;
import io.entroq.examples.mapreduce.Stage;
import io.entroq.examples.mapreduce.StageHandler;
import io.entroq.server.demo.chaos.Chaos;
import io.entroq.server.demo.chaos.ChaosCounters;
import io.entroq.server.demo.chaos.WorkerPool;
import io.entroq.server.demo.report.Progress;
import io.entroq.server.demo.report.RunFigures;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;

/** Runs workers until all tasks of a job are done. For one thread. */
final class JobRun {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final DemoConfig config;
  private final EntroQ queue;
  private final JobStore store;
  private final Job job;
  private final PrintWriter err;
  private final BooleanSupplier isInterrupted;

  JobRun(DemoConfig config, EntroQ queue, Job job, PrintWriter err, BooleanSupplier isInterrupted) {
    this.config = config;
    this.queue = queue;
    this.store = new JobStore(queue);
    this.job = job;
    this.err = err;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Runs until every stage has ended or the run is interrupted. All workers have ended on return.
   *
   * @return empty if interrupted
   */
  Optional<RunFigures> run() {
    long initialCommitted = total(store.committed());
    long startNanos = System.nanoTime();
    long seed = config.seed().orElse(job.seed());
    Chaos chaos = new Chaos(seed, config.crashPercent(), config.hangPercent(), StageHandler::key);
    ChaosCounters counters;
    boolean ended;
    long elapsedNanos;
    try (Worker coordinator = coordinator();
        WorkerPool pool =
            new WorkerPool(
                queue,
                Stage.SHARED.stream().map(Stage::queue).toList(),
                new StageHandler(job),
                chaos,
                config.lease(),
                config.workers())) {
      ended = awaitEnd(coordinator);
      elapsedNanos = System.nanoTime() - startNanos;
      counters = pool.counters();
    }
    return ended
        ? Optional.of(
            new RunFigures(
                config.durability(),
                config.workers(),
                seed,
                total(store.committed()) - initialCommitted,
                Duration.ofNanos(elapsedNanos).toMillis(),
                counters.crashes(),
                counters.hangs(),
                counters.lateCommitsRefused()))
        : Optional.empty();
  }

  /** Not subject to chaos, and without a limit on claims: it waits as long as the workers need. */
  private Worker coordinator() {
    return Worker.on(queue)
        .from(Stage.COORDINATE.queue())
        .lease(config.lease())
        .maxClaims(0)
        .retryBackoff(Backoff.constant(POLL_INTERVAL))
        .drainTimeout(Duration.ZERO)
        .listener(WorkerListener.none())
        .start(new Coordination(job));
  }

  private boolean awaitEnd(Worker coordinator) {
    try (Progress progress = Progress.choose(config.progress(), err, job.tasks())) {
      QueueQuery work = QueueQuery.named(Stage.COORDINATE.queue());
      boolean ended = false;
      while (!ended && coordinator.isRunning() && !isInterrupted.getAsBoolean()) {
        ended = queue.waitQueuesEmpty(work, POLL_INTERVAL);
        Map<Stage, Long> committed = store.committed();
        progress.show(total(committed), job.tasks(), phase(committed), stages(committed));
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The first stage that has not ended. */
  private String phase(Map<Stage, Long> committed) {
    return Stage.SHARED.stream()
        .filter(stage -> committed.get(stage) < job.tasks(stage))
        .map(Stage::label)
        .findFirst()
        .orElse("ending");
  }

  private String stages(Map<Stage, Long> committed) {
    StringJoiner stages = new StringJoiner(", ");
    for (Stage stage : Stage.SHARED) {
      stages.add("%s %,d/%,d".formatted(stage.label(), committed.get(stage), job.tasks(stage)));
    }
    return stages.toString();
  }

  private static long total(Map<Stage, Long> committed) {
    return committed.values().stream().mapToLong(Long::longValue).sum();
  }
}
