package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcMethods;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.grpc.ProtocolAnnouncer;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that nobody else reads, and what a client shows of itself. */
class SecureConnectionTest {
  private static final char[] PASSWORD = "of-tests".toCharArray();
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir Path temporary;

  private final EmbeddedEntroQ engine = EmbeddedEntroQ.inMemory();
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();
  private Server server;

  @BeforeEach
  void writeFiles() throws Exception {
    write("server");
    write("client");
  }

  @AfterEach
  void close() {
    server.shutdownNow();
    engine.close();
  }

  private void write(String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file =
        SecureConnectionTest.class.getResourceAsStream("/tls/" + name + ".p12")) {
      store.load(file, PASSWORD);
    }
    String alias = store.aliases().nextElement();
    pem(name + ".pem", "CERTIFICATE", store.getCertificate(alias).getEncoded());
    pem(name + ".key", "PRIVATE KEY", store.getKey(alias, PASSWORD).getEncoded());
  }

  private void pem(String file, String what, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    Files.writeString(
        path(file), "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }

  private Path path(String file) {
    return temporary.resolve(file);
  }

  private TlsServerCredentials.Builder credentials() throws Exception {
    return TlsServerCredentials.newBuilder()
        .keyManager(path("server.pem").toFile(), path("server.key").toFile());
  }

  private void serve(ServerCredentials credentials) throws Exception {
    QueueService service =
        new QueueService(
            Facade.V1,
            engine.gateway(),
            new BlockedClaims(),
            GrpcServerConfig.MESSAGE_BYTES_MAX_DEFAULT);
    server =
        NettyServerBuilder.forPort(0, credentials)
            .directExecutor()
            .intercept(new TokenCheck())
            .intercept(new ProtocolAnnouncer())
            .addService(GrpcMethods.of(service))
            .build()
            .start();
  }

  private ClientConfig.Builder client() {
    return ClientConfig.to("localhost:" + server.getPort()).connectTimeout(Duration.ofSeconds(1));
  }

  private static void use(ClientConfig.Builder config) {
    try (EntroQ queue = EntroQClient.connect(config.build())) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
    }
  }

  @Test
  void shouldTrustWhoeverHasACertificateOfTheAuthority() throws Exception {
    serve(credentials().build());
    use(client().tls(path("server.pem")));
    assertThatThrownBy(() -> use(client().tls(path("client.pem"))))
        .isInstanceOf(EntroQException.Unavailable.class);
    assertThatThrownBy(() -> use(client().tls())).isInstanceOf(EntroQException.Unavailable.class);
    assertThatThrownBy(() -> use(client())).isInstanceOf(EntroQException.Unavailable.class);
  }

  @Test
  void shouldShowItsOwnCertificate() throws Exception {
    serve(
        credentials()
            .trustManager(path("client.pem").toFile())
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build());
    ClientConfig.Builder config = client().tls(path("server.pem"));
    assertThatThrownBy(() -> use(config)).isInstanceOf(EntroQException.Unavailable.class);
    use(config.clientCertificate(path("client.pem"), path("client.key")));
  }

  @Test
  void shouldShowATokenWithEachRequest() throws Exception {
    serve(credentials().build());
    use(client().tls(path("server.pem")).token("secret"));
    assertThat(tokens).containsExactly("Bearer secret");
    assertThatThrownBy(() -> use(client().tls(path("server.pem")).token("wrong")))
        .isInstanceOf(EntroQException.PermissionDenied.class)
        .hasMessageContaining("not with this token");
  }

  /** Lets nobody in with the wrong token. */
  private final class TokenCheck implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String token = headers.get(AUTHORIZATION);
      if ("Bearer wrong".equals(token)) {
        call.close(Status.UNAUTHENTICATED.withDescription("not with this token"), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      if (token != null) {
        tokens.add(token);
      }
      return next.startCall(call, headers);
    }
  }
}
