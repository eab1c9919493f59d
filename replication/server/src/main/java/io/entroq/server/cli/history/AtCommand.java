package io.entroq.server.cli.history;

import io.entroq.server.cli.queue.CommandList;
import io.entroq.server.cli.queue.options.HelpOptions;
import io.entroq.server.cli.queue.options.PointText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code at} command. */
@Command(
    name = "at",
    header = "Run a command that lists or counts as of a point in the past.",
    description = {
      "",
      "Runs a command on the state that a directory or a server had at that point: ts, qs, stats,"
          + " position, docs, ns, time, policy ls, policy get and so on. What is counted is counted"
          + " as of then. Nothing is written, and an engine may be running in the directory. A"
          + " server shows what it keeps (--history), two points at a time.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq at --at 2026-11-23T08:00Z --data data stats",
      "  entroq at --at 731 --data data ts -q inbox",
      "  entroq at --at 2026-11-23T08:00Z -s localhost:37706 stats",
      "",
      "Exit status: 0 if the command succeeded; 1 if it failed or the point cannot be read; 2 if"
          + " the command line is wrong; 130 if it was interrupted."
    },
    modelTransformer = AtCommand.OwnOptionsFirst.class)
public final class AtCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin HelpOptions help;

  @Option(
      names = {"--at", "--time"},
      paramLabel = "POINT",
      required = true,
      converter = PointText.Converter.class,
      description =
          "Time, in UTC unless it has an offset: after the last record until then. Or the sequence"
              + " of a record: after it.")
  private PointText point;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory, here or after the command. An engine may be running in it.")
  private String data;

  @Option(
      names = {"-s", "--svcaddr"},
      paramLabel = "HOST:PORT",
      description =
          "Address of the server, here or after the command, where its other options are. Default:"
              + " $SVCADDR, unless --data is given.")
  private String server;

  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "Command, with its options.")
  private List<String> words;

  /** Leaves the options after the name of the command to that command. */
  static final class OwnOptionsFirst implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec at) {
      at.parser().stopAtPositional(true);
      return at;
    }
  }

  @Override
  public Integer call() {
    String name = words.get(0);
    Class<?> type = CommandList.named(name);
    if (type == null) {
      throw new ParameterException(
          spec.commandLine(), name + " is not a command that reads tasks, queues or docs");
    }
    List<String> all = new ArrayList<>(words.subList(1, words.size()));
    if (data != null) {
      all.addAll(List.of("--data", data));
    }
    if (server != null) {
      all.addAll(List.of("--svcaddr", server));
    }
    all.addAll(List.of("--as-of", point.text()));
    return command(name, type).execute(all.toArray(String[]::new));
  }

  /** The command, beside this one, so that its messages have its own name. */
  private CommandLine command(String name, Class<?> type) {
    CommandLine at = spec.commandLine();
    CommandLine entroq = at.getParent();
    if (!entroq.getSubcommands().containsKey(name)) {
      entroq.addSubcommand(name, new CommandLine(type));
    }
    return entroq
        .getSubcommands()
        .get(name)
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(at.getParameterExceptionHandler())
        .setExecutionExceptionHandler(at.getExecutionExceptionHandler())
        .setOut(at.getOut())
        .setErr(at.getErr());
  }
}
