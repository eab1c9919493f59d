package io.entroq.server.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterFileTest {
  private static final ClusterFile FILE =
      new ClusterFile(List.of(new MemberPorts(0, 1, 2, 3), new MemberPorts(1, 4, 5, 6)), false);

  @TempDir private Path directory;

  @Test
  void shouldReadWhatItHasWritten() {
    assertThat(ClusterFile.read(directory)).isEmpty();
    FILE.write(directory);
    assertThat(ClusterFile.read(directory)).contains(FILE);
    FILE.withBeenReady().write(directory);
    assertThat(ClusterFile.read(directory)).contains(FILE.withBeenReady());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "entroq-cluster 2\nmember 0 grpc 1 http 2 members 3\n",
        "entroq-cluster 1\n",
        "entroq-cluster 1\nbegun\n",
        "entroq-cluster 1\nmember 1 grpc 1 http 2 members 3\n",
        "entroq-cluster 1\nmember 0 grpc 1 http 2 members 123456\n",
        "entroq-cluster 1\nbegun\nmember 0 grpc 1 http 2 members 3\n",
        "entroq-cluster 1\nmember 0 grpc 1 http 2 members 3\nmore\n",
        "\u0000\u00ff",
      })
  void shouldRefuseAnythingElse(String text) throws IOException {
    Files.writeString(directory.resolve(ClusterFile.NAME), text);
    assertThatThrownBy(() -> ClusterFile.read(directory))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is damaged, so the ports of the members are unknown");
  }

  @Test
  void shouldReadNoLongFile() throws IOException {
    Files.writeString(directory.resolve(ClusterFile.NAME), "x".repeat(5_000));
    assertThatThrownBy(() -> ClusterFile.read(directory)).isInstanceOf(CommandException.class);
  }
}
