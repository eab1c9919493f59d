package io.entroq.server.cli;

import io.entroq.server.localcluster.LocalCluster;
import io.entroq.server.localcluster.LocalClusterConfig;
import io.entroq.server.settings.InvalidSettingException;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.OptionRange;
import io.entroq.tools.terminal.PlainLine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code cluster} command. */
@Command(
    name = "cluster",
    header = "Run all members of a cluster on this machine, to try it out.",
    description = {
      "",
      "Runs each member in its own process, as `entroq node` would on its own machine. Prints"
          + " the addresses and the leader, and restarts members that die. Kill some of them: the"
          + " queue keeps working while more than half are running. Each member logs to"
          + " DIR/member-N.log.",
      "",
      "The first start picks free ports and stores them in DIR/cluster. Later starts with the"
          + " same directory use the same ports and continue with its data.",
      "",
      "The members stop when this process ends, even if it is killed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq cluster --data data",
      "  entroq cluster --data data --members 5 --port 4000 --http-port 5000",
      "",
      "Exit status: 0 if it was stopped and all members ended; 1 if a member cannot run; 2 if the"
          + " command line is wrong; 128 plus the signal number if a signal killed it."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ClusterCommand implements Callable<Integer> {
  private static final Set<Integer> SIZES = Set.of(3, 5, 7);
  private static final int PORT_MAX = 65_535;
  private static final int HEAP_MIN = 64;
  private static final int HEAP_MAX = 1 << 20;

  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "Directory for the data of all members; created if missing.")
  private Path data;

  @Option(
      names = "--members",
      paramLabel = "N",
      description = "Number of members: 3, 5 or 7. Default: as many as DIR has, else 3.")
  private Integer members;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Local address to listen on. Default: 127.0.0.1.")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "gRPC port of the first member; the others use the following ports. Default: free"
              + " ports.")
  private Integer port;

  @Option(
      names = {"--http-port", "--http_port"},
      paramLabel = "PORT",
      description =
          "HTTP port of the first member; the others use the following ports. Default: free"
              + " ports.")
  private Integer httpPort;

  @Option(
      names = "--member-port",
      paramLabel = "PORT",
      description =
          "First UDP port for traffic between members; each uses five. Default: free ports.")
  private Integer memberPort;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description =
          "Heap of each process in MiB; each may use as much again for tasks. Default: 512.")
  private int heap = 512;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "When a member acknowledges a command: os or disk. Default: as for `entroq node`.")
  private String durability;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file with more settings of `entroq node`, for all members.")
  private Path config;

  @Override
  public Integer call() {
    LocalClusterConfig clusterConfig = config();
    try (Interruption interruption = new Interruption("cluster", SHUTDOWN_TIMEOUT.plusSeconds(5));
        LocalCluster cluster = new LocalCluster(clusterConfig, this::print)) {
      cluster.run(interruption);
    }
    print("Stopped.");
    return 0;
  }

  private LocalClusterConfig config() {
    try {
      if (members != null && !SIZES.contains(members)) {
        throw new IllegalArgumentException("--members must be 3, 5 or 7, is " + members);
      }
      OptionRange.require("--heap", heap, HEAP_MIN, HEAP_MAX);
      return new LocalClusterConfig(
          data.toAbsolutePath().normalize(),
          members == null ? OptionalInt.empty() : OptionalInt.of(members),
          host,
          port("--port", port),
          port("--http-port", httpPort),
          port("--member-port", memberPort),
          heap,
          nodeOptions(),
          SHUTDOWN_TIMEOUT,
          driverDirectory());
    } catch (IllegalArgumentException | InvalidSettingException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static OptionalInt port(String option, Integer value) {
    if (value == null) {
      return OptionalInt.empty();
    }
    OptionRange.require(option, value, 1, PORT_MAX);
    return OptionalInt.of(value);
  }

  private List<String> nodeOptions() {
    List<String> options = new ArrayList<>();
    if (config != null) {
      options.addAll(List.of("--config", config.toString()));
    }
    if (durability != null) {
      options.addAll(List.of("--durability", durability));
    }
    return options;
  }

  /** The driver directory that the configuration file or the environment sets for all members. */
  private Optional<Path> driverDirectory() {
    return Settings.of(
            ServerSettings.ofNode(), List.of(), Optional.ofNullable(config), System.getenv())
        .find(MembershipSettings.DRIVER_DIRECTORY);
  }

  private void print(String line) {
    PlainLine.print(spec.commandLine().getOut(), line);
  }
}
