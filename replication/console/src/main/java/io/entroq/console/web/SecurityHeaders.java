package io.entroq.console.web;

import java.util.HashMap;
import java.util.Map;

/** The headers that every answer has: browsers run nothing but our scripts, and keep no page. */
final class SecurityHeaders {
  private static final String CACHE = "cache-control";

  private static final Map<String, String> ALL =
      Map.of(
          "content-security-policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "x-content-type-options",
          "nosniff",
          "x-frame-options",
          "DENY",
          "referrer-policy",
          "no-referrer",
          "cross-origin-opener-policy",
          "same-origin",
          "cross-origin-resource-policy",
          "same-origin");

  private SecurityHeaders() {}

  /** All headers of a page; what never changes keeps its own rule about caches. */
  static Map<String, String> with(Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.putIfAbsent(CACHE, "no-store");
    all.putAll(ALL);
    return all;
  }
}
