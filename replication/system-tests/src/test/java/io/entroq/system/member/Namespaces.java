package io.entroq.system.member;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A network of its own for each member, all on one bridge, and routes between them that may be
 * taken away. Needs root, and leaves nothing behind.
 */
public final class Namespaces implements AutoCloseable {
  private static final String SUBNET = "10.231.77.";
  private static final int FIRST_HOST = 2;
  private static final int BRIDGE_HOST = 254;

  /** Nobody else is in there, so any will do. */
  private static final int FIRST_PORT = 12_001;

  private static final int SERVER_PORT = 12_011;

  private final String prefix = "eqs" + ProcessHandle.current().pid() % 100_000;
  private final int count;
  private final AtExit removal = AtExit.run(this::remove);

  private Namespaces(int count) {
    this.count = count;
  }

  /** Whether this machine lets us. */
  public static boolean areAllowed() {
    try (Namespaces probe = new Namespaces(1)) {
      probe.make();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Makes one for each member. */
  public static Namespaces make(int count) throws IOException {
    Namespaces namespaces = new Namespaces(count);
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

  /** Where members run. */
  public List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      places.add(
          new Place(host(id), FIRST_PORT, SERVER_PORT, List.of("ip", "netns", "exec", name(id))));
    }
    return places;
  }

  /** From here on nothing of one reaches the other. */
  public void cut(int from, int to) throws IOException {
    in(from, "ip route add blackhole " + host(to) + "/32");
  }

  /** Lets everything through again. */
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
    if (!Commands.succeeds(command.split(" ", -1))) {
      throw new IOException("it fails to " + command);
    }
  }

  private void remove() {
    for (int id = 0; id < count; id++) {
      // With it go the interfaces in it, and their other ends.
      tryRun("ip netns del " + name(id));
    }
    tryRun("ip link del " + prefix + "b");
  }

  /** What was not made cannot be removed, which is as well. */
  private static void tryRun(String command) {
    try {
      run(command);
    } catch (IOException e) {
      // It is not there.
    }
  }

  @Override
  public void close() {
    removal.close();
  }
}
