package io.entroq.console.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Makes the URLs of pages. Templates escape for HTML only, so names get into URLs here alone. */
public final class PageUrls {
  /** Where the console is on a server. */
  public static final String ROOT = "/console";

  private PageUrls() {}

  /**
   * The URL of a page.
   *
   * @param path of a route, such as {@code /queue}; empty for the overview
   * @param parameters names and values in turn; one with an empty value is left out
   */
  public static String to(String path, String... parameters) {
    if (parameters.length % 2 != 0) {
      throw new IllegalArgumentException("a name without a value");
    }
    StringBuilder url = new StringBuilder(ROOT).append(path);
    char separator = '?';
    for (int i = 0; i < parameters.length; i += 2) {
      if (!parameters[i + 1].isEmpty()) {
        url.append(separator).append(encoded(parameters[i]));
        url.append('=').append(encoded(parameters[i + 1]));
        separator = '&';
      }
    }
    return url.toString();
  }

  /** A URL with one more parameter. */
  public static String with(String url, String name, String value) {
    return url + (url.indexOf('?') < 0 ? '?' : '&') + encoded(name) + '=' + encoded(value);
  }

  /** Whether a URL that somebody has sent leads to a page of the console, and not elsewhere. */
  public static boolean isPage(String url) {
    boolean isBelow = url.equals(ROOT) || url.startsWith(ROOT + "/") || url.startsWith(ROOT + "?");
    // Browsers take a backslash for a slash, and drop line ends.
    return isBelow && url.chars().allMatch(c -> c > ' ' && c < 127 && c != '\\');
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
