package io.entroq.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.virtual.SeededRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DamageTest {
  private static final String LOG = "/data/log/segment";

  private final SimulatedDisk disk = new SimulatedDisk();
  private final SeededRandom random = new SeededRandom(1);

  @BeforeEach
  void write() {
    disk.write(LOG, new byte[10_000]);
    disk.write("/data/other", new byte[10]);
  }

  @Test
  void shouldFlipOneBit() {
    Damage damage = disk.flipBit(path -> path.startsWith("/data/log"), random);

    assertThat(damage.path()).isEqualTo(LOG);
    int ones = 0;
    for (byte each : disk.read(LOG)) {
      ones += Integer.bitCount(each & 0xff);
    }
    assertThat(ones).isOne();
  }

  @Test
  void shouldTakeTheEndOfAFile() {
    Damage damage = disk.truncate(path -> path.equals(LOG), random);

    assertThat(damage.path()).isEqualTo(LOG);
    assertThat(disk.read(LOG).length).isLessThan(10_000);
  }

  @Test
  void shouldRemoveAFile() {
    Damage damage = disk.remove(path -> path.equals(LOG), random);

    assertThat(disk.files(path -> true)).containsExactly("/data/other");
    assertThat(disk.usedBytes()).isEqualTo(4_096);
    assertThat(damage.path()).isEqualTo(LOG);
  }

  @Test
  void shouldStayDamagedWhenPowerIsLost() {
    Damage damage = disk.truncate(path -> path.equals(LOG), random);
    byte[] left = disk.read(LOG);

    disk.losePower(random);

    assertThat(disk.read(LOG)).isEqualTo(left);
    assertThat(damage.toString()).startsWith(LOG + ": " + left.length + " of 10000 bytes");
  }

  @Test
  void shouldDamageNothingWhenThereIsNoSuchFileOrAProcessLives() {
    assertThat(disk.flipBit(path -> path.endsWith("none"), random)).isNull();
    DiskProcess process = disk.startProcess();

    assertThatThrownBy(() -> disk.flipBit(path -> true, random))
        .isInstanceOf(IllegalStateException.class);
    process.die();
    assertThat(disk.flipBit(path -> true, random)).isNotNull();
  }

  @Test
  void shouldBeAsItWasWhenAnImageIsPutBack() {
    DiskImage image = disk.image();
    disk.remove(path -> path.equals(LOG), random);
    disk.write("/more", new byte[1]);

    disk.restore(image);

    assertThat(disk.files(path -> true)).containsExactly(LOG, "/data/other");
    assertThat(disk.read(LOG)).hasSize(10_000);
    assertThat(disk.usedBytes()).isEqualTo(4 * 4_096);
    disk.flipBit(path -> true, random);
    disk.restore(image);
    assertThat(disk.read(LOG)).containsOnly(0);
  }
}
