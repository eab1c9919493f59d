package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.EmbeddedConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a member may be told. */
class MemberConfigTest {
  private static final List<MemberAddress> MEMBERS =
      List.of(MemberAddress.of("a", 1_000), MemberAddress.of("b", 2_000));

  @Test
  void shouldNameAllPlacesOfAllMembers() {
    assertThat(MemberAddress.forConsensus(MEMBERS))
        .isEqualTo("0,a:1000,a:1001,a:1002,a:1003,a:1004|1,b:2000,b:2001,b:2002,b:2003,b:2004");
    assertThat(MemberAddress.forIngress(MEMBERS)).isEqualTo("0=a:1000,1=b:2000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "host", ":1", "host:", "host:0", "host:65536", "a,b:1", "a|b:1", "a b:1"})
  void shouldRefuseWhatIsNoAddress(String endpoint) {
    assertThatThrownBy(() -> new MemberAddress(endpoint, "a:1", "a:2", "a:3", "a:4"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefusePortsThatThereAreNot() {
    assertThatThrownBy(() -> MemberAddress.of("a", 65_532))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MemberAddress.of("a", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseMemberOutsideTheMembers() {
    assertThatThrownBy(() -> MemberConfig.of(2, MEMBERS, Path.of("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none of 2 members");
  }

  @Test
  void shouldRefuseToKeepNothing() {
    MemberConfig.Builder builder = MemberConfig.of(0, MEMBERS, Path.of("x"));
    assertThatThrownBy(() -> builder.durability(Durability.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseCommandsLongerThanAMessage() {
    MemberConfig.Builder builder =
        MemberConfig.of(0, MEMBERS, Path.of("x")).bounds(EmbeddedConfig.inMemory().build());
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("commandBytesMax");
  }

  @Test
  void shouldRefuseTooFewSessions() {
    MemberConfig.Builder builder = MemberConfig.of(0, MEMBERS, Path.of("x")).sessionsMax(3);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sessionsMax");
  }

  @Test
  void shouldRefuseTimesThatContradictEachOther() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Liveness(second, second, second, second, second, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heartbeatTimeout");
    assertThatThrownBy(
            () -> new Liveness(Duration.ofMillis(100), second, second, second, second, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("canvassTimeout");
    assertThatThrownBy(() -> Liveness.withHeartbeatTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heartbeatInterval");
  }
}
