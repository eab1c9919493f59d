package io.entroq.server.workgateway;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which pages may connect. Browsers let every page connect to any address, so also to this machine,
 * but name the origin of the page.
 */
final class AllowedOrigins {
  /** A name that is no address may be one of another site that leads here. */
  private static final Pattern ADDRESS = Pattern.compile("localhost|[0-9.]+|\\[[0-9a-f:.]+]");

  private final Set<String> listed;

  AllowedOrigins(Set<String> listed) {
    this.listed = listed;
  }

  /**
   * Whether a request may come from this origin.
   *
   * @param host the Host of the request: libraries for programs name the origin that a page of this
   *     server would have, and it has no pages
   */
  boolean allows(String origin, String host) {
    String lower = origin.toLowerCase(Locale.ROOT);
    return listed.contains(lower) || isOurs(lower, host.toLowerCase(Locale.ROOT));
  }

  private static boolean isOurs(String origin, String host) {
    if (!origin.equals("http://" + host)) {
      return false;
    }
    try {
      String name = URI.create(origin).getHost();
      return name != null && ADDRESS.matcher(name).matches();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
