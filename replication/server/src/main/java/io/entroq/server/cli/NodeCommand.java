package io.entroq.server.cli;

import io.entroq.server.serving.Serving;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.Interruption;
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
    header = "Runs a member of a cluster, and serves its queue over gRPC and HTTP.",
    synopsisHeading = "Usage: ",
    customSynopsis = "entroq node [OPTION]...",
    description = {
      "",
      "A cluster has 3, 5 or 7 members, each a process of its own on a machine of its own, and goes"
          + " on as long as more than half of them reach each other. Any member takes any request."
          + " All are told the same --members in the same order, and each another --id.",
      "",
      "Members speak plain UDP with each other, on five ports from the one named on: let nobody else"
          + " reach those. Towards callers it is as `entroq serve`: without --tls-cert there is no"
          + " encryption, and without --authz everybody who can connect may do everything.",
      "",
      "It is ready (/healthz/ready, and the health service of gRPC) while it has a leader and has"
          + " applied nearly all that the cluster has agreed to. Before, what writes waits, and reads"
          + " are refused.",
      "",
      "Each option NAME may also be given as the environment variable ENTROQ_NAME, with _ for -, or"
          + " as a line `NAME: VALUE` of a configuration file. An option goes before a variable,"
          + " and that before the file. Options may be written with _ for -, too.",
      "",
      "When it is asked to end, by Ctrl-C or SIGTERM, it takes no more connections, asks callers"
          + " whose claims wait to come again, finishes what is under way, and takes leave of the"
          + " others.",
      ""
    },
    footer = {
      "",
      "BYTES are a number, or one with KiB, MiB, GiB or TiB. TIME is seconds, or as in 250ms,"
          + " 1m30s, 12h.",
      "",
      "Examples:",
      "  entroq node --id 0 --members a:9200,b:9200,c:9200 --data data --bootstrap",
      "  entroq node --config entroq.yml",
      "",
      "Exit status: 0 if it was asked to end and did; 1 if it cannot run, or cannot go on; 2 if"
          + " the command line, the environment or the configuration file is wrong; 128 and the"
          + " number of the signal if a signal ended it."
    },
    sortOptions = false,
    modelTransformer = NodeOptions.class,
    mixinStandardHelpOptions = true)
final class NodeCommand implements Callable<Integer> {
  /** How soon it is told that something has changed. */
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

  @Spec private CommandSpec spec;
  @Mixin private ConfigOptions config;

  @Option(
      names = "--end-with-input",
      hidden = true,
      description = "Ends when its standard input does, as with the process that has started it.")
  private boolean endWithInput;

  @Override
  public Integer call() {
    Settings settings = NodeOptions.settings(spec.commandLine(), config.file());
    ServerRun run = new ServerRun(spec, settings);
    if (config.isPrinted()) {
      return run.printSettings();
    }
    Consumer<Serving> look = new Standing(run, settings.get(MembershipSettings.ID));
    try (Interruption interruption = run.begin()) {
      if (endWithInput) {
        InputEnd.follow(interruption);
      }
      return run.serve(interruption, Serving::startNode, LOOK_INTERVAL, look);
    }
  }

  /** Tells what the member is at, whenever that has changed. */
  private static final class Standing implements Consumer<Serving> {
    private final ServerRun run;
    private final int memberId;
    private String told = "";

    Standing(ServerRun run, int memberId) {
      this.run = run;
      this.memberId = memberId;
    }

    @Override
    public void accept(Serving serving) {
      String standing = serving.standing();
      if (!standing.equals(told)) {
        told = standing;
        run.print("Member %d %s", memberId, standing);
      }
    }
  }
}
