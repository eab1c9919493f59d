package io.entroq.server.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LocalClusterConfigTest {
  private static final OptionalInt ANY = OptionalInt.empty();

  @Test
  void shouldGiveEachMediaDriverADirectoryOfItsOwn() {
    LocalClusterConfig shared = config(Optional.of(Path.of("shm")));
    assertThat(shared.driverDirectoryOf(0)).contains(Path.of("shm", "member-0"));
    assertThat(shared.driverDirectoryOf(1)).contains(Path.of("shm", "member-1"));
    assertThat(config(Optional.empty()).driverDirectoryOf(0)).isEmpty();
  }

  private static LocalClusterConfig config(Optional<Path> driverDirectory) {
    return new LocalClusterConfig(
        Path.of("d"),
        ANY,
        "127.0.0.1",
        ANY,
        ANY,
        ANY,
        64,
        List.of(),
        Duration.ZERO,
        driverDirectory);
  }
}
