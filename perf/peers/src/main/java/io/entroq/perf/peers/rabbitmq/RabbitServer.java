package io.entroq.perf.peers.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.InstalledPrograms;
import io.entroq.perf.peers.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Nodes, the first of which the others join, and the port mapper that they register with. */
final class RabbitServer extends ChildServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(80);
  private static final int CONNECT_MS = 10_000;
  private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

  private final int port;

  /**
   * @param port of the first node
   */
  private RabbitServer(List<ChildProcess> children, int port) {
    super(children);
    this.port = port;
  }

  static RabbitServer start(Map<String, String> settings, int replicas, Path directory)
      throws Exception {
    List<Integer> ports = Ports.ofNodes(replicas);
    List<ChildProcess> children = new ArrayList<>();
    return started(
        children,
        () -> {
          int mapperPort = Ports.free();
          children.add(portMapper(mapperPort, directory));
          children.get(0).awaitPort(START_LIMIT, mapperPort);
          for (int node = 0; node < replicas; node++) {
            children.add(node(node, ports.get(node), settings, mapperPort, directory));
            // It listens after it has joined.
            children.get(node + 1).awaitPort(START_LIMIT, ports.get(node));
          }
          return new RabbitServer(children, ports.get(0));
        });
  }

  private static ChildProcess portMapper(int port, Path directory) throws IOException {
    return ChildProcess.start(
        "epmd",
        directory,
        Map.of("ERL_EPMD_PORT", Integer.toString(port), "ERL_EPMD_ADDRESS", Ports.HOST),
        List.of(InstalledPrograms.find(RabbitPeer.PORT_MAPPER).orElseThrow().toString()));
  }

  private static ChildProcess node(
      int number, int port, Map<String, String> settings, int mapperPort, Path directory)
      throws IOException {
    Path own = Files.createDirectory(directory.resolve("node" + number));
    StringBuilder lines = new StringBuilder();
    lines.append("listeners.tcp.default = %s:%d\n".formatted(Ports.HOST, port));
    if (number > 0) {
      lines.append("cluster_formation.peer_discovery_backend = classic_config\n");
      lines.append("cluster_formation.classic_config.nodes.1 = %s\n".formatted(name(0)));
      lines.append("cluster_formation.classic_config.nodes.2 = %s\n".formatted(name(number)));
    }
    settings.forEach((name, value) -> lines.append(name).append(" = ").append(value).append('\n'));
    Path config = Files.writeString(own.resolve("rabbitmq.conf"), lines);
    Path plugins = Files.writeString(own.resolve("plugins"), "[].\n");

    Map<String, String> environment = new HashMap<>();
    // The first node writes the cookie there that all share.
    environment.put("HOME", directory.toString());
    environment.put("RABBITMQ_NODENAME", name(number));
    environment.put("RABBITMQ_MNESIA_BASE", own.resolve("mnesia").toString());
    environment.put("RABBITMQ_LOG_BASE", own.resolve("log").toString());
    environment.put("RABBITMQ_CONFIG_FILE", config.toString());
    environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString());
    environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    environment.put("RABBITMQ_DIST_PORT", Integer.toString(Ports.free()));
    environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
    environment.put("ERL_EPMD_ADDRESS", Ports.HOST);
    return ChildProcess.start("rabbitmq", own, environment, List.of(RabbitPeer.PROGRAM));
  }

  private static String name(int number) {
    return "peer" + number + "@localhost";
  }

  @Override
  public String version() {
    try (Connection connection = connect()) {
      return String.valueOf(connection.getServerProperties().get("version"));
    } catch (IOException | TimeoutException e) {
      return "unknown";
    }
  }

  private Connection connect() throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(Ports.HOST);
    factory.setPort(port);
    factory.setConnectionTimeout(CONNECT_MS);
    factory.setAutomaticRecoveryEnabled(false);
    // The node does not answer while it is paused; no caller is connected then.
    factory.setRequestedHeartbeat(0);
    return factory.newConnection();
  }

  /** The node of the connection leads the queue. */
  @Override
  public LoadTarget createQueue(String name, Shape shape) throws IOException, TimeoutException {
    Connection connection = connect();
    Channel channel = connection.createChannel();
    channel.queueDeclare(name, true, false, false, QUORUM);
    return new LoadTarget() {
      @Override
      public RabbitSession open(int caller) throws IOException {
        return new RabbitSession(connection.createChannel(), name, prefetch(shape));
      }

      @Override
      public void close() throws IOException {
        channel.queueDelete(name);
        connection.close();
      }
    };
  }

  private static int prefetch(Shape shape) {
    return shape.callers() == 1 ? 1 : 2 * shape.batch();
  }
}
