package io.entroq.server.cli;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.recovery.LevelReader;
import io.entroq.engine.state.Levels;
import io.entroq.server.terminal.PlainLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code level} command: see {@link Levels}. */
@Command(
    name = "level",
    header = "Says the behaviour level of a data directory, or raises it.",
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
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq level data                  say the level",
      "  entroq level data --raise          say what raising it would mean",
      "  entroq level data --raise --yes    raise it to the newest level",
      "  entroq level data --raise=2 --yes  raise it to level 2",
      "",
      "Exit status: 0 if the level was said, was raised, or is the wanted one already; 1 if it cannot"
          + " be; 2 if the command line is wrong or --yes is missing."
    },
    mixinStandardHelpOptions = true)
final class LevelCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The data directory.")
  private Path directory;

  @Option(
      names = "--raise",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "" + Levels.MAX,
      description = "Raise the level, to N if given.")
  private Integer wanted;

  @Mixin private DurabilityOption durability;

  @Option(names = "--yes", description = "Do it.")
  private boolean isConfirmed;

  @Override
  public Integer call() {
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
    String supported = "this build supports %d to %d".formatted(Levels.MIN, Levels.MAX);
    if (level == Levels.MAX) {
      return supported;
    }
    return level < Levels.MIN || level > Levels.MAX
        ? supported + ", and cannot open it"
        : supported + ", and can raise it with --raise";
  }

  private int raise(int level) {
    if (level == wanted) {
      print("The log in %s is at behaviour level %d already.", directory, level);
      return 0;
    }
    if (wanted < level || wanted > Levels.MAX || level < Levels.MIN) {
      throw LogException.error(
          "Behaviour level %d cannot be had: the log in %s is at %d, and this build supports %d to %d"
              .formatted(wanted, directory, level, Levels.MIN, Levels.MAX));
    }
    if (!isConfirmed) {
      complain(
          ("Raised from %d to %d, the log in %s can no longer be opened by builds that do not"
                  + " support level %2$d. There is no way back.")
              .formatted(level, wanted, directory));
      complain("Nothing was changed. Give --yes to raise it.");
      return spec.exitCodeOnInvalidInput();
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

  private void print(String format, Object... args) {
    spec.commandLine().getOut().printf(format + "%n", args);
    spec.commandLine().getOut().flush();
  }

  private void complain(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }
}
