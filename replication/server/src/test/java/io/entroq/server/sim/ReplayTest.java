package io.entroq.server.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.world.WorldConfig;
import java.io.File;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private final WorldConfig world = WorldConfig.of(4);

  @Test
  void shouldNameTheJarAsItWasNamed() {
    assertThat(Replay.command(world, "target/any-name.jar"))
        .isEqualTo("java -jar target/any-name.jar sim " + world.flags());
  }

  @Test
  void shouldNameTheJarWhereThereIsNone() {
    String several = String.join(File.pathSeparator, "lib/one.jar", "lib/two.jar");
    assertThat(Replay.command(world, several))
        .isEqualTo("java -jar entroq.jar sim " + world.flags());
  }
}
