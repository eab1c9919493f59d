package io.entroq.server.serving;

import io.entroq.server.settings.AuthorizationSettings;
import io.entroq.server.settings.AuthorizerName;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.TlsSettings;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.tls.TlsException;
import io.entroq.service.tls.TlsFiles;
import io.entroq.tools.terminal.CommandException;
import java.util.Optional;

/** TLS and authorization of a server, from its settings. */
final class AccessControl {
  private final Settings settings;

  AccessControl(Settings settings) {
    this.settings = settings;
  }

  /**
   * Reads the server's certificates; empty without TLS.
   *
   * @throws CommandException if a file cannot be used
   */
  Optional<ServerTls> tls() {
    Optional<TlsFiles> files = tlsFiles(settings);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ServerTls.read(files.get()));
    } catch (TlsException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  /** The files with the certificates; empty without TLS. */
  static Optional<TlsFiles> tlsFiles(Settings settings) {
    return settings
        .find(TlsSettings.TLS_CERT)
        .map(
            certificate ->
                new TlsFiles(
                    certificate,
                    settings.get(TlsSettings.TLS_KEY),
                    settings.find(TlsSettings.TLS_CLIENT_CA)));
  }

  /**
   * Creates the authorizer.
   *
   * @throws CommandException if it cannot be configured
   */
  Authorization authorization() {
    boolean coversAll = settings.get(AuthorizationSettings.AUTHZ_ALL);
    try {
      return Authorization.of(
          new AuthorizationConfig(
              settings.get(AuthorizationSettings.AUTHZ) == AuthorizerName.OPAHTTP
                  ? AuthorizationConfig.Mode.OPAHTTP
                  : AuthorizationConfig.Mode.NONE,
              settings.get(AuthorizationSettings.OPA_URL).toString(),
              settings.get(AuthorizationSettings.OPA_PATH),
              settings.get(AuthorizationSettings.OPA_TIMEOUT),
              settings.get(AuthorizationSettings.OPA_FORWARD),
              coversAll,
              coversAll));
    } catch (IllegalArgumentException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }
}
