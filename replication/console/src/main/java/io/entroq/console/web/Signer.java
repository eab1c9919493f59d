package io.entroq.console.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs what browsers keep, such that only servers with the same secret can. What is signed for one
 * purpose does not hold for another. Any thread.
 */
public final class Signer {
  /** The length of a signature. */
  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;
  private final String purpose;

  /**
   * @param secret at least 32 bytes
   * @param purpose is signed before each text; no purpose begins with another
   */
  public Signer(byte[] secret, String purpose) {
    key = new SecretKeySpec(secret, ALGORITHM);
    this.purpose = purpose;
  }

  /** The signature of a text. */
  public byte[] sign(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal((purpose + text).getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /** Whether a signature is that of a text; takes as long if it is not. */
  public boolean isSigned(String text, byte[] signature) {
    return MessageDigest.isEqual(signature, sign(text));
  }
}
