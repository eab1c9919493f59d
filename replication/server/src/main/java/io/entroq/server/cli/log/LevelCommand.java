package io.entroq.server.cli.log;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.recovery.LevelReader;
import io.entroq.engine.state.Levels;
import io.entroq.server.cli.queue.options.ConfirmOption;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.PlainLine;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code level} command: see {@link Levels}. */
@Command(
    name = "level",
    header = "Show or raise the behavior level of a data directory, a server or a cluster.",
    description = {
      "",
      "Every build must replay a log to the same state. A build with different behavior therefore"
          + " applies the difference only at a new behavior level, which the log records. A new"
          + " directory starts at the newest level. An existing one keeps its level until you"
          + " raise it.",
      "",
      "Raising is permanent: builds that do not support the new level refuse the directory"
          + " afterwards. Raise it once you will not go back to such a build, and take a backup"
          + " first. Without --yes, the command only says what it would do.",
      "",
      "Raising a directory opens it like an engine: it needs as much memory and time, and no"
          + " engine may be using the directory. Showing the level needs neither.",
      "",
      "With -s, it shows or raises the level of a running server or cluster. It raises a cluster"
          + " only if all members answer and support the new level. Afterwards, a member whose"
          + " build does not support it stops with a message. With an authorizer, the token must"
          + " allow reading all queues and namespaces, or every action to raise the level.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq level data                  show the level",
      "  entroq level data --raise          say what raising it would mean",
      "  entroq level data --raise --yes    raise it to the newest level",
      "  entroq level data --raise=8 --yes  raise it to level 8",
      "  entroq level -s a:37706,b:37706,c:37706 --raise --yes",
      "",
      "Exit status: 0 if the level was shown or raised, or is already the requested one; 1 if it"
          + " cannot be; 2 if the command line is wrong or --yes is missing."
    },
    mixinStandardHelpOptions = true)
public final class LevelCommand extends DirectoryOrServerCommand {
  /** The value of --raise without a number. */
  private static final String NEWEST = "newest";

  @Parameters(arity = "0..1", paramLabel = "DIR", description = "Data directory.")
  private Path directory;

  @Option(
      names = "--raise",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = NEWEST,
      converter = LevelNumber.class,
      description = "Raise the level to N, or to the newest level that this build supports.")
  private Integer requested;

  @Mixin private ConfirmOption confirmation;

  @Override
  public Integer call() {
    boolean isLocal = directory != null;
    checkOptions(isLocal, "target");
    return isLocal ? runOnDirectory() : runOnServer();
  }

  private int runOnServer() {
    ServedLevel served = ServedLevel.fetch(addresses(), server::admin);
    if (requested == null) {
      served.lines().forEach(line -> PlainLine.print(out(), line));
      return 0;
    }
    if (served.level() == requested) {
      PlainLine.printf(out(), "%s is already at behavior level %d.", served.name(), requested);
      return 0;
    }
    served
        .objection(requested)
        .ifPresent(
            why -> {
              throw new CommandException(why);
            });
    if (!confirmation.isConfirmed()) {
      printError(
          ("%s is at behavior level %d. After raising it to %d, builds that do not support level"
                  + " %3$d cannot use its log. This cannot be undone.")
              .formatted(served.name(), served.level(), requested));
      return confirmation.refuse(spec, "raise it");
    }
    int before = served.raise(requested, server::admin);
    PlainLine.printf(
        out(), "%s: behavior level raised from %d to %d.", served.name(), before, requested);
    return 0;
  }

  private int runOnDirectory() {
    LogDirectory log = LogDirectory.read(directory);
    int level = new LevelReader(log, durability.policy()).read();
    if (level == 0) {
      throw LogException.error(
          "The log in %s has no records yet; an engine will start it at behavior level %d"
              .formatted(directory, Levels.MAX));
    }
    return requested == null ? show(level) : raise(level);
  }

  private int show(int level) {
    PlainLine.printf(
        out(), "The log in %s is at behavior level %d; %s.", directory, level, outlook(level));
    return 0;
  }

  private static String outlook(int level) {
    String supported = "this build supports %s".formatted(Levels.range());
    if (!Levels.isSupported(level)) {
      return supported + " and cannot open it";
    }
    return level == Levels.highest() ? supported : supported + "; --raise raises it";
  }

  private int raise(int level) {
    if (level == requested) {
      PlainLine.printf(out(), "The log in %s is already at behavior level %d.", directory, level);
      return 0;
    }
    if (requested < level || !Levels.isSupported(requested) || !Levels.isSupported(level)) {
      throw LogException.error(
          "Cannot set behavior level %d: the log in %s is at %d, and this build supports %s"
              .formatted(requested, directory, level, Levels.range()));
    }
    if (!confirmation.isConfirmed()) {
      printError(
          ("After raising the level from %d to %d, builds that do not support level %2$d cannot"
                  + " open the log in %s. This cannot be undone.")
              .formatted(level, requested, directory));
      return confirmation.refuse(spec, "raise it");
    }
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(durability.level()).build();
    int before;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      before = queue.level();
      queue.raiseLevel(requested);
    }
    // Closing has written the level to disk, at any durability.
    PlainLine.printf(
        out(), "The log in %s: behavior level raised from %d to %d.", directory, before, requested);
    return 0;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void printError(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }

  private static final class LevelNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return value.equals(NEWEST) ? Levels.highest() : Integer.valueOf(value);
    }
  }
}
