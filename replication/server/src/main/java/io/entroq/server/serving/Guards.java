package io.entroq.server.serving;

import io.entroq.server.service.authz.Authorization;
import io.entroq.server.service.authz.AuthzConfig;
import io.entroq.server.settings.AuthorizerName;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.terminal.CommandException;
import io.entroq.server.tls.ServerTls;
import io.entroq.server.tls.TlsException;
import io.entroq.server.tls.TlsFiles;
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
    if (!settings.isGiven(ServerSettings.TLS_CERT)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ServerTls.read(
              new TlsFiles(
                  settings.get(ServerSettings.TLS_CERT),
                  settings.get(ServerSettings.TLS_KEY),
                  settings.find(ServerSettings.TLS_CLIENT_CA))));
    } catch (TlsException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  /**
   * Who is asked.
   *
   * @throws CommandException if that cannot be
   */
  Authorization authorization() {
    boolean coversAll = settings.get(ServerSettings.AUTHZ_ALL);
    try {
      return Authorization.of(
          new AuthzConfig(
              settings.get(ServerSettings.AUTHZ) == AuthorizerName.OPAHTTP
                  ? AuthzConfig.Authorizer.OPAHTTP
                  : AuthzConfig.Authorizer.NONE,
              settings.get(ServerSettings.OPA_URL).toString(),
              settings.get(ServerSettings.OPA_PATH),
              settings.get(ServerSettings.OPA_TIMEOUT),
              settings.get(ServerSettings.OPA_FORWARD),
              coversAll,
              coversAll));
    } catch (IllegalArgumentException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }
}
