package io.entroq.server.cli.admin;

import io.entroq.engine.Closing;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.service.testing.MemberPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Members that serve in this process, on loopback. */
final class ServedCluster implements AutoCloseable {
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private final Path directory;
  private final Map<String, String> more;
  private final List<String> members = new ArrayList<>();
  private final EntroqServer[] servings;
  private final int[] ports;

  /** Starts the given number of members for the first time. */
  ServedCluster(Path directory, int count) {
    this(directory, count, Map.of());
  }

  /**
   * @param more settings of each member, as environment variables
   */
  ServedCluster(Path directory, int count, Map<String, String> more) {
    this(directory, MemberPorts.take(count), more);
    for (int id = 0; id < count; id++) {
      start(id, true);
    }
  }

  private ServedCluster(Path directory, List<Integer> firstPorts, Map<String, String> more) {
    this.directory = directory;
    this.more = more;
    servings = new EntroqServer[firstPorts.size()];
    ports = new int[firstPorts.size()];
    firstPorts.forEach(port -> members.add("127.0.0.1:" + port));
  }

  /** The given number of members in directories that exist, at new addresses; starts none. */
  static ServedCluster stopped(Path directory, int count) {
    return new ServedCluster(directory, MemberPorts.take(count), Map.of());
  }

  /** Starts a stopped member. */
  void start(int id, boolean isFirstTime) {
    Map<String, String> settings = new HashMap<>(more);
    settings.putAll(
        Map.of(
            "ENTROQ_ID",
            Integer.toString(id),
            "ENTROQ_MEMBERS",
            members(),
            "ENTROQ_DATA",
            data(id).toString(),
            "ENTROQ_BOOTSTRAP",
            Boolean.toString(isFirstTime),
            "ENTROQ_DURABILITY",
            "os",
            "ENTROQ_HOST",
            "127.0.0.1",
            "ENTROQ_PORT",
            // A free port at the first start.
            Integer.toString(ports[id]),
            "ENTROQ_HTTP_PORT",
            "0"));
    servings[id] =
        EntroqServer.startNode(
            Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), settings));
    ports[id] = servings[id].port();
  }

  /** Stops a member as SIGTERM does, and restarts it. */
  void restart(int id) {
    servings[id].drain(DRAIN_TIMEOUT);
    stop(id);
    start(id, false);
  }

  void stop(int id) {
    EntroqServer serving = servings[id];
    servings[id] = null;
    serving.close();
  }

  Path data(int id) {
    return directory.resolve("member-" + id);
  }

  /** The addresses for traffic between members. */
  String members() {
    return String.join(",", members);
  }

  /** The current or last address of a member. */
  String address(int id) {
    return "127.0.0.1:" + ports[id];
  }

  /** The current or last addresses of members, separated by commas. */
  String addresses(int... ids) {
    return Arrays.stream(ids).mapToObj(this::address).collect(Collectors.joining(","));
  }

  String addresses() {
    return addresses(IntStream.range(0, ports.length).toArray());
  }

  @Override
  public void close() {
    Closing.all(Arrays.stream(servings).filter(Objects::nonNull).toArray(AutoCloseable[]::new));
  }
}
