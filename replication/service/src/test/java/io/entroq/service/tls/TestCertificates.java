package io.entroq.service.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** Certificates that sign for themselves, made by the tool of the JDK, as PEM. */
public final class TestCertificates {
  private static final String PASSWORD = "password";
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  private TestCertificates() {}

  /**
   * A certificate and its key.
   *
   * @param certificate a file
   * @param key a file
   */
  public record Pair(Path certificate, Path key) {}

  /** Makes as many as there are names, in files of these names. */
  public static List<Pair> make(Path directory, String... names) throws Exception {
    List<Process> makings =
        List.of(names).stream().map(name -> start(directory.resolve(name + ".p12"))).toList();
    for (Process making : makings) {
      String output = new String(making.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (making.waitFor() != 0) {
        throw new AssertionError(output);
      }
    }
    return List.of(names).stream().map(name -> pem(directory, name)).toList();
  }

  /** One of the two that tests have as files, {@code server} and {@code client}. */
  public static Pair ready(Path directory, String name) throws IOException {
    try (InputStream in = TestCertificates.class.getResourceAsStream("/tls/" + name + ".p12")) {
      return pem(directory, name, in, "of-tests");
    }
  }

  private static Process start(Path store) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-J-XX:TieredStopAtLevel=1",
              "-genkeypair",
              "-alias",
              "a",
              "-keyalg",
              "EC",
              "-groupname",
              "secp256r1",
              "-dname",
              "CN=" + store.getFileName(),
              "-ext",
              "san=dns:localhost,ip:127.0.0.1",
              "-storetype",
              "PKCS12",
              "-storepass",
              PASSWORD,
              "-keystore",
              store.toString())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Pair pem(Path directory, String name) {
    try (InputStream in = Files.newInputStream(directory.resolve(name + ".p12"))) {
      return pem(directory, name, in, PASSWORD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Pair pem(Path directory, String name, InputStream in, String password) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password.toCharArray());
      String alias = store.aliases().nextElement();
      return new Pair(
          write(
              directory.resolve(name + ".crt"),
              "CERTIFICATE",
              store.getCertificate(alias).getEncoded()),
          write(
              directory.resolve(name + ".key"),
              "PRIVATE KEY",
              store.getKey(alias, password.toCharArray()).getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static Path write(Path file, String what, byte[] bytes) throws IOException {
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, LINES.encodeToString(bytes), what));
  }
}
