package io.entroq.console;

import io.entroq.console.login.OidcConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a console is used.
 *
 * @param login how users log in
 * @param usersFile their names, hashes of passwords, and roles; for {@link LoginKind#FILE}, and for
 *     the roles of others
 * @param url where browsers find the server, if that is not where it listens: scheme, host and port
 * @param secretFile at least 32 bytes that sign sessions, the same for all members of a cluster;
 *     empty for random ones, so that sessions end with the process
 * @param oidc the provider for {@link LoginKind#OIDC}
 * @param mask JSON pointers to what viewers do not see; {@code *} stands for any name or index
 */
public record ConsoleConfig(
    LoginKind login,
    Optional<Path> usersFile,
    Optional<URI> url,
    Optional<Path> secretFile,
    Optional<OidcConfig> oidc,
    List<String> mask) {
  /** Nobody logs in, so the console is for this machine alone. */
  public static final ConsoleConfig LOCAL =
      new ConsoleConfig(
          LoginKind.NONE, Optional.empty(), Optional.empty(), Optional.empty(), List.of());

  /** How users log in. */
  public enum LoginKind {
    /** They do not. */
    NONE,

    /** With a password, of which a file has the hash. */
    FILE,

    /** With a certificate that TLS has verified. */
    CERT,

    /** At an identity provider, by OpenID Connect. */
    OIDC
  }

  /**
   * Checks the values without reading anything.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  public ConsoleConfig {
    if (login == LoginKind.FILE && usersFile.isEmpty()) {
      throw new IllegalArgumentException("a login with passwords needs a file of users");
    }
    if (login == LoginKind.OIDC && oidc.isEmpty()) {
      throw new IllegalArgumentException("a login at an identity provider needs one");
    }
    url.ifPresent(ConsoleConfig::requireUrl);
    mask = List.copyOf(mask);
  }

  /** One without an identity provider. */
  public ConsoleConfig(
      LoginKind login,
      Optional<Path> usersFile,
      Optional<URI> url,
      Optional<Path> secretFile,
      List<String> mask) {
    this(login, usersFile, url, secretFile, Optional.empty(), mask);
  }

  private static void requireUrl(URI url) {
    boolean hasPath = !url.getRawPath().isEmpty() && !url.getRawPath().equals("/");
    if (!"https".equals(url.getScheme()) || url.getRawAuthority() == null || hasPath) {
      throw new IllegalArgumentException(
          "expected a URL such as https://queue.example.com, got " + url);
    }
  }
}
