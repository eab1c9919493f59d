package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members on one machine get free ports. */
class UnusedPortsTest {
  private static final String HOST = "127.0.0.1";

  @Test
  void shouldReturnEachPortOnce() {
    List<MemberAddress> members = new UnusedPorts(HOST).members(50);
    assertThat(members.stream().flatMap(member -> member.endpoints().stream()))
        .hasSize(250)
        .doesNotHaveDuplicates()
        .allMatch(endpoint -> endpoint.startsWith(HOST + ":"));
  }

  @Test
  void shouldReturnMoreThanOneBlock() {
    assertThat(new UnusedPorts(HOST).members(200)).hasSize(200).doesNotHaveDuplicates();
  }

  @Test
  void shouldReturnPortsOnceInAProcess() {
    int port = new UnusedPorts(HOST).take(2);
    assertThat(new UnusedPorts(HOST).take(1)).isNotIn(port, port + 1);
  }

  @Test
  void shouldKeepItsBlockFromOtherProcesses() {
    int port = new UnusedPorts(HOST).take(1);
    int guard = port - (port - UnusedPorts.LOWEST) % UnusedPorts.BLOCK;
    assertThatThrownBy(() -> new DatagramSocket(guard, InetAddress.getLoopbackAddress()))
        .isInstanceOf(BindException.class);
  }

  @Test
  void shouldReturnPortsFreeForTcpAndUdp() throws Exception {
    int port = new UnusedPorts(HOST).take(1);
    InetAddress host = InetAddress.getLoopbackAddress();
    try (ServerSocket stream = new ServerSocket(port, 1, host);
        DatagramSocket datagrams = new DatagramSocket(port, host)) {
      assertThat(stream.getLocalPort()).isEqualTo(datagrams.getLocalPort());
    }
  }

  @Test
  void shouldRefuseUnknownHosts() {
    assertThatThrownBy(() -> new UnusedPorts("no host of this name"))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("no host of this name");
  }
}
