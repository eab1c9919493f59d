package io.entroq.console.login;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The identity provider that users log in at, by OpenID Connect.
 *
 * @param issuer its URL; https, or http on this machine
 * @param clientId as which the provider knows the console
 * @param secretFile the client's secret; empty if the provider takes it for a public one
 * @param scopes what to ask for, separated by blanks; with {@code openid}
 * @param userClaim the claim of ID tokens that names the user
 * @param roleClaim the claim that has values of {@code operators} or {@code admins}; empty if all
 *     users are viewers but those whom a file names
 * @param operators the values that make a user an operator
 * @param admins the values that make a user an admin
 */
public record OidcConfig(
    URI issuer,
    String clientId,
    Optional<Path> secretFile,
    String scopes,
    String userClaim,
    Optional<String> roleClaim,
    Set<String> operators,
    Set<String> admins) {
  /** What is asked for if nothing else is said. */
  public static final String SCOPES = "openid email profile";

  /** What names users if nothing else is said. */
  public static final String USER_CLAIM = "email";

  /**
   * Checks the issuer.
   *
   * @throws IllegalArgumentException if others could answer in its place
   */
  public OidcConfig {
    if (!isSafe(issuer)) {
      throw new IllegalArgumentException(
          "expected an issuer whose URL begins with https://, got " + issuer);
    }
  }

  /** Whether only who has the name of a URL, or this machine, answers there. */
  static boolean isSafe(URI url) {
    return "https".equals(url.getScheme())
        || ("http".equals(url.getScheme())
            && Set.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(url.getHost())));
  }
}
