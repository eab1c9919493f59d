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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A node and the port mapper that it registers with. */
final class RabbitServer extends ChildServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(80);
  private static final int CONNECT_MS = 10_000;
  private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

  private final ChildProcess portMapper;
  private final int port;

  private RabbitServer(ChildProcess node, ChildProcess portMapper, int port) {
    super(node);
    this.portMapper = portMapper;
    this.port = port;
  }

  static RabbitServer start(Map<String, String> settings, Path directory) throws Exception {
    int mapperPort = Ports.free();
    ChildProcess portMapper =
        ChildProcess.start(
            "epmd",
            directory,
            Map.of("ERL_EPMD_PORT", Integer.toString(mapperPort), "ERL_EPMD_ADDRESS", "127.0.0.1"),
            List.of(InstalledPrograms.find(RabbitPeer.PORT_MAPPER).orElseThrow().toString()));
    return started(
        portMapper,
        () -> {
          portMapper.awaitPort(START_LIMIT, mapperPort);
          return start(settings, directory, portMapper, mapperPort);
        });
  }

  private static RabbitServer start(
      Map<String, String> settings, Path directory, ChildProcess portMapper, int mapperPort)
      throws Exception {
    int port = Ports.free();
    Path config = directory.resolve("rabbitmq.conf");
    StringBuilder lines = new StringBuilder("listeners.tcp.default = 127.0.0.1:" + port + "\n");
    settings.forEach((name, value) -> lines.append(name).append(" = ").append(value).append('\n'));
    Files.writeString(config, lines);
    Files.writeString(directory.resolve("plugins"), "[].\n");
    ChildProcess node =
        ChildProcess.start(
            "rabbitmq",
            directory,
            environment(directory, config, mapperPort),
            List.of(RabbitPeer.PROGRAM));
    return started(
        node,
        () -> {
          node.awaitPort(START_LIMIT, port);
          return new RabbitServer(node, portMapper, port);
        });
  }

  private static Map<String, String> environment(Path directory, Path config, int mapperPort)
      throws IOException {
    Map<String, String> environment = new HashMap<>();
    // The node writes its cookie there.
    environment.put("HOME", directory.toString());
    environment.put("RABBITMQ_NODENAME", "peers@localhost");
    environment.put("RABBITMQ_MNESIA_BASE", directory.resolve("mnesia").toString());
    environment.put("RABBITMQ_LOG_BASE", directory.resolve("log").toString());
    environment.put("RABBITMQ_CONFIG_FILE", config.toString());
    environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", directory.resolve("plugins").toString());
    environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
    environment.put("RABBITMQ_DIST_PORT", Integer.toString(Ports.free()));
    environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
    environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    return environment;
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
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    factory.setConnectionTimeout(CONNECT_MS);
    factory.setAutomaticRecoveryEnabled(false);
    // The node does not answer while it is paused; no caller is connected then.
    factory.setRequestedHeartbeat(0);
    return factory.newConnection();
  }

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

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      portMapper.close();
    }
  }
}
