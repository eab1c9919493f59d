package io.entroq.cluster.member;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Ports of this machine that nobody has at the moment, chosen by the system. */
final class FreePorts {
  private static final int PORTS_PER_MEMBER = 5;

  private FreePorts() {}

  /** The addresses of so many members on this machine. */
  static List<MemberAddress> members(int count) throws IOException {
    List<DatagramSocket> held = new ArrayList<>();
    try {
      List<MemberAddress> members = new ArrayList<>();
      for (int id = 0; id < count; id++) {
        List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < PORTS_PER_MEMBER; i++) {
          DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
          held.add(socket);
          endpoints.add("127.0.0.1:" + socket.getLocalPort());
        }
        members.add(
            new MemberAddress(
                endpoints.get(0),
                endpoints.get(1),
                endpoints.get(2),
                endpoints.get(3),
                endpoints.get(4)));
      }
      return members;
    } finally {
      held.forEach(DatagramSocket::close);
    }
  }
}
