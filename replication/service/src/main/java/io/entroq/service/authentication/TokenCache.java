package io.entroq.service.authentication;

import io.entroq.service.call.Principal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The callers of recently verified tokens, by digests of the tokens. Replaced keys invalidate it.
 * Any thread.
 */
final class TokenCache {
  private final long ttlMs;
  private final int entriesMax;

  /** Ordered by use, the longest unused first. */
  private final Map<ByteBuffer, Verified> tokens = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param untilMs wall clock, since the epoch
   */
  private record Verified(Principal principal, KeySet keys, long untilMs) {}

  TokenCache(AuthenticationConfig config) {
    ttlMs = config.tokenCacheTtl().toMillis();
    entriesMax = config.tokenCacheEntries();
  }

  /** Identifies a token, without keeping it. */
  static ByteBuffer digest(String token) {
    try {
      return ByteBuffer.wrap(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The caller; null if the token must be verified. */
  synchronized Principal find(ByteBuffer digest, KeySet keys, long nowMs) {
    Verified found = tokens.get(digest);
    if (found == null) {
      return null;
    }
    if (found.keys != keys || nowMs >= found.untilMs) {
      tokens.remove(digest);
      return null;
    }
    return found.principal;
  }

  /**
   * Remembers a token that has been verified with these keys.
   *
   * @param validUntilMs when the token expires
   */
  synchronized void add(
      ByteBuffer digest, Principal principal, KeySet keys, long nowMs, long validUntilMs) {
    long untilMs = Math.min(nowMs + ttlMs, validUntilMs);
    if (nowMs >= untilMs) {
      return;
    }
    tokens.put(digest, new Verified(principal, keys, untilMs));
    if (tokens.size() > entriesMax) {
      tokens.remove(tokens.keySet().iterator().next());
    }
  }

  synchronized int size() {
    return tokens.size();
  }
}
