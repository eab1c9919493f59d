package io.entroq.codec.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A fast cryptographic random generator: AES in counter mode with a key from the operating system's
 * randomness, read once. Not thread-safe.
 */
final class RandomBits {
  private static final int KEY_BYTES = 16;
  private static final int BLOCK_BYTES = 1024;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] zeros = new byte[BLOCK_BYTES];
  private final byte[] block = new byte[BLOCK_BYTES];
  private final Cipher cipher;
  private int used = BLOCK_BYTES;

  RandomBits() {
    SecureRandom secure = new SecureRandom();
    byte[] key = new byte[KEY_BYTES];
    byte[] start = new byte[KEY_BYTES];
    secure.nextBytes(key);
    secure.nextBytes(start);
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(start));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform lacks AES", e);
    }
  }

  long nextLong() {
    if (used == BLOCK_BYTES) {
      refill();
    }
    long value = (long) LONGS.get(block, used);
    used += Long.BYTES;
    return value;
  }

  private void refill() {
    try {
      cipher.update(zeros, 0, BLOCK_BYTES, block, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES in counter mode failed", e);
    }
    used = 0;
  }
}
