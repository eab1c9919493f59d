package io.entroq.server.cli;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.LoadRun;
import io.entroq.load.Machine;
import io.entroq.server.bench.BenchJson;
import io.entroq.server.bench.BenchText;
import io.entroq.server.bench.Connections;
import io.entroq.server.bench.LocalQueue;
import io.entroq.server.bench.ProgressViews;
import io.entroq.server.bench.TargetDescription;
import io.entroq.server.cli.queue.options.ServerOptions;
import io.entroq.tools.terminal.Interruption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench} command: see {@link io.entroq.server.bench}. */
@Command(
    name = "bench",
    header = "Run a load test against an engine or a server, and account for every task.",
    description = {
      "",
      "Each caller inserts, claims and deletes batches of tasks in a cycle and waits for every"
          + " reply. The result is the number of cycles per second and the latency of the calls."
          + " At the end, every inserted task must have been deleted exactly once or still be in"
          + " the queue.",
      "",
      "With --rate, cycles start at a fixed rate, however long replies take, and latency counts"
          + " from the scheduled start. Every cycle that a stall delays shows that delay.",
      "",
      "The last line of standard output is a JSON object. Queue names are unique to the run,"
          + " so a directory may hold other tasks. What remains of a backlog stays in that"
          + " directory.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq bench                                        in memory, one caller",
      "  entroq bench --data /var/tmp/b --sync disk --callers 32",
      "  entroq bench --sync os --callers 8 --batch 100      in a temporary directory",
      "  entroq bench --backlog 1000000 --rate 20000         latency at a given rate",
      "  entroq bench -s localhost:37706 --callers 64 --connections 2",
      "  entroq bench --json --no-progress | jq .latencyMicros.claim",
      "",
      "Exit status: 0 if every task is accounted for; 1 if tasks were lost or duplicated, if a"
          + " call failed, or if there is no result; 2 if the command line is wrong; 130 after"
          + " Ctrl-C; the result so far says whether all remaining tasks were checked."
    },
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory; created if missing. Default: in memory; with --sync os or disk, a"
              + " temporary directory that is removed afterwards.")
  private Path data;

  @Option(
      names = "--sync",
      paramLabel = "LEVEL",
      description =
          "What a reply guarantees: none, os (survives a crash of the process), disk (survives a"
              + " power failure). Default: os with --data, else none.")
  private Durability sync;

  @Option(names = "--seconds", paramLabel = "S", description = "Seconds to measure. Default: 10.")
  private double seconds = 10;

  @Option(
      names = "--warmup-seconds",
      paramLabel = "S",
      description =
          "Seconds of load before the measurement; these cycles are checked but not measured."
              + " Default: 2.")
  private double warmUpSeconds = 2;

  @Option(
      names = "--callers",
      paramLabel = "N",
      description = "Number of callers, one thread each; at most 4000. Default: 1.")
  private int callers = 1;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Tasks per insert, claim and delete. Default: 1.")
  private int batch = 1;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "Bytes in the value of a task; at least 16. Default: 128.")
  private int valueBytes = 128;

  @Option(
      names = "--backlog",
      paramLabel = "N",
      description = "Number of other tasks in the queues during the run. Default: 0.")
  private long backlog;

  @Option(names = "--queues", paramLabel = "N", description = "Number of queues. Default: 1.")
  private int queues = 1;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Total tasks per second of all callers. Default: as fast as possible.")
  private Double rate;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "With -s: number of connections. Default: 1.")
  private int connections = 1;

  @Mixin private ServerOptions server;

  @Mixin private ReportOptions report;

  @Override
  public Integer call() {
    LoadConfig config = config();
    checkTarget();
    return server.named().isPresent() ? onServer(config, server.named().get()) : inProcess(config);
  }

  private void checkTarget() {
    boolean isServer = server.named().isPresent();
    if (isServer && (data != null || sync != null)) {
      throw usageError(
          "--data and --sync apply to an engine in this process and cannot be combined with -s");
    }
    if (connections < 1 || connections > LoadConfig.CALLERS_MAX) {
      throw usageError(
          "--connections must be from 1 to %,d, is %,d"
              .formatted(LoadConfig.CALLERS_MAX, connections));
    }
    if (!isServer && connections > 1) {
      throw usageError("--connections requires a server: give -s");
    }
    server.check(spec.commandLine(), isServer);
  }

  private ParameterException usageError(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private int inProcess(LoadConfig config) {
    try (Interruption interruption = Interruption.ofEngine("load generator");
        LocalQueue local = LocalQueue.open(Optional.ofNullable(data), Optional.ofNullable(sync))) {
      return run(config, List.of(local.queue()), local.target(), interruption);
    }
  }

  private int onServer(LoadConfig config, String address) {
    try (Interruption interruption = new Interruption("load generator");
        Connections opened =
            Connections.open(address, connections, () -> server.connect(address))) {
      return run(config, opened.queues(), opened.target(), interruption);
    }
  }

  private int run(
      LoadConfig config, List<EntroQ> queues, TargetDescription target, Interruption interruption) {
    Machine machine = Machine.here();
    report.print(BenchText.settings(config, target));
    if (target.isDiskless()) {
      report.print("Note: the directory is in memory, so these figures do not include a disk.");
    }
    LoadResult result =
        new LoadRun(
                config,
                queues,
                ProgressViews.choose(report.showsProgress(), config, report.err()),
                interruption::isRequested)
            .run();
    report.print(BenchText.of(result, machine));
    BenchJson.print(report.out(), result, target, machine);
    return status(result);
  }

  static int status(LoadResult result) {
    if (result.isWrong()) {
      return 1;
    }
    return result.isInterrupted() ? Interruption.STATUS : 0;
  }

  private LoadConfig config() {
    try {
      return new LoadConfig(
          duration("--warmup-seconds", warmUpSeconds),
          duration("--seconds", seconds),
          callers,
          batch,
          valueBytes,
          backlog,
          queues,
          rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static Duration duration(String option, double seconds) {
    if (Double.isNaN(seconds)) {
      throw new IllegalArgumentException(option + " must be a number");
    }
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
