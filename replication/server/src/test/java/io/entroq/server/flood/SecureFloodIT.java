package io.entroq.server.flood;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.entroq.server.cli.ServerProcess;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.tls.TestCertificates;
import io.entroq.service.tls.TestCertificates.Pair;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** As {@link FloodIT}, with TLS and an authorizer. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@EnabledOnOs(OS.LINUX)
class SecureFloodIT {
  @TempDir private Path directory;

  @Test
  void shouldServeOthersAndKeepItsMemory() throws Exception {
    flood(FloodScenario.FEW);
  }

  @Test
  @Tag("long")
  void shouldServeOthersAndKeepItsMemoryWhateverComes() throws Exception {
    flood(FloodScenario.ALL);
  }

  private void flood(int kindsMax) throws Exception {
    Pair own = TestCertificates.ready(directory, "server");
    try (FakeOpa opa =
            new FakeOpa(input -> JsonNodeFactory.instance.objectNode().put("allow", true));
        ServerProcess server =
            ServerProcess.start(
                FloodScenario.JVM,
                0,
                "--tls-cert",
                own.certificate().toString(),
                "--tls-key",
                own.key().toString(),
                "--authz",
                "opahttp",
                "--opa-url",
                opa.url())) {
      WireClient client =
          new WireClient(server.port(), own.certificate().toFile(), FloodScenario.TOKEN);
      new FloodScenario(server, Optional.of(trusting()), client, opa.asked::clear).run(kindsMax);
    }
  }

  private static SSLContext trusting() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    return context;
  }

  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
