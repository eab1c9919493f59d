package io.entroq.server.flood;

import io.entroq.server.cli.ServerProcess;
import io.entroq.service.grpc.WireClient;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(value = 2, unit = TimeUnit.HOURS)
@EnabledOnOs(OS.LINUX)
class FloodIT {
  @Test
  void shouldServeOthersAndKeepItsMemory() throws Exception {
    flood(FloodScenario.FEW);
  }

  @Test
  @Tag("long")
  void shouldServeOthersAndKeepItsMemoryWhateverComes() throws Exception {
    flood(FloodScenario.ALL);
  }

  private static void flood(int kindsMax) throws Exception {
    try (ServerProcess server = ServerProcess.start(FloodScenario.JVM, 0)) {
      new FloodScenario(server, Optional.empty(), new WireClient(server.port()), () -> {})
          .run(kindsMax);
    }
  }
}
