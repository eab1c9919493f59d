package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.GrpcLimits;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.tls.ServerTls;
import io.entroq.service.tls.TestCertificates;
import io.entroq.service.tls.TestCertificates.Pair;
import io.entroq.service.tls.TlsFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a server that authenticates its clients. */
class SecureTargetIT {
  @TempDir private Path temporary;

  @Test
  void shouldPresentCertificateAndToken() throws Exception {
    Pair own = TestCertificates.ready(temporary, "server");
    Pair client = TestCertificates.ready(temporary, "client");
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        Authorization authorization = Authorization.of(config(opa));
        EmbeddedEntroQ engine = EmbeddedEntroQ.inMemory();
        ServerTls tls =
            ServerTls.read(
                new TlsFiles(own.certificate(), own.key(), Optional.of(client.certificate())));
        GrpcServer server = GrpcServer.start(engine.gateway(), config(tls), authorization::guard)) {
      String address = "localhost:" + server.port();
      Object[] secure = {
        "-s",
        address,
        "--tls-ca",
        own.certificate(),
        "--tls-cert",
        client.certificate(),
        "--tls-key",
        client.key(),
        // The default of five seconds can be too short on a busy machine.
        "--connect-timeout",
        "40s"
      };
      run(
              secure,
              "ins",
              "-q",
              "/shop/orders",
              "--authz_token",
              "token-of-ann",
              "--claimant",
              "ann#1")
          .assertGood();
      assertThat(opa.last().authorization()).isEqualTo("Bearer token-of-ann");
      run(secure, "ins", "-q", "/secret", "--authz-token=token-of-ann", "--claimant", "ann#1")
          .assertFailed("queue action denied");
      run(secure, "ts", "-q", "/shop/orders").assertFailed("denied");
      int asked = opa.asked.size();
      Object[] hasty = {"-s", address, "--connect-timeout", "2s"};
      run(hasty, "qs")
          .assertFailed("entroq qs: " + address + " closes connections at once", "TLS", "--tls-ca");
      run(hasty, "qs", "--tls-ca", own.certificate().toString())
          .assertFailed(address + " accepts only clients with a certificate that it trusts")
          .assertFailed("--tls-cert and --tls-key");
      String untrusted = "entroq qs: the certificate of " + address + " is not trusted";
      run(hasty, "qs", "-S").assertFailed(untrusted, "--tls-ca");
      run(hasty, "qs", "--tls-ca", client.certificate().toString()).assertFailed(untrusted);
      assertThat(run(hasty, "members", "-S").out()).contains(untrusted.substring(11));
      assertThat(opa.asked).hasSize(asked);

      // The environment may also hold the token.
      ProcessBuilder command =
          Java.command(
              Main.class, words(secure, "ts", "-q", "/shop/orders").toArray(String[]::new));
      command.environment().put("AUTHZ_TOKEN", "token-of-ann");
      Process process = command.redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said.lines()).as(said).hasSize(1);
      assertThat(said).contains("\"queue\":\"/shop/orders\"");
      assertThat(process.waitFor()).isZero();
      assertThat(opa.last().authorization()).isEqualTo("Bearer token-of-ann");
    }
  }

  private static Cli run(Object[] target, String... command) {
    return Cli.run(words(target, command).toArray());
  }

  private static List<String> words(Object[] target, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    for (Object word : target) {
      words.add(word.toString());
    }
    return words;
  }

  private static AuthorizationConfig config(FakeOpa opa) {
    return new AuthorizationConfig(
        AuthorizationConfig.Mode.OPAHTTP,
        opa.url(),
        AuthorizationConfig.PATH_DEFAULT,
        AuthorizationConfig.TIMEOUT_DEFAULT,
        true,
        false);
  }

  private static GrpcServerConfig config(ServerTls tls) {
    return new GrpcServerConfig(
        Optional.of("localhost"),
        0,
        GrpcServerConfig.MESSAGE_BYTES_MAX_DEFAULT,
        GrpcLimits.DEFAULT,
        Optional.of(tls));
  }
}
