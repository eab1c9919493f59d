package io.entroq.server.cli.queue.action;

import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.tools.terminal.Interruption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves tasks from quarantine back to their queue and clears their attempts and errors. Moves them
 * in batches, each atomically.
 */
public final class Redrive {
  private static final int BATCH_TASKS = 100;

  /** Half the maximum size of a command. */
  private static final long BATCH_BYTES = 4 << 20;

  private final EntroQ queue;
  private final RedrivePlan plan;
  private final Interruption interruption;
  private final Listener listener;
  private final Pacer pacer;
  private final Instant now;
  private final Set<TaskId> found = new HashSet<>();
  private final Set<TaskName> missing = new LinkedHashSet<>();
  private final List<Task> batch = new ArrayList<>();
  private long batchBytes;
  private RedriveReport report = RedriveReport.NOTHING;

  /** Receives progress, on the thread that runs the redrive. */
  public interface Listener {
    void onExamined(long examined);

    /** In a dry run: a task that would be moved. */
    void onMatch(Task task);
  }

  public Redrive(EntroQ queue, RedrivePlan plan, Interruption interruption, Listener listener) {
    this.queue = queue;
    this.plan = plan;
    this.interruption = interruption;
    this.listener = listener;
    this.pacer = new Pacer(plan.ratePerSecond(), System::nanoTime, interruption::pause);
    this.now = queue.time();
  }

  /** The progress so far. Valid even after an exception. */
  public RedriveReport report() {
    return report;
  }

  /** The named tasks that do not exist. */
  public List<TaskName> missing() {
    return List.copyOf(missing);
  }

  /** The number of tasks to examine. */
  public long size() {
    return plan.names().isEmpty()
        ? queue.queues(QueueQuery.named(plan.from())).getOrDefault(plan.from(), 0L)
        : plan.names().size();
  }

  /**
   * Runs to the end, to the limit, or until interrupted.
   *
   * @throws io.entroq.api.EntroQException if the queue fails, or refuses the tasks
   */
  public void run() {
    try {
      if (plan.names().isEmpty()) {
        queue.forEachTask(TaskQuery.in(plan.from()), this::examine);
      } else {
        for (TaskName name : plan.names()) {
          find(name);
        }
      }
      move();
    } catch (EndedException e) {
      // The limit was reached, or the user interrupted.
    }
  }

  /** Skips repeated tasks: a user may name one both with its version and without. */
  private void find(TaskName name) {
    requireNotInterrupted();
    Optional<Task> task = name.find(queue, plan.from(), false);
    if (task.isEmpty()) {
      missing.add(name);
    } else if (found.add(task.get().id())) {
      examine(task.get());
    }
  }

  private void examine(Task task) {
    requireNotInterrupted();
    boolean isMatch = plan.filter().matches(task, now);
    report = report.withExamined(isMatch);
    listener.onExamined(report.examined());
    if (!isMatch) {
      return;
    }
    if (plan.isDryRun()) {
      listener.onMatch(task);
      requireBelowLimit(report.matched());
    } else {
      add(task);
    }
  }

  private void add(Task task) {
    long bytes = task.value().size() + 4L * task.err().length();
    if (batchBytes + bytes > BATCH_BYTES) {
      move();
    }
    batch.add(task);
    batchBytes += bytes;
    if (batch.size() >= pacer.batch(BATCH_TASKS) || isAtLimit(report.moved() + batch.size())) {
      move();
      requireBelowLimit(report.moved());
    }
  }

  private void move() {
    pacer.await(report.moved());
    requireNotInterrupted();
    report = report.withMoved(Batch.write(queue, batch, this::modification));
    batch.clear();
    batchBytes = 0;
  }

  private Modification modification(List<Task> tasks) {
    Modification.Builder moves = Modification.builder().claimant(plan.claimant());
    for (Task task : tasks) {
      moves.change(Change.of(task).moveTo(plan.to()).withAttempt(0, ""));
    }
    return moves.build();
  }

  private boolean isAtLimit(long tasks) {
    return plan.limit() > 0 && tasks >= plan.limit();
  }

  private void requireBelowLimit(long tasks) {
    if (isAtLimit(tasks)) {
      throw new EndedException();
    }
  }

  private void requireNotInterrupted() {
    if (interruption.isRequested()) {
      throw new EndedException();
    }
  }

  /** Ends a listing from its callback. */
  private static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndedException() {
      super("end of the redrive", null, false, false);
    }
  }
}
