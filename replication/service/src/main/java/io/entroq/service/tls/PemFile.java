package io.entroq.service.tls;

import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;

/** What was in a file when it was read. */
final class PemFile {
  /** Longer ones were named by mistake. */
  private static final long BYTES_MAX = 1 << 20;

  private final String name;
  private final Path path;
  private final byte[] bytes;

  private PemFile(String name, Path path, byte[] bytes) {
    this.name = name;
    this.path = path;
    this.bytes = bytes;
  }

  /**
   * Reads a file.
   *
   * @param name the flag that names the file
   */
  static PemFile read(String name, Path path) throws TlsException {
    try {
      if (Files.size(path) > BYTES_MAX) {
        throw new TlsException("%s: %s is too long for PEM".formatted(name, path));
      }
      return new PemFile(name, path, Files.readAllBytes(path));
    } catch (NoSuchFileException e) {
      throw new TlsException("%s: there is no file %s".formatted(name, path), e);
    } catch (IOException e) {
      throw new TlsException("%s: %s cannot be read: %s".formatted(name, path, e), e);
    }
  }

  Path path() {
    return path;
  }

  boolean hasSameBytes(PemFile other) {
    return Arrays.equals(bytes, other.bytes);
  }

  /** The certificates in it, at least one. */
  X509Certificate[] certificates() throws TlsException {
    try {
      X509Certificate[] certificates =
          CertificateUtils.getX509Certificates(new ByteArrayInputStream(bytes));
      if (certificates.length == 0) {
        throw new TlsException("%s: there is no certificate in %s".formatted(name, path));
      }
      return certificates;
    } catch (GeneralSecurityException e) {
      throw new TlsException("%s: no certificate is to be read from %s".formatted(name, path), e);
    }
  }

  /** The key in it. */
  PrivateKey key() throws TlsException {
    // Only PKCS #8 without a password has this header.
    if (!new String(bytes, StandardCharsets.ISO_8859_1).contains("-----BEGIN PRIVATE KEY-----")) {
      throw new TlsException(
          ("%s: there is no PKCS #8 key without a password in %s; openssl pkcs8 -topk8 -nocrypt makes"
                  + " one")
              .formatted(name, path));
    }
    try {
      return CertificateUtils.getPrivateKey(new ByteArrayInputStream(bytes));
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new TlsException("%s: no key is to be read from %s".formatted(name, path), e);
    }
  }
}
