package io.entroq.cluster.member;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * Checks that a member's ports are free before its components start, because their own errors do
 * not name the port.
 */
final class MemberPorts {
  private MemberPorts() {}

  /**
   * Returns if all ports are free now.
   *
   * @throws MemberException if one is in use, or the host is not this machine
   */
  static void requireFree(MemberAddress address) {
    for (String endpoint : address.endpoints()) {
      int colon = endpoint.lastIndexOf(':');
      InetAddress host = host(endpoint.substring(0, colon));
      int port = Integer.parseInt(endpoint.substring(colon + 1));
      try (DatagramSocket socket = new DatagramSocket(null)) {
        socket.bind(new InetSocketAddress(host, port));
      } catch (SocketException e) {
        throw new MemberException(
            "cannot listen on %s (UDP), a port of this member: %s"
                .formatted(endpoint, e.getMessage()),
            e);
      }
    }
  }

  private static InetAddress host(String name) {
    String bare = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    try {
      return InetAddress.getByName(bare);
    } catch (UnknownHostException e) {
      throw new MemberException("unknown host " + name + " in this member's address", e);
    }
  }
}
