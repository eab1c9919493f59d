package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.log.Forcer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which configurations are valid. */
class MemberConfigTest {
  private static final List<MemberAddress> MEMBERS =
      List.of(
          MemberAddress.of("a", 1_000), MemberAddress.of("b", 2_000), MemberAddress.of("c", 3_000));

  @Test
  void shouldFormatTheAddressesOfAllMembers() {
    assertThat(MemberAddress.forConsensus(MEMBERS))
        .isEqualTo(
            "0,a:1000,a:1001,a:1002,a:1003,a:1004|1,b:2000,b:2001,b:2002,b:2003,b:2004"
                + "|2,c:3000,c:3001,c:3002,c:3003,c:3004");
    assertThat(MemberAddress.forIngress(MEMBERS)).isEqualTo("0=a:1000,1=b:2000,2=c:3000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "host", ":1", "host:", "host:0", "host:65536", "a,b:1", "a|b:1", "a b:1"})
  void shouldRefuseInvalidAddresses(String endpoint) {
    assertThatThrownBy(() -> new MemberAddress(endpoint, "a:1", "a:2", "a:3", "a:4"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldParseMembers() {
    assertThat(MemberAddress.list("a:1000, b:2000 ,c:3000")).isEqualTo(MEMBERS);
    assertThat(MemberAddress.list("[::1]:1000").get(0).host()).isEqualTo("[::1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a:", ":1", "a:1,,c:1", "a:+1", "a:0", "a:99999999999"})
  void shouldRefuseInvalidMembers(String text) {
    assertThatThrownBy(() -> MemberAddress.list(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("an address must be HOST:PORT, is '");
  }

  @Test
  void shouldRefuseInvalidPorts() {
    assertThatThrownBy(() -> MemberAddress.of("a", 65_532))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MemberAddress.of("a", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseMemberIdOutOfRange() {
    assertThatThrownBy(() -> MemberConfig.of(3, MEMBERS, Path.of("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memberId must be from 0 to 2, is 3");
  }

  /** A power failure might leave an empty list on all members at once. */
  @Test
  void shouldForceTheListOfImagesAtEachDurability() {
    MemberConfig config =
        MemberConfig.of(0, MEMBERS, Path.of("x")).durability(Durability.OS).build();
    assertThat(config.imageForcer()).isNotSameAs(Forcer.DISK);
    assertThat(config.imageIndexForcer()).isSameAs(Forcer.DISK);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 8, 9})
  void shouldRefuseEvenNumberOfMembers(int size) {
    assertThatThrownBy(() -> MemberConfig.of(0, members(size), Path.of("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a cluster has 1, 3, 5 or 7 members, not " + size);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 7})
  void shouldAcceptOddNumberOfMembers(int size) {
    assertThat(MemberConfig.of(0, members(size), Path.of("x")).build().members()).hasSize(size);
  }

  private static List<MemberAddress> members(int size) {
    return IntStream.range(0, size).mapToObj(id -> MemberAddress.of("m" + id, 1_000)).toList();
  }

  @Test
  void shouldRefuseDurabilityNone() {
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
    MemberConfig.Builder builder = MemberConfig.of(0, MEMBERS, Path.of("x")).sessionsMax(5);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sessionsMax");
  }

  @Test
  void shouldRefuseContradictingTimeouts() {
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
