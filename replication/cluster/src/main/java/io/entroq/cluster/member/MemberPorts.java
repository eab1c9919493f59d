package io.entroq.cluster.member;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * Whether a member can have its ports, asked before any part begins: what those say of it names
 * neither the port nor what to do.
 */
final class MemberPorts {
  private MemberPorts() {}

  /**
   * Returns if all are free. Somebody else may still take one a moment later.
   *
   * @throws MemberException if one is not, or the host is not this machine
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
      throw new MemberException("the host " + name + " of this member is not known", e);
    }
  }
}
