package io.entroq.server.cli;

import io.entroq.server.serving.HealthCheck;
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
    header = "Check whether the server on this machine is ready.",
    synopsisHeading = "Usage: ",
    customSynopsis = "entroq health [OPTION]...",
    description = {
      "",
      "Reads the settings of `entroq serve` and `entroq node` from the command line, the"
          + " environment and the configuration file, and requests /healthz/ready over HTTP from"
          + " the server with these settings. With --tls-cert, the server must present that"
          + " certificate; its host name is not checked. With --tls-client-ca, the command"
          + " presents the same certificate, so one of these CAs must have signed it. It accepts all"
          + " options of servers, so that both can have the same command line.",
      "",
      "Supervisors that restart a server should use --live. A member without a quorum is not"
          + " ready, and a restart would not help.",
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
      "Exit status: 0 if the server is ready, or alive with --live; 1 if it is not, or does not"
          + " answer within 4 seconds; 2 if the command line, the environment or the"
          + " configuration file is wrong."
    },
    sortOptions = false,
    modelTransformer = SettingsOptions.OfEither.class,
    mixinStandardHelpOptions = true)
final class HealthCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = ConfigOptions.FILE_FLAG,
      paramLabel = "FILE",
      description = "Configuration file, YAML. Default: $" + Settings.FILE_VARIABLE + ".")
  private Path config;

  // Whoever prints the help finds the option on the command line.
  @SuppressWarnings("unused")
  @Option(
      names = SettingsOptions.HELP_ALL,
      description = "Show the help with the options of servers that it accepts and does not need.")
  private boolean isHelpInFullWanted;

  @Option(
      names = "--live",
      description = "Request /healthz/live instead, which fails if the process needs a restart.")
  private boolean isLive;

  @Override
  public Integer call() {
    String status =
        HealthCheck.ask(new SettingsOptions.OfEither().read(spec.commandLine(), config), isLive);
    spec.commandLine().getOut().println(status);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
