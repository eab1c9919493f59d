package io.entroq.server.cli;

import io.entroq.cluster.member.ProcessPriority;
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
      "A cluster has 3, 5 or 7 members, each on its own machine, and works while more than half"
          + " of them can reach each other. Every member accepts every request. Give all members"
          + " the same --members in the same order, and each its own --id.",
      "",
      "Members exchange unencrypted UDP on five consecutive ports, starting with the one in"
          + " --members, and on ports that the system chooses. Admit only members to them, best"
          + " through WireGuard. Without --tls-cert, callers' connections are not encrypted; without"
          + " --authz, anyone who can connect may do anything.",
      "",
      "Every option NAME can also be set by the environment variable ENTROQ_NAME, with _ for -,"
          + " or by a line `NAME: VALUE` of the configuration file. Options take precedence over"
          + " variables, and variables over the file. Options may be written with _ for -.",
      "",
      "On SIGTERM or Ctrl-C it stops accepting connections, tells callers with waiting claims to"
          + " retry, finishes running requests, and leaves the cluster.",
      ""
    },
    footer = {
      "",
      "BYTES is a number, optionally with KiB, MiB, GiB or TiB. TIME is a number of seconds, or"
          + " a duration such as 250ms, 1m30s or 12h.",
      "",
      "Examples:",
      "  entroq node --id 0 --members a:9200,b:9200,c:9200 --data data --bootstrap",
      "  entroq node --config entroq.yml",
      "",
      "Exit status: 0 if a signal or `entroq shutdown` stopped it and it shut down cleanly; 1 if it cannot start or"
          + " cannot continue; 2 if the command line, the environment or the configuration file"
          + " is wrong; 128 plus the signal number if a signal killed it."
    },
    sortOptions = false,
    modelTransformer = SettingsOptions.OfNode.class,
    mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
  private static final Duration STATUS_POLL_INTERVAL = Duration.ofMillis(50);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config;

  @Option(
      names = "--end-with-input",
      hidden = true,
      description = "Stop when standard input ends, as it does when the parent process ends.")
  private boolean endWithInput;

  @Override
  public Integer call() {
    Settings settings = new SettingsOptions.OfNode().read(spec.commandLine(), config.file());
    ServerRun run = new ServerRun(spec, settings);
    if (config.isPrinted()) {
      return run.printSettings();
    }
    Consumer<EntroqServer> status = new StatusPrinter(run, settings.get(MembershipSettings.ID));
    try (Interruption interruption = run.begin()) {
      if (endWithInput) {
        endWithInput(interruption);
      }
      ProcessPriority.raise();
      return run.serve(interruption, EntroqServer::startWarmNode, STATUS_POLL_INTERVAL, status);
    }
  }

  /** Requests a stop at the end of standard input, which comes when the parent process ends. */
  private static void endWithInput(Interruption interruption) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Discard the input.
                }
              } catch (IOException e) {
                // An unreadable input has ended too.
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
