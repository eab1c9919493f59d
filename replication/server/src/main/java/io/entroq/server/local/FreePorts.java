package io.entroq.server.local;

import io.entroq.server.terminal.CommandException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports of this machine that nobody has at the moment. Not those that the system hands out to
 * whoever wants any: one that is free now would be somebody's at the next start.
 */
final class FreePorts {
  private static final Path HANDED_OUT = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int HANDED_OUT_FROM = 32_768;
  private static final int LOWEST = 10_000;
  private static final int ATTEMPTS_MAX = 10_000;

  private final Random random = new Random();
  private final Set<Integer> given = new HashSet<>();
  private final InetAddress host;
  private final int highest;

  FreePorts(String host) {
    try {
      this.host = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new CommandException("--host: " + host + " is not known", e);
    }
    highest = Math.max(handedOutFrom(), LOWEST + 1_000);
  }

  private static int handedOutFrom() {
    try {
      return Integer.parseInt(Files.readString(HANDED_OUT).strip().split("\\s+", 2)[0]);
    } catch (IOException | NumberFormatException e) {
      // Of another system.
      return HANDED_OUT_FROM;
    }
  }

  /** The first of so many that follow each other. */
  int take(int count) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      int first = LOWEST + random.nextInt(highest - count - LOWEST);
      if (areFree(first, count)) {
        for (int port = first; port < first + count; port++) {
          given.add(port);
        }
        return first;
      }
    }
    throw new CommandException(
        "no free ports from %d to %d; --port, --http-port and --member-port say which to take"
            .formatted(LOWEST, highest));
  }

  private boolean areFree(int first, int count) {
    for (int port = first; port < first + count; port++) {
      if (given.contains(port) || !isFree(port)) {
        return false;
      }
    }
    return true;
  }

  private boolean isFree(int port) {
    try (ServerSocket stream = new ServerSocket();
        DatagramSocket datagrams = new DatagramSocket(null)) {
      stream.bind(new InetSocketAddress(host, port));
      datagrams.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
