package io.entroq.system.member;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace for each member on one bridge, with routes that can be removed. Needs root,
 * and leaves nothing behind.
 */
public final class NetworkNamespaces implements AutoCloseable {
  private static final String SUBNET = "10.231.77.";
  private static final int FIRST_HOST = 2;
  private static final int BRIDGE_HOST = 254;

  /** The namespace is empty, so any port is free. */
  private static final int FIRST_PORT = 12_001;

  private static final int SERVER_PORT = 12_011;

  private final String prefix = "eqs" + ProcessHandle.current().pid() % 100_000;
  private final int count;
  private final ExitHook removal = ExitHook.run(this::remove);

  private NetworkNamespaces(int count) {
    this.count = count;
  }

  /** Whether this machine permits namespaces. */
  public static boolean areAllowed() {
    try (NetworkNamespaces probe = new NetworkNamespaces(1)) {
      probe.make();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Creates a namespace for each member. */
  public static NetworkNamespaces make(int count) throws IOException {
    NetworkNamespaces namespaces = new NetworkNamespaces(count);
    try {
      namespaces.make();
      return namespaces;
    } catch (IOException e) {
      namespaces.close();
      throw e;
    }
  }

  private void make() throws IOException {
    String bridge = prefix + "b";
    run("ip link add " + bridge + " type bridge");
    run("ip addr add " + SUBNET + BRIDGE_HOST + "/24 dev " + bridge);
    run("ip link set " + bridge + " up");
    for (int id = 0; id < count; id++) {
      String outer = prefix + "v" + id;
      run("ip netns add " + name(id));
      run("ip link add " + outer + " type veth peer name eth0 netns " + name(id));
      run("ip link set " + outer + " master " + bridge + " up");
      in(id, "ip addr add " + host(id) + "/24 dev eth0");
      in(id, "ip link set eth0 up");
      in(id, "ip link set lo up");
    }
  }

  public List<MemberLocation> locations() {
    List<MemberLocation> locations = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      locations.add(
          new MemberLocation(
              host(id), FIRST_PORT, SERVER_PORT, List.of("ip", "netns", "exec", name(id))));
    }
    return locations;
  }

  /** Drops all packets from one member to another. */
  public void cut(int from, int to) throws IOException {
    in(from, "ip route add blackhole " + host(to) + "/32");
  }

  /** Removes all cuts. */
  public void heal() throws IOException {
    for (int id = 0; id < count; id++) {
      in(id, "ip route flush type blackhole");
    }
  }

  private void in(int id, String command) throws IOException {
    run("ip netns exec " + name(id) + " " + command);
  }

  private String name(int id) {
    return prefix + "n" + id;
  }

  private static String host(int id) {
    return SUBNET + (FIRST_HOST + id);
  }

  private static void run(String command) throws IOException {
    if (!ShellCommand.succeeds(command.split(" ", -1))) {
      throw new IOException("failed: " + command);
    }
  }

  private void remove() {
    for (int id = 0; id < count; id++) {
      // This also removes its interfaces and their peers.
      tryRun("ip netns del " + name(id));
    }
    tryRun("ip link del " + prefix + "b");
  }

  /** Ignores what does not exist. */
  private static void tryRun(String command) {
    try {
      run(command);
    } catch (IOException e) {
      // It does not exist.
    }
  }

  @Override
  public void close() {
    removal.close();
  }
}
