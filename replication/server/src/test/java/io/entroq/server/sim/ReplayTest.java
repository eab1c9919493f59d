package io.entroq.server.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.world.WorldConfig;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private final WorldConfig world = WorldConfig.of(4);

  @Test
  void shouldNameTheJarAsItWasNamed() {
    assertThat(Replay.command(world, "replication/server/target/entroq.jar"))
        .isEqualTo("java -jar replication/server/target/entroq.jar sim " + world.flags());
  }

  @Test
  void shouldNameTheJarWhereThereIsNone() {
    assertThat(Replay.command(world, "target/classes:lib/one.jar"))
        .isEqualTo("java -jar entroq.jar sim " + world.flags());
  }
}
