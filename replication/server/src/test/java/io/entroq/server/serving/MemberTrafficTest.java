package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said about the traffic between members, and which addresses are refused. */
class MemberTrafficTest {
  private final Map<String, List<InetAddress>> hosts = new HashMap<>();
  private final Map<InetAddress, String> tunnels = new HashMap<>();

  private final MemberTraffic.Network network =
      new MemberTraffic.Network() {
        @Override
        public List<InetAddress> addresses(String host) {
          return hosts.getOrDefault(host, List.of());
        }

        @Override
        public Optional<String> wireGuard(InetAddress address) {
          return Optional.ofNullable(tunnels.get(address));
        }
      };

  /** An address in numbers, which is not looked up. */
  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void host(String name, String... addresses) {
    hosts.put(name, Arrays.stream(addresses).map(MemberTrafficTest::address).toList());
  }

  private MemberTraffic between(String... names) {
    return MemberTraffic.between(List.of(names), network);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,127.0.0.2", "::1,::1"})
  void shouldKnowOneMachine(String first, String second) {
    host("a", first);
    host("b", second);
    MemberTraffic traffic = between("a", "b");
    assertThat(traffic.describe(false)).isEqualTo("members' traffic: loopback, no secret");
    assertThat(traffic.isEncryptedOrLocal()).isTrue();
    assertThat(traffic.objection()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.1",
        "192.168.1.1",
        "169.254.1.1",
        "100.64.0.1",
        "100.127.255.1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1"
      })
  void shouldKnowPrivateNetworks(String address) {
    host("a", "127.0.0.1");
    host("b", address);
    MemberTraffic traffic = between("a", "b");
    assertThat(traffic.describe(true))
        .isEqualTo("members' traffic: private network, not encrypted, secret set");
    assertThat(traffic.isEncryptedOrLocal()).isFalse();
    assertThat(traffic.objection()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "172.15.0.1",
        "172.32.0.1",
        "192.169.0.1",
        "100.63.0.1",
        "100.128.0.1",
        "0.0.0.0",
        "224.0.1.1",
        "2001:db8::1",
        "fb00::1",
        "::",
        "ff02::1"
      })
  void shouldObjectToPublicAddresses(String address) {
    host("a", "10.0.0.1");
    host("b", address);
    MemberTraffic traffic = between("a", "b");
    String text = address(address).getHostAddress();
    assertThat(traffic.objection().orElseThrow())
        .contains("b (" + text + ")")
        .doesNotContain("10.");
    assertThat(traffic.describe(true))
        .isEqualTo(
            "members' traffic: public network, not encrypted: b (%s), secret set".formatted(text));
    assertThat(traffic.isEncryptedOrLocal()).isFalse();
  }

  @Test
  void shouldKnowWireGuard() {
    host("10.9.0.1", "10.9.0.1");
    // Inside a tunnel, addresses need not be private.
    host("[2001:db8::1]", "2001:db8::1");
    tunnels.put(address("10.9.0.1"), "wg0");
    tunnels.put(address("2001:db8::1"), "wg1");
    MemberTraffic traffic = between("10.9.0.1", "[2001:db8::1]");
    assertThat(traffic.describe(true))
        .isEqualTo("members' traffic: WireGuard wg0, wg1, secret set");
    assertThat(traffic.isEncryptedOrLocal()).isTrue();
    assertThat(traffic.objection()).isEmpty();
  }

  @Test
  void shouldJudgeByTheWeakestPath() {
    host("a", "10.9.0.1");
    host("b", "10.9.0.2");
    tunnels.put(address("10.9.0.1"), "wg0");
    assertThat(between("a", "b").describe(true)).contains("private network, not encrypted");
  }

  /** Nobody knows which of them is used. */
  @Test
  void shouldJudgeNamesByAllTheirAddresses() {
    host("a", "127.0.0.1", "10.0.0.1");
    assertThat(between("a").describe(false)).contains("private network");
    host("a", "127.0.0.1", "2001:db8::1", "8.8.8.8");
    assertThat(between("a").objection().orElseThrow())
        .contains("a (2001:db8:0:0:0:0:0:1), a (8.8.8.8)");
  }

  /** It may start before the others have names. */
  @Test
  void shouldClaimNothingOfUnknownHosts() {
    host("a", "127.0.0.1");
    MemberTraffic traffic = between("a", "b");
    assertThat(traffic.describe(true))
        .isEqualTo("members' traffic: not known to be encrypted: b has no address now, secret set");
    assertThat(traffic.isEncryptedOrLocal()).isFalse();
    assertThat(traffic.objection()).isEmpty();
  }

  /** The real lookup, without more of a network than every machine has. */
  @Test
  void shouldLookAtThisMachine() {
    LocalNetwork local = new LocalNetwork();
    assertThat(local.addresses("127.0.0.1")).containsExactly(address("127.0.0.1"));
    assertThat(local.addresses("[::1]")).containsExactly(address("::1"));
    assertThat(local.addresses("no such host")).isEmpty();
    assertThat(local.wireGuard(address("127.0.0.1"))).isEmpty();
    // No interface leads there.
    assertThat(local.wireGuard(address("240.0.0.1"))).isEmpty();
  }
}
