package io.entroq.server.serving;

import io.entroq.console.Console;
import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleConfig.LoginKind;
import io.entroq.console.ConsoleParts;
import io.entroq.console.login.LoginException;
import io.entroq.console.login.OidcConfig;
import io.entroq.server.settings.ConsoleSettings;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.Setting;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.TlsSettings;
import io.entroq.tools.terminal.CommandException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The console of a server, from its settings. */
final class ConsoleFactory {
  private final Settings settings;

  ConsoleFactory(Settings settings) {
    this.settings = settings;
  }

  /**
   * Starts the console; empty if it is off.
   *
   * @throws CommandException if users could not log in
   */
  Optional<Console> console(ConsoleParts parts) {
    if (!settings.get(ConsoleSettings.CONSOLE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Console.of(parts, config()));
    } catch (LoginException | IllegalArgumentException e) {
      throw new CommandException("console: " + e.getMessage(), e);
    }
  }

  private ConsoleConfig config() {
    return new ConsoleConfig(
        switch (settings.get(ConsoleSettings.CONSOLE_LOGIN)) {
          case NONE -> LoginKind.NONE;
          case FILE -> LoginKind.FILE;
          case CERT -> LoginKind.CERT;
          case OIDC -> LoginKind.OIDC;
        },
        settings.find(ConsoleSettings.CONSOLE_USERS_FILE),
        settings.find(ConsoleSettings.CONSOLE_URL),
        settings.find(ConsoleSettings.CONSOLE_SECRET_FILE),
        settings.find(ConsoleSettings.CONSOLE_OIDC_ISSUER).map(this::oidc),
        settings.find(ConsoleSettings.CONSOLE_MASK).orElse(List.of()));
  }

  private OidcConfig oidc(URI issuer) {
    return new OidcConfig(
        issuer,
        settings.get(ConsoleSettings.CONSOLE_OIDC_CLIENT_ID),
        settings.find(ConsoleSettings.CONSOLE_OIDC_SECRET_FILE),
        settings.get(ConsoleSettings.CONSOLE_OIDC_SCOPES),
        settings.get(ConsoleSettings.CONSOLE_OIDC_USER_CLAIM),
        settings.find(ConsoleSettings.CONSOLE_ROLE_CLAIM),
        values(ConsoleSettings.CONSOLE_OPERATORS),
        values(ConsoleSettings.CONSOLE_ADMINS));
  }

  private Set<String> values(Setting<List<String>> setting) {
    return Set.copyOf(settings.find(setting).orElse(List.of()));
  }

  /**
   * Where people find the console, in a line for them.
   *
   * @param port of HTTP
   */
  String description(int port) {
    if (!settings.get(ConsoleSettings.CONSOLE)) {
      return "Console: off";
    }
    boolean isTls = settings.isSet(TlsSettings.TLS_CERT);
    String here = (isTls ? "https" : "http") + "://localhost:" + port;
    if (settings.get(ConsoleSettings.CONSOLE_LOGIN) == ConsoleSettings.LoginName.NONE) {
      return "Console: %s/console, on this machine only".formatted(here);
    }
    String url =
        settings
            .find(ConsoleSettings.CONSOLE_URL)
            .map(at -> at.getScheme() + "://" + at.getRawAuthority())
            .orElseGet(
                () ->
                    settings
                        .find(ListeningSettings.HOST)
                        .filter(host -> isTls)
                        .map(host -> "https://" + host + ":" + port)
                        .orElse(here));
    return "Console: " + url + "/console";
  }
}
