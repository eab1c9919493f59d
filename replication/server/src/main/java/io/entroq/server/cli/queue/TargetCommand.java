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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that opens one queue, works on it and closes it. Failures are exceptions with a
 * one-line message.
 */
abstract class TargetCommand implements Callable<Integer> {
  static final int STATUS_OK = 0;

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
      // The reader of the output has gone.
      return STATUS_OK;
    } catch (EntroQException.InvalidArgument e) {
      // Everything in the request comes from the command line.
      throw misused(e.getMessage());
    }
  }

  private int openAndRun() {
    try (Interruption begun = new Interruption("command");
        EntroQ queue = open(target)) {
      interruption = begun;
      return run(queue);
    }
  }

  /**
   * Checks the options before anything is opened.
   *
   * @throws ParameterException if they are invalid
   */
  void checkOptions() {}

  /** Opens the target. By default it must exist. */
  EntroQ open(TargetOptions options) {
    return options.open();
  }

  /**
   * Runs the command.
   *
   * @return the exit status
   */
  abstract int run(EntroQ queue);

  /** The claimant; empty: a random one. */
  final String claimant() {
    return target.claimant();
  }

  final Interruption interruption() {
    return interruption;
  }

  /** The standard output, for JSON. */
  final JsonLines json() {
    return new JsonLines(spec.commandLine().getOut());
  }

  /** Prints a line for people to the standard output. */
  final void print(String line) {
    PlainLine.print(spec.commandLine().getOut(), line);
  }

  /** Prints a line for people to the error output. */
  final void note(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }

  /** As {@link #note}, with the name of the command in front. */
  final void noteNamed(String line) {
    note(spec.qualifiedName() + ": " + line);
  }

  final ParameterException misused(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
