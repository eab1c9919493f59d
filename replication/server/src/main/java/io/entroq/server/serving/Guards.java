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

/** Who gets near a server, and who may do what. */
final class Guards {
  private final Settings settings;

  Guards(Settings settings) {
    this.settings = settings;
  }

  /**
   * By what the server is known; empty if it speaks no TLS.
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

  /** By which files it is known; empty if it speaks no TLS. */
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
   * Who is asked.
   *
   * @throws CommandException if that cannot be
   */
  Authorization authorization() {
    boolean coversAll = settings.get(AuthorizationSettings.AUTHZ_ALL);
    try {
      return Authorization.of(
          new AuthorizationConfig(
              settings.get(AuthorizationSettings.AUTHZ) == AuthorizerName.OPAHTTP
                  ? AuthorizationConfig.Authorizer.OPAHTTP
                  : AuthorizationConfig.Authorizer.NONE,
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
