package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.server.cli.queue.options.TargetOptions;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.ScanEndedException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command on one queue. Failures are exceptions with a one-line message. */
abstract class TargetCommand implements Callable<Integer> {
  static final int STATUS_OK = 0;

  /** There was no task. */
  static final int STATUS_NONE = 3;

  @Spec private CommandSpec spec;
  @Mixin HelpOptions help;
  @Mixin private TargetOptions target;

  private Interruption interruption;

  @Override
  public final Integer call() {
    try {
      target.check();
      checkOptions();
      return openAndRun();
    } catch (ScanEndedException e) {
      // The reader closed the output.
      return STATUS_OK;
    } catch (CancellationException e) {
      noteNamed("interrupted");
      return Interruption.STATUS;
    } catch (EntroQException.InvalidArgument e) {
      // All of the request comes from the command line.
      throw usageError(e.getMessage());
    }
  }

  private int openAndRun() {
    try (Interruption handler = target.listen("command", Interruption.PATIENCE, !isReading());
        EntroQ queue = open(target)) {
      interruption = handler;
      return run(queue);
    }
  }

  /**
   * Checks the options before anything is opened.
   *
   * @throws ParameterException if they are invalid
   */
  void checkOptions() {}

  /** Whether the command changes nothing. It then works on a full or read-only disk too. */
  boolean isReading() {
    return false;
  }

  /** Opens the queue. By default it must exist. */
  EntroQ open(TargetOptions options) {
    return isReading() ? options.openToRead() : options.open();
  }

  /**
   * Runs the command.
   *
   * @return the exit status
   */
  abstract int run(EntroQ queue);

  /** The claimant; empty for a random one. */
  final String claimant() {
    return target.claimant();
  }

  final Interruption interruption() {
    return interruption;
  }

  final JsonLines json() {
    return new JsonLines(spec.commandLine().getOut());
  }

  /** Prints a human-readable line to standard output. */
  final void print(String line) {
    PlainLine.print(spec.commandLine().getOut(), line);
  }

  /** Prints a human-readable line to standard error. */
  final void note(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }

  /** As {@link #note}, prefixed with the name of the command. */
  final void noteNamed(String line) {
    note(spec.qualifiedName() + ": " + line);
  }

  final ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
