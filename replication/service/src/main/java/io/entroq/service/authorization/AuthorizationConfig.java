package io.entroq.service.authorization;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * Who decides what is allowed, and what is authorized.
 *
 * @param authorizer who decides
 * @param url of Open Policy Agent, http or https, without the path
 * @param path of the policy, with a leading slash
 * @param timeout deny if OPA has not answered within this time; above 0
 * @param sendsHeader whether requests to OPA have the caller's Authorization header; the policy
 *     always has it in its input
 * @param coversDocs whether docs are authorized, as namespaces; EntroQ's own server does not
 * @param coversStats whether names and statistics of queues and namespaces are authorized; EntroQ's
 *     own server does not
 */
public record AuthorizationConfig(
    Mode authorizer,
    String url,
    String path,
    Duration timeout,
    boolean sendsHeader,
    boolean coversDocs,
    boolean coversStats) {
  /** The default address of an agent. */
  public static final String URL_DEFAULT = "http://localhost:8181";

  /** The policy of EntroQ's own examples. */
  public static final String PATH_DEFAULT = "/v1/data/entroq/authz";

  /** The default timeout. */
  public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

  /** Everybody may do everything. */
  public static final AuthorizationConfig NONE = withDefaults(Mode.NONE);

  /** Checks the values; the agent is not asked. */
  public AuthorizationConfig {
    Objects.requireNonNull(authorizer);
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout of the authorizer: not above zero: " + timeout);
    }
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "path of the policy: does not start with a slash: " + path);
    }
    requireHttp(url);
  }

  private static void requireHttp(String url) {
    URI uri = URI.create(url);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
      throw new IllegalArgumentException("url of the authorizer: not http://HOST:PORT: " + url);
    }
  }

  /** With defaults for all but who decides. */
  public static AuthorizationConfig withDefaults(Mode authorizer) {
    return new AuthorizationConfig(
        authorizer, URL_DEFAULT, PATH_DEFAULT, TIMEOUT_DEFAULT, true, false, false);
  }

  /** The policy's address. */
  URI policy() {
    return URI.create((url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + path);
  }

  /** Who decides. */
  public enum Mode {
    /** Nobody: everything is allowed. */
    NONE,
    /** An Open Policy Agent over HTTP. */
    OPAHTTP
  }
}
