package io.entroq.simulator.cli;

import io.entroq.api.Durability;
import io.entroq.simulator.fault.FaultChoice;
import io.entroq.simulator.world.QuietEngines;
import io.entroq.simulator.world.Simulation;
import io.entroq.simulator.world.WorldConfig;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command: see {@link io.entroq.simulator.cli}. */
@Command(
    name = "sim",
    header = "Search for bugs in a simulated world with injected faults.",
    description = {
      "",
      "Runs the real engine, with its log, recovery and snapshots, on a simulated disk and clock."
          + " Simulated clients send requests over a simulated network. The world injects"
          + " crashes, delays, losses, duplicates and corruption, and checks every guarantee of"
          + " the queue after each step. Hours pass in seconds. Nothing on this machine is"
          + " touched.",
      "",
      "The same seed and options produce the same run, to the last step, on any machine and JDK."
          + " After a violation, it spends up to five minutes searching for the smallest"
          + " world that still violates the guarantee.",
      "",
      "The last line of standard output is a JSON object: seed, hours, requests, commits,"
          + " faults by type, violations, and the trace, a hash of everything that happened;"
          + " after a violation also what was violated, where, the smallest world, and the"
          + " command that runs it.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = SimCommand.Version.class)
public final class SimCommand implements Callable<Integer> {
  /** Large enough that no two people draw the same seed, small enough to read it aloud. */
  private static final long RANDOM_SEED_BOUND = 1L << 40;

  private static final List<String> FOOTER =
      List.of(
          "",
          "Examples:",
          "  sim                                          ten hours, all faults",
          "  sim --seed 4711 --hours 100                  the same run each time",
          "  sim --faults power-lost,lying-disk --durability disk",
          "  sim --faults=-clock-back,-clock-forward      all but these",
          "  sim --members 3                              three sharing a log",
          "  sim --json --no-progress | jq .trace",
          "",
          "Exit status: 0 if no invariant was violated; 1 if one was; 2 if the command line is"
              + " wrong; 130 after Ctrl-C, with the result so far.",
          "");

  private final WorldRunner worlds;
  private CommandSpec spec;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all random choices. Default: a random one, which is printed.")
  private Long seed;

  @Option(names = "--hours", paramLabel = "H", description = "Simulated hours. Default: 10.")
  private double hours = 10;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Number of clients and workers. Default: 200.")
  private int clients = 200;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Total requests per simulated second of all clients. Default: 100.")
  private int rate = 100;

  @Option(
      names = "--faults",
      paramLabel = "KINDS",
      description =
          "Faults to inject: all, none, or names from the table below, separated by commas; a"
              + " dash before a name excludes it. Default: all.")
  private String faults = "all";

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description = "What a reply guarantees: os or disk. Default: chosen by the seed.")
  private Durability durability;

  @Option(
      names = "--members",
      paramLabel = "N",
      description =
          "Number of engines that share one ordered log, as in a cluster; at most 7. Default: 1,"
              + " with its own log.")
  private int members = 1;

  @Option(
      names = "--no-shrink",
      description = "After a violation, do not search for a smaller world.")
  private boolean noShrink;

  @Option(names = "--no-progress", description = "Show no progress.")
  private boolean noProgress;

  @Option(
      names = "--json",
      description =
          "Print only the JSON object to standard output, and everything else to standard error.")
  private boolean json;

  SimCommand() {
    this(Simulation::run);
  }

  SimCommand(WorldRunner worlds) {
    this.worlds = worlds;
  }

  /** Runs a world as the arguments say, and exits with its status. */
  public static void main(String[] args) {
    // Messages are in English, and other programs parse the numbers.
    Locale.setDefault(Locale.ROOT);
    // Libraries report only what is wrong.
    Logger.getLogger("").setLevel(Level.WARNING);
    int status = commandLine(new SimCommand()).execute(args);
    if (!Interruption.isProcessEnding()) {
      System.exit(status);
    }
  }

  static CommandLine commandLine(SimCommand command) {
    return new CommandLine(command)
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(SimCommand::reportUsageError);
  }

  /** Prints one line: the whole usage would hide the mistake. */
  private static int reportUsageError(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PlainLine.print(command.getErr(), "sim: %s (see sim --help)".formatted(e.getMessage()));
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Adds tables of the faults and invariants to the footer. */
  @Spec
  void setSpec(CommandSpec spec) {
    this.spec = spec;
    List<String> footer = new ArrayList<>(FOOTER);
    // Footers are format strings.
    SimTables.lines().forEach(line -> footer.add(line.replace("%", "%%")));
    spec.usageMessage().footer(footer.toArray(String[]::new));
  }

  @Override
  public Integer call() {
    WorldConfig config = config();
    return QuietEngines.during(() -> run(config));
  }

  private int run(WorldConfig config) {
    try (Interruption interruption = Interruption.ofEngine("simulation")) {
      print(SimText.settings(config));
      SimRun run =
          new SimRun(
              config, worlds, SimViews.choose(!noProgress, err()), interruption::isRequested);
      SimResult result = run.run();
      print(SimText.of(result));
      if (result.isWrong() && !noShrink) {
        result = run.shrink(result);
        print(SimText.smallest(result));
      }
      SimJson.print(out(), result);
      return status(result);
    }
  }

  /** Prints lines for people, with control characters replaced. */
  private void print(String lines) {
    PrintWriter to = json ? err() : out();
    lines.lines().forEach(line -> PlainLine.print(to, line));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private static int status(SimResult result) {
    if (result.isWrong()) {
      return 1;
    }
    return result.isInterrupted() ? Interruption.STATUS : 0;
  }

  private WorldConfig config() {
    try {
      WorldConfig config =
          WorldConfig.of(seed == null ? new SplittableRandom().nextLong(RANDOM_SEED_BOUND) : seed)
              .withHours(hours)
              .withClients(clients)
              .withRequestsPerSecond(rate)
              .withMembers(members)
              .withFaults(FaultChoice.parse(faults));
      return durability == null ? config : config.withDurability(durability);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** The version in the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = SimCommand.class.getPackage().getImplementationVersion();
      return new String[] {"entroq simulator " + (version == null ? "development" : version)};
    }
  }
}
