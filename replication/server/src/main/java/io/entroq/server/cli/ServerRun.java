package io.entroq.server.cli;

import io.entroq.server.logging.Logging;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.LoggingSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import io.entroq.server.settings.SettingsText;
import io.entroq.server.settings.ShutdownSettings;
import io.entroq.tools.terminal.Interruption;
import io.entroq.tools.terminal.PlainLine;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;

/** Serves until it is asked to end, and says what becomes of it. For one thread. */
final class ServerRun {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRun.class);

  /** What closing a log may take, besides what callers may. */
  private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(15);

  private final CommandSpec spec;
  private final Settings settings;

  /** With a log as it is told. */
  ServerRun(CommandSpec spec, Settings settings) {
    this.spec = spec;
    this.settings = settings;
    Logging.use(settings.get(LoggingSettings.LOG_FORMAT), settings.get(LoggingSettings.LOG_LEVEL));
  }

  /** Prints what holds, and serves nobody. */
  int printSettings() {
    spec.commandLine().getOut().print(SettingsText.of(settings));
    spec.commandLine().getOut().flush();
    return 0;
  }

  /** What has no effect, or nobody knows, is said first. */
  Interruption begin() {
    SettingsRules.warnings(settings)
        .forEach(note -> PlainLine.print(spec.commandLine().getErr(), note));
    return new Interruption("server", patience().plus(CLOSING_PATIENCE));
  }

  private Duration patience() {
    return settings.get(ShutdownSettings.DRAIN_TIMEOUT);
  }

  /**
   * Serves.
   *
   * @param start what
   * @param lookInterval how soon it is noticed that it cannot go on, and looked at by
   * @param look looks at it
   */
  int serve(
      Interruption interruption,
      Function<Settings, EntroqServer> start,
      Duration lookInterval,
      Consumer<EntroqServer> look) {
    try (EntroqServer serving = start.apply(settings)) {
      interruption.whenInsisted(serving::cut);
      // Whoever starts servers for clients of EntroQ waits for the first words.
      print("Starting EntroQ server %d -> %s", serving.port(), serving.store());
      print("HTTP on port %d; %s", serving.httpPort(), serving.access());
      LOG.info("Serving on port {}: {}", serving.port(), serving.store());
      while (!interruption.isRequested()) {
        look.accept(serving);
        interruption.pause(lookInterval);
        serving.requireOpen();
      }
      LOG.info("Stopping: finishing running requests.");
      if (!serving.drain(patience())) {
        PlainLine.print(
            spec.commandLine().getErr(), "Some requests did not finish in time and were ended.");
      }
    }
    LOG.info("Stopped.");
    return 0;
  }

  void print(String format, Object... args) {
    spec.commandLine().getOut().printf(format + "%n", args);
    spec.commandLine().getOut().flush();
  }
}
