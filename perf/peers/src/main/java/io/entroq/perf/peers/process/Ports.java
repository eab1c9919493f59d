package io.entroq.perf.peers.process;

import io.entroq.cluster.member.UnusedPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.stream.Stream;

/** Ports of the loopback address. */
public final class Ports {
  public static final String HOST = "127.0.0.1";

  private static final int CONNECT_MS = 1_000;
  private static final UnusedPorts UNUSED = new UnusedPorts(HOST);

  private Ports() {}

  /** A port that is free now. Each call returns another one. */
  public static int free() {
    return free(1);
  }

  /** The first of several consecutive ports that are free now. */
  public static synchronized int free(int count) {
    return UNUSED.take(count);
  }

  /** A free port for each of several nodes. */
  public static List<Integer> ofNodes(int nodes) {
    return Stream.generate(Ports::free).limit(nodes).toList();
  }

  /** Whether a process listens. */
  public static boolean isOpen(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
