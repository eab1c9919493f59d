package io.entroq.perf.peers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildServerTest {
  @TempDir private Path directory;

  @Test
  void shouldKillAllNodesWhenTheLastOneDoesNotStart() throws Exception {
    List<ChildProcess> nodes = new ArrayList<>();
    assertThatThrownBy(
            () ->
                ChildServer.started(
                    nodes,
                    () -> {
                      nodes.add(node("sleep", "1000"));
                      nodes.add(node("sleep", "1000"));
                      nodes.add(node("no-such-program"));
                      return nodes;
                    }))
        .hasMessageContaining("no-such-program");
    assertThat(nodes).hasSize(2);
    for (ChildProcess node : nodes) {
      // Fails if it still runs.
      assertThatThrownBy(() -> node.awaitReady(Duration.ZERO, () -> false))
          .hasMessageStartingWith("node ended with ");
    }
  }

  private ChildProcess node(String... command) throws IOException {
    return ChildProcess.start("node", directory, Map.of(), List.of(command));
  }
}
