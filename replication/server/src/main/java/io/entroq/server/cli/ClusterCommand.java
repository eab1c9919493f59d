package io.entroq.server.cli;

import io.entroq.server.local.LocalCluster;
import io.entroq.server.local.LocalClusterConfig;
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
    header = "Runs all members of a cluster on this machine, for trying out.",
    description = {
      "",
      "Starts a process for each member, as `entroq node` does on a machine of its own, says where"
          + " each is reached and who leads, and starts one again that has died. Kill some: the"
          + " queue goes on while more than half of them are left. What one says of itself is in"
          + " DIR/member-N.log.",
      "",
      "Ports are chosen at the first start, written down in DIR/cluster, and the same from then on."
          + " A start with the same directory goes on with what is there.",
      "",
      "They end with this process, however it ends.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq cluster --data data",
      "  entroq cluster --data data --members 5 --port 4000 --http-port 5000",
      "",
      "Exit status: 0 if it was asked to end and did; 1 if a member cannot run; 2 if the command"
          + " line is wrong; 128 and the number of the signal if a signal ended it."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ClusterCommand implements Callable<Integer> {
  private static final Set<Integer> SIZES = Set.of(3, 5, 7);
  private static final int PORT_MAX = 65_535;
  private static final int HEAP_MIN = 64;
  private static final int HEAP_MAX = 1 << 20;

  /** For members to end, and for this one to end them. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "Where each member has a directory; it is made if need be.")
  private Path data;

  @Option(
      names = "--members",
      paramLabel = "N",
      description = "How many: 3, 5 or 7. Default: as many as there are in DIR, else 3.")
  private Integer members;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "The address of this machine to listen on. Default: 127.0.0.1.")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where gRPC of the first listens; of the others, the next ones. Default: any.")
  private Integer port;

  @Option(
      names = {"--http-port", "--http_port"},
      paramLabel = "PORT",
      description = "The same for HTTP. Default: any.")
  private Integer httpPort;

  @Option(
      names = "--member-port",
      paramLabel = "PORT",
      description =
          "The first port at which members reach each other; each has five. Default: any.")
  private Integer memberPort;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      description =
          "How much memory each process has for itself, in MiB; it may take as much again for"
              + " tasks. Default: 512.")
  private int heap = 512;

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description =
          "What a member does before it says that it has a command: os, disk. Default:"
              + " as of `entroq node`.")
  private String durability;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A configuration file, YAML, for all of them: what else `entroq node` takes.")
  private Path config;

  @Override
  public Integer call() {
    LocalClusterConfig local = config();
    try (Interruption interruption = new Interruption("cluster", PATIENCE.plusSeconds(5));
        LocalCluster cluster = new LocalCluster(local, this::print)) {
      cluster.run(interruption);
    }
    print("Ended.");
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
          PATIENCE,
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

  /** As all members are told, by the file or by the environment. */
  private Optional<Path> driverDirectory() {
    return Settings.of(
            ServerSettings.ofNode(), List.of(), Optional.ofNullable(config), System.getenv())
        .find(MembershipSettings.DRIVER_DIRECTORY);
  }

  private void print(String line) {
    PlainLine.print(spec.commandLine().getOut(), line);
  }
}
