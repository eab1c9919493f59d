package io.entroq.console.web;

import io.entroq.console.user.Session;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens that forms send back, which other sites cannot know. A token is bound to a session. It
 * looks different on each page, since pages are compressed: what is always the same could be
 * guessed from the length of a page that also holds what an attacker has sent.
 */
final class CsrfTokens {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;
  private static final String PURPOSE = "csrf ";

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param secret at least 32 bytes
   */
  CsrfTokens(byte[] secret) {
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** A token for a page of a session. */
  String masked(Session session) {
    byte[] masked = new byte[2 * BYTES];
    byte[] pad = new byte[BYTES];
    random.nextBytes(pad);
    byte[] token = token(session);
    for (int i = 0; i < BYTES; i++) {
      masked[i] = pad[i];
      masked[BYTES + i] = (byte) (pad[i] ^ token[i]);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(masked);
  }

  /** Whether a token was made for a session. */
  boolean isOf(Session session, String masked) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(masked);
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (bytes.length != 2 * BYTES) {
      return false;
    }
    byte[] token = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      token[i] = (byte) (bytes[i] ^ bytes[BYTES + i]);
    }
    return MessageDigest.isEqual(token, token(session));
  }

  private byte[] token(Session session) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal((PURPOSE + session.id()).getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
