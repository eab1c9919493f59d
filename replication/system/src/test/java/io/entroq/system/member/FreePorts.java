package io.entroq.system.member;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of this machine that nobody has at the moment. Not those that the system hands out: other
 * members take such ones too.
 */
final class FreePorts {
  private static final int PER_MEMBER = 5;
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 32_000;
  private static final int BACKLOG = 1;

  private FreePorts() {}

  /** Places on so many addresses of the loopback interface. */
  static List<Place> places(int count) throws IOException {
    List<Place> places = new ArrayList<>();
    while (places.size() < count) {
      String host = "127.0.0." + (places.size() + 2);
      int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (areFree(InetAddress.getByName(host), first)) {
        places.add(new Place(host, first, first + PER_MEMBER, List.of()));
      }
    }
    return places;
  }

  private static boolean areFree(InetAddress host, int first) {
    List<DatagramSocket> held = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(first + PER_MEMBER, BACKLOG, host)) {
      for (int port = first; port < first + PER_MEMBER; port++) {
        held.add(new DatagramSocket(port, host));
      }
      return server.isBound();
    } catch (IOException e) {
      return false;
    } finally {
      held.forEach(DatagramSocket::close);
    }
  }
}
