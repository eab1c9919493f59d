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
 * A command on the tasks and queues of one target, which it opens and closes again. What goes wrong
 * is thrown as an exception that says so in one line.
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
      // Nobody reads on.
      return STATUS_OK;
    } catch (EntroQException.InvalidArgument e) {
      // All that is asked for comes from the command line.
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
   * Looks at the options before anything is opened.
   *
   * @throws ParameterException if they make no sense
   */
  void checkOptions() {}

  /** Opens the target, which has to exist unless a command says otherwise. */
  EntroQ open(TargetOptions options) {
    return options.open();
  }

  /**
   * Does it.
   *
   * @return the exit status
   */
  abstract int run(EntroQ queue);

  /** In whose name to ask; empty: a name of the target's. */
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
