package io.entroq.perf.peers.nats;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.InstalledPrograms;
import io.entroq.perf.peers.process.Ports;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Servers, and their streams. */
// Closing a connection waits for the other side, and may be interrupted.
@SuppressWarnings("try")
final class NatsServer extends ChildServer {
  static final String CONSUMER = "workers";

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

  private final List<ChildProcess> servers;
  private final List<Integer> ports;

  private NatsServer(List<ChildProcess> servers, List<Integer> ports) {
    super(servers);
    this.servers = servers;
    this.ports = ports;
  }

  static NatsServer start(Map<String, String> settings, int replicas, Path directory)
      throws Exception {
    List<Integer> ports = Ports.ofNodes(replicas);
    List<Integer> routePorts = Ports.ofNodes(replicas);
    List<ChildProcess> servers = new ArrayList<>();
    return started(
        servers,
        () -> {
          for (int i = 0; i < replicas; i++) {
            Path own = Files.createDirectory(directory.resolve("server" + i));
            Path config =
                Files.writeString(
                    own.resolve("nats.conf"), config(i, ports.get(i), routePorts, settings, own));
            servers.add(
                ChildProcess.start(
                    "nats", own, Map.of(), List.of(program(), "-c", config.toString())));
          }
          NatsServer server = new NatsServer(servers, ports);
          server.awaitStreams();
          return server;
        });
  }

  private static String program() throws IOException {
    return InstalledPrograms.find(NatsPeer.PROGRAM).orElseThrow(IOException::new).toString();
  }

  private static String config(
      int number, int port, List<Integer> routePorts, Map<String, String> settings, Path own) {
    StringBuilder lines = new StringBuilder();
    lines.append("server_name: server%d%nlisten: %s:%d%n".formatted(number, Ports.HOST, port));
    lines.append("jetstream {%n  store_dir: %s%n".formatted(own.resolve("data")));
    settings.forEach((name, value) -> lines.append("  %s: %s%n".formatted(name, value)));
    lines.append("}\n");
    if (routePorts.size() > 1) {
      lines.append(
          "cluster {%n  name: peers%n  listen: %s:%d%n  routes: [%s]%n}%n"
              .formatted(Ports.HOST, routePorts.get(number), urls(routePorts)));
    }
    return lines.toString();
  }

  private static String urls(List<Integer> ports) {
    return ports.stream()
        .map(port -> "nats://" + Ports.HOST + ":" + port)
        .collect(Collectors.joining(","));
  }

  /**
   * Returns when streams can be created: the servers have found each other and elected a leader.
   */
  private void awaitStreams() throws Exception {
    for (int i = 0; i < ports.size(); i++) {
      servers.get(i).awaitPort(START_LIMIT, ports.get(i));
    }
    servers.get(0).awaitReady(START_LIMIT, this::canCreateStreams);
  }

  private boolean canCreateStreams() throws InterruptedException {
    try (Connection connection = connect()) {
      JetStreamManagement management = connection.jetStreamManagement();
      create(management, "probe");
      return management.deleteStream("probe");
    } catch (IOException | JetStreamApiException e) {
      return false;
    }
  }

  private Connection connect() throws IOException, InterruptedException {
    return Nats.connect(
        Options.builder()
            .server(urls(ports))
            .connectionTimeout(CALL_LIMIT)
            // A lost server fails the measurement. The client would also log each new attempt.
            .noReconnect()
            .errorListener(new ErrorListener() {})
            .build());
  }

  private void create(JetStreamManagement management, String name)
      throws IOException, JetStreamApiException {
    management.addStream(
        StreamConfiguration.builder()
            .name(name)
            .storageType(StorageType.File)
            .replicas(ports.size())
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
  }

  @Override
  public String version() {
    try (Connection connection = connect()) {
      return connection.getServerInfo().getVersion();
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) throws Exception {
    Connection connection = connect();
    JetStreamManagement management = connection.jetStreamManagement();
    create(management, name);
    management.addOrUpdateConsumer(
        name,
        ConsumerConfiguration.builder().durable(CONSUMER).ackPolicy(AckPolicy.Explicit).build());
    return new LoadTarget() {
      @Override
      public NatsSession open(int caller) throws IOException, JetStreamApiException {
        return new NatsSession(connection, name);
      }

      @Override
      public void close() throws Exception {
        management.deleteStream(name);
        connection.close();
      }
    };
  }

  @Override
  public void resume() throws Exception {
    super.resume();
    awaitStreams();
  }
}
