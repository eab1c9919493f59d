package io.entroq.service.authentication;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How tokens of callers are verified.
 *
 * @param jwksUrl where the keys are; https, or http on this machine. Either this or {@code
 *     jwksFile}
 * @param jwksFile a file with the keys; read again while the server runs
 * @param jwksTokenFile a file with a bearer token for {@code jwksUrl}; read for each request
 * @param caFile authorities to trust for {@code jwksUrl} besides those of the JVM, PEM
 * @param issuer that tokens must have
 * @param audience tokens must be for one of these
 * @param userClaim the claim that names the caller
 * @param algorithms names of algorithms or types of keys, separated by commas
 * @param clockSkew how far the clocks of issuers may differ from ours
 * @param tokenCacheTtl how long a verified token is not verified again; zero: always verify
 * @param tokenCacheEntries verified tokens to remember, at least 1
 * @param jwksCacheTtl how long keys may be used without being fetched again
 * @param jwksRefreshInterval the least time between two attempts to fetch keys
 * @param httpTimeout for a whole response of {@code jwksUrl}
 */
public record AuthenticationConfig(
    Optional<URI> jwksUrl,
    Optional<Path> jwksFile,
    Optional<Path> jwksTokenFile,
    Optional<Path> caFile,
    String issuer,
    Set<String> audience,
    String userClaim,
    String algorithms,
    Duration clockSkew,
    Duration tokenCacheTtl,
    int tokenCacheEntries,
    Duration jwksCacheTtl,
    Duration jwksRefreshInterval,
    Duration httpTimeout) {
  /** The claim that every standard token names its caller by. */
  public static final String USER_CLAIM_DEFAULT = "sub";

  /** Everything but algorithms that need a shared secret. */
  public static final String ALGORITHMS_DEFAULT = "RSA,EC,OKP";

  /**
   * Checks the values without reading or fetching anything.
   *
   * @throws IllegalArgumentException if a value cannot be used
   */
  public AuthenticationConfig {
    require(jwksUrl.isPresent() != jwksFile.isPresent(), "give either a URL or a file of keys");
    require(
        jwksTokenFile.isEmpty() || jwksUrl.isPresent(),
        "a token for fetching keys is of use only with a URL");
    require(caFile.isEmpty() || jwksUrl.isPresent(), "a CA file is of use only with a URL of keys");
    require(!issuer.isEmpty(), "the issuer of tokens must not be empty");
    require(
        !audience.isEmpty() && !audience.contains(""), "the audience of tokens must not be empty");
    require(!userClaim.isEmpty(), "the claim that names the caller must not be empty");
    require(!clockSkew.isNegative(), "the clock skew must not be negative");
    require(!tokenCacheTtl.isNegative(), "the lifetime of verified tokens must not be negative");
    require(tokenCacheEntries > 0, "at least one verified token must be remembered");
    require(isPositive(jwksCacheTtl), "the lifetime of keys must be above zero");
    require(isPositive(jwksRefreshInterval), "the refresh interval of keys must be above zero");
    require(isPositive(httpTimeout), "the timeout for fetching keys must be above zero");
    jwksUrl.ifPresent(AuthenticationConfig::requireSafe);
    SignatureAlgorithms.of(algorithms);
    audience = Set.copyOf(audience);
  }

  private static void require(boolean isValid, String otherwise) {
    if (!isValid) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isNegative() && !duration.isZero();
  }

  /** Who can change keys on their way can forge tokens. */
  private static void requireSafe(URI url) {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    require(
        url.getHost() != null && (scheme.equals("https") || scheme.equals("http")),
        "the URL of keys must start with https:// or http://");
    require(url.getRawUserInfo() == null, "the URL of keys must not contain a user or password");
    require(
        scheme.equals("https") || isLoopback(url.getHost()),
        "the URL of keys must start with https://, since http:// is safe only on this machine");
  }

  private static boolean isLoopback(String host) {
    // A name other than localhost would have to be looked up, and may change.
    boolean isAddress = host.startsWith("[") || host.matches("[0-9.]+");
    try {
      return host.equalsIgnoreCase("localhost")
          || (isAddress && InetAddress.getByName(host).isLoopbackAddress());
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Defaults for everything else, except where the keys are. */
  public static Builder builder(String issuer, Set<String> audience) {
    return new Builder(issuer, audience);
  }

  /** See {@link AuthenticationConfig}. */
  public static final class Builder {
    private final String issuer;
    private final Set<String> audience;
    private Optional<URI> jwksUrl = Optional.empty();
    private Optional<Path> jwksFile = Optional.empty();
    private Optional<Path> jwksTokenFile = Optional.empty();
    private Optional<Path> caFile = Optional.empty();
    private String userClaim = USER_CLAIM_DEFAULT;
    private String algorithms = ALGORITHMS_DEFAULT;
    private Duration clockSkew = Duration.ofSeconds(30);
    private Duration tokenCacheTtl = Duration.ofSeconds(30);
    private int tokenCacheEntries = 4_096;
    private Duration jwksCacheTtl = Duration.ofMinutes(5);
    private Duration jwksRefreshInterval = Duration.ofSeconds(5);
    private Duration httpTimeout = Duration.ofSeconds(10);

    private Builder(String issuer, Set<String> audience) {
      this.issuer = issuer;
      this.audience = audience;
    }

    public Builder jwksUrl(Optional<URI> value) {
      jwksUrl = value;
      return this;
    }

    public Builder jwksFile(Optional<Path> value) {
      jwksFile = value;
      return this;
    }

    public Builder jwksTokenFile(Optional<Path> value) {
      jwksTokenFile = value;
      return this;
    }

    public Builder caFile(Optional<Path> value) {
      caFile = value;
      return this;
    }

    public Builder userClaim(String value) {
      userClaim = value;
      return this;
    }

    public Builder algorithms(String value) {
      algorithms = value;
      return this;
    }

    public Builder clockSkew(Duration value) {
      clockSkew = value;
      return this;
    }

    public Builder tokenCache(Duration ttl, int entries) {
      tokenCacheTtl = ttl;
      tokenCacheEntries = entries;
      return this;
    }

    public Builder jwksCacheTtl(Duration value) {
      jwksCacheTtl = value;
      return this;
    }

    public Builder jwksRefreshInterval(Duration value) {
      jwksRefreshInterval = value;
      return this;
    }

    public Builder httpTimeout(Duration value) {
      httpTimeout = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException if a value cannot be used
     */
    public AuthenticationConfig build() {
      return new AuthenticationConfig(
          jwksUrl,
          jwksFile,
          jwksTokenFile,
          caFile,
          issuer,
          audience,
          userClaim,
          algorithms,
          clockSkew,
          tokenCacheTtl,
          tokenCacheEntries,
          jwksCacheTtl,
          jwksRefreshInterval,
          httpTimeout);
    }
  }
}
