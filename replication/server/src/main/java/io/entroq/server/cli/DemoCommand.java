package io.entroq.server.cli;

import io.entroq.api.Durability;
import io.entroq.server.demo.Demo;
import io.entroq.server.demo.DemoConfig;
import io.entroq.server.demo.DemoException;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code demo} command: see {@link io.entroq.server.demo}. */
@Command(
    name = "demo",
    header = "Run a MapReduce word count whose workers crash and hang.",
    description = {
      "",
      "Counts the words in the text files below a directory with map, shuffle and reduce tasks in"
          + " a queue whose log is on disk. Some workers die or hang before they commit, and some"
          + " poison tasks always fail. At the end, the result is compared with a direct count.",
      "",
      "A word is a run of Unicode letters, digits and combining marks, in lower case, cut after"
          + " 64 characters. Binary files, hidden files and directories, and directories named"
          + " target are skipped.",
      "",
      "You can stop it at any time, even with kill -9, and run it again with the same --data. It"
          + " continues where it stopped, with the files that it listed first. A finished run"
          + " only prints its result again and ignores options that shape the run.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq demo                                 count below the current directory",
      "  entroq demo ~/src --data /tmp/count         keep the log, to continue later",
      "  entroq demo --crash-percent 20 --seed 7     more failures, the same each time",
      "  entroq demo --durability disk --json > result.json",
      "",
      "Exit status: 0 if the result equals the direct count and no task was lost or committed"
          + " twice; 1 if not, or if there is no result; 2 if the command line is wrong."
    },
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private static final Set<String> SHAPING =
      Set.of(
          "--durability",
          "--workers",
          "--crash-percent",
          "--hang-percent",
          "--poison",
          "--seed",
          "--lease-ms",
          "--chunk-bytes");

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "Directory whose files are counted. Default: the current directory.")
  private Path root;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory. Default: a temporary directory, which is removed after success. After"
              + " a failure it is kept and its name is printed.")
  private Path data;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "What a reply guarantees: none, os (survives a crash of the process), disk (survives a"
              + " power failure). Default: os.")
  private Durability durability = Durability.OS;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Number of workers. Default: twice the number of cores.")
  private int workers =
      Math.min(DemoConfig.WORKERS_MAX, 2 * Runtime.getRuntime().availableProcessors());

  @Option(names = "--keep", description = "Keep the temporary directory even after success.")
  private boolean keep;

  @Option(
      names = "--crash-percent",
      paramLabel = "P",
      description = "Percentage of claims after which the worker dies. Default: 2.")
  private double crashPercent = 2;

  @Option(
      names = "--hang-percent",
      paramLabel = "P",
      description =
          "Percentage of claims after which the worker hangs until its lease has expired and then"
              + " tries to commit. Default: 2.")
  private double hangPercent = 2;

  @Option(
      names = "--poison",
      paramLabel = "N",
      description =
          "Number of poison tasks, which always fail until they are quarantined. Default: 3.")
  private int poison = 3;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the crashes and hangs. Default: a random one, which is printed.")
  private Long seed;

  @Option(
      names = "--lease-ms",
      paramLabel = "MS",
      description = "Duration of a lease that is not renewed, in milliseconds. Default: 1000.")
  private long leaseMs = 1_000;

  @Option(
      names = "--chunk-bytes",
      paramLabel = "N",
      description = "Bytes of a file that one map task counts. Default: 262144.")
  private int chunkBytes = DemoConfig.CHUNK_BYTES_MAX;

  @Option(names = "--no-progress", description = "Show no progress.")
  private boolean noProgress;

  @Option(
      names = "--no-console",
      description = "Do not serve the console. It shows the queue in a browser, on a free port.")
  private boolean noConsole;

  @Option(
      names = "--json",
      description =
          "Print only the summary, as a JSON object, to the standard output; other output goes to"
              + " standard error.")
  private boolean json;

  @Override
  public Integer call() {
    DemoConfig config = config();
    try (Interruption interruption = Interruption.ofEngine("demo")) {
      Demo demo =
          new Demo(
              config,
              spec.commandLine().getOut(),
              spec.commandLine().getErr(),
              interruption::isRequested);
      return demo.run() ? 0 : 1;
    } catch (DemoException e) {
      PlainLine.print(spec.commandLine().getErr(), "entroq demo: " + e.getMessage());
      return e.isWrongUsage() ? spec.exitCodeOnInvalidInput() : 1;
    }
  }

  /** The options on the command line that shape the run. */
  private List<String> shapingOptions() {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .map(OptionSpec::longestName)
        .filter(SHAPING::contains)
        .toList();
  }

  private DemoConfig config() {
    try {
      return new DemoConfig(
          Optional.ofNullable(root),
          Optional.ofNullable(data),
          durability,
          workers,
          keep,
          crashPercent,
          hangPercent,
          poison,
          seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
          Duration.ofMillis(leaseMs),
          chunkBytes,
          !noProgress,
          !noConsole,
          json,
          shapingOptions());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
