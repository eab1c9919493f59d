package io.entroq.cluster.member;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Finds free ports of this machine, to run several members on it. Avoids the ephemeral ports that
 * the system assigns, since another process could get one before the next start.
 *
 * <p>The ports of a process come from blocks that it alone uses until it ends. So processes that
 * look for ports at the same time do not get, or even try, those of each other. Thread-safe.
 */
public final class UnusedPorts {
  private static final Path EPHEMERAL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int EPHEMERAL_START = 32_768;
  static final int LOWEST = 10_000;

  /** The first of these is bound while the process uses the others. */
  static final int BLOCK = 250;

  private static final Object LOCK = new Object();

  /** Open until the process ends. */
  private static final List<DatagramSocket> GUARDS = new ArrayList<>();

  /** The next port to try, and the end of its block. */
  private static int next;

  private static int end;

  private final String name;
  private final InetAddress host;

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
   * before in this process.
   *
   * @param count 1 to 249
   * @throws MemberException if there are none
   */
  public int take(int count) {
    synchronized (LOCK) {
      while (true) {
        if (next + count > end) {
          takeBlock(count);
        }
        int first = next;
        if (areFree(first, count)) {
          next = first + count;
          return first;
        }
        next++;
      }
    }
  }

  private void takeBlock(int count) {
    int blocks = Math.max((ephemeralStart() - LOWEST) / BLOCK, 4);
    int any = ThreadLocalRandom.current().nextInt(blocks);
    for (int i = 0; i < blocks; i++) {
      int guard = LOWEST + (any + i) % blocks * BLOCK;
      try {
        GUARDS.add(new DatagramSocket(guard, InetAddress.getLoopbackAddress()));
        next = guard + 1;
        end = guard + BLOCK;
        return;
      } catch (SocketException e) {
        // Another process has it, or this one.
      }
    }
    throw new MemberException(
        "%s has no %d consecutive free ports from %d to %d"
            .formatted(name, count, LOWEST, LOWEST + blocks * BLOCK - 1));
  }

  private boolean areFree(int first, int count) {
    for (int port = first; port < first + count; port++) {
      if (!isFree(port)) {
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
