package io.entroq.simulator.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.entroq.api.Durability;
import io.entroq.simulator.fault.FaultChoice;
import io.entroq.simulator.fault.FaultKind;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorldConfigTest {

  @Test
  void shouldReadWhatItPrintsOfAnyChoice() {
    for (FaultKind kind : FaultKind.values()) {
      Set<FaultKind> one = EnumSet.of(kind);
      Set<FaultKind> others = EnumSet.complementOf(EnumSet.of(kind));

      assertEquals(one, FaultChoice.parse(FaultChoice.print(one)));
      assertEquals(others, FaultChoice.parse(FaultChoice.print(others)));
    }
    assertEquals(Set.of(), FaultChoice.parse(FaultChoice.print(Set.of())));
    assertEquals("all", FaultChoice.print(EnumSet.allOf(FaultKind.class)));
  }

  @Test
  void shouldLeaveOutWhatHasADash() {
    assertEquals(
        EnumSet.complementOf(EnumSet.of(FaultKind.DISK_FULL)), FaultChoice.parse("-disk-full"));
    assertEquals(
        EnumSet.of(FaultKind.POWER_LOST), FaultChoice.parse("power-lost,disk-full,-disk-full"));
  }

  @Test
  void shouldNameThoseThereAreWhenThereIsNoSuchKind() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> FaultChoice.parse("disc-full"));

    assertTrue(e.getMessage().contains("'disc-full'"), e::getMessage);
    assertTrue(e.getMessage().contains("disk-full"), e::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none,-power-lost", "-power-lost,none", "none,none"})
  void shouldRefuseMoreBesideNone(String text) {
    assertRefused(text, "'none' cannot be combined");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-", "power-lost,", ",power-lost", "power-lost,,disk-full"})
  void shouldRefuseWhatHasNoName(String text) {
    assertRefused(text, "empty fault name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-all", "-none"})
  void shouldRefuseToLeaveOutAllOrNone(String text) {
    assertRefused(text, "a dash excludes one kind of fault");
  }

  private static void assertRefused(String text, String reason) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> FaultChoice.parse(text));
    assertTrue(e.getMessage().startsWith(reason), e::getMessage);
  }

  @Test
  void shouldMakeWorldOfHighestRateThatItAllows() {
    WorldConfig config = WorldConfig.of(1).withRequestsPerSecond(1_000_000);

    assertTrue(Simulation.run(config, soFar -> false).failure().isEmpty());
    assertThrows(IllegalArgumentException.class, () -> config.withRequestsPerSecond(1_000_001));
  }

  @Test
  void shouldPrintTheFlagsThatMakeIt() {
    WorldConfig config =
        new WorldConfig(7, 0.25, 20, 50, EnumSet.of(FaultKind.POWER_LOST), Durability.DISK, 1);

    assertEquals(
        "--seed 7 --hours 0.25 --clients 20 --rate 50" + " --faults power-lost --durability disk",
        config.flags());
  }
}
