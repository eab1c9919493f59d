package io.entroq.console.web;

import io.entroq.console.user.Session;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The tokens that forms send back, which other sites cannot know. A token is bound to a session. It
 * looks different on each page, since pages are compressed: what is always the same could be
 * guessed from the length of a page that also holds what an attacker has sent.
 */
final class CsrfTokens {
  private static final int BYTES = Signer.BYTES;

  private final Signer signer;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param secret at least 32 bytes
   */
  CsrfTokens(byte[] secret) {
    signer = new Signer(secret, "csrf ");
  }

  /** A token for a page of a session. */
  String masked(Session session) {
    byte[] masked = new byte[2 * BYTES];
    byte[] pad = new byte[BYTES];
    random.nextBytes(pad);
    byte[] token = signer.sign(session.id());
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
    return signer.isSigned(session.id(), token);
  }
}
