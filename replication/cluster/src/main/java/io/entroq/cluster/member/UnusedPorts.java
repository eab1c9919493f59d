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
 * Ports of this machine that nobody has at the moment, for whoever puts members on one machine. Not
 * those that the system hands out to whoever wants any: a member takes such ones too, and one that
 * is free now would be somebody's at the next start. For one thread.
 */
public final class UnusedPorts {
  private static final Path HANDED_OUT = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int HANDED_OUT_FROM = 32_768;
  private static final int LOWEST = 10_000;
  private static final int ATTEMPTS_MAX = 10_000;

  private final Random random = new Random();
  private final Set<Integer> given = new HashSet<>();
  private final String name;
  private final InetAddress host;
  private final int highest;

  /**
   * Nothing is taken yet.
   *
   * @param host a name or an address of this machine
   * @throws MemberException if it is not known
   */
  public UnusedPorts(String host) {
    name = host;
    try {
      this.host = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new MemberException("the host " + host + " is not known", e);
    }
    highest = Math.max(handedOutFrom(), LOWEST + 1_000);
  }

  private static int handedOutFrom() {
    // Read in one go: such a file gives nothing more to whoever begins with a few bytes.
    try (BufferedReader reader = Files.newBufferedReader(HANDED_OUT)) {
      return Integer.parseInt(reader.readLine().strip().split("\\s+", 2)[0]);
    } catch (IOException | NumberFormatException e) {
      // Of another system.
      return HANDED_OUT_FROM;
    }
  }

  /** Where so many members may be, none of which begins meanwhile. */
  public List<MemberAddress> members(int count) {
    return Stream.generate(() -> MemberAddress.of(name, take(MemberAddress.PORTS)))
        .limit(count)
        .toList();
  }

  /**
   * The first of so many that follow each other, free for streams and datagrams, and not given
   * before.
   *
   * @throws MemberException if there are none
   */
  public int take(int count) {
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      int first = LOWEST + random.nextInt(highest - count - LOWEST);
      if (areFree(first, count)) {
        for (int port = first; port < first + count; port++) {
          given.add(port);
        }
        return first;
      }
    }
    throw new MemberException(
        "%s has no %d free ports that follow each other from %d to %d"
            .formatted(name, count, LOWEST, highest));
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
