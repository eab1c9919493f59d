package io.entroq.perf.peers.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.Topic;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.Ports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.AppInfoParser;

/** The brokers' processes and their topics. */
final class KafkaServer extends ChildServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(80);
  private static final int CALL_SECONDS = 20;
  private static final List<String> JVM =
      List.of(
          "-Xms1g",
          "-Xmx1g",
          "-XX:+UseG1GC",
          "-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

  private final KafkaGroups groups;
  private final Settings settings;
  private final String addresses;
  private final Admin admin;

  private KafkaServer(
      List<ChildProcess> nodes, KafkaGroups groups, Settings settings, List<Integer> ports) {
    super(nodes);
    this.groups = groups;
    this.settings = settings;
    addresses =
        ports.stream().map(port -> Ports.HOST + ":" + port).collect(Collectors.joining(","));
    admin = Admin.create(Map.of("bootstrap.servers", addresses));
  }

  /**
   * @param groups those that topics have
   */
  static KafkaServer start(KafkaGroups groups, Settings settings, int replicas, Path directory)
      throws Exception {
    List<Integer> ports = Ports.ofNodes(replicas);
    List<Integer> controllerPorts = Ports.ofNodes(replicas);
    String clusterId = Uuid.randomUuid().toString();
    List<ChildProcess> nodes = new ArrayList<>();
    return started(
        nodes,
        () -> {
          for (int i = 0; i < replicas; i++) {
            Path own = Files.createDirectory(directory.resolve("node" + i));
            String file = configure(i, ports.get(i), controllerPorts, settings, own);
            format(file, clusterId);
            nodes.add(ChildProcess.startJvm("kafka", own, JVM, "kafka.Kafka", List.of(file)));
          }
          for (int i = 0; i < replicas; i++) {
            nodes.get(i).awaitPort(START_LIMIT, ports.get(i));
          }
          return new KafkaServer(nodes, groups, settings, ports);
        });
  }

  /** Writes the settings of a node, and returns the name of their file. */
  private static String configure(
      int number, int port, List<Integer> controllerPorts, Settings settings, Path own)
      throws IOException {
    Properties properties = new Properties();
    properties.putAll(settings.server());
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", Integer.toString(number));
    properties.put("controller.quorum.voters", voters(controllerPorts));
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put(
        "listeners",
        "PLAINTEXT://%s:%d,CONTROLLER://%s:%d"
            .formatted(Ports.HOST, port, Ports.HOST, controllerPorts.get(number)));
    properties.put("log.dirs", own.resolve("data").toString());
    Path file = own.resolve("server.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    return file.toString();
  }

  private static String voters(List<Integer> controllerPorts) {
    return IntStream.range(0, controllerPorts.size())
        .mapToObj(i -> "%d@%s:%d".formatted(i, Ports.HOST, controllerPorts.get(i)))
        .collect(Collectors.joining(","));
  }

  private static void format(String file, String clusterId) throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    String[] arguments = {"format", "-t", clusterId, "-c", file};
    if (StorageTool.execute(arguments, new PrintStream(output, true, UTF_8)) != 0) {
      throw new IOException("formatting the storage failed: " + output.toString(UTF_8).strip());
    }
  }

  @Override
  public String version() {
    return AppInfoParser.getVersion();
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape)
      throws ExecutionException, InterruptedException, TimeoutException {
    create(name);
    beginAtEarliest(name);
    return new KafkaQueue(addresses, name, settings.client(), shape).prepared();
  }

  @Override
  public Topic createTopic(String name, List<String> names)
      throws ExecutionException, InterruptedException, TimeoutException {
    create(name);
    for (String group : names) {
      beginAtEarliest(group);
    }
    return new KafkaTopic(
        new KafkaQueue(addresses, name, settings.client(), Shape.BATCH_100), name, groups);
  }

  private void create(String name)
      throws ExecutionException, InterruptedException, TimeoutException {
    NewTopic topic = new NewTopic(name, Optional.of(1), Optional.empty());
    admin.createTopics(List.of(topic)).all().get(CALL_SECONDS, TimeUnit.SECONDS);
  }

  /** By default a new share group begins at the end. */
  private void beginAtEarliest(String name)
      throws ExecutionException, InterruptedException, TimeoutException {
    ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, name);
    AlterConfigOp earliest =
        new AlterConfigOp(
            new ConfigEntry(
                KafkaQueue.OFFSET_RESET, settings.client().get(KafkaQueue.OFFSET_RESET)),
            AlterConfigOp.OpType.SET);
    admin
        .incrementalAlterConfigs(Map.of(group, List.of(earliest)))
        .all()
        .get(CALL_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    admin.close(Duration.ZERO);
    super.close();
  }
}
