package io.entroq.perf.peers.kafka;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.Topic;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.AppInfoParser;

/** The broker's process and its topics. */
final class KafkaServer extends ChildServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(80);
  private static final int CALL_SECONDS = 20;
  private static final List<String> JVM =
      List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

  private final KafkaGroups groups;
  private final Settings settings;
  private final String address;
  private final Admin admin;

  private KafkaServer(
      ChildProcess child, KafkaGroups groups, Settings settings, String address, Admin admin) {
    super(child);
    this.groups = groups;
    this.settings = settings;
    this.address = address;
    this.admin = admin;
  }

  /**
   * @param groups those that topics have
   */
  static KafkaServer start(KafkaGroups groups, Settings settings, Path directory) throws Exception {
    int port = Ports.free();
    Path file = directory.resolve("server.properties");
    Properties properties = new Properties();
    properties.putAll(settings.server());
    properties.putAll(place(directory, port));
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    String clusterId = Uuid.randomUuid().toString();
    ChildProcess format =
        jvm("format", directory, "kafka.tools.StorageTool", "format", "-t", clusterId, "-c", file);
    format.awaitEnd(START_LIMIT);
    ChildProcess broker = jvm("kafka", directory, "kafka.Kafka", file);
    return started(
        broker,
        () -> {
          broker.awaitPort(START_LIMIT, port);
          String address = "127.0.0.1:" + port;
          Admin admin = Admin.create(Map.of("bootstrap.servers", address));
          return new KafkaServer(broker, groups, settings, address, admin);
        });
  }

  private static Map<String, String> place(Path directory, int port) throws IOException {
    int controllerPort = Ports.free();
    return Map.of(
        "process.roles",
        "broker,controller",
        "node.id",
        "1",
        "controller.quorum.voters",
        "1@127.0.0.1:" + controllerPort,
        "controller.listener.names",
        "CONTROLLER",
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort),
        "log.dirs",
        directory.resolve("data").toString());
  }

  /** The class path of this process contains the broker. */
  private static ChildProcess jvm(String name, Path directory, Object... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path"))));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return ChildProcess.start(name, directory, Map.of(), command);
  }

  /** The child has another working directory. */
  private static String absolute(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
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
    return new KafkaQueue(address, name, settings.client(), shape).prepared();
  }

  @Override
  public Topic createTopic(String name, List<String> names)
      throws ExecutionException, InterruptedException, TimeoutException {
    create(name);
    for (String group : names) {
      beginAtEarliest(group);
    }
    return new KafkaTopic(
        new KafkaQueue(address, name, settings.client(), Shape.BATCH_100), name, groups);
  }

  private void create(String name)
      throws ExecutionException, InterruptedException, TimeoutException {
    NewTopic topic = new NewTopic(name, Optional.of(1), Optional.of((short) 1));
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
