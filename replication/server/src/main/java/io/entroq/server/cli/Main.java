package io.entroq.server.cli;

import io.entroq.api.EntroQException;
import io.entroq.engine.log.LogException;
import io.entroq.load.LoadException;
import io.entroq.server.cli.queue.action.LastingEffect;
import io.entroq.server.logging.Logging;
import io.entroq.server.settings.FlagNames;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code entroq} command. */
@Command(
    name = "entroq",
    description = "A durable, replicated task queue.",
    footer = {
      "",
      "Examples:",
      "  entroq demo                      see it work",
      "  entroq serve --data data         run a server",
      "  entroq ins --data data -q inbox -v '{\"x\":1}'",
      "  entroq stats --data data",
      "",
      "Exit status: 0 if it succeeded; 1 if it failed, with one line on standard error that says"
          + " why; 2 if the command line is wrong; 128 plus the signal number if a signal ended it. Some"
          + " commands tell other outcomes apart by 3 and more; their help says which."
    },
    mixinStandardHelpOptions = true)
public final class Main implements Runnable {
  /** The exit status of a process killed by SIGPIPE. */
  private static final int STATUS_BROKEN_PIPE = 128 + 13;

  private static final String LEAK_SAMPLING =
      "io.grpc.netty.shaded.io.netty.leakDetection.samplingInterval";

  @Spec private CommandSpec spec;

  /** Runs the command named by the arguments and exits with its status. */
  public static void main(String[] args) {
    // Messages are in English, and other programs parse the numbers.
    Locale.setDefault(Locale.ROOT);
    Logging.prepare();
    sampleFewBuffers();
    CommandLine command = commandLine(args);
    Output output = new Output();
    // Unlike picocli's writer, this one reports write errors.
    command.setOut(new PrintWriter(output, true, outputCharset()));
    int status = execute(command, args);
    if (status == 0 && command.getOut().checkError()) {
      status = output.isReaderGone() ? STATUS_BROKEN_PIPE : reportOutputError(command);
    }
    if (!Interruption.isProcessEnding()) {
      System.exit(status);
    }
  }

  /** Netty records where one buffer of 128 was allocated, which takes 4 % of the time of a call. */
  private static void sampleFewBuffers() {
    if (System.getProperty(LEAK_SAMPLING) == null) {
      System.setProperty(LEAK_SAMPLING, "8192");
    }
  }

  private static int execute(CommandLine command, String... args) {
    String[] decoded;
    try {
      decoded = Arguments.decode(args);
    } catch (CommandException e) {
      PlainLine.print(command.getErr(), "entroq: " + e.getMessage());
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    return command.execute(Arguments.withCommand(decoded));
  }

  /** Reports an output error, and what the command has already done. */
  private static int reportOutputError(CommandLine command) {
    List<CommandLine> executed = command.getParseResult().asCommandLineList();
    CommandLine last = executed.get(executed.size() - 1);
    String done =
        last.getCommand() instanceof LastingEffect lasting
            ? lasting.done().map(effect -> effect + ", but ").orElse("")
            : "";
    PlainLine.print(
        command.getErr(),
        "%s: %sthe output could not be written".formatted(qualifiedName(last), done));
    return 1;
  }

  private static String qualifiedName(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static Charset outputCharset() {
    // JDK 17 does not set it.
    String name = System.getProperty("stdout.encoding");
    return name == null ? Charset.defaultCharset() : Charset.forName(name);
  }

  /** The command, with the subcommands that these arguments need. */
  static CommandLine commandLine(String... args) {
    CommandLine command = new CommandLine(new Main());
    boolean isInFull = Arguments.needFullHelp(args);
    for (Class<?> needed : Commands.neededBy(Arguments.withCommand(args))) {
      CommandSpec subcommand = CommandSpec.forAnnotatedObject(needed);
      if (isInFull && subcommand.modelTransformer() instanceof SettingsOptions settings) {
        subcommand.modelTransformer(settings.inFull());
      }
      // Built separately: picocli applies model transformers only to the top command.
      command.addSubcommand(new CommandLine(subcommand));
    }
    setVersion(command);
    // Queue names may start with @.
    return command
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::reportUsageError)
        .setExecutionExceptionHandler(Main::reportFailure);
  }

  static boolean isVersionFlag(String arg) {
    return arg.equals("--version") || arg.equals("-V");
  }

  private static void setVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new Version());
    command.getSubcommands().values().forEach(Main::setVersion);
  }

  /** Expected failures print one line; anything else is a bug and prints a stack trace. */
  private static int reportFailure(Exception e, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(e instanceof CommandException
        || e instanceof LoadException
        || e instanceof EntroQException
        || e instanceof LogException
        || e instanceof UncheckedIOException)) {
      throw e;
    }
    PlainLine.print(
        command.getErr(),
        qualifiedName(command) + ": " + FlagNames.in(String.valueOf(e.getMessage())));
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /** Prints one line: the whole usage would hide the mistake. */
  private static int reportUsageError(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = qualifiedName(command);
    String what = FlagNames.in(UsageErrors.message(e));
    PlainLine.print(command.getErr(), "%s: %s (see %s --help)".formatted(name, what, name));
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** The version in the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"entroq " + (version == null ? "development" : version)};
    }
  }
}
