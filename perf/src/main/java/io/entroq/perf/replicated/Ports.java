package io.entroq.perf.replicated;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Ports of this machine that nobody has at the moment, below those that the system hands out. */
final class Ports {
  private static final int PORTS_PER_MEMBER = 5;
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 32_000;

  private Ports() {}

  /** The first of five for each of so many members. */
  static List<Integer> firstOf(int members, RandomGenerator random) throws IOException {
    List<DatagramSocket> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      while (ports.size() < members) {
        int first = random.nextInt(LOWEST, HIGHEST);
        if (areFree(first, held)) {
          ports.add(first);
        }
      }
      return ports;
    } finally {
      held.forEach(DatagramSocket::close);
    }
  }

  private static boolean areFree(int first, List<DatagramSocket> held) throws IOException {
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
