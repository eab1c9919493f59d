package io.entroq.server.cli.work;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.server.cli.queue.options.LeaseOption;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.options.TargetOptions;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A worker: it works until a signal ends it, or its queues are empty if that is asked for. */
abstract class WorkerCommand implements Callable<Integer> {
  /** More than a worker takes to close. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  @Spec private CommandSpec spec;
  @Mixin HelpOptions help;
  @Mixin private TargetOptions target;

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      required = true,
      description = "Queue to work on; repeatable.")
  private List<String> queues;

  @Mixin private LeaseOption lease;

  @Option(
      names = "--until-empty",
      description = "End when the queues have no tasks, not even tasks that are not due.")
  private boolean isUntilEmpty;

  /** Something that works. */
  interface Running extends AutoCloseable {
    boolean isRunning();

    /** Finishes the tasks that it works on, and stops. */
    @Override
    void close();

    /** The exit status, if it has ended by itself. */
    default int status() {
      throw new CommandException("the worker has ended, as the queue is closed");
    }
  }

  @Override
  public final Integer call() {
    try {
      target.check();
      if (spec.commandLine().getParseResult().hasMatchedOption("--claimant")) {
        throw usageError("--claimant does not apply to workers: each has its own");
      }
      return openAndRun();
    } catch (EntroQException.InvalidArgument e) {
      // All of the request comes from the command line.
      throw usageError(e.getMessage());
    } catch (IOException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  private int openAndRun() throws IOException {
    try (Interruption interruption = target.listen("worker", PATIENCE, true)) {
      prepare();
      try (EntroQ queue = target.open()) {
        return run(queue, interruption);
      } finally {
        release();
      }
    }
  }

  private int run(EntroQ queue, Interruption interruption) throws IOException {
    try (Running worker = start(queue)) {
      note("working on " + String.join(", ", queues));
      while (worker.isRunning() && !interruption.isRequested() && !isDone(queue)) {
        interruption.pause(POLL_INTERVAL);
      }
      if (!worker.isRunning()) {
        return worker.status();
      }
      return interruption.isRequested() ? Interruption.STATUS : 0;
    }
  }

  private boolean isDone(EntroQ queue) {
    try {
      return isUntilEmpty && queue.areQueuesEmpty(QueueQuery.named(queues.toArray(String[]::new)));
    } catch (EntroQException e) {
      if (e.isTemporary()) {
        // The worker reports it, too, and goes on.
        return false;
      }
      throw e;
    }
  }

  /**
   * Checks the options and opens what it works with, before the queue is opened.
   *
   * @throws EntroQException.InvalidArgument if an option is wrong
   * @throws IOException if something cannot be opened
   */
  abstract void prepare() throws IOException;

  /**
   * Starts to work.
   *
   * @throws IOException if it cannot
   */
  abstract Running start(EntroQ queue) throws IOException;

  /** Closes what it worked with. */
  void release() throws IOException {}

  final List<String> queues() {
    return queues;
  }

  final Duration lease() {
    return lease.duration().isZero() ? Claim.DEFAULT_LEASE : lease.duration();
  }

  final void note(String line) {
    PlainLine.print(spec.commandLine().getErr(), spec.qualifiedName() + ": " + line);
  }

  final ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
