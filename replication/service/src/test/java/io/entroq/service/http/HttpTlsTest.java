package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.service.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** HTTP over TLS, with certificates that were made for these tests. */
class HttpTlsTest {
  private static final char[] PASSWORD = "of-tests".toCharArray();

  @Test
  void shouldServeClientsThatTrustTheServer() throws Exception {
    try (HttpQueue served = new HttpQueue(tls(Optional.empty()))) {
      RawHttp client = new RawHttp(served.server.port(), sockets(Optional.empty()));
      assertThat(client.get("/api/v0/time").status()).isEqualTo(200);
      client.beginPost("/api/v0/claim/wait", "{\"claimantId\":\"c\",\"queues\":[\"q\"]}");
      served.awaitBlocked(1);
      client.close();
      served.awaitBlocked(0);
    }
  }

  @Test
  void shouldRefuseClientsWithoutARequiredCertificate() throws Exception {
    try (HttpQueue served = new HttpQueue(tls(Optional.of("client")))) {
      try (RawHttp client = new RawHttp(served.server.port(), sockets(Optional.of("client")))) {
        assertThat(client.get("/api/v0/time").status()).isEqualTo(200);
      }
      for (Optional<String> other : List.of(Optional.<String>empty(), Optional.of("server"))) {
        assertThatThrownBy(
                () -> {
                  try (RawHttp client = new RawHttp(served.server.port(), sockets(other))) {
                    client.get("/api/v0/time");
                  }
                })
            .isInstanceOf(UncheckedIOException.class);
      }
    }
  }

  @Test
  void shouldNotWaitForClientsWithoutTls() throws Exception {
    try (HttpQueue served = new HttpQueue(tls(Optional.empty()).idleMax(Duration.ofMillis(200)));
        RawHttp plain = served.connect();
        RawHttp silent = served.connect()) {
      plain.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
      Await.until("all are cut", () -> served.server.connections() == 0);
      assertThat(silent.isEnded()).isTrue();
    }
  }

  @Test
  void shouldRespondToPipelinedRequestsOverTls() throws Exception {
    int requests = 1_000;
    try (HttpQueue served = new HttpQueue(tls(Optional.empty()));
        RawHttp client = new RawHttp(served.server.port(), sockets(Optional.empty()))) {
      CompletableFuture<Void> written =
          CompletableFuture.runAsync(
              () -> client.write("GET /api/v0/time HTTP/1.1\r\nHost: t\r\n\r\n".repeat(requests)));
      for (int i = 0; i < requests; i++) {
        assertThat(client.receive().status()).isEqualTo(200);
      }
      written.get(10, TimeUnit.SECONDS);
    }
  }

  private static HttpServerConfig.Builder tls(Optional<String> client) throws Exception {
    Optional<TrustManager> clients =
        client.isPresent() ? Optional.of(trust(client.get())[0]) : Optional.empty();
    return HttpServerConfig.builder(0).tls(new HttpTls(keys("server")[0], clients));
  }

  private static SSLSocketFactory sockets(Optional<String> client)
      throws GeneralSecurityException, IOException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(client.isPresent() ? keys(client.get()) : null, trust("server"), null);
    return context.getSocketFactory();
  }

  private static KeyManager[] keys(String name) throws GeneralSecurityException, IOException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store(name), PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trust(String name) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    KeyStore store = store(name);
    for (String alias : Collections.list(store.aliases())) {
      trusted.setCertificateEntry(alias, store.getCertificate(alias));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private static KeyStore store(String name) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = HttpTlsTest.class.getResourceAsStream("/tls/" + name + ".p12")) {
      store.load(file, PASSWORD);
    }
    return store;
  }
}
