package io.entroq.server.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.tools.terminal.CommandException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortAssignmentTest {
  private static final OptionalInt ANY = OptionalInt.empty();

  @Test
  void shouldGiveEachPortOnceAndNoneThatTheSystemHandsOut() {
    List<MemberPorts> assigned = choose(OptionalInt.of(5), ANY, ANY, Optional.empty());
    assertThat(assigned).hasSize(5);
    Set<Integer> ports = new HashSet<>();
    for (MemberPorts member : assigned) {
      assertThat(ports.add(member.port())).isTrue();
      assertThat(ports.add(member.httpPort())).isTrue();
      for (int i = 0; i < 5; i++) {
        assertThat(ports.add(member.memberPort() + i)).isTrue();
      }
    }
    assertThat(ports).allMatch(port -> port >= 10_000 && port < 65_536);
  }

  @Test
  void shouldUseConfiguredPorts() {
    List<MemberPorts> assigned =
        choose(ANY, OptionalInt.of(4_000), OptionalInt.of(7_000), previous());
    assertThat(assigned)
        .containsExactly(
            new MemberPorts(0, 4_000, 2, 7_000),
            new MemberPorts(1, 4_001, 5, 7_005),
            new MemberPorts(2, 4_002, 8, 7_010));
    assertThatThrownBy(() -> choose(ANY, ANY, OptionalInt.of(65_525), previous()))
        .isInstanceOf(CommandException.class)
        .hasMessage("member 2 would need a port above 65535");
  }

  @Test
  void shouldReuseThePortsOfTheDirectory() {
    assertThat(choose(ANY, ANY, ANY, previous())).isEqualTo(previous().orElseThrow().members());
    assertThatThrownBy(() -> choose(OptionalInt.of(5), ANY, ANY, previous()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("has 3 members; this cannot be changed");
  }

  private static Optional<ClusterFile> previous() {
    return Optional.of(
        new ClusterFile(
            List.of(
                new MemberPorts(0, 1, 2, 3),
                new MemberPorts(1, 4, 5, 6),
                new MemberPorts(2, 7, 8, 9)),
            true));
  }

  private static List<MemberPorts> choose(
      OptionalInt members,
      OptionalInt port,
      OptionalInt memberPort,
      Optional<ClusterFile> previous) {
    return new PortAssignment(
            new LocalClusterConfig(
                Path.of("d"),
                members,
                "127.0.0.1",
                port,
                ANY,
                memberPort,
                64,
                List.of(),
                Duration.ZERO,
                Optional.empty()))
        .choose(previous);
  }
}
