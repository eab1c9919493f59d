package io.entroq.workers;

import io.entroq.api.EntroQException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts that requests may be sent to, such as {@code api.example.com}, {@code *.example.com},
 * {@code *}, each with a port if it is not that of the scheme. Immutable.
 *
 * @param suffix the name, in lower case; after a star, the rest of the name with its dot
 * @param hasStar whether it stands for all names with this suffix
 * @param port 0 for the port of the scheme: 80 for http, 443 for https
 */
record HostPattern(String suffix, boolean hasStar, int port) {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\*?)((?:\\.?[\\p{Alnum}_-]+(?:\\.[\\p{Alnum}_-]+)*)?|\\[[\\p{XDigit}:.]+])(?::(\\d{1,5}))?");

  private static final int PORT_MAX = 65_535;

  /**
   * Parses a pattern.
   *
   * @throws EntroQException.InvalidArgument if it is malformed
   */
  static HostPattern parse(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      boolean hasStar = !form.group(1).isEmpty();
      String suffix = form.group(2).toLowerCase(Locale.ROOT);
      int port = form.group(3) == null ? 0 : Integer.parseInt(form.group(3));
      boolean isNamed = hasStar ? suffix.isEmpty() || suffix.startsWith(".") : isName(suffix);
      boolean isPort = form.group(3) == null || (port >= 1 && port <= PORT_MAX);
      if (isNamed && isPort) {
        return new HostPattern(suffix, hasStar, port);
      }
    }
    throw new EntroQException.InvalidArgument(
        "'%s' is not a host: write HOST, HOST:PORT, *.DOMAIN or *".formatted(text));
  }

  private static boolean isName(String suffix) {
    return !suffix.isEmpty() && !suffix.startsWith(".");
  }

  /**
   * Whether it stands for a host.
   *
   * @param host in lower case; an IPv6 address in brackets
   * @param isDefaultPort whether the port is that of the scheme
   */
  boolean matches(String host, int hostPort, boolean isDefaultPort) {
    return (hasStar ? host.endsWith(suffix) : host.equals(suffix))
        && (port == 0 ? isDefaultPort : port == hostPort);
  }
}
