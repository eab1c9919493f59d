package io.entroq.server.cli;

import io.entroq.api.EntroQException;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.recovery.LevelReader;
import io.entroq.engine.state.Levels;
import io.entroq.server.cli.queue.options.ServerOptions;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code level} command: see {@link Levels}. */
@Command(
    name = "level",
    header = "Says the behaviour level of a data directory, a cluster or a server, or raises it.",
    description = {
      "",
      "A log must lead every build to the same state. So a build that behaves differently does so"
          + " only where the log says that it may: at its behaviour level. A new directory gets the"
          + " newest level; one that is older keeps its level, whatever build opens it, until that"
          + " is raised.",
      "",
      "Raising is for good: from then on builds that do not support the new level refuse the"
          + " directory. Do it when you will not go back to such a build, and take a copy first if"
          + " you may. Without --yes it only says so.",
      "",
      "Raising opens the directory, as an engine does: it takes as much memory and time, and no"
          + " engine may be using the directory meanwhile. To say the level takes neither.",
      "",
      "With -s the level of a cluster, or of a server, that runs. Of a cluster one of the members that"
          + " are named asks all, named or not, what they support, and raises the level only if all"
          + " answer and support the new one. From then on a member whose build does not ends with a"
          + " word about it. Where an authorizer decides, the token has to allow that all queues and"
          + " namespaces are read, and to raise the level everything.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq level data                  say the level",
      "  entroq level data --raise          say what raising it would mean",
      "  entroq level data --raise --yes    raise it to the newest level",
      "  entroq level data --raise=7 --yes  raise it to level 7",
      "  entroq level -s a:37706,b:37706,c:37706 --raise --yes",
      "",
      "Exit status: 0 if the level was said, was raised, or is the wanted one already; 1 if it cannot"
          + " be; 2 if the command line is wrong or --yes is missing."
    },
    mixinStandardHelpOptions = true)
final class LevelCommand implements Callable<Integer> {
  /** What --raise means without a number. */
  private static final String NEWEST = "newest";

  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "DIR", description = "The data directory.")
  private Path directory;

  @Option(
      names = "--raise",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = NEWEST,
      converter = LevelNumber.class,
      description = "Raise the level, to N if given, else to the newest that this build has.")
  private Integer wanted;

  @Mixin private DurabilityOption durability;
  @Mixin private ServerOptions server;

  @Option(names = "--yes", description = "Do it.")
  private boolean isConfirmed;

  @Override
  public Integer call() {
    boolean isLocal = directory != null;
    if (isLocal && server.named().isPresent()) {
      throw misused("-s and a data directory: give one of them");
    }
    if (!isLocal && server.address().isEmpty()) {
      throw misused("of what? Give a data directory, or servers with -s");
    }
    durability.objection(isLocal).ifPresent(this::refuse);
    server.objection(!isLocal).ifPresent(this::refuse);
    return isLocal ? ofDirectory() : ofServed();
  }

  private int ofServed() {
    ServedLevel served = ServedLevel.ask(addresses(), server::admin);
    if (wanted == null) {
      served.lines().forEach(line -> print("%s", line));
      return 0;
    }
    if (served.level() == wanted) {
      print("%s is at behaviour level %d already.", served.name(), wanted);
      return 0;
    }
    served
        .objection(wanted)
        .ifPresent(
            why -> {
              throw new CommandException(why);
            });
    if (!isConfirmed) {
      complain(
          ("%s is at behaviour level %d. Raised to %d, its log can no longer be used by builds that"
                  + " do not support level %3$d. There is no way back.")
              .formatted(served.name(), served.level(), wanted));
      return unconfirmed();
    }
    int before = served.raise(wanted, server::admin);
    print("%s went from behaviour level %d to %d.", served.name(), before, wanted);
    return 0;
  }

  private List<String> addresses() {
    try {
      return server.each();
    } catch (EntroQException.InvalidArgument e) {
      throw misused(e.getMessage());
    }
  }

  private int ofDirectory() {
    LogDirectory log = LogDirectory.read(directory);
    int level = new LevelReader(log, durability.policy()).read();
    if (level == 0) {
      throw LogException.error(
          "The log in %s has no records yet; an engine will begin it at behaviour level %d"
              .formatted(directory, Levels.MAX));
    }
    return wanted == null ? say(level) : raise(level);
  }

  private int say(int level) {
    print("The log in %s is at behaviour level %d; %s.", directory, level, outlook(level));
    return 0;
  }

  private static String outlook(int level) {
    String supported = "this build supports %s".formatted(Levels.range());
    if (!Levels.isSupported(level)) {
      return supported + ", and cannot open it";
    }
    return level == Levels.highest() ? supported : supported + ", and can raise it with --raise";
  }

  private int raise(int level) {
    if (level == wanted) {
      print("The log in %s is at behaviour level %d already.", directory, level);
      return 0;
    }
    if (wanted < level || !Levels.isSupported(wanted) || !Levels.isSupported(level)) {
      throw LogException.error(
          "Behaviour level %d cannot be had: the log in %s is at %d, and this build supports %s"
              .formatted(wanted, directory, level, Levels.range()));
    }
    if (!isConfirmed) {
      complain(
          ("Raised from %d to %d, the log in %s can no longer be opened by builds that do not"
                  + " support level %2$d. There is no way back.")
              .formatted(level, wanted, directory));
      return unconfirmed();
    }
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(durability.level()).build();
    int before;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      before = queue.level();
      queue.raiseLevel(wanted);
    }
    // Closed, it is on the disk at every durability.
    print("The log in %s went from behaviour level %d to %d.", directory, before, wanted);
    return 0;
  }

  private int unconfirmed() {
    complain("Nothing was changed. Give --yes to raise it.");
    return spec.exitCodeOnInvalidInput();
  }

  private void refuse(String why) {
    throw misused(why);
  }

  private ParameterException misused(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private void print(String format, Object... args) {
    spec.commandLine().getOut().printf(format + "%n", args);
    spec.commandLine().getOut().flush();
  }

  private void complain(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }

  private static final class LevelNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return value.equals(NEWEST) ? Levels.highest() : Integer.valueOf(value);
    }
  }
}
