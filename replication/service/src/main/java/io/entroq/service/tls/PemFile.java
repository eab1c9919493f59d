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

/** A PEM file as it was when it was read. */
final class PemFile {
  /** Larger files were named by mistake. */
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
   * @param name the flag that names the file
   */
  static PemFile read(String name, Path path) throws TlsException {
    try {
      if (Files.size(path) > BYTES_MAX) {
        throw new TlsException("%s: %s is too large for a PEM file".formatted(name, path));
      }
      return new PemFile(name, path, Files.readAllBytes(path));
    } catch (NoSuchFileException e) {
      throw new TlsException("%s: file not found: %s".formatted(name, path), e);
    } catch (IOException e) {
      throw new TlsException("%s: cannot read %s: %s".formatted(name, path, e), e);
    }
  }

  Path path() {
    return path;
  }

  boolean hasSameBytes(PemFile other) {
    return Arrays.equals(bytes, other.bytes);
  }

  /** The certificates, at least one. */
  X509Certificate[] certificates() throws TlsException {
    try {
      X509Certificate[] certificates =
          CertificateUtils.getX509Certificates(new ByteArrayInputStream(bytes));
      if (certificates.length == 0) {
        throw new TlsException("%s: no certificate in %s".formatted(name, path));
      }
      return certificates;
    } catch (GeneralSecurityException e) {
      throw new TlsException("%s: cannot read a certificate from %s".formatted(name, path), e);
    }
  }

  PrivateKey key() throws TlsException {
    // Only unencrypted PKCS #8 has this header.
    if (!new String(bytes, StandardCharsets.ISO_8859_1).contains("-----BEGIN PRIVATE KEY-----")) {
      throw new TlsException(
          "%s: no unencrypted PKCS #8 key in %s; create one with openssl pkcs8 -topk8 -nocrypt"
              .formatted(name, path));
    }
    try {
      return CertificateUtils.getPrivateKey(new ByteArrayInputStream(bytes));
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new TlsException("%s: cannot read a key from %s".formatted(name, path), e);
    }
  }
}
