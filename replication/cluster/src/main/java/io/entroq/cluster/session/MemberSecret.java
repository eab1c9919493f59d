package io.entroq.cluster.session;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret shared by all members. It is never sent: a session gets a random challenge and answers
 * with an HMAC of the challenge and its principal. Immutable.
 */
public final class MemberSecret {
  /** Shorter secrets can be guessed. */
  public static final int BYTES_MIN = 16;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] SESSIONS = "entroq member session 1".getBytes(US_ASCII);
  private static final byte[] ARCHIVES = "entroq member archive 1".getBytes(US_ASCII);

  private final SecretKeySpec key;
  private final byte[] purpose;

  private MemberSecret(SecretKeySpec key, byte[] purpose) {
    this.key = key;
    this.purpose = purpose;
  }

  /**
   * Creates a secret.
   *
   * @throws IllegalArgumentException if it has fewer than {@value #BYTES_MIN} bytes
   */
  public static MemberSecret of(byte[] secret) {
    if (secret.length < BYTES_MIN) {
      throw new IllegalArgumentException(
          "the members' secret must have at least %d bytes, has %d"
              .formatted(BYTES_MIN, secret.length));
    }
    return new MemberSecret(new SecretKeySpec(secret, ALGORITHM), SESSIONS);
  }

  /**
   * For sessions with archives. Answers differ from those for other sessions, so that nobody can
   * pass a challenge of an archive on to a member and use its answer.
   */
  MemberSecret forArchives() {
    return new MemberSecret(key, ARCHIVES);
  }

  /** The answer to a challenge. */
  byte[] answer(byte[] challenge, byte[] principal) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(purpose);
      mac.update(challenge);
      return mac.doFinal(principal);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }

  /** Verifies an answer in constant time. */
  boolean isAnswer(byte[] answer, byte[] challenge, byte[] principal) {
    return MessageDigest.isEqual(answer, answer(challenge, principal));
  }

  @Override
  public String toString() {
    return "***";
  }
}
