package io.entroq.perf.peers.rabbitmq;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.process.InstalledPrograms;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** RabbitMQ nodes with quorum queues, and a channel for each caller. */
public final class RabbitPeer extends Peer {
  static final String PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server";
  static final String PORT_MAPPER = "epmd";

  private final int replicas;

  /**
   * @param replicas nodes, each with a copy of every queue
   */
  public RabbitPeer(int replicas) {
    // A quorum queue always forces its log.
    super("rabbitmq", "RabbitMQ", EnumSet.of(DurabilityClass.DISK));
    this.replicas = replicas;
  }

  @Override
  public Optional<String> absence() {
    return InstalledPrograms.absence(PROGRAM).or(() -> InstalledPrograms.absence(PORT_MAPPER));
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> server = new LinkedHashMap<>();
    server.put("collect_statistics_interval", "60000");
    server.put("tcp_listen_options.nodelay", "true");
    server.put("vm_memory_high_watermark.relative", "0.6");
    server.put("disk_free_limit.absolute", "50MB");
    server.put("loopback_users", "none");
    Map<String, String> client = new LinkedHashMap<>();
    client.put("x-queue-type", "quorum");
    client.put("delivery_mode", "2");
    client.put("prefetch", "1 in sync1, 2 in sync32, twice the batch else");
    client.put("channels", "one for each caller, of one connection");
    return new Settings(
        "a publish is confirmed when "
            + (replicas == 1 ? "the log is" : "the logs of a majority are")
            + " forced, many together; the protocol has no answer to an acknowledgement, so a commit"
            + " ends when it has been sent",
        server,
        client,
        "basic.publish and wait for confirms; delivery by basic.consume; basic.ack (multiple)");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return RabbitServer.start(settings(durability).server(), replicas, directory);
  }
}
