package io.entroq.server.cli;

import io.entroq.server.logging.Logging;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.FlagNames;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.LoggingSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import io.entroq.server.settings.SettingsText;
import io.entroq.server.settings.ShutdownSettings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;

/** Runs a server until it is stopped, and reports its state. Not thread-safe. */
final class ServerRun {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRun.class);

  /** How long closing the log may take after the last connection has closed. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);

  private final CommandSpec spec;
  private final Settings settings;

  /** Also configures the logging of the process. */
  ServerRun(CommandSpec spec, Settings settings) {
    this.spec = spec;
    this.settings = settings;
    Logging.use(
        settings.get(LoggingSettings.LOG_FORMAT),
        settings.get(LoggingSettings.LOG_LEVEL),
        FlagNames::in);
  }

  int printSettings() {
    spec.commandLine().getOut().print(SettingsText.of(settings));
    spec.commandLine().getOut().flush();
    return 0;
  }

  /** Logs the version, prints warnings about settings, and installs the signal handlers. */
  Interruption begin() {
    LOG.info(new Main.Version().getVersion()[0]);
    SettingsRules.warnings(settings)
        .forEach(warning -> PlainLine.print(spec.commandLine().getErr(), warning));
    return Interruption.ofEngine("server", drainTimeout().plus(CLOSE_TIMEOUT));
  }

  private Duration drainTimeout() {
    return settings.get(ShutdownSettings.DRAIN_TIMEOUT);
  }

  /**
   * Serves until stopped.
   *
   * @param pollInterval how often to poll for failures and call {@code poll}
   */
  int serve(
      Interruption interruption,
      Function<Settings, EntroqServer> start,
      Duration pollInterval,
      Consumer<EntroqServer> poll) {
    try (EntroqServer server = start.apply(settings)) {
      interruption.onSecondSignal(server::cut);
      // Scripts wait for the beginning of this line: older servers of EntroQ print it. Newer ones
      // print the two lines on standard error.
      print("Starting EntroQ server %d -> %s", server.port(), server.store());
      print("HTTP on port %d; %s", server.httpPort(), server.access());
      print("%s", server.console());
      printError(
          "Starting EntroQ gRPC server %s:%d -> entroq(journal=\"%s\")"
              .formatted(host(), server.port(), directory()));
      printError(
          "Starting EntroQ HTTP/JSON and metrics server %s:%d"
              .formatted(host(), server.httpPort()));
      while (!interruption.isRequested() && !server.hasStopped()) {
        poll.accept(server);
        interruption.pause(pollInterval);
        server.requireOpen();
      }
      LOG.info("Stopping: finishing running requests.");
      if (!server.drain(drainTimeout())) {
        printError("Some requests did not finish in time and were ended.");
      }
    }
    LOG.info("Stopped.");
    return 0;
  }

  private String host() {
    return settings.find(ListeningSettings.HOST).orElse("");
  }

  /** The data directory; empty in memory. */
  private String directory() {
    return settings
        .find(StoreSettings.DATA)
        .or(() -> settings.find(StoreSettings.JOURNAL))
        .map(path -> path.toAbsolutePath().normalize().toString())
        .orElse("");
  }

  private void printError(String line) {
    PlainLine.print(spec.commandLine().getErr(), line);
  }

  void print(String format, Object... args) {
    PlainLine.printf(spec.commandLine().getOut(), format, args);
  }
}
