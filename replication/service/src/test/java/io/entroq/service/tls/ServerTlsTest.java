package io.entroq.service.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.grpc.GrpcLimits;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.http.HttpTls;
import io.entroq.service.tls.TestCertificates.Pair;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both listeners with TLS, over loopback. */
class ServerTlsTest {
  private static final MethodDescriptor<TimeRequest, TimeResponse> TIME =
      MethodDescriptor.newBuilder(
              ProtoUtils.marshaller(TimeRequest.getDefaultInstance()),
              ProtoUtils.marshaller(TimeResponse.getDefaultInstance()))
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("api.EntroQ/Time")
          .build();

  @TempDir private static Path directory;
  private static Pair server;
  private static Pair next;
  private static Pair client;
  private static Pair stranger;

  @BeforeAll
  static void make() throws Exception {
    List<Pair> pairs = TestCertificates.make(directory, "server", "next", "client", "stranger");
    server = pairs.get(0);
    next = pairs.get(1);
    client = pairs.get(2);
    stranger = pairs.get(3);
  }

  @Test
  void shouldServeTrustingClientsAndDisconnectThoseWithoutTls() throws Exception {
    try (ServerTls tls = ServerTls.read(new TlsFiles(server.certificate(), server.key(), none()));
        EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
        GrpcServer grpc = serve(queue, tls);
        HttpServer http = serveHttp(queue, tls)) {
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), server)).isEqualTo(Status.Code.OK);
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), next))
          .isEqualTo(Status.Code.UNAVAILABLE);
      ManagedChannel plain =
          NettyChannelBuilder.forAddress("localhost", grpc.port()).usePlaintext().build();
      assertThat(code(plain)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status(http, "https")).isEqualTo(200);
      assertThatThrownBy(() -> status(http, "http")).isInstanceOf(IOException.class);
      assertThat(status(http, "https")).isEqualTo(200);
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), server)).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void shouldServeOnlyTrustedClients() throws Exception {
    try (ServerTls tls =
            ServerTls.read(
                new TlsFiles(
                    server.certificate(), server.key(), Optional.of(client.certificate())));
        EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
        GrpcServer grpc = serve(queue, tls);
        HttpServer http = serveHttp(queue, tls)) {
      assertThat(code(grpc, as(client), server)).isEqualTo(Status.Code.OK);
      assertThat(code(grpc, as(stranger), server)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), server))
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThatThrownBy(() -> status(http, "https")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldReloadChangedFilesAndKeepOldOnesIfUnusable(@TempDir Path files) throws Exception {
    Path certificate = files.resolve("crt");
    Path key = files.resolve("key");
    Files.copy(server.certificate(), certificate);
    Files.copy(server.key(), key);
    try (ServerTls tls = ServerTls.read(new TlsFiles(certificate, key, none()));
        EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
        GrpcServer grpc = serve(queue, tls)) {
      Files.copy(next.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
      tls.reload();
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), server)).isEqualTo(Status.Code.OK);
      Files.copy(next.key(), key, StandardCopyOption.REPLACE_EXISTING);
      tls.reload();
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), next)).isEqualTo(Status.Code.OK);
      assertThat(code(grpc, TlsChannelCredentials.newBuilder(), server))
          .isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void shouldReportTheUnusableFile(@TempDir Path files) throws Exception {
    Path nothing = files.resolve("nothing");
    Path text = Files.writeString(files.resolve("text"), "x");
    Path rsa = Files.writeString(files.resolve("rsa"), "-----BEGIN RSA PRIVATE KEY-----\n");
    Path broken = Files.writeString(files.resolve("broken"), "-----BEGIN PRIVATE KEY-----\nx\n");
    refuses(nothing, server.key(), none(), "--tls-cert: file not found: " + nothing);
    refuses(text, server.key(), none(), "--tls-cert: ");
    refuses(server.certificate(), nothing, none(), "--tls-key: file not found: " + nothing);
    refuses(server.certificate(), text, none(), "--tls-key: no unencrypted PKCS #8 key");
    refuses(server.certificate(), rsa, none(), "create one with openssl pkcs8 -topk8 -nocrypt");
    refuses(server.certificate(), broken, none(), "--tls-key: cannot read a key from");
    refuses(server.certificate(), next.key(), none(), "does not match the first certificate in");
    refuses(server.certificate(), server.key(), Optional.of(text), "--tls-client-ca: ");
    refuses(
        server.certificate(),
        server.key(),
        Optional.of(nothing),
        "--tls-client-ca: file not found");
  }

  private static void refuses(Path certificate, Path key, Optional<Path> clientCa, String message) {
    assertThatThrownBy(() -> ServerTls.read(new TlsFiles(certificate, key, clientCa)))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining(message);
  }

  private static Optional<Path> none() {
    return Optional.empty();
  }

  private static GrpcServer serve(EmbeddedEntroQ queue, ServerTls tls) throws IOException {
    return GrpcServer.start(
        queue.gateway(),
        new GrpcServerConfig(
            Optional.of("localhost"), 0, 10 << 20, GrpcLimits.DEFAULT, Optional.of(tls)));
  }

  private static HttpServer serveHttp(EmbeddedEntroQ queue, ServerTls tls) throws IOException {
    return HttpServer.start(
        queue.gateway(),
        HttpServerConfig.builder(0)
            .tls(new HttpTls(tls.keys(), tls.clients().map(clients -> clients)))
            .build(),
        UnaryOperator.identity(),
        Map.of());
  }

  private static TlsChannelCredentials.Builder as(Pair pair) throws IOException {
    return TlsChannelCredentials.newBuilder()
        .keyManager(pair.certificate().toFile(), pair.key().toFile());
  }

  private static Status.Code code(
      GrpcServer grpc, TlsChannelCredentials.Builder credentials, Pair known) throws IOException {
    return code(
        NettyChannelBuilder.forAddress(
                "localhost",
                grpc.port(),
                credentials.trustManager(known.certificate().toFile()).build())
            .build());
  }

  private static Status.Code code(ManagedChannel channel) {
    try {
      ClientCalls.blockingUnaryCall(
          channel,
          TIME,
          CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
          TimeRequest.getDefaultInstance());
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    } finally {
      channel.shutdownNow();
    }
  }

  private static int status(HttpServer http, String scheme) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "server", PemFile.read("server", server.certificate()).certificates()[0]);
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(
            HttpRequest.newBuilder(
                    URI.create("%s://localhost:%d/healthz".formatted(scheme, http.port())))
                .build(),
            BodyHandlers.discarding())
        .statusCode();
  }
}
