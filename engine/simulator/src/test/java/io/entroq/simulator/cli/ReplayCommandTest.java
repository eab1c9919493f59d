package io.entroq.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.world.WorldConfig;
import java.io.File;
import org.junit.jupiter.api.Test;

class ReplayCommandTest {
  private final WorldConfig world = WorldConfig.of(4);

  @Test
  void shouldNameTheJarAsItWasNamed() {
    assertThat(ReplayCommand.command(world, "target/any-name.jar"))
        .isEqualTo("java -jar target/any-name.jar " + world.flags());
  }

  @Test
  void shouldNameTheJarWhereThereIsNone() {
    String several = String.join(File.pathSeparator, "lib/one.jar", "lib/two.jar");
    assertThat(ReplayCommand.command(world, several))
        .isEqualTo("java -jar engine/simulator/target/entroq-simulator.jar " + world.flags());
  }
}
