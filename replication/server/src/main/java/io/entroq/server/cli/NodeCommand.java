package io.entroq.server.cli;

import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.Interruption;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code node} command. */
@Command(
    name = "node",
    header = "Run a cluster member and serve its queue over gRPC and HTTP.",
    synopsisHeading = "Usage: ",
    customSynopsis = "entroq node [OPTION]...",
    description = {
      "",
      "A cluster has 3, 5 or 7 members, each on a machine of its own, and works while more than"
          + " half of them can reach each other. Every member accepts every request. Give all"
          + " members the same --members in the same order, and each its own --id.",
      "",
      "Members exchange unencrypted UDP on five ports, from the one in --members on: protect"
          + " those with a firewall. For callers the same applies as to `entroq serve`: without"
          + " --tls-cert there is no encryption, and without --authz everybody who can connect"
          + " may do everything.",
      "",
      "A member is ready (/healthz/ready and the gRPC health service) while it has a leader and"
          + " has applied nearly everything that the cluster has committed. Until then writes"
          + " wait and reads are refused.",
      "",
      "Every option NAME can also be set by the environment variable ENTROQ_NAME, with _ for -,"
          + " or by a line `NAME: VALUE` of the configuration file. Options take precedence over"
          + " variables, and variables over the file. Options may be written with _ for -.",
      "",
      "On SIGTERM or Ctrl-C it accepts no more connections, tells callers with waiting claims to"
          + " retry, finishes running requests, and leaves the cluster.",
      ""
    },
    footer = {
      "",
      "BYTES are a number, optionally with KiB, MiB, GiB or TiB. TIME is a number of seconds, or"
          + " 250ms, 1m30s, 12h.",
      "",
      "Examples:",
      "  entroq node --id 0 --members a:9200,b:9200,c:9200 --data data --bootstrap",
      "  entroq node --config entroq.yml",
      "",
      "Exit status: 0 if it was stopped by a signal and ended in order; 1 if it cannot start or"
          + " cannot continue; 2 if the command line, the environment or the configuration file"
          + " is wrong; 128 plus the signal number if a signal killed it."
    },
    sortOptions = false,
    modelTransformer = SettingsOptions.OfNode.class,
    mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
  /** How often the member's status is checked. */
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config;

  @Option(
      names = "--end-with-input",
      hidden = true,
      description = "Stop when the standard input ends, as it does when the parent process ends.")
  private boolean endWithInput;

  @Override
  public Integer call() {
    Settings settings = new SettingsOptions.OfNode().read(spec.commandLine(), config.file());
    ServerRun run = new ServerRun(spec, settings);
    if (config.isPrinted()) {
      return run.printSettings();
    }
    Consumer<EntroqServer> look = new StatusPrinter(run, settings.get(MembershipSettings.ID));
    try (Interruption interruption = run.begin()) {
      if (endWithInput) {
        endWithInput(interruption);
      }
      return run.serve(interruption, EntroqServer::startNode, LOOK_INTERVAL, look);
    }
  }

  /** Requests the end when the standard input ends, as it does with the parent process. */
  private static void endWithInput(Interruption interruption) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Input has no meaning here.
                }
              } catch (IOException e) {
                // The input has ended too.
              }
              interruption.request();
            },
            "entroq-input");
    reader.setDaemon(true);
    reader.start();
  }

  /** Prints the member's status whenever it changes. */
  private static final class StatusPrinter implements Consumer<EntroqServer> {
    private final ServerRun run;
    private final int memberId;
    private String printed = "";

    StatusPrinter(ServerRun run, int memberId) {
      this.run = run;
      this.memberId = memberId;
    }

    @Override
    public void accept(EntroqServer server) {
      String status = server.status();
      if (!status.equals(printed)) {
        printed = status;
        run.print("Member %d %s", memberId, status);
      }
    }
  }
}
