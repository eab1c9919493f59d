package io.entroq.server.testing;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of this machine that nobody has at the moment. Not those that the system hands out: a
 * member takes such ones too, and would take those of a member that is still to start.
 */
public final class MemberPorts {
  private static final int PORTS_PER_MEMBER = 5;
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 32_000;

  private MemberPorts() {}

  /** The first ones of so many members. */
  public static List<Integer> take(int count) {
    List<DatagramSocket> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      while (ports.size() < count) {
        int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        if (areFree(first, held)) {
          ports.add(first);
        }
      }
      return ports;
    } finally {
      held.forEach(DatagramSocket::close);
    }
  }

  private static boolean areFree(int first, List<DatagramSocket> held) {
    try {
      for (int port = first; port < first + PORTS_PER_MEMBER; port++) {
        held.add(new DatagramSocket(port, InetAddress.getLoopbackAddress()));
      }
      return true;
    } catch (SocketException e) {
      return false;
    }
  }
}
