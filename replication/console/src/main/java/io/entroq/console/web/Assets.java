package io.entroq.console.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Scripts and styles, out of the jar. The URL of each names a digest of its bytes, so browsers keep
 * it forever. Any thread.
 */
final class Assets {
  static final String PATH = "/assets/";

  private static final Map<String, String> TYPES =
      Map.of(
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private static final String[] NAMES = {"console.css", "console.js", "icon.svg", "htmx.min.js"};

  private static final int DIGEST_CHARS = 16;

  private final Map<String, String> urls = new HashMap<>();
  private final Map<String, PageResponse> pages = new HashMap<>();

  Assets() {
    for (String name : NAMES) {
      byte[] bytes = read(name);
      String path = PATH + digest(bytes) + "/" + name;
      urls.put(name, PageUrls.to(path));
      pages.put(
          path,
          new PageResponse(
                  200, TYPES.get(name.substring(name.lastIndexOf('.') + 1)), bytes, Map.of())
              .with("cache-control", "public, max-age=31536000, immutable"));
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = Assets.class.getResourceAsStream("/console/assets/" + name)) {
      if (in == null) {
        throw new IllegalStateException("not in the jar: " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest).substring(0, DIGEST_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Where a file is. */
  String url(String name) {
    String url = urls.get(name);
    if (url == null) {
      throw new IllegalArgumentException("no such asset: " + name);
    }
    return url;
  }

  /** The file at a path. */
  Optional<PageResponse> find(String path) {
    return Optional.ofNullable(pages.get(path));
  }
}
