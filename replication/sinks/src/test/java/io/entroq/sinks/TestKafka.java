package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A broker in a process of its own, which may be killed and started again. */
final class TestKafka implements AutoCloseable {
  private final Path directory;
  private final int port;
  private final Path settings;
  private Process process;

  /** Prepares its files; does not start it. */
  TestKafka(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    port = unusedPort();
    settings = directory.resolve("server.properties");
    write(unusedPort());
    format();
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void write(int controllerPort) throws IOException {
    Properties properties = new Properties();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", "1");
    properties.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort));
    properties.put("log.dirs", directory.resolve("data").toString());
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    properties.put("auto.create.topics.enable", "false");
    try (var out = Files.newBufferedWriter(settings)) {
      properties.store(out, null);
    }
  }

  private void format() throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    String[] arguments = {"format", "-t", Uuid.randomUuid().toString(), "-c", settings.toString()};
    if (StorageTool.execute(arguments, new PrintStream(output, true, UTF_8)) != 0) {
      throw new IOException("formatting failed: " + output.toString(UTF_8).strip());
    }
  }

  TestKafka start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                "kafka.Kafka",
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(directory.resolve("out.log").toFile()))
            .redirectInput(Redirect.from(new File("/dev/null")))
            .start();
    until("Kafka listens; see " + directory, this::isListening);
    return this;
  }

  private boolean isListening() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Creates a topic with some partitions. */
  void create(String topic, int partitions) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(clientSettings())) {
      NewTopic some = new NewTopic(topic, Optional.of(partitions), Optional.empty());
      admin.createTopics(List.of(some)).all().get();
    }
  }

  Map<String, Object> clientSettings() {
    return Map.of("bootstrap.servers", address());
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Ends it at once. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }
}
