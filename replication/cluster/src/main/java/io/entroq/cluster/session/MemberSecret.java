package io.entroq.cluster.session;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What members know and strangers do not. It is never sent: whoever opens a session is given bytes
 * made for that session alone, and shows that he knows the secret by an HMAC of them and of who he
 * says he is. Immutable.
 */
public final class MemberSecret {
  /** Fewer are guessed. */
  public static final int BYTES_MIN = 16;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE = "entroq member session 1".getBytes(US_ASCII);

  private final SecretKeySpec key;

  private MemberSecret(byte[] secret) {
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  /**
   * A secret.
   *
   * @throws IllegalArgumentException if it has fewer than {@value #BYTES_MIN} bytes
   */
  public static MemberSecret of(byte[] secret) {
    if (secret.length < BYTES_MIN) {
      throw new IllegalArgumentException(
          "a secret of members has at least %d bytes, this one has %d"
              .formatted(BYTES_MIN, secret.length));
    }
    return new MemberSecret(secret);
  }

  /** What whoever knows it answers to a challenge. */
  byte[] answer(byte[] challenge, byte[] principal) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(PURPOSE);
      mac.update(challenge);
      return mac.doFinal(principal);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }

  /** Whether somebody knows it; takes as long for any answer of the right length. */
  boolean isAnswer(byte[] answer, byte[] challenge, byte[] principal) {
    return MessageDigest.isEqual(answer, answer(challenge, principal));
  }

  @Override
  public String toString() {
    return "***";
  }
}
