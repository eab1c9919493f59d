package io.entroq.service.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Whether two keys belong to each other. */
final class KeyPairs {
  private static final byte[] WORDS = "any words".getBytes(StandardCharsets.UTF_8);

  private KeyPairs() {}

  static boolean belong(PrivateKey key, PublicKey other) {
    if (!key.getAlgorithm().equals(other.getAlgorithm())) {
      return false;
    }
    try {
      String algorithm =
          key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256with" + key.getAlgorithm();
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(WORDS);
      byte[] signed = signature.sign();
      signature.initVerify(other);
      signature.update(WORDS);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      // Another curve, or another length.
      return false;
    }
  }
}
