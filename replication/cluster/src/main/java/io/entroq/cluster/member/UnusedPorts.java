package io.entroq.cluster.member;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds free ports of this machine, to run several members on it. Avoids the ephemeral ports that
 * the system assigns, since another process could get one before the next start. Not thread-safe.
 */
public final class UnusedPorts {
  private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int EPHEMERAL_START = 32_768;
  private static final int LOWEST = 10_000;
  private static final int ATTEMPTS_MAX = 10_000;

  private final Random random = new Random();
  private final Set<Integer> taken = new HashSet<>();
  private final String name;
  private final InetAddress host;
  private final int highest;

  /**
   * @param host a name or an address of this machine
   * @throws MemberException if it is unknown
   */
  public UnusedPorts(String host) {
    name = host;
    try {
      this.host = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new MemberException("unknown host " + host, e);
    }
    highest = Math.max(ephemeralStart(), LOWEST + 1_000);
  }

  private static int ephemeralStart() {
    // Buffered, because such a file must be read in one call.
    try (BufferedReader reader = Files.newBufferedReader(EPHEMERAL_RANGE)) {
      return Integer.parseInt(reader.readLine().strip().split("\\s+", 2)[0]);
    } catch (IOException | NumberFormatException e) {
      // Not Linux: use its default.
      return EPHEMERAL_START;
    }
  }

  /** Addresses for new members. */
  public List<MemberAddress> members(int count) {
    return Stream.generate(() -> MemberAddress.of(name, take(MemberAddress.PORTS)))
        .limit(count)
        .toList();
  }

  /**
   * The first of several consecutive ports that are free for TCP and UDP and were not returned
   * before.
   *
   * @throws MemberException if there are none
   */
  public int take(int count) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      int first = LOWEST + random.nextInt(highest - count - LOWEST);
      if (areFree(first, count)) {
        for (int port = first; port < first + count; port++) {
          taken.add(port);
        }
        return first;
      }
    }
    throw new MemberException(
        "%s has no %d consecutive free ports from %d to %d"
            .formatted(name, count, LOWEST, highest));
  }

  private boolean areFree(int first, int count) {
    for (int port = first; port < first + count; port++) {
      if (taken.contains(port) || !isFree(port)) {
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
