package io.entroq.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** A data directory that one process created and another continues with. */
class DirectoryBegunTest {
  private static final int CALLS_MAX = 60;
  private static final int SEEDS = 20;
  private static final String DATA = "/above/data";
  private static final String RUN = DATA + "/log/run-000001-00000000000000000001";

  @Test
  void shouldBeThereWhenPowerIsLostAfterTheProcessThatMadeItWasKilledAtAnyCall() {
    for (int call = 1; call < CALLS_MAX; call++) {
      for (int seed = 0; seed < SEEDS; seed++) {
        SimulatedDisk disk = new SimulatedDisk();
        disk.faults().dieIn(call, seed % 2 == 0);
        openAndDie(disk);
        disk.faults().disarm();

        LogDirectory.open(disk.startProcess().path(DATA)).newRun(1);
        disk.losePower(new SeededRandom(seed));

        assertThat(Files.isDirectory(disk.startProcess().path(RUN)))
            .as("call %d, seed %d", call, seed)
            .isTrue();
      }
    }
  }

  private static void openAndDie(SimulatedDisk disk) {
    DiskProcess process = disk.startProcess();
    try {
      LogDirectory.open(process.path(DATA));
    } catch (SimulatedDeath | LogException e) {
      assertThat(process.isAlive()).isFalse();
    }
    process.die();
  }
}
