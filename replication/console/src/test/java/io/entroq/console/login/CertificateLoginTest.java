package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.console.ConsoleConfig;
import io.entroq.console.ConsoleConfig.LoginKind;
import io.entroq.console.web.ConsoleFixture;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.http.HttpTls;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateLoginTest {
  private static final char[] PASSWORD = "of-tests".toCharArray();

  @TempDir private Path directory;

  private static KeyStore store(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file =
        CertificateLoginTest.class.getResourceAsStream("/tls/" + name + ".p12")) {
      store.load(file, PASSWORD);
    }
    return store;
  }

  private static X509Certificate certificate(String name) throws Exception {
    KeyStore store = store(name);
    return (X509Certificate) store.getCertificate(store.aliases().nextElement());
  }

  private static KeyManager[] keys(String name) throws Exception {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store(name), PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trust(String name) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(name, certificate(name));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private ConsoleFixture console(Optional<Path> users, Optional<String> clients) throws Exception {
    return new ConsoleFixture(
        new ConsoleConfig(LoginKind.CERT, users, Optional.empty(), Optional.empty(), List.of()),
        HttpServerConfig.builder(0)
            .tls(
                new HttpTls(
                    keys("server")[0],
                    clients.isPresent()
                        ? Optional.of(trust(clients.get())[0])
                        : Optional.empty())));
  }

  private static HttpResponse<String> get(ConsoleFixture console, boolean showsCertificate)
      throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(showsCertificate ? keys("client") : null, trust("server"), null);
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(
            HttpRequest.newBuilder(
                    URI.create(console.origin().replace("http://", "https://") + "/console"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void shouldKnowUsersByTheirCertificates() throws Exception {
    String name = CertificateLogin.name(certificate("client")).orElseThrow();
    try (ConsoleFixture console = console(Optional.empty(), Optional.of("client"))) {
      HttpResponse<String> page = get(console, true);
      assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
      assertThat(page.body()).contains(name, "viewer").doesNotContain("Log out");
    }
    Path users = Files.writeString(directory.resolve("users"), name + ":*:admin\n");
    try (ConsoleFixture console = console(Optional.of(users), Optional.of("client"))) {
      assertThat(get(console, true).body()).contains(name, "admin");
    }
  }

  @Test
  void shouldRefuseWhoeverShowsNone() throws Exception {
    try (ConsoleFixture console = console(Optional.empty(), Optional.empty())) {
      HttpResponse<String> page = get(console, false);
      assertThat(page.statusCode()).isEqualTo(403);
      assertThat(page.body()).contains("asks for a certificate");
    }
  }
}
