package io.entroq.server.serving;

import io.entroq.server.settings.AuthenticationSettings;
import io.entroq.server.settings.AuthenticationSettings.AuthenticatorName;
import io.entroq.server.settings.AuthorizationSettings;
import io.entroq.server.settings.AuthorizationSettings.AuthorizerName;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.TlsSettings;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.authentication.AuthenticationConfig;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.MeshConfig;
import io.entroq.service.authorization.MeshPolicyException;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.tls.TlsException;
import io.entroq.service.tls.TlsFiles;
import io.entroq.tools.terminal.CommandException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** TLS, authentication and authorization of a server, from its settings. */
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
   * Creates the authenticator and the authorizer.
   *
   * @throws CommandException if one of them cannot be configured
   */
  Authorization authorization() {
    try {
      return isMesh()
          ? Authorization.of(meshConfig(), authentication())
          : Authorization.of(authorizationConfig(), authentication());
    } catch (IllegalArgumentException | TlsException | MeshPolicyException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  /** Whether a mesh policy decides, which may be replaced. */
  boolean isMesh() {
    return settings.get(AuthorizationSettings.AUTHZ) == AuthorizerName.MESH;
  }

  private MeshConfig meshConfig() {
    return new MeshConfig(
        settings.get(AuthorizationSettings.MESH_UPDATE_SUBJECT),
        settings.find(AuthorizationSettings.MESH_POLICY_FILE),
        settings.get(AuthorizationSettings.AUTHZ_ALL));
  }

  private AuthorizationConfig authorizationConfig() {
    return new AuthorizationConfig(
        settings.get(AuthorizationSettings.AUTHZ) == AuthorizerName.OPAHTTP
            ? AuthorizationConfig.Mode.OPAHTTP
            : AuthorizationConfig.Mode.NONE,
        settings.get(AuthorizationSettings.OPA_URL).toString(),
        settings.get(AuthorizationSettings.OPA_PATH),
        settings.get(AuthorizationSettings.OPA_TIMEOUT),
        settings.get(AuthorizationSettings.OPA_FORWARD),
        settings.get(AuthorizationSettings.AUTHZ_ALL));
  }

  private Authentication authentication() throws TlsException {
    return settings.get(AuthenticationSettings.AUTHN) == AuthenticatorName.NONE
        ? Authentication.NONE
        : Authentication.of(authenticationConfig());
  }

  private AuthenticationConfig authenticationConfig() {
    return AuthenticationConfig.builder(
            settings.get(AuthenticationSettings.AUTH_ISSUER),
            Set.copyOf(settings.get(AuthenticationSettings.AUTH_AUDIENCE)))
        .jwksUrl(settings.find(AuthenticationSettings.AUTH_JWKS_URL))
        .jwksFile(settings.find(AuthenticationSettings.AUTH_JWKS_FILE))
        .jwksTokenFile(settings.find(AuthenticationSettings.AUTH_JWKS_TOKEN_FILE))
        .caFile(settings.find(AuthenticationSettings.AUTH_CA_FILE))
        .userClaim(settings.get(AuthenticationSettings.AUTH_USER_CLAIM))
        .algorithms(settings.get(AuthenticationSettings.AUTH_ALGORITHMS))
        .clockSkew(settings.get(AuthenticationSettings.AUTH_CLOCK_SKEW))
        .tokenCache(
            settings.get(AuthenticationSettings.AUTH_TOKEN_CACHE_TTL),
            settings.get(AuthenticationSettings.AUTH_TOKEN_CACHE_ENTRIES))
        .jwksCacheTtl(settings.get(AuthenticationSettings.AUTH_JWKS_CACHE_TTL))
        .jwksRefreshInterval(settings.get(AuthenticationSettings.AUTH_JWKS_REFRESH_INTERVAL))
        .httpTimeout(settings.get(AuthenticationSettings.AUTH_HTTP_TIMEOUT))
        .build();
  }

  /** Describes authentication and authorization, for people. */
  String description() {
    String authenticator =
        settings.get(AuthenticationSettings.AUTHN) == AuthenticatorName.NONE
            ? "every caller"
            : "every caller with a token";
    return settings.get(AuthorizationSettings.AUTHZ) == AuthorizerName.NONE
        ? authenticator + " may do everything"
        : "authorization by "
            + settings.get(AuthorizationSettings.AUTHZ).name().toLowerCase(Locale.ROOT)
            + (settings.get(AuthenticationSettings.AUTHN) == AuthenticatorName.NONE
                ? ""
                : ", authentication by jwt");
  }
}
