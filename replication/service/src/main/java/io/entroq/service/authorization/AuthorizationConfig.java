package io.entroq.service.authorization;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * Who decides, and which requests need authorization.
 *
 * @param url of Open Policy Agent, http or https, without the path
 * @param path of the policy, with a leading slash
 * @param timeout refuse if OPA has not answered within this time; above 0
 * @param sendsHeader whether requests to OPA carry the caller's Authorization header; the policy's
 *     input always has it
 * @param coversStats whether listing names and statistics of queues and namespaces is authorized;
 *     not in EntroQ's own server
 */
public record AuthorizationConfig(
    Mode authorizer,
    String url,
    String path,
    Duration timeout,
    boolean sendsHeader,
    boolean coversStats) {
  public static final String URL_DEFAULT = "http://localhost:8181";

  /** The policy of EntroQ's own examples. */
  public static final String PATH_DEFAULT = "/v1/data/entroq/authz";

  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

  /** Allows everything. */
  public static final AuthorizationConfig NONE = withDefaults(Mode.NONE);

  /** Checks the values without contacting OPA. */
  public AuthorizationConfig {
    Objects.requireNonNull(authorizer);
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException(
          "timeout of the authorizer: must be above zero: " + timeout);
    }
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path of the policy: must start with a slash: " + path);
    }
    requireHttp(url);
  }

  private static void requireHttp(String url) {
    URI uri = URI.create(url);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "url of the authorizer: must be http://HOST:PORT or https://HOST:PORT: " + url);
    }
  }

  /** Defaults for everything else. */
  public static AuthorizationConfig withDefaults(Mode authorizer) {
    return new AuthorizationConfig(
        authorizer, URL_DEFAULT, PATH_DEFAULT, TIMEOUT_DEFAULT, true, false);
  }

  /** The URL of the policy. */
  URI policy() {
    return URI.create((url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + path);
  }

  /** Who decides. */
  public enum Mode {
    /** Everything is allowed. */
    NONE,
    /** An Open Policy Agent over HTTP. */
    OPAHTTP
  }
}
