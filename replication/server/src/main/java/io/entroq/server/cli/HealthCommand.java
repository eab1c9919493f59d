package io.entroq.server.cli;

import io.entroq.server.serving.HealthQuestion;
import io.entroq.server.settings.Settings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code health} command. */
@Command(
    name = "health",
    header = "Asks the server on this machine whether it is ready.",
    synopsisHeading = "Usage: ",
    customSynopsis = "entroq health [OPTION]...",
    description = {
      "",
      "Takes what `entroq serve` and `entroq node` take, from the command line, the environment and the"
          + " configuration file, and asks the server that has been told the same for"
          + " /healthz/ready, over HTTP and as it listens there. With --tls-cert it knows the"
          + " server by that certificate, whatever name is in it. With --tls-client-ca it shows the"
          + " same one, so that has to be signed by one of these.",
      "",
      "What restarts servers that are not well is to ask with --live: a member of a cluster that has"
          + " lost the others is not ready, and a restart would not help.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq health",
      "  entroq health --http-port 4001",
      "  entroq health --live",
      "  ENTROQ_CONFIG=entroq.yml entroq health",
      "",
      "Exit status: 0 if it is ready, or alive with --live; 1 if it is not, or does not answer within some seconds; 2 if"
          + " the command line, the environment or the configuration file is wrong."
    },
    sortOptions = false,
    modelTransformer = HealthOptions.class,
    mixinStandardHelpOptions = true)
final class HealthCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = ConfigOptions.FILE_FLAG,
      paramLabel = "FILE",
      description = "A configuration file, YAML. Default: $" + Settings.FILE_VARIABLE + ".")
  private Path config;

  @Option(names = "--live", description = "Asks for /healthz/live: whether a restart is no use.")
  private boolean isLive;

  @Override
  public Integer call() {
    String said = HealthQuestion.ask(HealthOptions.settings(spec.commandLine(), config), isLive);
    spec.commandLine().getOut().println(said);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
